"""Fair clocks: a game that was lost because the machine had no core to give is played again where it has one."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from ludus.bots.player import Player
from ludus.referee.game import Judged, Pitch, Watch, play_game
from ludus.sandbox.cores import quiet_core

MOST_REPLAYS = 3  # on a machine that is never quiet, a limit is a limit
PATIENCE_S = 10.0  # for a core to become quiet

SeatPlayers = Callable[["set[int] | None"], tuple[Player, Player]]
"""Makes both players anew, on these cores or on any."""


class Fairly(NamedTuple):
    """The game that counts, and those before it in which a player was starved of a core."""

    judged: Judged
    starved: tuple[Judged, ...]


def play_fairly(pitch: Pitch, seat_players: SeatPlayers, *, watch: Watch | None = None) -> Fairly:
    """The game; and again, with the same seeds on a quiet core, as long as its time-out was the machine's fault."""
    judged = play_game(pitch, seat_players(None), watch=watch)
    starved: list[Judged] = []
    while judged.was_starved and len(starved) < MOST_REPLAYS:
        starved.append(judged)
        with quiet_core(patience_s=PATIENCE_S) as core:
            judged = play_game(pitch, seat_players(None if core is None else {core}), watch=watch)
    return Fairly(judged, tuple(starved))
