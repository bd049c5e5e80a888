"""The full screen on which recorded games are watched, ply by ply: of one record, of a file, of a tournament."""

from __future__ import annotations

from typing import ClassVar

from rich.text import Text as RichText
from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, ScrollableContainer, Vertical
from textual.timer import Timer
from textual.widgets import DataTable, Footer, OptionList, Static
from textual.widgets.option_list import Option

from ludus.errors import LudusError
from ludus.records import Record, Replay, replay
from ludus.reports.trace import player_names, reason_of, seconds_of, trace_of_record
from ludus.rules import Game, Line
from ludus.screens.board import Board
from ludus.screens.gallery import Listed
from ludus.screens.overlays import STYLE, Notice
from ludus.screens.panel import clock_text, move_rows, players_text, terminal_theme
from ludus.screens.saving import free_name, write_file
from ludus.view.canvas import printable
from ludus.view.scene import Scene, scene_of_line
from ludus.view.theme import PALETTES, Theme

STEP_S = 0.6  # between two positions that follow by themselves
LIST_COLUMNS, SIDE_COLUMNS = 36, 40
HELP = """\
Left and right go back and forth, Home and End to the start and the end,
Page Up and Page Down by ten moves. Up and down choose another game.

  space  go on by itself, or stop
  t      write the trace of this game: every position and move as text
  d      dark or light
  q      leave"""


