"""What servers of browser tests show: records, a tournament, and a rules file that somebody writes."""

from __future__ import annotations

from pathlib import Path
from random import Random

from ludus.records import record_game
from ludus.rules import load_game, random_line
from played_folder import played_folder

EVIL = "<img src=x onerror=alert(1)>"
PLIES = 30


def fill(place: Path) -> None:
    """Records of two games in one file, and a tournament with failures and a name that wants to be markup."""
    records = [_record("ultimate", "Ada", longest=PLIES), _record("slant", EVIL, seed=3, m=4)]
    (place / "games.jsonl").write_text("\n".join(records))
    played_folder(place / "cup", "slant", ["Ada", "Ben", EVIL, "Dan"], failing=0.02)


def _record(name: str, player: str, *, longest: int | None = None, **options: int) -> str:
    game = load_game(name)
    start = game.start(**options)
    line = random_line(game, start, Random(1), longest)
    times = [[120.5, 100.0, 0.0] for _ in line.moves]
    players = [{"name": player}, {"name": "Bob"}]
    return record_game(game, start, options, list(line.moves), players=players, times_ms=times).to_json()
