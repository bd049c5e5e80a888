"""A check as one web page that stands alone: light and dark, on paper too; every text from the bot is escaped."""

from __future__ import annotations

import shlex
from collections.abc import Iterator

from ludus.course.alone import drawn_board, figure, page_alone
from ludus.course.check import Checkup
from ludus.course.check_words import (
    blunder_chances,
    blunder_place,
    blunder_scene,
    games_by_rung,
    rating_text,
    results,
    rungs_around,
    workload_text,
)
from ludus.course.judgements import Judged, Judgement, seems_to_look
from ludus.course.ladder import TITLES, Played
from ludus.course.tactics import KINDS
from ludus.reports.markup import Markup, badge, card, element, heading, joined
from ludus.reports.plots_svg import by_tens, histogram
from ludus.reports.time_use import quantiles
from ludus.reports.wording import seconds
from ludus.rules import GAMES_FOLDER

SIGNS = {"pass": "✓", "warn": "!", "fail": "✕", "note": "i"}
SAID = {"pass": "good", "warn": "warning", "fail": "would be disqualified", "note": "for information"}
LONGEST_TRACEBACK = 4000  # characters


def check_page(found: Checkup, judged: Judged, *, called: str) -> str:
    """The whole page; `called` is the event's name, or the path of its file, for the commands that it shows."""
    right = [_does(found)]
    if found.workload is not None:
        right.append(_ahead(found))
    column = element("div", right, _next(found, called), class_="stack")
    sections = [_opening(found, judged), element("div", _valid(found, judged), column, class_="halves")]
    if found.workload is not None:
        sections.append(_wrong(found))
    title = f"{found.entrant.path.name}: check for {found.event.name}"
    return page_alone(title, sections, brand=found.event.title)


def _opening(found: Checkup, judged: Judged) -> Markup:
    tone = "bad" if not judged.is_valid else "warn" if judged.warnings else "good"
    cause = judged.verdict.partition(": ")[2]
    name = "Valid" if judged.is_valid else "Would be disqualified"
    warnings = f"{judged.warnings} warning{'s' if judged.warnings != 1 else ''}" if judged.warnings else "no warnings"
    figures = []
    if found.rating is not None:
        figures.append(figure(rating_text(found), "rating", f"95 %: {found.rating.low:.0f} to {found.rating.high:.0f}"))
        below, above = rungs_around(found)
        higher = f"below {above}, on the ladder" if below and above else "on the ladder"
        figures.append(figure(f"above {below}" if below else f"below {above}", higher))
    return card(
        element(
            "div",
            element(
                "div",
                element("h1", "Check of ", found.entrant.path.name),
                element(
                    "p",
                    f"{found.event.name} · {workload_text(found)} in {found.seconds:.0f} s · ",
                    element("code", f"sha {found.entrant.digest[:6]}"),
                    class_="quiet",
                ),
                class_="titles",
            ),
            element("span", name, class_=f"badge verdict {tone}"),
            element("div", figures, class_="figures") if figures else None,
            class_="opening",
        ),
        element("p", cause if cause else warnings, class_="bad cause" if cause else "quiet cause"),
    )


def _valid(found: Checkup, judged: Judged) -> Markup:
    counted = [judgement for judgement in judged.judgements if judgement.mark != "note"]
    good = sum(judgement.mark == "pass" for judgement in counted)
    stack = next((fault.traceback for fault in found.faults if fault.traceback), "")
    return card(
        heading("Is it valid?", id="valid", note=f"{good} of {len(counted)} checks pass"),
        element("ul", [_judgement(judgement) for judgement in judged.judgements], class_="checks"),
        element("details", element("summary", "Where it failed"), element("pre", stack[-LONGEST_TRACEBACK:]))
        if stack
        else None,
    )


def _judgement(judgement: Judgement) -> Markup:
    sign = element("span", SIGNS[judgement.mark], class_=f"sign {judgement.mark}", title=SAID[judgement.mark])
    text = element("div", element("h3", judgement.title), element("p", judgement.text))
    return element("li", sign, element("span", SAID[judgement.mark], class_="unseen"), text)


def _does(found: Checkup) -> Markup:
    games = games_by_rung(found.played)
    rows = [_rung(found, rung, played) for rung, played in games]
    forfeits = sum(one.is_forfeit for one in found.played)
    stopped = f"; {forfeits} forfeits" if forfeits else ""
    note = f"{len(found.played)} games under the referee of {found.event.name}, both seats{stopped}"
    return card(
        heading("How does it do?", id="does", note=note),
        element("div", rows, class_="rungs", role="list"),
        _times(found),
    )


