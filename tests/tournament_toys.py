"""Games that are over as soon as they begin, and a format for them: to try runs, engines and stores in real processes.

python -c 'from tournament_toys import main; main()' FOLDER ENGINE WORKERS SETTINGS
"""

from __future__ import annotations

import hashlib
import json
import os
import signal
import sys
import time
from collections import Counter
from collections.abc import Generator, Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

from ludus.errors import SandboxError
from ludus.tournament.engines import open_engine
from ludus.tournament.pairing import GameResult, Pairing, Repeatable, Results, Round
from ludus.tournament.runner import Play, run_format
from ludus.tournament.store import StoredGame, writing
from ludus.tournament.tasks import Reply, task_of_bytes


def toy_task(content: bytes) -> bytes:
    """Play a task by the settings that stand where its kit's hash would stand."""
    task = task_of_bytes(content)
    settings = json.loads(task.kit)
    lacks = [digest for digest in settings.get("needs", []) if digest not in task.blobs]
    if lacks:
        return Reply(missing=(lacks[0],)).to_bytes()
    return Reply(tuple(_played(game.key, game.pairing, settings) for game in task.games)).to_bytes()


def _played(key: int, pairing: Pairing, settings: dict[str, Any]) -> StoredGame:
    if log := settings.get("log"):
        with Path(log).open("a") as file:
            file.write(f"{pairing.id} {os.getpid()}\n")
    time.sleep(settings.get("seconds", 0.0))
    if pairing.id in settings.get("poison", []):
        os.kill(os.getpid(), signal.SIGKILL)
    if pairing.id in settings.get("broken", []):
        raise SandboxError("no sandbox today")
    dice = hashlib.sha256(pairing.id.encode()).digest()
    points = ((Fraction(1), Fraction(0)), (Fraction(1, 4), Fraction(3, 4)), (Fraction(0), Fraction(1)))[dice[0] % 3]
    winner = pairing.first if points[0] == 1 else pairing.second if points[1] == 1 else None
    result = GameResult(pairing, points, winner, dice[1] % 5 - 2, "draw" if winner is None else "win")
    return StoredGame(key, result, "so it was", dice[2], settings.get("seconds", 0.0), str(os.getpid()), dice[:8], b"")


def toy_format(teams: int, games: int) -> Generator[Round, Results, str]:
    """Everybody against everybody, then the best two again; returns the tables as text, with all that decides them."""
    everybody = range(teams)

    def league() -> Iterator[Pairing]:
        for one in everybody:
            for other in range(one):
                for game in range(games):
                    seats = (one, other) if game % 2 else (other, one)
                    yield Pairing(f"league/{other}-{one}/g{game + 1}", "league", "", game + 1, *seats, game // 2)

    results = yield Round("league", teams * (teams - 1) // 2 * games, Repeatable(league), ())
    best = _totals(results)

    def final() -> Iterator[Pairing]:
        one, other = sorted(team for team, _ in best[:2])
        for game in range(10):
            yield Pairing(f"final/{one}-{other}/g{game + 1}", "final", "", 1, one, other, game)

    results = yield Round("final", 10, Repeatable(final), ())
    lines = [f"{team} {total}" for team, total in best + _totals(results)]
    return "\n".join([*lines, *(f"{result}" for result in results)])


def _totals(results: Results) -> list[tuple[int, Fraction]]:
    totals: Counter[int] = Counter()
    for result in results:
        for team, points in zip((result.pairing.first, result.pairing.second), result.points, strict=True):
            totals[team] += points  # type: ignore[assignment]  # exact
    return sorted(totals.items(), key=lambda item: (-item[1], item[0]))  # type: ignore[return-value]


def run_toy(folder: Path, engine: str, workers: int, settings: dict[str, Any]) -> str:
    play = Play(toy_task, json.dumps(settings), lambda digest: digest.encode())
    form: Any = toy_format(settings.get("teams", 6), settings.get("games", 4))
    with writing(folder) as store, open_engine(engine, workers=workers) as opened:
        return str(run_format(form, store, opened, play))


def main() -> None:
    folder, engine, workers, settings = sys.argv[1:]
    print(run_toy(Path(folder), engine, int(workers), json.loads(settings)))
