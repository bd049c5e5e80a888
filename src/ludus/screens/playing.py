"""The full screen on which a person plays: board, clocks, evaluation, hints, and every key there is."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import ClassVar

from rich.text import Text as RichText
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, ScrollableContainer, Vertical
from textual.screen import Screen
from textual.widgets import DataTable, Footer, Input, Static

from ludus.agents.analysis import Analysis
from ludus.errors import LudusError
from ludus.screens.board import Board
from ludus.screens.overlays import PLAY_HELP, Choice, Notice
from ludus.screens.panel import LATE, advice_text, bar_text, clock_text, move_rows, players_text
from ludus.screens.picking import Picked, pick
from ludus.screens.saving import free_name, write_file
from ludus.screens.start import StartScreen
from ludus.sittings.adviser import Adviser, first_chance
from ludus.sittings.opponent import COMPILED, SOON_S, OpenRoom, Opponent
from ludus.sittings.sitting import Sitting
from ludus.view.analysis import hints_of, line_on_board
from ludus.view.canvas import printable
from ludus.view.scene import Scene, scene_of_line
from ludus.view.theme import PALETTES, Palette, Theme

EVALUATING_S, HINTING_S = 0.4, 1.5
TICK_S = 0.5  # between two pictures of the clocks
SIDE_COLUMNS = 42


class PlayScreen(Screen[None]):
    """One game. Whatever thinks does so in other processes; this screen only ever waits for keys."""

    AUTO_FOCUS = "Board"
    CSS = """
    #main { height: 1fr; }
    #field { width: 1fr; height: 100%; align: center middle; background: $surface; }
    #side { width: 42; height: 100%; padding: 1 2; background: $background; }
    #side Static { height: auto; margin: 0 0 1 0; }
    #title { text-style: bold; }
    #moves { height: 1fr; background: $background; }
    #typed { border: none; height: 1; padding: 0 2; background: $panel; }
    #main.-narrow { layout: vertical; }
    #main.-narrow #field { width: 100%; height: 1fr; }
    #main.-narrow #side { width: 100%; height: auto; max-height: 50%; padding: 0 2; }
    #main.-narrow #side Static { margin: 0; }
    #main.-narrow #moves, #main.-narrow #title { display: none; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("u", "undo", "Undo"),
        Binding("h", "hint", "Hint"),
        Binding("e", "evaluate", "Bar"),
        Binding("r", "resign", "Resign"),
        Binding("t", "trace", "Trace"),
        Binding("s", "save", "Save"),
        Binding("n", "new", "New"),
        Binding("d", "theme", "Dark/light"),
        Binding("question_mark", "help", "Help"),
        Binding("q", "leave", "Quit"),
        *(Binding(digit, f"type('{digit}')", show=False, priority=True) for digit in "0123456789"),
        Binding("colon", "type('')", show=False, priority=True),
        Binding("escape", "back", show=False),
    ]

    def __init__(self, sitting: Sitting, *, open_room: OpenRoom, theme: Theme, shows_bar: bool) -> None:
        super().__init__()
        self.sitting, self.colours = sitting, theme
        agreement = sitting.agreement
        self.opponents = {
            seat: Opponent(self.sitting.pitch, entrant, seat, open_room)
            for seat, entrant in enumerate(agreement.entrants)
            if not self.sitting.is_person(seat)
        }
        self.adviser = Adviser(agreement.game, agreement.options)
        self.picked: tuple[str, ...] = ()
        self.analysis: Analysis | None = None  # of this position
        self.shows_hint, self.shows_bar = False, shows_bar
        self.chance: float | None = None  # of seat 0, as last known
        self.scene: Scene = self._scene()

    def compose(self) -> ComposeResult:
        with Horizontal(id="main"):
            with ScrollableContainer(id="field", can_focus=False):
                yield Board(id="board")
            with Vertical(id="side"):
                yield Static(RichText(self.sitting.game.title), id="title")
                yield Static(id="players")
                yield Static(id="status")
                yield Static(id="bar")
                yield Static(id="advice")
                yield Static(id="message")
                table: DataTable[RichText] = DataTable(id="moves", cursor_type="row", zebra_stripes=True)
                table.can_focus = False
                yield table
        yield Input(placeholder="type a move here, or ? for help", id="typed", select_on_focus=False)
        yield Footer(compact=True, show_command_palette=False)

    def on_mount(self) -> None:
        names = [RichText(seat.name) for seat in self.scene.view.seats]
        self.query_one(DataTable).add_columns(RichText("#"), names[0], RichText("s"), names[1], RichText("s "))
        for opponent in self.opponents.values():
            self.run_worker(self._prepare(opponent))
        self.set_interval(TICK_S, self._show_players)
        self._changed()

    def on_unmount(self) -> None:
        for opponent in self.opponents.values():
            opponent.close()
        self.adviser.close()

    def on_resize(self) -> None:
        board = self.query_one(Board)
        width = 0 if board.shape is None else board.shape.width
        self.query_one("#main").set_class(self.size.width < width + SIDE_COLUMNS + 2, "-narrow")
        self._show()

    @property
    def palette(self) -> Palette:
        return PALETTES[self.colours]

    # ---- what is shown

    def _scene(self) -> Scene:
        analysis = self.analysis if self.shows_hint else None
        scene = scene_of_line(
            self.sitting.game,
            self.sitting.line,
            hints=hints_of(analysis) if analysis else (),
            best_line=line_on_board(analysis) if analysis else (),
            players=self.sitting.names,
        )
        return scene if self.sitting.verdict is None else replace(scene, mover=None, paths={})

    def _show(self) -> None:
        """Everything anew."""
        sitting, palette = self.sitting, self.palette
        self.scene = self._scene()
        width = self._side_width()
        self.query_one(Board).show(self.scene, self.colours, picked=self.picked)
        status = sitting.ending() or self.scene.status
        if sitting.turn is not None and not sitting.is_person(sitting.turn):
            status = f"{sitting.names[sitting.turn]} is thinking"
        self.query_one("#status", Static).update(RichText(printable(status), style="bold"))
        bar = self.query_one("#bar", Static)
        bar.display = self.shows_bar
        bar.update(bar_text(self.scene.view.seats, self._known_chance(), palette, width))
        advice = self.query_one("#advice", Static)
        advice.display = self.shows_hint
        if self.shows_hint and self.analysis is not None:
            advice.update(advice_text(sitting.game, self.scene.view.seats, self.analysis, palette, width))
        self._show_players()
        self._show_moves()

    def _known_chance(self) -> float | None:
        verdict = self.sitting.verdict
        if verdict is None:
            return self.chance
        return 0.5 if verdict.winner is None else float(verdict.winner == 0)

    def _side_width(self) -> int:
        is_narrow = self.query_one("#main").has_class("-narrow")
        return (self.size.width if is_narrow else SIDE_COLUMNS) - 4

    def _show_players(self) -> None:
        sitting = self.sitting
        clocks = [clock_text(sitting.used_s(seat)) for seat in (0, 1)]
        is_timed = sitting.agreement.warns_person or not sitting.is_person(sitting.turn)
        is_late = is_timed and sitting.thought_s() > LATE * sitting.agreement.limit_s
        late = sitting.turn if is_late else None
        text = players_text(self.scene, clocks, self.palette, self._side_width(), late=late)
        self.query_one("#players", Static).update(text)

    def _show_moves(self) -> None:
        table = self.query_one(DataTable)
        table.clear()
        seconds = [spent.wall_s for spent in self.sitting.spent]
        for row in move_rows(self.sitting.game, self.sitting.line, seconds):
            table.add_row(*map(RichText, row))
        table.move_cursor(row=max(0, table.row_count - 1))

    def _say(self, text: str, *, is_wrong: bool = False) -> None:
        colour = self.palette.bad_deep if is_wrong else self.palette.dim
        self.query_one("#message", Static).update(RichText(printable(text), style=colour))

    # ---- how the game goes on

    def _changed(self) -> None:
        """A new position: nothing that was thought about the old one counts."""
        self.analysis, self.shows_hint, self.picked = None, False, ()
        self.workers.cancel_group(self, "thinking")
        for opponent in self.opponents.values():
            opponent.stop()
        self._show()
        sitting = self.sitting
        if sitting.turn is None:
            self._end()
        elif not sitting.is_person(sitting.turn):
            self.run_worker(self._answer(sitting.turn), group="thinking")
        else:
            self.query_one(Board).go_to_legal()
            if self.shows_bar:
                self.run_worker(self._think(EVALUATING_S), group="thinking")

    async def _prepare(self, opponent: Opponent) -> None:
        """Excuse an opponent that needs long to get ready; why it cannot, it says when it is asked."""
        ready = asyncio.gather(asyncio.wrap_future(opponent.get_ready()), return_exceptions=True)
        done, _ = await asyncio.wait({ready}, timeout=SOON_S)
        if not done:
            self._say(f"{self.sitting.names[opponent.seat]} is getting ready; {COMPILED}")
            await ready
            self._say("")

    async def _answer(self, seat: int) -> None:
        try:
            choice = await asyncio.wrap_future(self.opponents[seat].choose(self.sitting))
        except LudusError as error:
            self._say(str(error), is_wrong=True)
            return
        if choice.move is None:
            assert choice.failure is not None
            self.sitting.fail(choice.failure)
        else:
            self.sitting.play(choice.move, choice.spent)
            self._say("")
        self._changed()

    async def _think(self, seconds: float) -> None:
        sitting = self.sitting
        assert sitting.turn is not None
        thinking = self.adviser.think(sitting.moves, turn=sitting.turn, seconds=seconds)
        try:
            self.analysis = await asyncio.wrap_future(thinking)
        except LudusError as error:
            self._say(str(error), is_wrong=True)
            return
        if self.analysis.lines:
            self.chance = first_chance(self.analysis)
        self._show()

    def _play(self, move: int) -> None:
        self.sitting.play(move)
        self._say("")
        self._changed()

    def _may_move(self) -> bool:
        if self.sitting.turn is None:
            self._say("The game is over: n begins a new one, u takes back.")
        elif not self.sitting.is_person(self.sitting.turn):
            self._say(f"It is the turn of {self.sitting.names[self.sitting.turn]}.")
        else:
            return True
        return False

    def on_board_pointed(self, event: Board.Pointed) -> None:
        if not self._may_move():
            return
        found = pick(self.sitting.game, self.sitting.state, self.scene, self.picked, event.key)
        if found.move is not None:
            self._play(found.move)
        elif found.choices:
            self._ask_which(found)
        else:
            self.picked = found.keys
            self._say(found.complaint, is_wrong=True)
            self._show()

    def _ask_which(self, found: Picked) -> None:
        names = {move: self.scene.view.choices.get(move) or self.scene.names[move] for move in found.choices}
        answers = [(str(number), name, str(move)) for number, (move, name) in enumerate(names.items(), 1)]
        self.app.push_screen(Choice("Which one?", answers), self._chosen)

    def _chosen(self, answer: str | None) -> None:
        if answer is not None and self._may_move():
            self._play(int(answer))

    def on_board_moved(self, event: Board.Moved) -> None:
        self._say(event.area.label or event.area.key)

    def on_input_submitted(self, event: Input.Submitted) -> None:
        text = event.value.strip()
        event.input.value = ""
        commands = {"undo": "undo", "hint": "hint", "resign": "resign", "help": "help", "?": "help", "quit": "leave"}
        self.action_back()
        if text in commands:
            getattr(self, f"action_{commands[text]}")()
        elif text and self._may_move():
            try:
                self._play(self.sitting.game.legal_move(self.sitting.state, text))
            except LudusError as error:
                self._say(str(error), is_wrong=True)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """A digit begins a move that is typed, unless one is typed already."""
        return action != "type" or not isinstance(self.focused, Input)

    def action_type(self, beginning: str) -> None:
        typed = self.query_one(Input)
        self.set_focus(typed)  # at once: the next key belongs to it already
        typed.value, typed.cursor_position = beginning, len(beginning)

    # ---- keys

    def action_back(self) -> None:
        self.picked = ()
        self.query_one(Board).focus()
        self._show()

    def action_undo(self) -> None:
        count = self.sitting.undo()
        if not count:
            self._say("There is nothing to take back.")
            return
        self._say(f"Taken back: {count} move{'s' if count != 1 else ''}.")
        self._changed()

    def action_hint(self) -> None:
        if self.shows_hint:
            self.shows_hint = False
            self._show()
        elif self._may_move():
            self.shows_hint = True
            self.sitting.hints += 1
            self._say("")
            self.workers.cancel_group(self, "thinking")
            self.run_worker(self._think(HINTING_S), group="thinking")
            self._show()

    def action_evaluate(self) -> None:
        self.shows_bar = not self.shows_bar
        self._show()
        if self.shows_bar and self.analysis is None and self.sitting.is_person(self.sitting.turn):
            self.run_worker(self._think(EVALUATING_S), group="thinking")

    def action_resign(self) -> None:
        if self.sitting.turn is None:
            self._say("The game is over.")
            return
        answers = [("y", "yes, I resign", "yes"), ("n", "no, play on", "")]
        self.app.push_screen(Choice("Resign this game?", answers), self._resigned)

    def _resigned(self, answer: str | None) -> None:
        if answer:
            self.sitting.resign()
            self._changed()

    def action_trace(self) -> None:
        self._write(free_name(f"{self.sitting.game.name}-trace", ".txt"), self.sitting.trace())

    def action_save(self) -> None:
        self._write(free_name(self.sitting.game.name, ".json"), self.sitting.record().to_json() + "\n")

    def _write(self, name: str, text: str) -> None:
        try:
            write_file(name, text)
        except LudusError as error:
            self._say(str(error), is_wrong=True)
        else:
            self._say(f"Written: {name}")

    def action_theme(self) -> None:
        self.colours = "light" if self.colours == "dark" else "dark"
        self.app.theme = f"ludus-{self.colours}"
        self._show()

    def action_help(self) -> None:
        self.app.push_screen(Notice(PLAY_HELP))

    def action_new(self) -> None:
        """To the menu; the files that were asked for hold the last game."""
        self.app.switch_screen(StartScreen())

    def action_leave(self) -> None:
        self.app.exit()

    def _end(self) -> None:
        """Everything that can be done with a game that is over."""
        answers = [
            ("t", "write the trace, a text with every position and move", "trace"),
            ("s", "save the record", "save"),
            ("u", "take back", "undo"),
            ("n", "new game", "new"),
            ("b", "look at the board", ""),
            ("q", "leave", "leave"),
        ]
        self.app.push_screen(Choice(f"{self.sitting.ending()}.", answers), self._after_the_end)

    def _after_the_end(self, answer: str | None) -> None:
        if answer:
            getattr(self, f"action_{answer}")()
