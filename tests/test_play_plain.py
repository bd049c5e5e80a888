"""`ludus play --plain` as people and programs use it: over a pipe, and over a pseudo-terminal."""

from __future__ import annotations

import os
import pty
import select
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from ludus.records import parse_record, replay
from ludus.reports.trace import trace_of_record

HANDOUT = ("slant", "--options", "circles=101/020/001", "--plain", "--seed", "1")
COMMAND = [sys.executable, "-m", "ludus", "play"]


def dialogue(folder: Path, lines: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*COMMAND, *arguments], input=lines, capture_output=True, text=True, cwd=folder, check=False, timeout=300
    )


def test_a_whole_game_over_a_pipe_writes_trace_and_record(tmp_path: Path) -> None:
    """Whatever the computer answers, some of these moves are legal, and enough to end the game."""
    lines = "0,0\n0,1\n1,0\n1,1\n\n"
    done = dialogue(tmp_path, lines, *HANDOUT, "--vs", "random", "--trace", "t.txt", "--record", "r.json")
    assert done.returncode == 0 and done.stderr == ""
    assert "The game is over: " in done.stdout and "Written: t.txt" in done.stdout
    record = parse_record((tmp_path / "r.json").read_text())
    assert replay(record).result == record.more["result"]
    assert record.more["verdict"]["kind"] in ("win", "draw")
    assert trace_of_record(record) == (tmp_path / "t.txt").read_text()


def test_two_people_at_one_pipe_with_every_command(tmp_path: Path) -> None:
    lines = "help\nmoves\n0,1\n0,1\nnonsense\n1,1\nundo\n1,1\nboard\nsave\nresign\ntrace mine.txt\nundo\n0,0\nquit\n"
    done = dialogue(tmp_path, lines, *HANDOUT, "--vs", "human")
    assert done.returncode == 0, done.stderr
    for said in (
        "take back your last move",
        "0,0 0,1 1,0 1,1",
        "illegal move 0,1: the cell is taken",
        "'nonsense' is not a move of slant",
        "Taken back: 1 move.",
        "Written: slant.json",
        "human resigns; guest wins",
        "Written: mine.txt",
    ):
        assert said in done.stdout
    assert "Result: human resigns; guest wins, after 2 moves" in (tmp_path / "mine.txt").read_text()
    assert parse_record((tmp_path / "slant.json").read_text()).moves == ("0,1", "1,1")


def test_the_end_of_the_input_leaves_and_still_writes(tmp_path: Path) -> None:
    done = dialogue(tmp_path, "0,1\n", *HANDOUT, "--vs", "human", "--trace", "t.txt")
    assert done.returncode == 0
    assert (tmp_path / "t.txt").read_text().endswith("Result: not finished, after 1 move\n")


def test_a_bot_is_played_in_the_sandbox_and_after_an_undo_begins_anew(
    tmp_path: Path, write: Callable[[str, str], Path]
) -> None:
    """A bot that counts its turns would notice moves that were taken back."""
    write(
        "counts.py",
        """
        turns = 0
        def choose(state, clock):
            global turns
            turns += 1
            assert len(state["moves"]) == 2 * turns - 1, "I was asked out of turn"
            return state["legal"][0]
        """,
    )
    lines = "0,0\nundo\n0,0\nundo\n1,1\n1,0\n\n"
    done = dialogue(tmp_path, lines, *HANDOUT, "--vs", "./counts.py")
    assert done.returncode == 0, done.stderr
    assert "forfeits" not in done.stdout and "The game is over: " in done.stdout


def test_the_opponent_may_begin(tmp_path: Path) -> None:
    done = dialogue(tmp_path, "quit\n", *HANDOUT, "--vs", "random", "--first", "them")
    assert "random plays " in done.stdout and "Backslash (human), your move" in done.stdout


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("--plain",), "--plain needs a game"),
        (("slant",), "the full screen needs a terminal"),
        (("slant", "--plain", "--trace", "no/where.txt"), "no/where.txt: the file cannot be written"),
        (("slant", "--plain", "--vs", "nobody"), "there is no agent or file 'nobody'"),
        (("slant", "--plain", "--vs", "best", "--level", "3"), "give either --level or --vs"),
        (("slant", "--plain", "--options", "m=3"), "slant cannot start with these options"),
    ],
)
def test_what_is_wrong_is_said_in_one_sentence(tmp_path: Path, arguments: tuple[str, ...], sentence: str) -> None:
    done = dialogue(tmp_path, "", *arguments)
    assert done.returncode == 1
    assert sentence in done.stderr and done.stderr.count("\n") == 1


def test_over_a_pseudo_terminal(tmp_path: Path) -> None:
    """A person at a terminal: prompts come before lines are typed, and Ctrl-D leaves."""
    ours, theirs = pty.openpty()
    with subprocess.Popen([*COMMAND, *HANDOUT, "--vs", "human"], stdin=theirs, stdout=theirs, cwd=tmp_path) as process:
        os.close(theirs)
        assert "Slash (human), your move" in _read(ours, "your move, such as 0,0: ")
        os.write(ours, b"0,1\n")
        assert "1✓" in _read(ours, "Backslash (guest), your move, such as 0,0: ")
        os.write(ours, b"undo\n")
        assert "Taken back: 1 move." in _read(ours, "Slash (human), your move, such as 0,0: ")
        os.write(ours, b"\x04")
        assert process.wait(60) == 0
    os.close(ours)


def _read(descriptor: int, end: str) -> str:
    """What the terminal shows until it ends like this."""
    seen, until = b"", time.monotonic() + 60
    while not seen.decode(errors="replace").endswith(end):
        assert select.select([descriptor], [], [], max(0, until - time.monotonic()))[0], seen.decode()
        seen += os.read(descriptor, 4096)
    return seen.decode()
