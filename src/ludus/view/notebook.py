"""A position to hold in a notebook or a script: it plays moves by name and shows itself."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ludus.rules import Game, State, load_game
from ludus.view.scene import Hint, Scene, Step, scene_of
from ludus.view.shapes import safe
from ludus.view.svg import svg_document
from ludus.view.terminal import position_lines, position_text
from ludus.view.theme import Theme

if TYPE_CHECKING:
    from rich.text import Text as RichText

WIDTH = 420  # pixels in a notebook


@dataclass(frozen=True, repr=False)
class Position:
    """A state of a game and the step that led to it; never changed, `play` gives a new one.

    >>> position = Position.start("ultimate").play("4,4", "3,3")
    >>> position.legal[:3], position.turn
    (('0,0', '0,1', '0,2'), 0)
    """

    game: Game
    state: State
    last: Step | None = None

    @classmethod
    def start(cls, game: Game | str | Path, **options: Any) -> Position:
        """The first position; a game may be given by name or by the path of its rules."""
        loaded = game if isinstance(game, Game) else load_game(game)
        return cls(loaded, loaded.start(**options))

    def play(self, *moves: str) -> Position:
        """The position after the named moves; a MoveError says which of them is not legal, and why."""
        position = self
        for text in moves:
            move = self.game.legal_move(position.state, text)
            step = Step(position.state, move)
            position = Position(self.game, self.game.play(position.state, move), step)
        return position

    @property
    def legal(self) -> tuple[str, ...]:
        """The names of the legal moves; none once the game is over."""
        return tuple(self.game.move_name(move) for move in self.game.legal(self.state))

    @property
    def turn(self) -> int | None:
        """The seat to move, None once the game is over."""
        return None if self.is_over else self.game.turn(self.state)

    @property
    def result(self) -> int | None:
        """The first seat's payoff, None while the game goes on."""
        return self.game.result(self.state)

    @property
    def is_over(self) -> bool:
        return self.result is not None

    @property
    def status(self) -> str:
        """The position in one sentence: "X to move in block 4"."""
        return self.scene().status

    def scene(self, *, hints: Sequence[Hint] = (), best_line: Sequence[int] = ()) -> Scene:
        return scene_of(self.game, self.state, last=self.last, hints=hints, best_line=best_line)

    def svg(self, theme: Theme = "light", width: int = 640, *, caption: bool = True) -> str:
        """A document to save as a file."""
        return svg_document(self.scene(), theme, width, caption=caption)

    def __str__(self) -> str:
        return "\n".join(position_lines(self.scene()))

    def __repr__(self) -> str:
        return f"<{self.game.name}: {self.status}>"

    def __rich__(self) -> RichText:
        return position_text(self.scene())

    def _repr_html_(self) -> str:
        return picture_html(self.scene())


def picture_html(scene: Scene, *, width: int = WIDTH) -> str:
    """Both themes as pictures, so that nothing of one output can style or name parts of another."""
    light, dark = (_data_address(svg_document(scene, theme, width, caption=True)) for theme in ("light", "dark"))
    alternative = safe(f"{scene.title}: {scene.status}")
    return (
        f'<picture><source media="(prefers-color-scheme: dark)" srcset="{dark}">'
        f'<img src="{light}" width="{width}" alt="{alternative}"></picture>'
    )


def _data_address(document: str) -> str:
    return f"data:image/svg+xml;base64,{b64encode(document.encode()).decode()}"
