"""Which pairs played the same game more than once: deterministic bots, whose further games say nothing new."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from typing import NamedTuple

from ludus.tournament.pairing import Pairing


class Repetition(NamedTuple):
    """The games of two teams (lower number first) that went move for move alike, in the order of their ids."""

    teams: tuple[int, int]
    ids: tuple[str, ...]


def identical_games(games: Iterable[tuple[Pairing, bytes | str]]) -> list[Repetition]:
    """From each game and a digest of its start and moves; games of different pairs are not compared."""
    seen: dict[tuple[int, int, bytes | str], list[str]] = defaultdict(list)
    for pairing, digest in games:
        one, other = sorted((pairing.first, pairing.second))
        seen[one, other, digest].append(pairing.id)
    return sorted(Repetition((one, other), tuple(sorted(ids))) for (one, other, _), ids in seen.items() if len(ids) > 1)
