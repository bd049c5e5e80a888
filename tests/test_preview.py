"""`ludus preview`: the page follows the file, and no rules, however wrong, take the server down."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from aiohttp import ClientWebSocketResponse
from aiohttp.test_utils import TestClient, TestServer

from ludus.web.previews import request_of
from ludus.web.server import make_app
from ludus.web.settings import Settings
from previewed import HEAP_OF_9, PATIENCE_S, Message, run, with_line
from rules_files import HEAP

# ---- messages


@pytest.mark.parametrize(
    "asked, expected",
    [
        ({"do": "move", "move": 2, "ply": 3}, {"do": "play", "move": 2}),
        ({"do": "move", "move": 2, "ply": 2}, None),
        ({"do": "move", "move": True, "ply": 3}, None),
        ({"do": "move", "move": "2", "ply": 3}, None),
        ({"do": "move"}, None),
        ({"do": "undo"}, {"do": "back", "ply": 2}),
        ({"do": "goto", "ply": 0}, {"do": "back", "ply": 0}),
        ({"do": "goto", "ply": 4}, None),
        ({"do": "goto", "ply": -1}, None),
        ({"do": "why", "key": "x" * 300}, None),
        ({"do": "random", "count": 10**9}, None),
        ({"do": "check"}, None),
        ({"do": "show", "moves": []}, None),
        ({"do": "options", "options": {"a": 3}}, None),
        ({"do": "options", "options": []}, None),
        (
            {"do": "options", "options": {"a": "3", "b": "", "c": "x y", "d": "True", "e": "@/etc/passwd"}},
            {
                "do": "show",
                "options": {"a": 3, "c": "x y", "d": True, "e": "@/etc/passwd"},
                "moves": [],
                "is_lenient": False,
            },
        ),
    ],
)
def test_only_messages_that_make_sense_reach_the_rules(asked: Message, expected: Message | None) -> None:
    assert request_of(asked, ply=3) == expected


# ---- the server


class Visit:
    """A page that is open."""

    def __init__(self, socket: ClientWebSocketResponse) -> None:
        self.socket = socket

    async def until(self, is_it: Callable[[Message], bool]) -> Message:
        """The next message that is what was waited for."""
        async with asyncio.timeout(PATIENCE_S):
            while True:
                message: Message = await self.socket.receive_json()
                if is_it(message):
                    return message

    async def position(self, *moves: str) -> Message:
        return await self.until(lambda m: m["is"] == "position" and m["moves"] == list(moves))

    async def state(self, is_it: Callable[[Message], bool]) -> Message:
        return await self.until(lambda m: m["is"] == "state" and is_it(m))

    async def do(self, **message: Any) -> None:
        await self.socket.send_json(message)


@asynccontextmanager
async def served(path: Path) -> AsyncIterator[TestClient[Any, Any]]:
    async with TestClient(TestServer(make_app(Settings(preview=path)))) as client:
        yield client


@asynccontextmanager
async def visited(client: TestClient[Any, Any]) -> AsyncIterator[Visit]:
    origin = str(client.make_url("/")).rstrip("/")
    async with client.ws_connect("/preview/socket", origin=origin) as socket:
        yield Visit(socket)


def test_a_page_plays_both_seats_and_follows_the_file(tmp_path: Path) -> None:
    path = tmp_path / "heap.py"
    path.write_text(HEAP_OF_9)

    async def work() -> None:
        async with served(path) as client, visited(client) as visit:
            page = await client.get("/preview")
            assert page.status == 200
            assert "heap.py" in await page.text()
            first = await visit.position()
            assert first["frame"]["full"]
            await visit.state(lambda m: m["checked"] != "")
            await visit.do(do="move", move=1, ply=0)
            await visit.do(do="move", move=2, ply=1)
            assert not (await visit.position("1", "2"))["frame"]["full"]
            await visit.do(do="undo")
            await visit.position("1")
            await visit.do(do="options", options={"heap": "5"})
            await visit.position()
            await visit.do(do="move", move=2, ply=0)
            await visit.position("2")

            path.write_text(HEAP_OF_9.replace("MOVES = 3", "MOVES = 3\nNAME = 'Sticks'"))
            again = await visit.position("2")
            assert again["title"] == "Sticks"
            assert again["options"][0]["value"] == "5"

            path.write_text("def (")
            # The file is seen half written too: what counts is where it ends.
            state = await visit.state(lambda m: m["is_stale"] and m["complaint"] != "")
            assert state["complaint"].startswith("heap.py:1: ")
            await visit.do(do="move", move=0, ply=1)  # the last good board still plays
            await visit.position("2", "0")
            async with visited(client) as late:  # and is what somebody sees who comes now
                assert (await late.position("2", "0"))["frame"]["full"]
                assert (await late.state(lambda m: True))["is_stale"]

            path.write_text(HEAP_OF_9.replace("min(s.heap, 3)", "min(s.heap, 1)"))
            fewer = await visit.position()
            assert "0 of 2 moves are still legal" in fewer["note"]
            state = await visit.state(lambda m: m["checked"] != "")
            assert (state["complaint"], state["is_stale"]) == ("", False)

    run(work)


def test_a_helper_beside_the_rules_is_followed(tmp_path: Path) -> None:
    path, helper = tmp_path / "heap.py", tmp_path / "limits.py"
    path.write_text(HEAP.format(imports="from limits import MOST", heap=9, most="MOST"))

    async def work() -> None:
        async with served(path) as client, visited(client) as visit:
            state = await visit.state(lambda m: m["complaint"] != "")
            assert "limits" in state["complaint"]
            assert not state["is_stale"]
            helper.write_text("MOST = 3\n")
            assert len((await visit.position())["frame"]["moves"]) == 3
            helper.write_text("MOST = 2\n")
            assert len((await visit.position())["frame"]["moves"]) == 2

    run(work)


def test_a_broken_promise_is_said_while_the_board_is_shown(tmp_path: Path) -> None:
    path = tmp_path / "heap.py"
    path.write_text(HEAP_OF_9.replace("    return s.mover", "    return [s.mover][0]"))

    async def work() -> None:
        async with served(path) as client, visited(client) as visit:
            await visit.position()
            state = await visit.state(lambda m: m["complaint"] != "")
            assert state["complaint"].startswith("heap.py:18: in turn(): a list cannot be compiled")
            assert not state["is_stale"]

    run(work)


@pytest.mark.parametrize(
    "line, expected",
    [
        ("    while m == 2: pass", "endless loop"),
        ("    1 // (2 - m)", "ZeroDivisionError"),
        ("    m == 2 and __import__('os')._exit(1)", "exit status 1"),
    ],
)
def test_a_move_that_goes_wrong_leaves_the_position_and_the_server(line: str, expected: str, tmp_path: Path) -> None:
    path = tmp_path / "heap.py"
    path.write_text(with_line(HEAP_OF_9, line, after="def play"))

    async def work() -> None:
        async with served(path) as client, visited(client) as visit:
            await visit.position()
            await visit.do(do="move", move=1, ply=0)
            await visit.position("1")
            await visit.do(do="move", move=2, ply=1)
            await visit.state(lambda m: expected in m["complaint"])
            await visit.do(do="move", move=0, ply=1)
            await visit.position("1", "0")

    run(work)


def test_an_endless_loop_does_not_keep_the_next_save_waiting(tmp_path: Path) -> None:
    path = tmp_path / "heap.py"
    path.write_text("while True:\n    try:\n        while True: pass\n    except BaseException: pass\n")

    async def work() -> None:
        async with served(path) as client, visited(client) as visit:
            await visit.state(lambda m: m["is_loading"])
            await asyncio.sleep(0.5)
            assert (await client.get("/preview")).status == 200
            path.write_text(HEAP_OF_9)
            await visit.position()

    run(work)


def test_a_page_from_elsewhere_cannot_drive_it(tmp_path: Path) -> None:
    path = tmp_path / "heap.py"
    path.write_text(HEAP_OF_9)

    async def work() -> None:
        async with served(path) as client:
            answer = await client.get(
                "/preview/socket", headers={"Origin": "http://evil.example", "Upgrade": "websocket"}
            )
            assert answer.status == 403

    run(work)


def test_nonsense_gets_a_complaint_and_nothing_else(tmp_path: Path) -> None:
    path = tmp_path / "heap.py"
    path.write_text(HEAP_OF_9)

    async def work() -> None:
        async with served(path) as client, visited(client) as visit:
            await visit.position()
            await visit.socket.send_str("nonsense")
            await visit.until(lambda m: m["is"] == "error")
            await visit.do(do="fly")
            await visit.until(lambda m: m["is"] == "error")
            await visit.do(do="why", key="<b>")
            assert (await visit.until(lambda m: m["is"] == "say"))["text"]

    run(work)


def test_the_command_says_where_and_complains_in_one_sentence(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "ludus", "preview", str(tmp_path / "nothing.py")],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1
    assert done.stderr.endswith("nothing.py: there is no such rules file\n")
    assert done.stderr.count("\n") == 1