class WatchApp(App[None]):
    """`ludus watch`. Nothing of a record is run: it is replayed by rules that a person has."""

    TITLE = "Ludus"
    ENABLE_COMMAND_PALETTE = False
    CSS = (
        STYLE
        + """
    #main { height: 1fr; }
    #games { width: 36; height: 100%; border: none; background: $background; padding: 1; }
    #field { width: 1fr; height: 100%; align: center middle; background: $surface; }
    #side { width: 40; height: 100%; padding: 1 2; background: $background; }
    #side Static { height: auto; margin: 0 0 1 0; }
    #moves { height: 1fr; background: $background; }
    #main.-single #games { display: none; }
    #main.-narrow { layout: vertical; }
    #main.-narrow #games { width: 100%; height: 5; padding: 0 1; }
    #main.-narrow #field { width: 100%; height: 1fr; }
    #main.-narrow #side { width: 100%; height: auto; max-height: 50%; padding: 0 2; }
    #main.-narrow #side Static { margin: 0; }
    #main.-narrow #moves, #main.-narrow #title { display: none; }
    """
    )
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("left", "go(-1)", "Back", priority=True),
        Binding("right", "go(1)", "Forth", priority=True),
        Binding("home", "go(-1000000)", "Start", priority=True),
        Binding("end", "go(1000000)", "End", priority=True),
        Binding("pageup", "go(-10)", show=False, priority=True),
        Binding("pagedown", "go(10)", show=False, priority=True),
        Binding("up", "choose(-1)", show=False, priority=True),
        Binding("down", "choose(1)", show=False, priority=True),
        Binding("space", "run", "Run", priority=True),
        Binding("t", "trace", "Trace"),
        Binding("d", "theme", "Dark/light"),
        Binding("question_mark", "help", "Help"),
        Binding("q,escape", "quit", "Quit"),
    ]

    def __init__(self, games: list[Listed], *, rules: Game | None = None, theme: Theme = "dark") -> None:
        super().__init__()
        self.games, self.rules, self.colours = games, rules, theme
        self.record: Record | None = None
        self.played: Replay | None = None
        self.complaint = ""
        self.number, self.ply = -1, 0  # of the game that is open, and of its moves on the board
        self.timer: Timer | None = None
        for name in PALETTES:
            self.register_theme(terminal_theme(name))

    def compose(self) -> ComposeResult:
        with Horizontal(id="main", classes="-single" if len(self.games) == 1 else ""):
            yield OptionList(
                *(Option(RichText(printable(game.title), no_wrap=True)) for game in self.games), id="games"
            )
            with ScrollableContainer(id="field", can_focus=False):
                yield Board(has_cursor=False, id="board")
            with Vertical(id="side"):
                for name in ("title", "players", "status", "verdict"):
                    yield Static(id=name)
                table: DataTable[RichText] = DataTable(id="moves", cursor_type="row", zebra_stripes=True)
                table.can_focus = False
                yield table
        yield Footer(compact=True, show_command_palette=False)

    def on_mount(self) -> None:
        self.theme = f"ludus-{self.colours}"
        self._open(0)

    def on_resize(self) -> None:
        board = self.query_one(Board)
        width = (0 if board.shape is None else board.shape.width) + SIDE_COLUMNS
        width += LIST_COLUMNS if len(self.games) > 1 else 0
        self.query_one("#main").set_class(self.size.width < width + 2, "-narrow")
        self._show()

    def on_option_list_option_highlighted(self, event: OptionList.OptionHighlighted) -> None:
        self._open(event.option_index)

    def _open(self, number: int) -> None:
        """Read and replay a game, unless it is open; what is wrong with it is shown in its place."""
        if number == self.number:
            return
        self.number, self.ply = number, 0
        self.record, self.played, self.complaint = None, None, ""
        self.query_one("#games", OptionList).highlighted = number
        try:
            self.record = self.games[number].load()
            self.played = replay(self.record, self.rules)
        except LudusError as error:
            self.complaint = str(error)
        self._show_moves()
        self.on_resize()

    # ---- what is shown

    def _scene(self, record: Record, played: Replay) -> Scene:
        line = Line(played.states, played.moves)
        return scene_of_line(played.game, line, ply=self.ply, players=player_names(record))

    def _show(self) -> None:
        status, verdict = self.query_one("#status", Static), self.query_one("#verdict", Static)
        self.query_one(Board).display = self.played is not None
        if self.record is None or self.played is None:
            status.update(RichText(printable(self.complaint), style=PALETTES[self.colours].bad_deep))
            for name in ("title", "players", "verdict"):
                self.query_one(f"#{name}", Static).update("")
            return
        record, played = self.record, self.played
        scene, seconds, last = self._scene(record, played), seconds_of(record), len(played.moves)
        self.query_one(Board).show(scene, self.colours)
        self.query_one("#title", Static).update(RichText(scene.title, style="bold"))
        used = [0.0, 0.0]
        for seat, spent in zip(played.turns[: self.ply], seconds, strict=False):
            used[seat] += spent
        is_narrow = self.query_one("#main").has_class("-narrow")
        width = (self.size.width if is_narrow else SIDE_COLUMNS) - 4
        clocks = [clock_text(total) if seconds else "" for total in used]
        players = players_text(scene, clocks, PALETTES[self.colours], width, late=None)
        self.query_one("#players", Static).update(players)
        took = f" in {seconds[self.ply - 1]:.2f} s" if 0 < self.ply <= len(seconds) else ""
        words = f"Move {self.ply} of {last}" + (f": {scene.last_name}{took}" if self.ply else "")
        status.update(RichText(f"{printable(words)}\n{printable(scene.status)}", style="bold"))
        verdict.update(RichText(reason_of(record) if self.ply == last else "", style=PALETTES[self.colours].dim))
        self._mark_move()

    def _show_moves(self) -> None:
        table = self.query_one(DataTable)
        table.clear(columns=True)
        if self.record is None or self.played is None:
            return
        names = [RichText(seat.name) for seat in self._scene(self.record, self.played).view.seats]
        table.add_columns(RichText("#"), names[0], RichText("s"), names[1], RichText("s "))
        line = Line(self.played.states, self.played.moves)
        for row in move_rows(self.played.game, line, seconds_of(self.record)):
            table.add_row(*map(RichText, row))

    def _mark_move(self) -> None:
        """Put the table's cursor on the row of the last move shown."""
        assert self.played is not None
        line = Line(self.played.states[: self.ply + 1], self.played.moves[: self.ply])
        self.query_one(DataTable).move_cursor(row=max(0, len(move_rows(self.played.game, line, ())) - 1))

    # ---- keys

    def action_go(self, plies: int) -> None:
        if self.played is None:
            return
        self.ply = min(max(0, self.ply + plies), len(self.played.moves))
        self._show()

    def action_choose(self, games: int) -> None:
        self._open(min(max(0, self.number + games), len(self.games) - 1))

    def action_run(self) -> None:
        if self.timer is not None:
            self.timer.stop()
            self.timer = None
            return
        if self.played is not None and self.ply == len(self.played.moves):
            self.ply = 0
        self.timer = self.set_interval(STEP_S, self._run_on)

    def _run_on(self) -> None:
        self.action_go(1)
        if self.timer is not None and (self.played is None or self.ply == len(self.played.moves)):
            self.timer.stop()
            self.timer = None

    def action_trace(self) -> None:
        if self.record is None or self.played is None:
            return
        name = free_name(f"{self.played.game.name}-trace", ".txt")
        try:
            write_file(name, trace_of_record(self.record, self.rules))
        except LudusError as error:
            self.notify(str(error), severity="error", markup=False)
        else:
            self.notify(f"Written: {name}", markup=False)

    def action_theme(self) -> None:
        self.colours = "light" if self.colours == "dark" else "dark"
        self.theme = f"ludus-{self.colours}"
        self._show()

    def action_help(self) -> None:
        self.push_screen(Notice(HELP))
