"""What a tournament costs: games a second with trivial bots, overhead of a game, the driver's memory, resuming.

    python benchmarks/tournament.py [--seconds 20] [--workers N] [--games 100000]

Real games: a round robin of random bots, each in a locked-down process of its own, storing and tables included; a game
of Ultimate has some 59 moves, one of subtraction with numbers up to 4 some 4. The overhead of a game is what a worker
spends on it beyond the time in which bots think. The large folder is filled with games that take no time, whose records
are as long as real ones; its driver runs in a process of its own, whose peak memory is given.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import resource
import shutil
import subprocess
import sys
import tempfile
import time
import zlib
from fractions import Fraction
from itertools import count, islice
from pathlib import Path
from random import Random

from ludus.cli.standings import outcome_lines
from ludus.rules import load_game, random_line
from ludus.search.cores import usable_cores
from ludus.tournament.engines import open_engine
from ludus.tournament.folder import content_of, make_tournament, prepare_tournament
from ludus.tournament.kit import hash_of
from ludus.tournament.pairing import GameResult, derived_seed
from ludus.tournament.plan import plan_of
from ludus.tournament.runner import Play, Quiet, outcome_of, run_format
from ludus.tournament.store import Store, StoredGame, writing
from ludus.tournament.tasks import Numbered, Reply, Task, reply_of_bytes, task_of_bytes
from ludus.tournament.worker import play_task, release

EXAMPLES = Path(__file__).parent.parent / "examples"
SUBTRACTION = """
game = "subtraction"
[options]
low = 1
high = 4
[time]
move_s = 1
[bots]
interface = "choose"
[format]
games_per_pair = 100
"""
CHOOSER = "import random\n\n\ndef choose(state, clock):\n    return random.choice(state['legal'])\n"


class Enough(Quiet):
    """Stops a run after so many seconds, counted from its first games on: before, workers start."""

    def __init__(self, seconds: float) -> None:
        self.seconds, self.games, self.began = seconds, 0, 0.0

    def result(self, result: GameResult, *, is_new: bool) -> None:
        self.began = self.began or time.perf_counter()
        self.games += 1

    def tick(self) -> None:
        if self.began and time.perf_counter() - self.began > self.seconds:
            raise TimeoutError


def real_games(name: str, event: str, bots: list[str], *, seconds: float, workers: int) -> None:
    """Isolated games of trivial bots, for so long."""
    with tempfile.TemporaryDirectory() as text:
        folder = Path(text, "tournament")
        made = make_tournament(folder, prepare_tournament(event, bots, seed=1))
        plan, blob = plan_of(made.event), made.kit.to_bytes()
        digest = hash_of(blob)
        play = Play(play_task, digest, lambda wanted: blob if wanted == digest else content_of(made, wanted))
        watcher = Enough(seconds)
        with writing(folder) as store, open_engine("local", workers=workers) as engine:
            with contextlib.suppress(TimeoutError):
                run_format(plan.play(len(made.kit.teams), 1), store, engine, play, watcher=watcher)
            spent = time.perf_counter() - watcher.began
            thinking, moves, forfeits = 0.0, 0, 0
            for _, record in store.records():
                data = json.loads(record)
                thinking += sum(wall for wall, _, _ in data["times_ms"]) / 1000
                moves += len(data["moves"])
                forfeits += data["verdict"]["seat"] is not None
            (seconds_played,) = store.database.execute("select sum(seconds) from game").fetchone()
            games = store.count()
        overhead_ms = 1000 * (seconds_played - thinking) / games
        print(
            f"{name:<40} {watcher.games / spent:7.1f} games/s, {moves / games:4.0f} moves each; "
            f"overhead {overhead_ms:5.1f} ms a game; {forfeits} forfeits"
        )


def processor_time(name: str, event: str, bots: list[str], *, games: int = 200) -> None:
    """The same in this process, by time on a core: what a busy machine does not change."""
    prepared = prepare_tournament(event, bots, seed=1)
    kit = prepared.kit.to_bytes()
    files = {hash_of(content): content for content in [kit, *prepared.files.values()]}
    plan = plan_of(prepared.kit.opened_event(Path()))
    pairings = next(plan.play(len(prepared.kit.teams), 1)).pairings
    numbered = tuple(Numbered(*item) for item in enumerate(islice(pairings, games)))
    spent_ms: list[tuple[float, float]] = []
    for number in (1, games):  # the first time is for what is loaded once
        before = cpu_ms(resource.RUSAGE_SELF), cpu_ms(resource.RUSAGE_CHILDREN)
        reply = reply_of_bytes(play_task(Task(hash_of(kit), numbered[:number], files).to_bytes()))
        release()  # the sandbox ends, and what it used is known
        after = cpu_ms(resource.RUSAGE_SELF), cpu_ms(resource.RUSAGE_CHILDREN)
        spent_ms.append((after[0] - before[0], after[1] - before[1]))
    referee, processes = ((more - once) / (games - 1) for once, more in zip(*spent_ms, strict=True))
    records = [json.loads(zlib.decompress(game.record)) for game in reply.games]
    thinking = sum(cpu for record in records for _, cpu, _ in record["times_ms"]) / games
    print(
        f"{name:<40} {referee + processes:5.1f} ms of a core a game: referee {referee:.1f}, "
        f"bots thinking {thinking:.1f}, their processes otherwise {processes - thinking:.1f}"
    )


def cpu_ms(whose: int) -> float:
    used = resource.getrusage(whose)
    return 1000 * (used.ru_utime + used.ru_stime)


def sample_record() -> bytes:
    """As long as a real one, and as hard to compress."""
    game, dice = load_game("ultimate"), Random(1)
    line = random_line(game, game.start(), dice)
    times = [[round(dice.random(), 3) for _ in range(3)] for _ in line.moves]
    players = [{"name": f"team{n}", "sha256": f"{dice.getrandbits(256):064x}", "interface": "play"} for n in range(2)]
    values = {"moves": [game.move_name(move) for move in line.moves], "times_ms": times, "players": players}
    return zlib.compress(json.dumps(values).encode())


RECORD = sample_record()


def instant_task(content: bytes) -> bytes:
    """Every game of a task, decided by its name."""
    played = []
    for key, pairing in task_of_bytes(content).games:
        won = derived_seed(0, pairing.id) & 1
        points, winner = (
            ((Fraction(1), Fraction(0)), pairing.first) if won else ((Fraction(0), Fraction(1)), pairing.second)
        )
        result = GameResult(pairing, points, winner, 1, "win")
        line = derived_seed(1, pairing.id).to_bytes(8, "big")
        played.append(StoredGame(key, result, "so it was", 59, 0.001, "here:1", line, RECORD))
    return Reply(tuple(played)).to_bytes()


def fill(folder: Path, games: int, workers: int) -> None:
    """A round robin of so many games in a folder; prints seconds and peak memory of this process in megabytes."""
    teams = next(n for n in count(2) if n * (n - 1) >= games)
    plan = plan_of(prepare_tournament("nsoc", ["random", "random"], seed=0).kit.opened_event(folder))
    names = [f"team{number}" for number in range(teams)]
    begin = time.perf_counter()
    with writing(folder) as store, open_engine("local", workers=workers) as engine:
        outcome = run_format(plan.play(teams, 0), store, engine, Play(instant_task, "", str.encode))
        assert outcome is not None
        lines = len(list(outcome_lines(outcome, names)))
        games = store.count()
    spent = time.perf_counter() - begin
    peak_mb = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(json.dumps({"games": games, "lines": lines, "seconds": spent, "peak_mb": peak_mb}))


def large_folder(games: int, workers: int) -> None:
    with tempfile.TemporaryDirectory() as text:
        folder = Path(text, "large")
        for what in ("played and stored", "resumed, nothing left to play"):
            command = [
                sys.executable,
                __file__,
                "--fill",
                str(folder),
                "--games",
                str(games),
                "--workers",
                str(workers),
            ]
            found = json.loads(subprocess.run(command, capture_output=True, check=True).stdout)
            size_mb = (folder / "results.sqlite").stat().st_size / 1e6
            print(
                f"{found['games']} games {what}: {found['seconds']:.1f} s, driver at most {found['peak_mb']:.0f} MB, "
                f"folder {size_mb:.0f} MB"
            )
        begin = time.perf_counter()
        teams = next(n for n in count(2) if n * (n - 1) >= games)
        plan = plan_of(prepare_tournament("nsoc", ["random", "random"], seed=0).kit.opened_event(folder))
        with Store(folder) as store:
            assert outcome_of(plan.play(teams, 0), store) is not None
        print(f"tables from the store alone: {time.perf_counter() - begin:.1f} s")
        shutil.rmtree(folder)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=20.0, help="of real games, for each event")
    parser.add_argument("--workers", type=int, default=usable_cores())
    parser.add_argument("--games", type=int, default=100_000, help="of the large folder")
    parser.add_argument("--fill", metavar="DIR", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.fill:
        fill(Path(arguments.fill), arguments.games, arguments.workers)
        return
    with tempfile.TemporaryDirectory() as text:
        folder = Path(text)
        (folder / "short.toml").write_text(SUBTRACTION)
        for number in range(20):
            (folder / "nsoc").mkdir(exist_ok=True)
            shutil.copy(EXAMPLES / "nsoc" / "random_bot.py", folder / "nsoc" / f"team{number}.py")
            (folder / "short").mkdir(exist_ok=True)
            (folder / "short" / f"team{number}.py").write_text(CHOOSER)
        options = {"seconds": arguments.seconds, "workers": arguments.workers}
        for name, event, bots in (("subtraction", str(folder / "short.toml"), "short"), ("ultimate", "nsoc", "nsoc")):
            real_games(f"{name}, random bots, isolated", event, [str(folder / bots)], **options)
            processor_time("", event, [str(folder / bots)])
    large_folder(arguments.games, arguments.workers)


if __name__ == "__main__":
    main()
