"""The menu before a game: which one, against whom, and who begins."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, cast

from rich.text import Text as RichText
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.screen import Screen
from textual.widgets import Button, Footer, Input, OptionList, Select, Static
from textual.widgets.option_list import Option

from ludus.agents.levels import LEVELS
from ludus.bots.entrants import parse_entrant
from ludus.errors import LudusError
from ludus.rules import game_names, load_game
from ludus.sittings.sitting import agree
from ludus.view.canvas import printable

if TYPE_CHECKING:
    from ludus.screens.app import PlayApp

A_FILE = "file"
NOTES = {1: ", mostly careless", 5: ", plays well", len(LEVELS): ", as strong as there is"}
OPPONENTS = [
    *((f"level {number}{NOTES.get(number, '')}", f"level:{number}") for number in range(1, len(LEVELS) + 1)),
    ("another person here", "human"),
    ("a bot or agent, named below", A_FILE),
]
FIRST = [("you begin", "me"), ("they begin", "them"), ("a coin decides", "random")]


class StartScreen(Screen[None]):
    """Enter on a game begins it with whatever is chosen below."""

    CSS = """
    StartScreen { align: center middle; }
    #menu { width: 64; max-width: 100%; height: auto; max-height: 100%; padding: 1 2; background: $surface; }
    #menu Static { height: auto; margin: 0 0 1 0; }
    #menu OptionList { height: auto; max-height: 9; margin: 0 0 1 0; }
    #menu #complaint { color: $error; margin: 1 0 0 0; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("tab", "app.focus_next", "Next"),
        Binding("enter", "begin", "Begin", show=True),
        Binding("q,escape", "app.quit", "Quit"),
    ]
    AUTO_FOCUS = "#games"

    def compose(self) -> ComposeResult:
        with VerticalScroll(id="menu", can_focus=False):
            yield Static(RichText("Ludus: which game?", style="bold"))
            options = [Option(RichText(load_game(name).title), id=name) for name in game_names()]
            yield OptionList(*options, id="games")
            yield Select(OPPONENTS, value="level:5", allow_blank=False, id="opponent")
            yield Input(placeholder="./bot.py, best, mcts:time=1 …", id="file")
            yield Select(FIRST, value="me", allow_blank=False, id="first")
            yield Button("Begin", variant="primary", id="begin")
            yield Static("", id="complaint")
        yield Footer(compact=True, show_command_palette=False)

    def on_mount(self) -> None:
        self.query_one("#file", Input).display = False

    def on_select_changed(self, event: Select.Changed) -> None:
        if event.select.id == "opponent":
            self.query_one("#file", Input).display = event.value == A_FILE

    def on_option_list_option_selected(self) -> None:
        self.action_begin()

    def on_button_pressed(self) -> None:
        self.action_begin()

    def on_input_submitted(self) -> None:
        self.action_begin()

    def action_begin(self) -> None:
        games, app = self.query_one("#games", OptionList), cast("PlayApp", self.app)
        who = str(self.query_one("#opponent", Select).value)
        if who == A_FILE:
            who = self.query_one("#file", Input).value.strip()
        try:
            game = load_game(game_names()[games.highlighted or 0])
            first = str(self.query_one("#first", Select).value)
            opponent = parse_entrant(who, game)
            agreement = agree(game, opponent, first=first, limit_s=app.limit_s, seed=app.drawn_seed())
        except LudusError as error:
            self.query_one("#complaint", Static).update(RichText(printable(str(error))))
            return
        app.begin(agreement)