def _rung(found: Checkup, rung: str, played: list[Played]) -> Markup:
    won, drawn, lost = results(played)
    parts = [
        element("span", str(count), class_=f"part {tone}", style=f"flex-grow:{count}")
        for count, tone in ((won, "won"), (drawn, "drawn"), (lost, "lost"))
        if count
    ]
    stands = "" if found.rating is None else f"{found.rating.rungs.get(rung, 0):.0f}"
    label = f"{rung}: won {won}, drawn {drawn}, lost {lost}"
    return element(
        "div",
        element("span", element("b", rung), " ", element("small", TITLES[rung]), class_="who"),
        element("span", parts, class_="bars", role="img", aria_label=label, title=label),
        element("span", stands, class_="stands", title="rating"),
        class_="rung",
        role="listitem",
    )


def _times(found: Checkup) -> Markup | None:
    walls = [max(0.05, 1000 * (spent.wall_s - spent.waited_s)) for spent in found.spents]
    if not walls:
        return None
    limit_ms = 1000 * found.event.control.limit_s
    _, _, middle, high, most = quantiles(walls)
    told = f"median {seconds(middle)} · 95 % under {seconds(high)} · longest {seconds(most)} of {seconds(limit_ms)}"
    scale = by_tens(max(0.05, min(*walls, limit_ms / 100)), 1.15 * max(most, limit_ms))
    note = f"{len(walls)} moves; limit {seconds(limit_ms)}; a scale of tens"
    return joined(
        heading("Time per move", id="time", note=note, level=3),
        histogram(walls, scale, limit_ms, label=told),
        element("p", told, class_="quiet told"),
    )


def _ahead(found: Checkup) -> Markup:
    rows = []
    for score in found.tactics:
        share, chance = score.solved / score.asked, score.expected / score.asked
        track = element(
            "span",
            element("span", class_="fill", style=f"width:{100 * share:.1f}%"),
            element("span", class_="chance", style=f"left:{100 * chance:.1f}%", title="by chance"),
            class_="track",
        )
        told = f"{score.solved} of {score.asked}"
        rows.append(
            element(
                "div", element("span", KINDS[score.kind]), track, element("span", told, class_="right"), class_="puzzle"
            )
        )
    return card(
        heading("Does it look ahead?", id="ahead", note=seems_to_look(found)),
        rows or element("p", "This game came to no positions that make puzzles.", class_="quiet"),
        element("p", "The line on each bar is what random moves would solve.", class_="quiet told") if rows else None,
    )


def _next(found: Checkup, called: str) -> Markup:
    name, event = shlex.quote(f"./{found.entrant.path.name}"), shlex.quote(called)
    game = found.event.game
    rules = game.name if game.path.is_relative_to(GAMES_FOLDER) else shlex.quote(f"./{game.path.name}")
    commands = [f"ludus check {name} --event {event}", f"ludus match {event} {name} best --games 10 --swap"]
    if found.blunders:
        commands.append(f"ludus play {rules} --vs {name}")
    advice = list(_advice(found))
    return card(
        heading("Next version", id="next"),
        element("ul", [element("li", text) for text in advice]) if advice else None,
        element("p", "From a terminal:", class_="quiet commands-head"),
        element("pre", "\n".join(commands), class_="commands"),
    )


def _advice(found: Checkup) -> Iterator[str]:
    first_of_kind = {fault.kind: fault for fault in reversed(found.faults)}
    for fault in list(reversed(first_of_kind.values()))[:3]:
        yield f"Mend: {fault.sentence}."
    skills = {score.kind: score for score in found.tactics}
    for kind, words in (("win1", "Take a win that is there"), ("stop1", "Stop a win of the opponent in one move")):
        if kind in skills and skills[kind].solved < skills[kind].asked:
            yield f"{words}: it missed {skills[kind].asked - skills[kind].solved} of {skills[kind].asked}."
    if not found.faults and found.spents:
        most = max(spent.wall_s for spent in found.spents)
        if most < 0.2 * found.event.control.limit_s:
            limit = seconds(1000 * found.event.control.limit_s)
            yield f"There is time: its longest move took {seconds(1000 * most)} of {limit}."


def _wrong(found: Checkup) -> Markup:
    game, figures = found.event.game, []
    for blunder in found.blunders:
        scene = blunder_scene(game, blunder, found.entrant.name)
        played, better = game.move_name(blunder.moment.move), game.move_name(blunder.better)
        tone = "bad" if blunder.drop >= 0.3 else "warn"
        figures.append(
            element(
                "figure",
                drawn_board(scene),
                element(
                    "figcaption",
                    element("span", blunder_place(blunder), class_="quiet"),
                    badge(blunder_chances(blunder), tone),
                    element(
                        "span", "played ", element("b", played), ", better ", element("b", better), f": {blunder.what}"
                    ),
                ),
            )
        )
    note = "the biggest drops in its chance to win, by our engine; green: better, crossed out: played"
    empty = element("p", "Our engine found no blunder in these games.", class_="quiet")
    return card(
        heading("Where it goes wrong", id="wrong", note=note if figures else None),
        element("div", figures, class_="boards") if figures else empty,
    )
