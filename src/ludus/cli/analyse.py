"""`ludus analyse`: the best lines of a position with their scores, live while the search goes on."""

from __future__ import annotations

import argparse
import json
import math
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Thread

from ludus.agents.agent import Agent, Budget
from ludus.agents.analysis import Analysis, Analyst, usual_budget
from ludus.agents.best import best_name
from ludus.agents.naming import make_agent, parse_agent
from ludus.cli.position import Named, named_position
from ludus.cli.progress import saying_when_it_compiles
from ludus.compile.agreement import compiling
from ludus.errors import PositionError
from ludus.rules import Game
from ludus.view.analysis import analysis_canvas, hints_of, line_on_board
from ludus.view.canvas import Canvas
from ludus.view.scene import Hint, scene_of_line
from ludus.view.terminal import as_rich, position_canvas
from ludus.view.theme import PALETTES, Palette

FRAME_S = 0.1  # between two pictures
PATIENCE_S = 3.0  # that a search which was told to stop is waited for
ECHO_COLUMNS = 2  # left free at the right: the "^C" of the terminal must not begin a new row
PLAIN_COLUMNS, PLAIN_ROWS = 80, 60  # of what does not go to a terminal

Tell = Callable[[Analysis, bool], None]  # what is known, and whether that is the end of it


def analyse(arguments: argparse.Namespace) -> int:
    named = named_position(arguments)
    game, state = named.game, named.state
    if game.result(state) is not None:
        raise PositionError("the game is over after these moves: there is nothing to analyse")
    with saying_when_it_compiles(game.name), compiling(game):
        agent = make_agent(game, arguments.agent, seed=arguments.seed)
        analyst = Analyst(game, agent, state, lines=arguments.lines, budget=_budget(arguments, agent))
    picture = Picture(named, _label(game, arguments.agent), PALETTES[arguments.theme or "dark"])
    with _live(picture) if sys.stdout.isatty() and not arguments.json else _quiet(picture, arguments.json) as tell:
        with compiling(game):
            analysis = _watch(analyst, lambda found: tell(found, False))
        tell(analysis, True)
    return 0


def _budget(arguments: argparse.Namespace, agent: Agent) -> Budget:
    if arguments.time is None and arguments.nodes is None:
        return usual_budget(agent)
    has_time = arguments.time is not None and math.isfinite(arguments.time)
    return Budget(arguments.time if has_time else None, arguments.nodes)


def _label(game: Game, text: str) -> str:
    """Who thinks: `best` says which agent that is."""
    return f"{text} ({best_name(game)})" if parse_agent(text)[0] == "best" else text


def _watch(analyst: Analyst, tell: Callable[[Analysis], None]) -> Analysis:
    """Run the analysis in a thread and tell how it goes on. Ctrl-C ends it with what is known; a second one at once."""
    failures: list[BaseException] = []

    def run() -> None:
        try:
            analyst.run()
        except BaseException as error:
            failures.append(error)

    thread = Thread(target=run, daemon=True)
    thread.start()
    try:
        while thread.is_alive():
            tell(analyst.latest())
            thread.join(FRAME_S)
    except KeyboardInterrupt:
        end = time.monotonic() + PATIENCE_S
        while thread.is_alive() and time.monotonic() < end:
            analyst.stop()
            thread.join(0.02)
        if not analyst.latest().lines:
            raise
    if failures:
        raise failures[0]
    return analyst.latest()


# ---- showing it


class Picture:
    """What is shown of an analysis; the board is drawn anew only where the best line has changed."""

    def __init__(self, named: Named, agent: str, palette: Palette) -> None:
        self.named, self.agent, self.palette = named, agent, palette
        self.drawn: tuple[list[Hint], tuple[int, ...]] = ([], ())
        self.board: Canvas | None = None

    def canvas(self, analysis: Analysis, columns: int, rows: int, *, may_scroll: bool = False) -> Canvas:
        hints, line = hints_of(analysis), line_on_board(analysis)
        if self.board is None or self.drawn != (hints, line):
            scene = scene_of_line(self.named.game, self.named.line, hints=hints, best_line=line)
            self.drawn, self.seats, self.board = (hints, line), scene.view.seats, position_canvas(scene, self.palette)
        return analysis_canvas(
            self.named.game,
            self.seats,
            self.board,
            analysis,
            self.palette,
            agent=self.agent,
            columns=columns,
            rows=rows,
            may_scroll=may_scroll,
        )


@contextmanager
def _quiet(picture: Picture, is_json: bool) -> Iterator[Tell]:
    """Nothing but the end of it, plain: for pipes and files."""

    def tell(analysis: Analysis, is_final: bool) -> None:
        if not is_final:
            return
        if is_json:
            sys.stdout.write(json.dumps(analysis.to_data(picture.named.game)) + "\n")
            return
        canvas = picture.canvas(analysis, PLAIN_COLUMNS, PLAIN_ROWS, may_scroll=True)
        sys.stdout.write("\n".join(canvas.rows(ascii=_is_ascii())) + "\n")

    yield tell


@contextmanager
def _live(picture: Picture) -> Iterator[Tell]:
    """A picture in the terminal that changes in place; the last one stays."""
    from rich.console import Console  # noqa: PLC0415  # slow to import, and only people at a terminal need it
    from rich.live import Live  # noqa: PLC0415

    console, is_ascii = Console(highlight=False), _is_ascii()
    with Live(console=console, auto_refresh=False) as live:

        def tell(analysis: Analysis, is_final: bool) -> None:
            columns, rows = console.size
            canvas = picture.canvas(analysis, columns - ECHO_COLUMNS, rows - 1, may_scroll=is_final)
            live.update(as_rich(canvas, ascii=is_ascii), refresh=not is_final)  # the end of Live draws the last one

        yield tell


def _is_ascii() -> bool:
    return not (sys.stdout.encoding or "ascii").lower().startswith("utf")
