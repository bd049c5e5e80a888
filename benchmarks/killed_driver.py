"""Many games at full concurrency while the driver is killed again and again: nothing lost, doubled or forfeited.

    python benchmarks/killed_driver.py [--games 20000] [--workers N] [--every 6] [--share 0.5]

Random bots play short games of subtraction. `kill -9` hits the driver every few seconds until the given share of the
games is stored; then it may finish. At the end every game of the plan must be there once, played, with nobody guilty;
and some, played once more, must give what is stored.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import time
from collections import Counter
from itertools import count, islice
from pathlib import Path

from ludus.errors import StoreError
from ludus.search.cores import usable_cores
from ludus.tournament.engines import open_engine
from ludus.tournament.folder import content_of, open_tournament
from ludus.tournament.kit import hash_of
from ludus.tournament.plan import plan_of
from ludus.tournament.runner import Play, run_format
from ludus.tournament.store import Store, writing
from ludus.tournament.worker import play_task

PER_PAIR = 10
EVENT = f"""
game = "subtraction"
[options]
low = 1
high = 4
[time]
move_s = 1
[bots]
interface = "choose"
[format]
games_per_pair = {PER_PAIR}
"""
BOT = "import random\n\n\ndef choose(state, clock):\n    return random.choice(state['legal'])\n"


def stored(folder: Path) -> int:
    try:
        with Store(folder) as store:
            return store.count()
    except StoreError:
        return 0


def battered(place: Path, command: list[str], *, every_s: float, until: int) -> int:
    """Run and kill until so many games are stored, then to the end; how often it was killed."""
    kills = 0
    while True:
        run = subprocess.Popen(command, cwd=place, stdout=subprocess.DEVNULL)
        while stored(place / "out") < until:
            try:
                run.wait(every_s)
                break
            except subprocess.TimeoutExpired:
                run.kill()
                run.wait()
                kills += 1
                print(f"killed {kills} times, {stored(place / 'out')} games stored", flush=True)
                run = subprocess.Popen(command, cwd=place, stdout=subprocess.DEVNULL)
        if run.wait() == 0:
            return kills


def check(folder: Path, *, sample: int) -> None:
    made = open_tournament(folder)
    plan = plan_of(made.event)
    games = next(plan.play(len(made.kit.teams), made.kit.seed))
    with Store(folder) as store:
        ids = Counter(result.pairing.id for result in store.all_results())
        kinds = Counter(result.kind for result in store.all_results())
        first = list(islice((result for _, result in store.played(0)), sample))
    planned = {pairing.id for pairing in games.pairings}
    print(
        f"{games.count} games planned, {len(planned - set(ids))} lost, {sum(ids.values()) - len(ids)} doubled; "
        f"{dict(kinds)}"
    )
    blob = made.kit.to_bytes()
    digest = hash_of(blob)
    play = Play(play_task, digest, lambda wanted: blob if wanted == digest else content_of(made, wanted))
    wanted_ids = {result.pairing.id for result in first}
    with (
        tempfile.TemporaryDirectory() as again,
        writing(Path(again)) as store,
        open_engine("local", workers=1) as engine,
    ):
        form = plan.play(len(made.kit.teams), made.kit.seed)
        run_format(form, store, engine, play, only=lambda pairing: pairing.id in wanted_ids)
        same = [result for _, result in store.played(0)] == first
    print(f"{len(first)} games played again: {'the same results' if same else 'OTHER RESULTS'}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=20_000)
    parser.add_argument("--workers", type=int, default=usable_cores())
    parser.add_argument("--every", type=float, default=6.0, help="seconds between two kills")
    parser.add_argument("--share", type=float, default=0.5, help="of the games, while the driver is killed")
    arguments = parser.parse_args()
    teams = next(n for n in count(2) if n * (n - 1) // 2 * PER_PAIR >= arguments.games)
    with tempfile.TemporaryDirectory() as text:
        place = Path(text)
        (place / "short.toml").write_text(EVENT)
        (place / "bots").mkdir()
        for number in range(teams):
            (place / "bots" / f"team{number}.py").write_text(f"{BOT}# {json.dumps(number)}\n")
        words = ["short.toml", "--bots", "bots", "--out", "out", "--workers", str(arguments.workers), "--quiet"]
        command = [sys.executable, "-m", "ludus", "run", *words]
        begin = time.perf_counter()
        kills = battered(place, command, every_s=arguments.every, until=int(arguments.games * arguments.share))
        print(f"{kills} kills, {time.perf_counter() - begin:.0f} s")
        check(place / "out", sample=200)


if __name__ == "__main__":
    main()
