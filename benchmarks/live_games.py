"""What it costs a tournament to be watched: the clocks of its bots with and without a crowd, and a move's publication.

    python benchmarks/live_games.py [--watchers 200] [--seconds 20] [--rounds 2]

A bot that thinks for a fixed time plays on one core; with a crowd, all of it watches that game over real sockets, from
a process of low priority. Rounds with and without a crowd take turns.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from aiohttp import ClientSession, TCPConnector

from ludus.referee.game import Mind
from ludus.referee.verdict import Verdict
from ludus.sandbox.process import Spent
from ludus.tournament.live import LEAST_S, publisher_at, slots_of
from ludus.tournament.pairing import Pairing
from ludus.tournament.store import Store

BOTS = ("minimax", "monte_carlo")
THINKER = "monte_carlo"  # a fifth of a second for every move
EXAMPLES = Path(__file__).parent.parent / "examples" / "nsoc"
PLIES, GAMES = 60, 300


def publication() -> tuple[float, float]:
    """Microseconds of a core for each ply: of games too short to be written, and of games that are."""
    moves, mind = tuple(range(PLIES)), Mind(0, Spent(0.01, 0.01, 0.0), 1.0, 1.0)
    with tempfile.TemporaryDirectory() as folder:
        one = publisher_at(folder, "here-0", None)
        assert one is not None

        def game(last_s: float) -> float:
            one.last_s = last_s
            begin = time.thread_time()
            watch = one.begin(Pairing("league/r1/0-1/g1", "league", "", 1, 0, 1, 0))
            for count in range(1, PLIES + 1):
                watch((), moves[:count], mind)
            one.end(Verdict("win", 0, "one wins", PLIES - 1))
            return 1e6 * (time.thread_time() - begin) / PLIES

        pairs = [(game(0.0), game(LEAST_S)) for _ in range(GAMES)]
    short, written = zip(*pairs, strict=True)
    return statistics.median(short), statistics.median(written)


@contextmanager
def started(*words: str, cwd: Path) -> Iterator[subprocess.Popen[str]]:
    command = [sys.executable, "-m", "ludus", *words]
    environment = {**os.environ, "TMPDIR": str(cwd)}
    with subprocess.Popen(
        command, cwd=cwd, env=environment, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    ) as process:
        try:
            yield process
        finally:
            process.terminate()


def clocks(watchers: int, seconds: float) -> dict[str, float]:
    """How long the thinker's moves took, in milliseconds, and the server's share of a core."""
    with tempfile.TemporaryDirectory() as name:
        place = Path(name)
        event = (Path(__file__).parent.parent / "src/ludus/events/nsoc.toml").read_text()
        (place / "long.toml").write_text(event.replace("games_per_pair = 2", "games_per_pair = 1000"))
        bots = [str(EXAMPLES / f"{bot}.py") for bot in BOTS]
        told = {"watchers": float(watchers)}
        with started("run", "long.toml", "--bots", *bots, "--out", "all", "--workers", "1", "--quiet", cwd=place):
            while not slots_of(place / "all"):
                time.sleep(0.1)
            if watchers:
                told |= _crowd(place, watchers, seconds)
            else:
                time.sleep(seconds)
        times = sorted(_times(place / "all"))
    told |= {"moves": len(times), "median_ms": times[len(times) // 2], "p95_ms": times[int(0.95 * len(times))]}
    return told | {"longest_ms": times[-1]}


def _crowd(place: Path, watchers: int, seconds: float) -> dict[str, float]:
    with started("serve", "all", "--port", "0", cwd=place) as server:
        assert server.stdout is not None
        address = server.stdout.readline().split()[-1].rstrip("/")
        slot = slots_of(place / "all")[0]
        words = ["--crowd", f"{address}/tournaments/all/live/{slot}/socket", "--watchers", str(watchers)]
        before, begin = _core_s(server.pid), time.monotonic()
        crowd = subprocess.run(
            [sys.executable, __file__, *words, "--seconds", str(seconds)], check=True, capture_output=True, text=True
        )
        share = (_core_s(server.pid) - before) / (time.monotonic() - begin)
        return {"server_share": round(share, 3), "least_messages": float(crowd.stdout)}


def _core_s(process: int) -> float:
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def _times(folder: Path) -> Iterator[float]:
    with Store(folder) as store:
        for _, content in store.records():
            record = json.loads(content)
            seat = [player["name"] for player in record["players"]].index(THINKER)
            yield from (times[0] for times in record["times_ms"][2 + seat :: 2])


async def watch(address: str, watchers: int, seconds: float) -> int:
    """So many sockets; the fewest messages that one of them got."""
    counts = [0] * watchers
    origin = "/".join(address.split("/")[:3])

    async def one(session: ClientSession, number: int) -> None:
        async with session.ws_connect(address, origin=origin) as connection:
            async for _ in connection:
                counts[number] += 1

    async with ClientSession(connector=TCPConnector(limit=0)) as session:
        tasks = [asyncio.create_task(one(session, number)) for number in range(watchers)]
        await asyncio.wait(tasks, timeout=seconds)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
    return min(counts)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--watchers", type=int, default=200)
    parser.add_argument("--seconds", type=float, default=20.0)
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--crowd", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.crowd:
        os.nice(15)
        print(asyncio.run(watch(arguments.crowd, arguments.watchers, arguments.seconds)))
        return
    short, written = publication()
    print(f"publication: {short:.1f} µs a ply of a short game, {written:.1f} µs of one that is written")
    for _ in range(arguments.rounds):
        for watchers in (0, arguments.watchers):
            print(json.dumps(clocks(watchers, arguments.seconds)), flush=True)


if __name__ == "__main__":
    main()
