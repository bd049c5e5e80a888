"""Every command of README and docs that stands without its output is run as well, in a small form, page by page.

test_docs.py runs those with their output (`console`); here are `sh` fences, indented commands, and names in the text.
"""

from __future__ import annotations

import argparse
import contextlib
import fcntl
import os
import pty
import re
import select
import shlex
import signal
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Iterator
from pathlib import Path
from urllib.request import HTTPCookieProcessor, build_opener

import pytest

from ludus.cli.parser import build_parser
from test_docs import FENCE, PAGES, ROOT

PATIENCE_S = 120.0  # a machine with other work, and searches that are compiled first
INDENTED = re.compile(r"^    (?P<command>ludus .*)$", re.MULTILINE)
INLINE = re.compile(r"`(?P<command>ludus [^`]+)`")
COMMENT = re.compile(r"\s+#.*$")
SERVED = ("serve", "preview")
CTRL_Q = b"\x11"

# What a command takes in addition, so that it is done soon; of an option that is there twice the last one counts.
SMALLER = {
    "analyse": "--time 0.1",
    "check": "--quick",
    "duel": "--games 2 --time 0.01",
    "match": "--limit 0.1",
    "stats": "--games 2000",
    "train": "--positions 2000 --duel-games 2",
}
# What has to be there before a page begins.
BEFORE = {
    "README.md": """
        ludus new game mygame
        mkdir -p examples/nsoc handed-in && for team in 1 2; do
            ludus new bot --event nsoc team$team && mv team$team.py examples/nsoc
            ludus new bot --event cse371 team$team && mv team$team.py handed-in
        done
        ludus run nsoc --bots examples/nsoc --out demo --quiet
    """,
    "referee.md": """
        ludus new bot --event nsoc anna && ludus new bot --event nsoc bert
        ludus new bot --event extreme team1 && ludus new bot --event nsoc --protocol codingame bot
    """,
    "serve.md": "mkdir results && ludus new game mygame",
    "watch-a-tournament.md": "mkdir bots && ludus new bot --event nsoc a && cp a.py bots/b.py && mv a.py bots",
    "preview-a-game.md": "ludus new game connect4",
    "train-an-evaluation.md": f"cp {ROOT}/examples/games/connect_four.py .",
    "protocol.md": """
        ludus new bot --event nsoc --protocol ludus bot
        ludus new bot --event nsoc --protocol codingame other
    """,
}
# What is not run, and why.
LEFT_OUT = {
    "make run": "make sets up what this test runs in",
    "make test": "make sets up what this test runs in",
    "pip install 'ludus[gpu]'": "nothing is installed by tests",
    "ludus serve --host games.example.org --port 8080": "the name stands for one of the reader's own",
    "ludus train connect_four.py --hours 0.5": "half an hour; tic-tac-toe is trained in a small form",
    "ludus duel connect_four.py alphabeta:net=connect_four.net mcts --games 100 --time 0.1": "of what that made",
    "ludus check team1.py --event cse371": "the pages about checks run it, and it takes long",
    "dask scheduler": "it needs several machines; test_runner.py plays through a scheduler of its own",
    "dask worker tcp://pc01:8786 --nthreads 1 --nworkers 4 --memory-limit 0": "likewise",
    "ludus run cse371 --bots bots --engine dask:tcp://pc01:8786": "likewise",
}


def commands(page: Path) -> list[str]:
    text, found = page.read_text(), []
    for fence in FENCE.finditer(text):
        if fence["info"].split()[:1] == ["sh"] and not fence["body"].startswith("#!"):
            found += [COMMENT.sub("", line).strip() for line in fence["body"].splitlines()]
    found += [COMMENT.sub("", line["command"]).strip() for line in INDENTED.finditer(FENCE.sub("", text))]
    return [command.removesuffix(" &") for command in found if command and not command.startswith("#")]


def scripts() -> Iterator[str]:
    for page in PAGES:
        for fence in FENCE.finditer(page.read_text()):
            if fence["info"].split()[:1] == ["sh"] and fence["body"].startswith("#!"):
                yield fence["body"]


