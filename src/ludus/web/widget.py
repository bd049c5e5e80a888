"""A board to play on in a notebook, by both sides or against an agent: `pip install ludus[notebook]`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from ludus.agents.agent import Agent, Budget
from ludus.agents.naming import make_agent
from ludus.errors import LudusError, MoveError
from ludus.rules import Game
from ludus.screens.picking import pick
from ludus.view.notebook import Position
from ludus.view.theme import style_sheet
from ludus.web.frames import changes, picture_of

try:
    import anywidget
    import traitlets
except ImportError:
    raise LudusError("a board in a notebook needs one more package: pip install ludus[notebook]") from None

STATIC = Path(__file__).parent / "static"
IMPORT = 'import { Board } from "/static/board.js";\n'
LAYOUT = """
.ludus-widget { color-scheme: light dark; max-width: 460px; color: var(--ink); font: 14px/1.4 system-ui, sans-serif; }
[data-jp-theme-light="true"] .ludus-widget { color-scheme: light; }
[data-jp-theme-light="false"] .ludus-widget { color-scheme: dark; }
.ludus-widget .bar { display: flex; flex-wrap: wrap; gap: 8px; align-items: center; margin-top: 8px; }
.ludus-widget .bar p { margin: 0 4px; font-weight: 600; }
.ludus-widget button { font: inherit; font-weight: 600; color: var(--ink); background: var(--tile);
  border: 1px solid var(--rule); border-radius: 8px; padding: 5px 10px; cursor: pointer; }
.ludus-widget .unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
"""


def script() -> str:
    """The board and its widget as one module, as a notebook serves no second file."""
    return (STATIC / "board.js").read_text("utf-8") + (STATIC / "widget.js").read_text("utf-8").replace(IMPORT, "")


def styles() -> str:
    """The looks of boards, within the widget only: the rest of the notebook keeps its own."""
    boards = (STATIC / "app.css").read_text("utf-8").partition("/* ---- boards */")[2].partition("/* ----")[0]
    colours = style_sheet(".ludus-widget").partition("\n")[0]  # also for what stands beside the board
    return f"{colours}\n{style_sheet('.ludus-widget .ludus')}\n@scope (.ludus-widget) {{{boards}}}\n{LAYOUT}"


class PlayableBoard(anywidget.AnyWidget):
    """A game on a board that can be clicked. `position` is where it stands, in the kernel and in the browser.

    Against an agent (`vs="level:3"`) the person has the seat `seat`, and the agent answers within `limit_s`.
    """

    _esm = script()
    _css = styles()
    title = traitlets.Unicode().tag(sync=True)
    frame = traitlets.Dict().tag(sync=True)
    note = traitlets.Unicode().tag(sync=True)

    def __init__(
        self, game: Game | str | Path, *, vs: str | None = None, seat: int = 0, limit_s: float = 1.0, **options: Any
    ) -> None:
        start = Position.start(game, **options)
        self._line = [start]
        self._seat, self._limit_s = seat, limit_s
        self._agent: Agent | None = None if vs is None else make_agent(start.game, vs)
        super().__init__(title=start.game.title, frame=self._frame())
        self.on_msg(self._hear)
        self._answer()

    @property
    def position(self) -> Position:
        return self._line[-1]

    @property
    def moves(self) -> list[str]:
        """The moves so far, by name."""
        return [self.position.game.move_name(step.last.move) for step in self._line[1:] if step.last is not None]

    def _frame(self) -> dict[str, Any]:
        picture = picture_of(self.position.scene(), may_move=True, ply=len(self._line) - 1)
        frame: dict[str, Any] = json.loads(json.dumps(changes(None, picture)))
        return frame

    def _show(self) -> None:
        self.frame = self._frame()
        self.note = ""

    def _hear(self, _widget: object, content: Any, _buffers: object) -> None:
        """What the browser says. A click on a board that is no longer there counts for nothing."""
        match content:
            case {"do": "move", "move": int(move), "ply": int(ply)} if ply == len(self._line) - 1:
                self._play(move)
            case {"do": "why", "key": str(key)} if key in self.position.scene().view.areas():
                position = self.position
                self.note = pick(position.game, position.state, position.scene(), (), key).complaint
            case {"do": "undo"}:
                self._take_back()
            case {"do": "restart"}:
                self._line = self._line[:1]
                self._show()
                self._answer()

    def _play(self, move: int) -> None:
        try:
            self._line.append(self.position.play(self.position.game.move_name(move)))
        except (MoveError, IndexError, ValueError) as error:
            self.note = str(error)
            return
        self._show()
        self._answer()

    def _answer(self) -> None:
        """The agent's moves, as long as it is its turn."""
        while self._agent is not None and self.position.turn not in (None, self._seat):
            found = self._agent.choose(self.position.state, Budget(seconds=self._limit_s))
            self._line.append(self.position.play(self.position.game.move_name(found.move)))
            self._show()

    def _take_back(self) -> None:
        """The last move of the person, and the answer to it."""
        kept = len(self._line) - 1
        while kept > 0 and self._agent is not None and self._line[kept - 1].turn != self._seat:
            kept -= 1
        self._line = self._line[: max(1, kept)]
        self._show()
        self._answer()
