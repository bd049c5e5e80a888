"""Games, records and standings as a notebook shows them: HTML that needs no script and no style sheet."""

from __future__ import annotations

from inspect import Parameter, cleandoc
from typing import TYPE_CHECKING, Any

from ludus.errors import LudusError
from ludus.records import Record, replay
from ludus.reports.markup import Markup, element
from ludus.reports.trace import player_names, reason_of
from ludus.reports.wording import decided, points
from ludus.rules import Game, Line
from ludus.view.notebook import picture_html
from ludus.view.scene import scene_of, scene_of_line

if TYPE_CHECKING:
    from ludus.reports.standings import Standings

LONGEST_REPLAY = 20_000  # moves of a record that are played through only to show its last position
MOST_MOVES = 400  # that are listed
RIGHT = "text-align:right;padding:2px 9px"
LEFT = "text-align:left;padding:2px 9px"


def game_html(game: Game) -> str:
    """What the game is about, its options with their defaults, and the board at its start."""
    summary = cleandoc(game.module.__doc__ or "").partition("\n\n")[0]
    try:
        board: object = Markup(picture_html(scene_of(game, game.start())))
    except Exception as error:  # rules that are still being written
        board = element("p", f"The start cannot be drawn: {type(error).__name__}: {error}")
    options = ", ".join(
        name if value is Parameter.empty else f"{name}={_short(value)}" for name, value in game.options.items()
    )
    return element(
        "div",
        element("p", element("b", game.title), f" · {game.name}" if game.name != game.title else None),
        element("p", summary) if summary else None,
        element("p", "Options: ", element("code", options)) if options else None,
        board,
    )


def record_html(record: Record) -> str:
    """The last position with the players, how it ended, and the moves. Nothing that a record says is run."""
    names = player_names(record)
    who = " against ".join(names) if all(names) else ""
    try:
        board, outcome = _last_board(record, names)
    except LudusError as error:
        board, outcome = None, str(error)
    count = f"{len(record.moves):,} move{'' if len(record.moves) == 1 else 's'}"
    facts = [fact for fact in (who, count, outcome) if fact]
    listed = _move_list(record.moves)
    return element(
        "div",
        element("p", element("b", record.game[:60]), " · ", " · ".join(facts)),
        board,
        element("details", element("summary", "Moves"), element("p", element("code", listed))) if listed else None,
    )


def _last_board(record: Record, names: tuple[str, str]) -> tuple[Markup | None, str]:
    """The picture, and the sentence on how the game ended where the picture does not say it."""
    if len(record.moves) > LONGEST_REPLAY:
        return None, reason_of(record) or "too long to be drawn here"
    played = replay(record)
    scene = scene_of_line(played.game, Line(played.states, played.moves), players=names)
    ended = scene.status if played.result is not None else reason_of(record) or "not over"
    return Markup(picture_html(scene)), ended


def _move_list(moves: tuple[str, ...]) -> str:
    """1. 4,4  2. 3,3 ..., to a length that a page bears."""
    shown = "  ".join(f"{number}. {move}" for number, move in enumerate(moves[:MOST_MOVES], 1))
    return shown + (f"  … and {len(moves) - MOST_MOVES:,} more" if len(moves) > MOST_MOVES else "")


def standings_html(found: Standings) -> str:
    """The table, best first."""
    columns = (("", RIGHT), ("team", LEFT), *((name, RIGHT) for name in ("games", "won", "drawn", "lost", "points")))
    head = element("tr", [element("th", name, style=side) for name, side in (*columns, ("decided by", LEFT))])
    rows = [
        element(
            "tr",
            element("td", row.place, style=RIGHT),
            element("td", element("b", row.team) if row.place == 1 else row.team, style=LEFT),
            [element("td", value, style=RIGHT) for value in (row.games, row.wins, row.draws, row.losses)],
            element("td", points(row.points), style=RIGHT),
            element("td", decided(row.decided_by), style=LEFT),
        )
        for row in found.rows
    ]
    table = element("table", element("thead", head), element("tbody", rows))
    return element("div", element("p", element("b", found.title), " · ", found.progress), table)


def _short(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "..."