@pytest.mark.parametrize("page", [page for page in PAGES if commands(page)], ids=lambda page: page.name)
def test_commands_without_output(page, tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", f"{Path(sys.executable).parent}:{os.environ['PATH']}")
    monkeypatch.delenv("DISPLAY", raising=False)
    finished(BEFORE.get(page.name, ""), tmp_path)
    for command in commands(page):
        if command in LEFT_OUT:
            continue
        words = command.split()
        if words[1] in SERVED or "--web" in words:
            is_served(command, tmp_path)
        elif words[1] in ("play", "watch") and "--plain" not in words:
            fills_a_screen(command, tmp_path)
        else:
            finished(f"{command} {SMALLER.get(words[1], '')}", tmp_path)


def finished(command: str, folder: Path) -> None:
    words = ["timeout", f"{PATIENCE_S:.0f}", "bash", "-ec", command]
    done = subprocess.run(words, stdin=subprocess.DEVNULL, capture_output=True, text=True, cwd=folder, check=False)
    is_over = "human" in command or "--plain" in command  # whoever should play has left
    assert done.returncode == 0 or is_over, f"$ {command}\n{done.stdout}{done.stderr}"
    assert "Traceback" not in done.stderr, f"$ {command}\n{done.stderr}"


def is_served(command: str, folder: Path) -> None:
    """A server says where it is, answers there, and ends with Ctrl-C."""
    words = ["bash", "-ec", f"exec {command} --port 0"]
    with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, cwd=folder) as server:
        try:
            assert server.stdout is not None
            said = server.stdout.readline()
            found = re.search(r"http://\S+", said)
            assert found, f"$ {command}\n{said}{server.stdout.read()}"
            browser = build_opener(HTTPCookieProcessor())  # a token in the address becomes a cookie
            with browser.open(found[0], timeout=PATIENCE_S) as answer:
                assert answer.status == 200, command
            server.send_signal(signal.SIGINT)
            assert server.wait(PATIENCE_S) == 0, f"$ {command}\n{server.stdout.read()}"
        finally:
            server.kill()


def fills_a_screen(command: str, folder: Path) -> None:
    """A full screen draws a board, and ends with Ctrl-Q."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 120, 0, 0))
    environment = {**os.environ, "TERM": "xterm-256color"}
    with subprocess.Popen(
        shlex.split(command),
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        cwd=folder,
        env=environment,
        start_new_session=True,
    ) as screen:
        os.close(theirs)
        try:
            shown, is_asked, end = b"", False, time.monotonic() + PATIENCE_S
            while screen.poll() is None:
                assert time.monotonic() < end, f"$ {command}\n{shown.decode(errors='replace')}"
                if select.select([ours], [], [], 0.1)[0]:
                    with contextlib.suppress(OSError):  # it has ended
                        shown += os.read(ours, 65536)
                elif not is_asked and "─".encode() in shown:
                    is_asked = os.write(ours, CTRL_Q) > 0
            assert screen.returncode == 0, f"$ {command}\n{shown.decode(errors='replace')}"
            assert b"Traceback" not in shown
        finally:
            screen.kill()
            os.close(ours)


def test_what_is_left_out_is_still_there():
    shown = [command for page in PAGES for command in commands(page)]
    assert set(LEFT_OUT) <= set(shown)
    assert {page.name for page in PAGES} >= set(BEFORE)


def test_scripts_are_shell(tmp_path):
    found = list(scripts())
    assert found
    for script in found:
        subprocess.run(["bash", "-n"], input=script, text=True, check=True, cwd=tmp_path)


def options_of(words: list[str]) -> set[str] | None:
    """The options of the command that is named, with those of the commands in it; None where there is no such one."""
    parser, known = build_parser(), set[str]()
    for word in words:
        (inner,) = [a for a in parser._actions if isinstance(a, argparse._SubParsersAction)] or [None]
        if inner is None:
            break
        if word not in inner.choices:
            return known or None
        parser = inner.choices[word]
        known |= set(parser._option_string_actions)
    return known


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_command_that_is_named_is_there_with_its_options(page):
    for found in INLINE.finditer(FENCE.sub("", page.read_text())):
        words = found["command"].split()[1:]
        if words[0].startswith("-"):
            continue
        known = options_of(words)
        assert known is not None, found[0]
        for word in words:
            if word.startswith("--"):
                assert word.partition("=")[0] in known, found[0]
