"""A game in the terminal while it is played: the board, who thinks, and how long the moves take."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager

from ludus.referee.game import Mind, Pitch, Watch
from ludus.rules import Line, State
from ludus.view.scene import scene_of_line
from ludus.view.terminal import as_rich, position_canvas
from ludus.view.theme import PALETTES

FRAME_S = 0.05  # between two pictures: nobody sees more, and drawing takes time from the players


@contextmanager
def live_board(pitch: Pitch, names: tuple[str, str], *, is_on: bool) -> Iterator[Watch | None]:
    """What to tell the moves to; nothing where nobody watches."""
    game, limit_s = pitch.game, pitch.control.limit_s
    if not is_on:
        yield None
        return
    from rich.console import Console, Group  # noqa: PLC0415  # slow to import, and only people at a terminal need it
    from rich.live import Live  # noqa: PLC0415
    from rich.text import Text  # noqa: PLC0415

    is_ascii = not (sys.stdout.encoding or "ascii").lower().startswith("utf")
    slowest = [0.0, 0.0]
    drawn_at = 0.0
    states: list[State] = [game.start(**pitch.options)]

    with Live(console=Console(highlight=False), auto_refresh=False, transient=False) as live:

        def draw(moves: tuple[int, ...]) -> None:
            nonlocal drawn_at
            scene = scene_of_line(game, Line(tuple(states[-2:]), moves[-1:]))
            rows = [f" ply {len(moves)}"]
            for seat, name, seconds in zip(scene.view.seats, names, slowest, strict=True):
                rows.append(f" {seat.name:<10} {name:<24} slowest move {seconds:.3f} s of {limit_s:g} s")
            canvas = position_canvas(scene, PALETTES["dark"])
            live.update(Group(as_rich(canvas, ascii=is_ascii), Text("\n".join(rows))), refresh=True)
            drawn_at = time.perf_counter()

        def watch(state: State, moves: tuple[int, ...], mind: Mind) -> None:
            slowest[mind.seat] = max(slowest[mind.seat], mind.spent.wall_s)
            states.append(state)
            if time.perf_counter() - drawn_at > FRAME_S or game.result(state) is not None:
                draw(moves)

        draw(())
        yield watch
