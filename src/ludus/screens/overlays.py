"""Small screens above the board: help, a choice, a question, and what can be done when a game is over."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from rich.text import Text as RichText
from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical, VerticalScroll
from textual.screen import ModalScreen
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

STYLE = """
ModalScreen { align: center middle; }
.overlay { width: auto; min-width: 30; max-width: 90%; height: auto; max-height: 90%; padding: 1 2;
           background: $surface; border: round $primary; }
.overlay Static { width: auto; max-width: 100%; height: auto; }
.overlay OptionList { width: auto; min-width: 26; height: auto; border: none; padding: 0; margin: 1 0 0 0;
                      background: $surface; }
.overlay OptionList:focus { background-tint: transparent; }
"""

PLAY_HELP = """\
Arrows move the cursor, Enter plays there; so does a click.
A digit or : begins to type a move; Enter plays it, Escape goes back.

  u  undo: takes back your move, and the answer to it
  h  hint: the best moves, with the chance to win
  e  the evaluation bar on or off
  r  resign
  t  write the trace: every position and move as text
  s  save the record of the game
  n  new game
  d  dark or light
  ?  this help
  q  leave

Dots are legal moves, a heavy frame is where you must play,
brackets are the last move."""


class Notice(ModalScreen[None]):
    """A text to read; any of a few keys closes it."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,enter,q,question_mark,space", "dismiss", "Close", show=False),
    ]

    def __init__(self, text: str) -> None:
        super().__init__()
        self.text = text

    def compose(self) -> ComposeResult:
        with VerticalScroll(classes="overlay"):
            yield Static(RichText(self.text))

    def on_click(self) -> None:
        self.dismiss()


class Choice(ModalScreen["str | None"]):
    """A question and its answers: arrows and Enter, a click, or the key that stands before each answer."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "dismiss(None)", "Back", show=False)]

    def __init__(self, question: str, answers: Sequence[tuple[str, str, str]]) -> None:
        """Each answer has a key to press, a text, and what it gives."""
        super().__init__()
        self.question, self.answers = question, answers

    def compose(self) -> ComposeResult:
        with Vertical(classes="overlay"):
            yield Static(RichText(self.question))
            options = [Option(RichText(f"{key}  {text}"), id=str(n)) for n, (key, text, _) in enumerate(self.answers)]
            yield OptionList(*options)

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        self.dismiss(self.answers[event.option_index][2])

    def on_key(self, event: events.Key) -> None:
        for key, _, answer in self.answers:
            if key == event.character:
                event.stop()  # it is no key of the screen below, too
                self.dismiss(answer)
                return
