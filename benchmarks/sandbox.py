"""What isolation costs: spawn to ready, round trip of a move, deadline to gone, and bots a second on one core.

    .venv/bin/python benchmarks/sandbox.py [--spawns 200] [--asks 5000] [--deadlines 50]

Required at p50: ready under 10 ms, a round trip under 150 us, gone under 20 ms after the deadline; gone under 50 ms at
most, with 400 MB too: gone is a bot of which nothing can run any more, while the kernel may still free its memory. What
other programs do on these cores is counted too.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from types import ModuleType

from ludus.sandbox.process import Limits
from ludus.sandbox.zygote import Zygote

REQUIRED = {"ready": 10e-3, "round trip": 150e-6, "gone": 20e-3}
LONGEST_GONE_S = 50e-3
TRIVIAL = "import random\n\ndef play(message):\n    return message[:9]\n"
LOOP = "def play(message):\n    while True:\n        pass\n"
LARGE_LOOP = f"held = bytearray(b'x') * (400 << 20)\n{LOOP}"
# A board of ultimate tic-tac-toe, as it is handed over.
QUESTION = json.dumps(
    [[None, 1], [["X" if (row + column) % 3 else "-" for column in range(9)] for row in range(9)]]
).encode()
LIMITS = Limits()


def handler(bot: ModuleType) -> Callable[[bytes], bytes]:
    """What runs beside the bots of this file."""
    function: Callable[[bytes], bytes] = bot.play
    return function


def spawn_times(zygote: Zygote, number: int, entry: str) -> list[float]:
    found = []
    for seed in range(number):
        start = time.perf_counter()
        bot = zygote.python_bot(TRIVIAL, name="bot.py", entry=entry, seed=seed, limits=LIMITS)
        found.append(time.perf_counter() - start)
        assert bot.ready.kind == "answer", bot.ready
        bot.close()
    return found


def round_trips(zygote: Zygote, number: int, entry: str) -> list[float]:
    bot = zygote.python_bot(TRIVIAL, name="bot.py", entry=entry, seed=1, limits=LIMITS)
    found = []
    for _ in range(number):
        start = time.perf_counter()
        reply = bot.ask(QUESTION, limit_s=1)
        found.append(time.perf_counter() - start)
        assert reply.kind == "answer", reply
    bot.close()
    return found


def gone_times(zygote: Zygote, number: int, entry: str, source: str) -> list[float]:
    found = []
    for _ in range(number):
        bot = zygote.python_bot(source, name="bot.py", entry=entry, seed=1, limits=LIMITS)
        reply = bot.ask(b"?", limit_s=0.02)
        assert reply.kind == "timeout" and reply.gone_s is not None, reply
        found.append(reply.gone_s)
    return found


def cores_used(zygote: Zygote, entry: str) -> tuple[float, float]:
    """Seconds of all processes together for a spawn and its end, and for a round trip."""
    server = zygote._server.pid
    clock = (~server << 3) | 2

    def used() -> float:
        return time.process_time() + time.clock_gettime(clock)

    bots, asks = 100, 2000
    before, inside = used(), 0.0
    for seed in range(bots):
        bot = zygote.python_bot(TRIVIAL, name="bot.py", entry=entry, seed=seed, limits=LIMITS)
        inside += bot.ready.spent.cpu_s
        bot.close()
    spawn = (used() - before + inside) / bots
    bot = zygote.python_bot(TRIVIAL, name="bot.py", entry=entry, seed=1, limits=LIMITS)
    before, inside = used(), 0.0
    for _ in range(asks):
        inside += bot.ask(QUESTION, limit_s=1).spent.cpu_s
    ask = (used() - before + inside) / asks
    bot.close()
    return spawn, ask


def shown(name: str, found: Iterable[float]) -> tuple[float, float]:
    rising = sorted(found)
    p50, p99 = rising[len(rising) // 2], rising[len(rising) * 99 // 100]
    unit, scale = ("us", 1e6) if p50 < 1e-3 else ("ms", 1e3)
    figures = f"p50 {p50 * scale:7.1f}  p99 {p99 * scale:7.1f}  most {rising[-1] * scale:7.1f} {unit}"
    print(f"{name:13} {figures}   of {len(rising)}")
    return p50, rising[-1]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--spawns", type=int, default=200)
    parser.add_argument("--asks", type=int, default=5000)
    parser.add_argument("--deadlines", type=int, default=50)
    arguments = parser.parse_args()
    entry = f"{Path(__file__).stem}:handler"  # the folder of a script is on its path
    with Zygote(preload=(Path(__file__).stem,)) as zygote:
        spawn_times(zygote, 10, entry)
        ready, _ = shown("ready", spawn_times(zygote, arguments.spawns, entry))
        trip, _ = shown("round trip", round_trips(zygote, arguments.asks, entry))
        gone, longest = shown("gone", gone_times(zygote, arguments.deadlines, entry, LOOP))
        _, longest_large = shown("gone, 400 MB", gone_times(zygote, arguments.deadlines // 5, entry, LARGE_LOOP))
        spawn, ask = cores_used(zygote, entry)
    game = 2 * spawn + 60 * ask
    rates = f"{spawn * 1e3:.2f} ms a bot, {ask * 1e6:.0f} us a move"
    print(f"on cores      {rates}: {1 / game:.0f} games of 60 plies a second and core")
    misses = [
        name for name, value in (("ready", ready), ("round trip", trip), ("gone", gone)) if value >= REQUIRED[name]
    ]
    misses += ["gone at most"] if max(longest, longest_large) >= LONGEST_GONE_S else []
    print("missed: " + ", ".join(misses) if misses else "all required figures reached")
    return bool(misses)


if __name__ == "__main__":
    sys.exit(main())
