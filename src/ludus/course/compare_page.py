"""A comparison as one page: the pairs in order, and both sources of those that stand out, with their shared parts."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

from ludus.course.alone import page_alone
from ludus.course.comparing import NOTE, Comparison, Pair
from ludus.course.fingerprints import Fingerprint, Likeness
from ludus.reports.markup import Markup, badge, card, element, heading, joined, link, table

MORE_ROWS, MOST_SOURCES = 30, 40  # pairs beyond those that stand out; pairs whose sources are shown


def compare_page(found: Comparison, *, event: str) -> str:
    out = found.standing_out
    rows = found.pairs[: len(out) + MORE_ROWS]
    drawn = [pair for pair in out if pair.code is not None and pair.code.shared][:MOST_SOURCES]
    title = f"{len(found.names)} bots compared"
    said = f"{len(out)} of {len(found.pairs)} pairs stand out" if out else "No pair stands out"
    return page_alone(
        title,
        card(element("h1", title), element("p", f"{said}. {NOTE}")),
        card(
            heading("Pairs", id="pairs", note=_note(found)),
            table(
                ["Bots", "Code", "Moves", "By chance", ""], [_row(found, pair, drawn) for pair in rows], caption="Pairs"
            ),
            element("p", f"The first {len(rows)} of {len(found.pairs)}; --json has all.", class_="note")
            if len(rows) < len(found.pairs)
            else None,
        ),
        [_sources(found, pair, number) for number, pair in enumerate(drawn)],
        brand=event,
    )


def _note(found: Comparison) -> str:
    moves = f"; moves: the same in how many of {found.positions} positions, and how many were to be expected"
    return f"code: how much of its own each has in the other{moves if found.positions else ''}"


def _row(found: Comparison, pair: Pair, drawn: list[Pair]) -> Markup:
    names = f"{found.names[pair.one]} and {found.names[pair.other]}"
    who: object = link(f"#pair-{drawn.index(pair)}", names) if pair in drawn else names
    return element(
        "tr",
        element("th", who, scope="row"),
        element("td", code_words(pair)),
        element("td", move_words(pair)),
        element("td", chance_words(pair)),
        element("td", [[badge(by, "warn"), " "] for by in pair.stands_out_by] or habit_words(pair), class_="quiet"),
    )


def code_words(pair: Pair) -> str:
    if pair.code is None:
        return "–"
    one, other = pair.code.shares
    return f"{100 * one:.0f} % / {100 * other:.0f} %"


def move_words(pair: Pair) -> str:
    if pair.moves is None or not pair.moves.common:
        return "–"
    return f"{pair.moves.same} of {pair.moves.common} ({pair.moves.expected:.1f})"


def chance_words(pair: Pair) -> str:
    if pair.moves is None or not pair.moves.common:
        return "–"
    chance = pair.moves.chance
    return "as expected" if chance > 0.05 else f"{chance:.2f}" if chance >= 0.005 else f"{chance:.0e}"


def habit_words(pair: Pair) -> str:
    """Why a pair does not stand out, though chance alone does not explain it."""
    return "others are as near" if pair.moves is not None and pair.moves.is_a_habit else ""


def _sources(found: Comparison, pair: Pair, number: int) -> Markup:
    """Both files side by side; parts that match have the same number."""
    assert pair.code is not None
    numbers = _numbered(found.prints[pair.one], pair.code)
    sides = []
    for team in (pair.one, pair.other):
        source, print_ = found.sources[team], found.prints[team]
        assert source is not None and print_ is not None
        shown = element("pre", list(_marked(source, print_, pair.code, numbers, found.given)), tabindex="0")
        sides.append(element("div", element("h4", found.names[team]), shown))
    names = f"{found.names[pair.one]} and {found.names[pair.other]}"
    told = f"code {code_words(pair)} · moves {move_words(pair)}"
    summary = element("summary", element("h3", names, id=f"pair-{number}"), " ", element("span", told, class_="note"))
    is_open = number == 0
    return card(element("details", summary, element("div", sides, class_="sources"), open=is_open))


def _numbered(print_: Fingerprint | None, code: Likeness) -> dict[bytes, int]:
    """The number of the matching part that each shared run begins in, as the first file has them."""
    assert print_ is not None
    covered = print_.covered(code.shared)
    numbers: dict[bytes, int] = {}
    part, was = 0, False
    for at, is_shared in enumerate(covered):
        part += is_shared and not was
        was = is_shared
        if at < len(print_.runs) and print_.runs[at] in code.shared:
            numbers.setdefault(print_.runs[at], part)
    return numbers


def _marked(
    source: str, print_: Fingerprint, code: Likeness, numbers: dict[bytes, int], given: frozenset[bytes]
) -> Iterator[object]:
    """The source, what is shared marked with the number of its part, what everybody was given in grey."""
    starts = [0]
    for line in source.splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    shared, known = print_.covered(code.shared), print_.covered(given)
    looks = [
        "given" if is_given else "shared" if is_shared else ""
        for is_shared, is_given in zip(shared, known, strict=True)
    ]
    done = 0
    for look, group in groupby(range(len(looks)), key=looks.__getitem__):
        places = list(group)
        first, last = print_.tokens[places[0]], print_.tokens[places[-1]]
        begin, end = (starts[min(row - 1, len(starts) - 1)] + column for row, column in (first.start, last.end))
        begin, end = max(done, begin), max(done, end)
        text = source[begin:end]
        yield source[done:begin]
        if look == "shared":
            runs = (print_.runs[at] for at in places if at < len(print_.runs))
            part = next((numbers[run] for run in runs if run in numbers), None)
            yield element("mark", element("sup", part) if part else None, text)
        else:
            yield element("span", text, class_="given") if look else joined(text)
        done = end
    yield source[done:]
