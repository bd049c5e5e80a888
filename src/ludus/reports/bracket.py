"""A bracket as SVG: winners above, losers below, the grand final at the right; every slot knows its team."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from ludus.reports.frame import game_page
from ludus.reports.markup import Markup, element
from ludus.reports.unfolding import Bout
from ludus.reports.wording import points
from ludus.tournament.pairing import Pairing
from ludus.view.svg import shortened

WIDTH, GAP, SLOT, TOP = 146, 24, 24, 34  # pixels: of a match, between columns, of one team's line, of the titles
BETWEEN, APART = 18, 46  # pixels between matches, and between the two brackets

FITS = (1150, 1500)  # pixels; such a drawing is made to fit a wide screen

Key = tuple[str, int, int]  # stage, round, number


class Placed(NamedTuple):
    bout: Bout
    column: int
    y: float  # of the middle

    @property
    def x(self) -> float:
        return self.column * (WIDTH + GAP)


@dataclass
class _Layout:
    """Matches are placed from the leaves on: each leaf below the last one, the others between those they wait for."""

    bouts: Mapping[Key, Bout]
    rounds: int  # of the winners' bracket
    placed: dict[Key, Placed] = field(default_factory=dict)
    sources: dict[Key, list[Placed]] = field(default_factory=dict)  # whose winners play here
    next_y: float = TOP

    def place(self, key: Key) -> Placed | None:
        feeders = [found for feeder in self.feeders(key) if (found := self.place(feeder)) is not None]
        bout = self.bouts.get(key)
        if bout is None:
            return feeders[0] if feeders else None
        height = SLOT * len(bout.match.teams)
        if feeders:
            y = (feeders[0].y + feeders[-1].y) / 2
        else:
            room = 2 * SLOT if key[0] == "losers" else height  # whom a loser with a bye meets stands right behind it
            y = self.next_y + room / 2
            self.next_y += room + BETWEEN
        self.placed[key], self.sources[key] = Placed(bout, self.column(key), y), feeders
        return self.placed[key]

    def feeders(self, key: Key) -> list[Key]:
        """The matches of the same bracket whose winners come here."""
        stage, round, number = key
        if stage == "losers" and round % 2 == 0:
            return [(stage, round - 1, number)]
        if stage in ("winners", "knockout", "losers") and round > 1:
            return [(stage, round - 1, 2 * number - 1), (stage, round - 1, 2 * number)]
        return []

    def column(self, key: Key) -> int:
        stage, round, _ = key
        if stage in ("knockout", "losers"):
            return round - 1
        if stage == "winners":
            return max(0, 2 * round - 3)
        if stage == "third-place":
            return self.rounds - 1
        return max(1, 2 * self.rounds - 2) + round - 1


def bracket(bouts: Sequence[Bout], names: Sequence[str], games: Mapping[str, Pairing]) -> Markup:
    """The drawing; `games` has, for each match that was played, the game that its box leads to."""
    by_key = {_key(bout): bout for bout in bouts}
    upper = "knockout" if any(stage == "knockout" for stage, _, _ in by_key) else "winners"
    rounds = max(round for stage, round, _ in by_key if stage == upper)
    layout = _Layout(by_key, rounds)
    top = layout.place((upper, rounds, 1))
    titles = _titles(layout, upper, TOP - 16)
    bottom = None
    lower = [round for stage, round, _ in by_key if stage == "losers"]
    if lower:
        layout.next_y += APART
        above = layout.next_y - 16
        bottom = layout.place(("losers", max(lower), 1))
        titles += _titles(layout, "losers", above)
    _place_finals(layout, top, bottom)
    titles += _titles(layout, "grand-final", TOP - 16) + _titles(layout, "third-place", None)
    boxes = [_match(placed, names, games) for placed in layout.placed.values()]
    lines = _lines(layout)
    width = max(placed.x for placed in layout.placed.values()) + WIDTH + 4
    height = max(placed.y for placed in layout.placed.values()) + 2 * SLOT
    height = max(height, layout.next_y)
    drawn = element(
        "svg",
        lines,
        titles,
        boxes,
        viewbox=f"-2 0 {width + 2:.0f} {height:.0f}",
        width=f"{width + 2:.0f}",
        height=f"{height:.0f}",
        class_="bracket fits" if FITS[0] < width < FITS[1] else "bracket",
        role="group",
        aria_label="bracket",
    )
    return element("div", drawn, class_="scroll", tabindex="0", role="region", aria_label="bracket")


def _place_finals(layout: _Layout, top: Placed | None, bottom: Placed | None) -> None:
    middle = (top.y + bottom.y) / 2 if top and bottom else top.y if top else TOP
    for round in (1, 2):
        key = ("grand-final", round, 1)
        if key in layout.bouts:
            layout.placed[key] = Placed(layout.bouts[key], layout.column(key), middle)
            before = layout.placed.get(("grand-final", 1, 1)) if round == 2 else None
            layout.sources[key] = [before] if before else [source for source in (top, bottom) if source]
    third = ("third-place", 1, 1)
    if third in layout.bouts and top is not None:
        y = max(layout.next_y + SLOT, top.y + 5 * SLOT)
        layout.placed[third] = Placed(layout.bouts[third], layout.column(third), y)
        layout.next_y = y + 2 * SLOT


def _key(bout: Bout) -> Key:
    match = bout.match
    return match.stage, match.round, int(match.id.rpartition("-")[2])


def _titles(layout: _Layout, stage: str, y: float | None) -> list[Markup]:
    """The name of each round above its column."""
    found = {key[1]: placed for key, placed in layout.placed.items() if key[0] == stage}
    last = max(found, default=0)
    made = []
    for round, placed in sorted(found.items()):
        height = y if y is not None else placed.y - 2 * SLOT
        text = _round_name(stage, round, last)
        made.append(element("text", text, x=placed.x + WIDTH / 2, y=height, text_anchor="middle", class_="title"))
    return made


def _round_name(stage: str, round: int, last: int) -> str:
    if stage == "grand-final":
        return "Grand final" if round == 1 else "Reset"
    if stage == "third-place":
        return "Third place"
    side = {"winners": "Winners’ ", "losers": "Losers’ "}.get(stage, "")
    name = "final" if round == last else f"round {round}"
    if stage != "losers" and round == last - 1 and last > 2:
        name = "semi-finals"
    return f"{side}{name}" if side else name.capitalize()


def _match(placed: Placed, names: Sequence[str], games: Mapping[str, Pairing]) -> Markup:
    (match, is_decided, is_known), x, y = placed.bout, placed.x, placed.y
    height = SLOT * len(match.teams)
    box = element(
        "rect", x=x, y=y - height / 2, width=WIDTH, height=height, rx=8, class_="match" if is_decided else "match open"
    )
    slots = []
    for index, team in enumerate(match.teams):
        won = is_decided and team == match.winner
        score = points(match.score[index]) if is_decided and len(match.teams) == 2 else ""
        shown = names[team] if is_known[index] else "to be decided"
        slots.append(
            _slot(
                x,
                y - height / 2 + SLOT * index,
                team if is_known[index] else None,
                shown,
                score,
                won=won,
                note="bye" if len(match.teams) == 1 else "",
            )
        )
    spoken = _spoken(placed.bout, names)
    group = [box, *slots, element("title", spoken)]
    game = games.get(match.id)
    if game is None:
        return element("g", *group)
    return element("a", *group, href=game_page(game), aria_label=spoken)


def _slot(x: float, y: float, team: int | None, name: str, score: str, *, won: bool, note: str) -> Markup:
    look = "slot won" if won else "slot" if team is not None else "slot unknown"
    room = WIDTH - 28 - 9 * len(score or note)
    return element(
        "g",
        element("rect", x=x, y=y, width=WIDTH, height=SLOT, rx=8, class_="ground"),
        element("text", shortened(name, room, 13), x=x + 10, y=y + 16.5, class_="name"),
        element(
            "text", score or note, x=x + WIDTH - 10, y=y + 16.5, text_anchor="end", class_="score" if score else "bye"
        ),
        class_=look,
        data_team=team,
    )


def _spoken(bout: Bout, names: Sequence[str]) -> str:
    match = bout.match
    shown = [names[team] if known else "to be decided" for team, known in zip(match.teams, bout.is_known, strict=True)]
    if len(shown) == 1:
        return f"{match.id}: {shown[0]} has a bye"
    if not bout.is_decided:
        return f"{match.id}: {shown[0]} against {shown[1]}, not decided"
    how = "" if match.decided_by == "points" else f", by {match.decided_by}"
    board = f" on board {match.boards}" if match.boards > 1 else ""
    score = f"{points(match.score[0])} : {points(match.score[1])}"
    return f"{match.id}: {shown[0]} {score} {shown[1]}{board}; {names[match.winner]} goes on{how}"


def _lines(layout: _Layout) -> list[Markup]:
    """From each match to the one that its winner plays next, marked with the team that went that way."""
    made = []
    for key, sources in layout.sources.items():
        placed = layout.placed[key]
        for source in sources:
            start, end = source.x + WIDTH, placed.x
            path = f"M{start:.1f} {source.y:.1f}H{end - GAP / 2:.1f}V{placed.y:.1f}H{end:.1f}"
            team = source.bout.match.winner if source.bout.is_decided else None
            made.append(element("path", d=path, class_="way", data_team=team))
    return made
