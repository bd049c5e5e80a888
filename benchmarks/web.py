"""How fast the server is, over real sockets: a click to the new board, the first page, and 200 who watch one game.

    python benchmarks/web.py [--watchers 200] [--moves 300] [--json]

The server, the player and the watchers are processes of their own. Nobody thinks: both seats are one browser's.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import re
import signal
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from random import Random
from typing import Any

from aiohttp import ClientSession, ClientWebSocketResponse, TCPConnector

GAMES = ("ultimate", "extreme")
IMPORT = re.compile(r'from "\./([\w.]+)"')


@contextmanager
def server() -> Iterator[str]:
    """Its address."""
    command = [sys.executable, "-m", "ludus", "serve", "--port", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        try:
            yield process.stdout.readline().split()[-1].rstrip("/")
        finally:
            process.send_signal(signal.SIGTERM)


@contextmanager
def watchers(address: str, count: int) -> Iterator[subprocess.Popen[str]]:
    """So many who watch the game, in one process; they count the frames that they get."""
    command = [sys.executable, __file__, "--watch", address, "--watchers", str(count)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "all here\n"
        yield process


async def watch(address: str, count: int) -> None:
    base, _, table = address.partition("/play/")
    origin = {"Origin": base}
    frames = [0] * count

    async def one(number: int, session: ClientSession, is_there: asyncio.Event) -> None:
        async with session.ws_connect(f"{base}/play/{table}/socket", headers=origin) as socket:
            async for message in socket:
                frames[number] += '"is": "frame"' in message.data[:40]
                is_there.set()

    async with ClientSession(connector=TCPConnector(limit=0)) as session:
        events = [asyncio.Event() for _ in range(count)]
        tasks = [asyncio.create_task(one(number, session, event)) for number, event in enumerate(events)]
        await asyncio.gather(*(event.wait() for event in events))
        print("all here", flush=True)
        await asyncio.to_thread(sys.stdin.readline)
        print(json.dumps(frames), flush=True)
        for task in tasks:
            task.cancel()


async def opened(session: ClientSession, base: str, game: str) -> str:
    form = {"game": game, "opponent": "here"}
    async with session.post(f"{base}/play", data=form, headers={"Origin": base}, allow_redirects=False) as answer:
        return answer.headers["Location"]


async def next_frame(socket: ClientWebSocketResponse) -> dict[str, Any]:
    while True:
        told: dict[str, Any] = await socket.receive_json()
        if told["is"] == "frame":
            return told


async def clicks(base: str, game: str, count: int, *, watching: int = 0) -> dict[str, Any]:
    """Milliseconds from a click to the frame that answers it, through whole games of random moves."""
    rng, took_ms, frames = Random(1), list[float](), None
    async with ClientSession() as session:
        while len(took_ms) < count:
            path = await opened(session, base, game)
            table, _, query = path.partition("?")
            async with session.ws_connect(f"{base}{table}/socket?{query}", headers={"Origin": base}) as socket:
                frame = await next_frame(socket)
                if not watching:
                    took_ms += await whole_game(socket, frame, rng, count - len(took_ms))
                    continue
                with watchers(base + table, watching) as crowd:
                    took_ms += await whole_game(socket, frame, rng, count - len(took_ms), pause_s=0.02)
                    played = len(took_ms)
                    await asyncio.sleep(1.0)
                    got, _ = crowd.communicate("\n")
                    frames = [min(json.loads(got)), played + 1]
                    break
    took_ms.sort()
    told = {"clicks": len(took_ms), "p50_ms": statistics.median(took_ms), "p95_ms": took_ms[int(0.95 * len(took_ms))]}
    return told | ({"fewest_frames": frames[0], "of": frames[1]} if frames else {})


async def whole_game(
    socket: ClientWebSocketResponse, frame: dict[str, Any], rng: Random, most: int, *, pause_s: float = 0.0
) -> list[float]:
    took_ms: list[float] = []
    while frame["moves"] and len(took_ms) < most:
        await asyncio.sleep(pause_s)
        move = rng.choice(frame["moves"])[0]
        began = time.perf_counter()
        await socket.send_json({"do": "move", "move": move, "ply": frame["ply"]})
        frame = await next_frame(socket)
        took_ms.append(1000 * (time.perf_counter() - began))
    return took_ms


async def first_page(base: str) -> dict[str, Any]:
    """Bytes as they travel, and seconds, one file after the other."""
    began, total, done = time.perf_counter(), 0, set[str]()
    async with (
        ClientSession(auto_decompress=False, headers={"Accept-Encoding": "gzip"}) as raw,
        ClientSession() as plain,
    ):
        waiting = ["/"]
        while waiting:
            path = waiting.pop()
            if path in done:
                continue
            done.add(path)
            async with raw.get(base + path) as answer:
                total += len(await answer.read())
            async with plain.get(base + path) as answer:
                text = await answer.text()
            if path == "/":
                waiting += re.findall(r'(?:href|src)="(/static/[\w.]+|/theme\.css)"', text)
            elif path.endswith(".js"):
                waiting += [f"/static/{name}" for name in IMPORT.findall(text)]
    return {"files": len(done), "kB": total / 1000, "seconds_twice_over": time.perf_counter() - began}


async def measured(base: str, moves: int, count: int) -> dict[str, Any]:
    told: dict[str, Any] = {"first page": await first_page(base)}
    for game in GAMES:
        told[f"{game}: click to board"] = await clicks(base, game, moves)
    alone = [await clicks(base, "extreme", min(moves, 150)) for _ in range(2)][-1]
    told["extreme: alone"] = alone
    told[f"extreme: {count} watch"] = await clicks(base, "extreme", min(moves, 150), watching=count)
    return told


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--watchers", type=int, default=200)
    parser.add_argument("--moves", type=int, default=300)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--watch", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.watch:
        asyncio.run(watch(arguments.watch, arguments.watchers))
        return
    with server() as base:
        told = asyncio.run(measured(base, arguments.moves, arguments.watchers))
    if arguments.json:
        print(json.dumps(told))
        return
    for name, values in told.items():
        parts = (
            f"{key} {value:.1f}" if isinstance(value, float) else f"{key} {value}" for key, value in values.items()
        )
        print(f"{name:28} {', '.join(parts)}")


if __name__ == "__main__":
    main()
