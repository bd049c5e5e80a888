"""The program behind `ludus play`: from the menu to a game, and back."""

from __future__ import annotations

from random import SystemRandom

from textual.app import App

from ludus.screens.overlays import STYLE
from ludus.screens.panel import terminal_theme
from ludus.screens.playing import PlayScreen
from ludus.screens.start import StartScreen
from ludus.sittings.opponent import OpenRoom
from ludus.sittings.sitting import Agreement, Sitting
from ludus.view.theme import PALETTES, Theme


class PlayApp(App[None]):
    """`ludus play`: the menu, or the game that was agreed on."""

    TITLE = "Ludus"
    CSS = STYLE
    ENABLE_COMMAND_PALETTE = False

    def __init__(
        self,
        agreement: Agreement | None,
        *,
        open_room: OpenRoom,
        theme: Theme = "dark",
        seed: int | None = None,
        limit_s: float | None = None,
        shows_bar: bool = True,
    ) -> None:
        super().__init__()
        self.agreement, self.open_room, self.shows_bar = agreement, open_room, shows_bar
        self.first_theme, self.seed, self.limit_s = theme, seed, limit_s
        self.sitting: Sitting | None = None  # the last one that was begun
        for name in PALETTES:
            self.register_theme(terminal_theme(name))

    def on_mount(self) -> None:
        self.theme = f"ludus-{self.first_theme}"
        self.push_screen(StartScreen() if self.agreement is None else self._game(self.agreement))

    def begin(self, agreement: Agreement) -> None:
        """From the menu to the board."""
        self.switch_screen(self._game(agreement))

    def drawn_seed(self) -> int:
        return SystemRandom().randrange(1 << 32) if self.seed is None else self.seed

    def _game(self, agreement: Agreement) -> PlayScreen:
        self.sitting = Sitting(agreement)
        theme: Theme = "light" if self.theme == "ludus-light" else "dark"
        return PlayScreen(self.sitting, open_room=self.open_room, theme=theme, shows_bar=self.shows_bar)
