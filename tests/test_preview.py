"""`ludus preview`: the page follows the file, and no rules, however wrong, take the server down."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from aiohttp import ClientWebSocketResponse
from aiohttp.test_utils import TestClient, TestServer

from ludus.rules import game_names
from ludus.web.previews import request_of
from ludus.web.rehearsal import Rehearsal
from ludus.web.rehearsing import files_used
from ludus.web.server import make_app
from ludus.web.settings import Settings
from rules_files import HEAP

PATIENCE_S = 40.0
HEAP_OF_9 = HEAP.format(imports="", heap=9, most=3)
SHOW = {"do": "show", "options": {}, "moves": ["1", "2"], "is_lenient": True}
Message = dict[str, Any]


def run(work: Callable[[], Awaitable[None]]) -> None:
    """A coroutine to its end, in the main thread, as the server runs."""

    async def main() -> None:
        await asyncio.wait_for(work(), 3 * PATIENCE_S)

    asyncio.run(main())


def with_line(text: str, line: str, *, after: str) -> str:
    """Rules with one more line after the one that begins so; of the same depth."""
    lines = text.splitlines()
    at = next(number for number, one in enumerate(lines) if one.strip().startswith(after))
    return "\n".join([*lines[: at + 1], line, *lines[at + 1 :]]) + "\n"


# ---- the process


async def asked(path: Path, *requests: Message) -> list[Message]:
    rehearsal = Rehearsal(path)
    try:
        return [await rehearsal.ask(request) for request in requests]
    finally:
        await rehearsal.close()
        assert not rehearsal.is_alive


def test_a_process_shows_plays_takes_back_and_checks(tmp_path: Path) -> None:
    path = tmp_path / "heap.py"
    path.write_text(HEAP_OF_9)

    async def work() -> None:
        requests = [
            SHOW,
            {"do": "play", "move": 0},
            {"do": "play", "move": 8},
            {"do": "random", "count": 99, "seed": 1},
            {"do": "back", "ply": 1},
            {"do": "why", "key": "nowhere"},
            {"do": "show", "options": {"heap": 2}, "moves": ["1", "1"], "is_lenient": True},
            {"do": "show", "options": {"heap": "x"}, "moves": ["1"], "is_lenient": False},
            {"do": "show", "options": {"pile": 2}, "moves": [], "is_lenient": True},
            {"do": "check", "options": {}},
        ]
        shown, played, refused, ended, back, why, less, wrong, usual, checked = await asked(path, *requests)
        assert shown["moves"] == ["1", "2"]
        assert shown["change"] is None
        assert played["moves"] == ["1", "2", "0"]
        assert played["turns"] == [0, 1, 0]
        assert played["change"]["ply"] == 3
        assert refused == {"refusal": "this move is not legal here"}
        assert ended["frame"]["mover"] is None
        assert ended["moves"][:3] == ["1", "2", "0"]
        assert back["moves"] == ["1"]
        assert why["why"] == "there is no such place on the board"
        assert less["moves"] == ["1"]
        assert less["note"].startswith("1 of 2 moves are still legal")
        assert "cannot start with these options" in wrong["refusal"]
        assert "no option 'pile'" in usual["note"]
        assert usual["given"] == {}
        assert checked["checked"].startswith("every promise holds")
        json.dumps([shown, ended], allow_nan=False)

    run(work)


@pytest.mark.parametrize("name", game_names())
def test_our_own_games_can_be_looked_at(name: str) -> None:
    path = Path(sys.modules["ludus.rules"].__file__ or "").parent / "games" / name.replace("-", "_") / "rules.py"

    async def work() -> None:
        shown, ended = await asked(path, {**SHOW, "moves": []}, {"do": "random", "count": 9999, "seed": 2})
        assert "complaint" not in shown
        assert ended["frame"]["mover"] is None
        assert set(ended["svg"]) == {"light", "dark"}
        text = "\n".join("".join(piece for piece, *_ in row) for row in ended["terminal"])
        assert shown["title"] in text

    run(work)


BAD_FILES = {
    "syntax": ("def (:\n", "heap.py:1: "),
    "crash": (with_line(HEAP_OF_9, "1 / 0", after="MOVES"), "heap.py:6: ZeroDivisionError"),
    "exit": (with_line(HEAP_OF_9, "raise SystemExit(3)", after="MOVES"), "heap.py:6: SystemExit"),
    "interrupt": (with_line(HEAP_OF_9, "raise KeyboardInterrupt", after="MOVES"), "heap.py:6: KeyboardInterrupt"),
    "loop": (with_line(HEAP_OF_9, "while True: pass", after="MOVES"), "heap.py:6: no answer after 5 seconds"),
    "memory": (with_line(HEAP_OF_9, "x = bytearray(1 << 40)", after="MOVES"), "heap.py:6: MemoryError"),
    "leave": (with_line(HEAP_OF_9, "import os; os._exit(3)", after="MOVES"), "(exit status 3)"),
    "die": (with_line(HEAP_OF_9, "import os; os.kill(os.getpid(), 11)", after="MOVES"), "(SIGSEGV)"),
    "view": (HEAP_OF_9 + "\n\ndef view(s):\n    return [1]\n", "heap.py:35: view() gives [1]"),
    "crash in view": (HEAP_OF_9 + "\n\ndef view(s):\n    return [][1]\n", "heap.py:36: IndexError"),
    "lacks": (HEAP_OF_9.replace("def result", "def results"), "heap.py:1: the rules lack result"),
    "recursion": (HEAP_OF_9.replace("return s.mover", "return turn(s)"), "heap.py:18: RecursionError"),
    "start": (with_line(HEAP_OF_9, "    raise ValueError('no')", after="def start"), "heap.py:14: ValueError: no"),
    "reads our questions": (with_line(HEAP_OF_9, "input()", after="MOVES"), "heap.py:6: EOFError"),
}


@pytest.mark.parametrize("kind", BAD_FILES)
def test_whatever_is_wrong_is_one_sentence_with_file_and_line(kind: str, tmp_path: Path) -> None:
    text, expected = BAD_FILES[kind]
    path = tmp_path / "heap.py"
    path.write_text(text)

    async def work() -> None:
        (answer,) = await asked(path, SHOW)
        assert expected in answer["complaint"], answer
        assert "\n" not in answer["complaint"]

    run(work)


def test_what_rules_print_is_no_answer(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "heap.py"
    path.write_text(with_line(HEAP_OF_9, "    print('{\"complaint\": 1}', s)", after="def play"))

    async def work() -> None:
        shown, played = await asked(path, SHOW, {"do": "play", "move": 0})
        assert played["moves"] == [*shown["moves"], "0"]

    run(work)
    assert '{"complaint": 1} State(' in capfd.readouterr().err


def test_rules_that_refuse_to_be_interrupted_are_ended(tmp_path: Path) -> None:
    stubborn = "while True:\n    try:\n        while True: pass\n    except BaseException: pass\n"
    path = tmp_path / "heap.py"
    path.write_text(stubborn)

    async def work() -> None:
        rehearsal = Rehearsal(path)
        asking = asyncio.create_task(rehearsal.ask(SHOW))
        await asyncio.sleep(0.5)
        assert rehearsal.is_alive
        asking.cancel()  # as a save does
        with pytest.raises(asyncio.CancelledError):
            await asking
        process = rehearsal._process
        assert process is not None
        await rehearsal.close()
        assert process.returncode == -signal.SIGKILL

    run(work)


def test_whoever_is_cancelled_while_a_process_ends_leaves_nothing_behind(tmp_path: Path) -> None:
    path = tmp_path / "heap.py"
    path.write_text(HEAP_OF_9)

    async def work() -> None:
        rehearsal = Rehearsal(path)
        await rehearsal.ask(SHOW)
        process = rehearsal._process
        assert process is not None
        closing = asyncio.create_task(rehearsal.close())
        await asyncio.sleep(0)
        closing.cancel()  # as a server does that stops just after a save
        with pytest.raises(asyncio.CancelledError):
            await closing
        assert process.returncode == -signal.SIGKILL
        assert process._transport.is_closing()  # type: ignore[attr-defined]

    run(work)


def test_the_process_of_a_server_that_is_killed_ends_with_it(tmp_path: Path) -> None:
    path = tmp_path / "heap.py"
    path.write_text(
        f"import os, pathlib\npathlib.Path({str(tmp_path / 'pid')!r}).write_text(str(os.getpid()))\n"
        "while True:\n    try:\n        while True: pass\n    except BaseException: pass\n"
    )
    program = (
        "import asyncio, pathlib, sys\nfrom ludus.web.rehearsal import Rehearsal\n"
        f"asyncio.run(Rehearsal(pathlib.Path({str(path)!r})).ask({SHOW!r}))"
    )
    with subprocess.Popen([sys.executable, "-c", program]) as server:
        until = time.monotonic() + PATIENCE_S
        while not (tmp_path / "pid").exists() or not (tmp_path / "pid").read_text():
            assert time.monotonic() < until
            time.sleep(0.05)
        server.kill()
    child = int((tmp_path / "pid").read_text())
    while Path(f"/proc/{child}").exists() and "Z" not in Path(f"/proc/{child}/stat").read_text().split()[2]:
        assert time.monotonic() < until
        time.sleep(0.05)


def test_files_that_are_watched(tmp_path: Path) -> None:
    (tmp_path / "rules.py").write_text("import math, one\nfrom . import two\nfrom pack.three import x\nimport numpy\n")
    (tmp_path / "one.py").write_text("def f():\n    import four\n")
    (tmp_path / "four.py").write_text("import (")
    (tmp_path / "pack").mkdir()
    (tmp_path / "pack" / "__init__.py").write_text("")
    found = {os.path.relpath(file, tmp_path) for file in files_used(tmp_path / "rules.py")}
    assert {"rules.py", "view.py", "evaluation.py", "one.py", "two.py", "four.py"} <= found
    assert {"pack/__init__.py", "pack/three.py"} <= found
    assert not {"math.py", "typing.py"} & found
    plain = {os.path.relpath(file, tmp_path) for file in files_used(tmp_path / "one.py")}
    assert plain == {"one.py", "four.py"}


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
