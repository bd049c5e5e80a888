"""Sections of a report about single games: failures, games that repeat others, lists of games, files."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from fractions import Fraction

from ludus.reports.findings import Failure, Findings
from ludus.reports.frame import game_page, team_page
from ludus.reports.markup import Markup, badge, card, element, heading, joined, link, table
from ludus.reports.wording import kind_name, place_of_game, points
from ludus.tournament.grades import Sheet, exact
from ludus.tournament.pairing import Pairing
from ludus.tournament.store import StoredGame

MOST_ROWS = 2000  # of a list; a CSV file has all of them
MOST_FAILURES, MOST_REPETITIONS = 300, 50
TONES = {"timeout": "warn", "crashed": "plain"}
FILES = {
    "standings.csv": "everybody's place and totals",
    "tables.csv": "every pool and stage",
    "games.csv": "every game",
    "failures.csv": "every forfeit, and games that count for nobody",
    "ratings.csv": "Elo with intervals",
    "grades.csv": "marks and how they came about",
}


def watch(
    pairing: Pairing, replays: set[str], text: str = "Watch", *, ply: int | None = None, root: str = ""
) -> object:
    """A link to the game on the board, where it was drawn."""
    if pairing.id not in replays:
        return element("span", "no replay", class_="quiet")
    return link(game_page(pairing, ply=ply, root=root), text)


def failures(found: Findings, replays: set[str]) -> Markup:
    count = len(found.failures)
    if not count:
        return card(
            heading("Failures", id="failures"), element("p", "No bot failed, and every game was played.", class_="note")
        )
    by_team = Counter(failure.team for failure in found.failures if failure.team is not None)
    who = [
        joined(" · " if number else "", link(team_page(team), found.names[team]), f" {times}")
        for number, (team, times) in enumerate(by_team.most_common(8))
    ]
    more = len(by_team) - 8
    note = joined(badge(str(count), "bad"), " ", who, f" · and {more} more" if more > 0 else "")
    rows = [_failure(found, failure, replays) for failure in found.failures[:MOST_FAILURES]]
    return card(
        heading("Failures", id="failures", note=note),
        table(["What", "Who, and why", "Where", ""], rows, caption="Failures", class_="failures"),
        _rest(count, MOST_FAILURES, "failures.csv"),
    )


def _failure(found: Findings, failure: Failure, replays: set[str], *, root: str = "") -> Markup:
    pairing = failure.pairing
    if failure.team is None:
        who: object = element("b", f"{found.names[pairing.first]} – {found.names[pairing.second]}")
    else:
        who = element("b", link(team_page(failure.team, root=root), found.names[failure.team]))
    line = f" (line {failure.line})" if failure.line else ""
    return element(
        "tr",
        element("td", badge(kind_name(failure.kind), TONES.get(failure.kind, "bad"))),
        element("td", who, element("code", f"{failure.reason}{line}")),
        element(
            "td",
            f"{place_of_game(pairing)}, move {failure.ply + 1}" if failure.team is not None else place_of_game(pairing),
        ),
        element("td", watch(pairing, replays, "Position", ply=failure.ply, root=root)),
        data_team=failure.team,
    )


def team_failures(found: Findings, team: int, replays: set[str]) -> Markup | None:
    mine = [failure for failure in found.failures if failure.team == team]
    if not mine:
        return None
    rows = [_failure(found, failure, replays, root="../") for failure in mine[:MOST_FAILURES]]
    return card(
        heading("Failures", id="failures", note=badge(str(len(mine)), "bad")),
        table(["What", "Why", "Where", ""], rows, caption="Failures", class_="failures"),
    )


def identical(found: Findings, replays: set[str]) -> Markup | None:
    """Games that say nothing new, as both bots played them move for move before."""
    if not found.repetitions:
        return None
    spare = sum(len(same.ids) - 1 for same in found.repetitions)
    pairings = {game.result.pairing.id: game.result.pairing for game in found.games}
    rows = []
    for same in found.repetitions[:MOST_REPETITIONS]:
        one, other = same.teams
        links = [
            joined(", " if number else "", watch(pairings[name], replays, name)) for number, name in enumerate(same.ids)
        ]
        pair = joined(link(team_page(one), found.names[one]), " and ", link(team_page(other), found.names[other]))
        rows.append(
            element(
                "tr",
                element("th", pair, scope="row"),
                element("td", len(same.ids), class_="right"),
                element("td", links),
            )
        )
    note = "move by move; bots that always answer alike learn nothing from them, and other openings would"
    count = f"{spare} game{'s' if spare > 1 else ''} repeat{'s' if spare == 1 else ''} another"
    return card(
        heading("Identical games", id="identical", note=f"{count} {note}"),
        table(["Bots", element("th", "Alike", scope="col", class_="right"), "Games"], rows, caption="Identical games"),
        _rest(len(found.repetitions), MOST_REPETITIONS, "games.csv"),
    )


def games_table(
    found: Findings,
    games: Sequence[StoredGame],
    replays: set[str],
    *,
    root: str = "",
    caption: str,
    most: int = MOST_ROWS,
) -> Markup:
    rows = [_game(found, game, replays, root) for game in games[:most]]
    head = [
        "Game",
        "First",
        element("th", "Points", scope="col", class_="middle"),
        "Second",
        "End",
        element("th", "Moves", scope="col", class_="right"),
        "",
    ]
    return joined(
        table(head, rows, caption=caption, class_="games"),
        _rest(len(games), most, f"{root}games.csv"),
    )


def _game(found: Findings, game: StoredGame, replays: set[str], root: str) -> Markup:
    pairing, made, winner, _, kind, status = game.result
    score = f"{points(made[0])} : {points(made[1])}" if status == "played" else "–"
    sides = [
        element(
            "td",
            link(team_page(team, root=root), found.names[team]),
            class_="winner" if team == winner else None,
            data_team=team,
        )
        for team in (pairing.first, pairing.second)
    ]
    end = (
        element("span", "win", class_="quiet")
        if kind == "win"
        else badge(kind_name(kind), TONES.get(kind, "plain" if kind == "draw" else "bad"))
    )
    return element(
        "tr",
        element("td", place_of_game(pairing)),
        sides[0],
        element("td", score, class_="middle"),
        sides[1],
        element("td", end, title=game.reason),
        element("td", game.plies, class_="right"),
        element("td", watch(pairing, replays, root=root)),
    )


def _rest(count: int, most: int, file: str) -> Markup | None:
    if count <= most:
        return None
    return element("p", f"The first {most} of {count}; ", link(file, "the file"), " has all of them.", class_="note")


def files(found: Findings, names: Iterable[str], *, has_grades: bool) -> Markup:
    """What can be taken along, and what is needed to play it all again."""
    items = [element("li", link(name, name), f" – {FILES[name]}") for name in names if name != "grades.csv"]
    if has_grades and found.sheets:
        items.append(element("li", link("grades/index.html", "grades"), " – marks, and a sheet for every student"))
    kit = found.tournament.kit
    facts = [
        ("Event", kit.event_name),
        ("Game", found.event.game.title),
        ("Isolation", kit.isolation),
        ("Seed", str(kit.seed)),
        *((what.capitalize(), version) for what, version in found.tournament.versions.items() if what != "system"),
    ]
    listed = [joined(element("dt", what), element("dd", value)) for what, value in facts]
    return card(
        heading("Files", id="files", note="exact numbers, for spreadsheets and programs"),
        element("ul", items),
        element("dl", listed, class_="facts"),
    )


def sheet_card(found: Findings, sheet: Sheet, *, title: str | None = None, level: int = 2) -> Markup:
    """How a mark came about, line by line; the team's name stands above it, unless there is another title."""
    rows = [
        element(
            "tr",
            element("th", line.what, scope="row"),
            element("td", line.how),
            element("td", exact(line.mark), class_="right"),
        )
        for line in sheet.lines
    ]
    total = exact(sheet.total)
    shown = sheet.shown if Fraction(sheet.shown) == sheet.total else f"{total} ≈ {sheet.shown}"
    rows.append(
        element(
            "tr",
            element("th", "Mark", scope="row"),
            element("td", ""),
            element("td", element("b", shown), class_="right"),
            class_="total",
        )
    )
    note = f"place {sheet.place} of {len(found.sheets)}"
    return card(
        heading(title or found.names[sheet.team], id=f"sheet-{sheet.team + 1}", note=note, level=level),
        table(
            ["For", "Reckoned", element("th", "Mark", scope="col", class_="right")],
            rows,
            caption=f"Marks of {found.names[sheet.team]}",
        ),
        class_="sheet",
    )
