"""Several games between the same two entrants: who sits where, and what each game's seed decides."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from random import Random
from typing import Any, NamedTuple

from ludus.bots.entrants import Entrant
from ludus.bots.player import Player
from ludus.bots.room import Room
from ludus.referee.clock import TimeControl
from ludus.referee.fair import Fairly, play_fairly
from ludus.referee.game import Pitch, Watch
from ludus.rules import Game
from ludus.search.seeds import seed_of

BOARDS = 1 << 32  # seeds of boards are counted from here, apart from those of games


@dataclass(frozen=True)
class Series:
    """What all games have in common. `first` is "A", "swap" (every second game; a single one too) or "coin"."""

    game: Game
    options: dict[str, Any]
    control: TimeControl
    games: int
    seed: int
    first: str = "A"


class Fixture(NamedTuple):
    """One game of a series: its number from 0, whether the second entrant sits in seat 0, and its pitch."""

    number: int
    is_swapped: bool
    pitch: Pitch


def fixtures(series: Series) -> Iterator[Fixture]:
    """The games of a series, the same for the same seed. Games that differ in seats alone have the same board."""
    for number in range(series.games):
        seed = seed_of(series.seed, number) >> 1  # JSON's readers are safer with 63 bits
        if series.first == "coin":
            is_swapped = Random(seed).random() < 0.5
        else:
            is_swapped = series.first == "swap" and (number % 2 == 1 or series.games == 1)
        board = number // 2 if series.first == "swap" else number
        options = drawn_options(series.game, series.options, seed_of(series.seed, BOARDS + board) >> 34)
        yield Fixture(number, is_swapped, Pitch(series.game, options, series.control, seed))


def drawn_options(game: Game, options: dict[str, Any], seed: int) -> dict[str, Any]:
    """The options of a start, with a random board drawn and written out where the game has one."""
    if "seed" in game.options and "seed" not in options:
        options = {**options, "seed": seed}
    return game.instance(game.start(**options), options)


def play_fixture(
    fixture: Fixture, room: Room, entrants: tuple[Entrant, Entrant], *, watch: Watch | None = None
) -> Fairly:
    """One game of the entrants A and B."""
    pitch = fixture.pitch
    order = (1, 0) if fixture.is_swapped else (0, 1)

    def seat_players(cores: set[int] | None) -> tuple[Player, Player]:
        room.cores = cores
        with ExitStack() as made:  # if the second cannot be made, the first is not left behind
            players = []
            for seat, who in enumerate(order):
                players.append(room.player(entrants[who], pitch.game, who=who, seed=pitch.player_seed(seat)))
                made.callback(players[-1].close)
            made.pop_all()
        return players[0], players[1]

    return play_fairly(pitch, seat_players, watch=watch)
