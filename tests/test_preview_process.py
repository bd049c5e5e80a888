"""The process behind `ludus preview`: whatever the rules do, it answers in one sentence or is ended."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from ludus.rules import game_names
from ludus.web.rehearsal import Rehearsal
from ludus.web.rehearsing import files_used
from previewed import HEAP_OF_9, PATIENCE_S, SHOW, Message, run, with_line


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
