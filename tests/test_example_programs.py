"""The example programs: built as their page says, legal wherever they are asked, played through the referee."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from example_spots import EXAMPLES, INSTANCES, Spot, described, first_spot, next_spot
from ludus.rules import game_names, load_game, random_line


@contextmanager
def running(*command: object) -> Iterator[subprocess.Popen[str]]:
    """A program with pipes, which is ended when it hangs, and which must end by itself when its input does."""
    with subprocess.Popen(
        [str(word) for word in command], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, encoding="utf-8"
    ) as process:
        watchdog = threading.Timer(300, process.kill)
        watchdog.start()
        try:
            yield process
            assert process.stdin is not None
            process.stdin.close()
            assert process.wait() == 0
        finally:
            watchdog.cancel()
            process.kill()


def say(process: subprocess.Popen[str], text: str) -> None:
    assert process.stdin is not None
    process.stdin.write(text)
    process.stdin.flush()


def hear(process: subprocess.Popen[str]) -> str:
    assert process.stdout is not None
    return process.stdout.readline()


@pytest.fixture(scope="session")
def built(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    """Build a program by the line of the page that makes it, in a copy of the examples; give its path."""
    folder = tmp_path_factory.mktemp("built")
    shutil.copytree(EXAMPLES, folder / "examples", ignore=shutil.ignore_patterns("build", "__pycache__"))
    page = (EXAMPLES / "README.md").read_text()

    @cache
    def build(name: str) -> Path:
        path = folder / "examples" / name
        commands = re.findall(rf"^(?:g\+\+|javac) .*examples/{re.escape(name)} .*$", page, re.MULTILINE)
        for command in commands:
            for tool in re.findall(r"(?:^|&& )(\S+)", command):
                if shutil.which(tool) is None:
                    pytest.skip(f"{tool} is not installed here")
            path.unlink(missing_ok=True)
            subprocess.run(["bash", "-c", command], cwd=folder, check=True)
        assert len(commands) == (name.startswith(("cpp/", "java/")))
        return path

    return build


def command_for(path: Path) -> list[str]:
    runtime = {".jar": ["java", "-jar"], ".js": ["node"]}.get(path.suffix, [])
    if runtime and shutil.which(runtime[0]) is None:
        pytest.skip(f"{runtime[0]} is not installed here")
    first_line = path.read_bytes()[:100].partition(b"\n")[0].decode("utf-8", "replace")
    if first_line.startswith("#!/usr/bin/python3") and not Path("/usr/bin/python3").exists():
        pytest.skip("there is no /usr/bin/python3 here")
    return [*runtime, str(path)]


def request(**fields: Any) -> str:
    return json.dumps(fields) + "\n"


JSON_PROGRAMS = ["python-program/any_game", "node/any_game.js", "cpp/any_game"]


@pytest.mark.parametrize("program", JSON_PROGRAMS)
def test_whole_games_over_json(program, built):
    rng = Random(3)
    with running(*command_for(built(program))) as process:
        for name in game_names():
            game = load_game(name)
            for seat, options in enumerate([*INSTANCES.get(name, [{}, {}])][:2]):
                spot = first_spot(game, options)
                start = {"protocol": "ludus/1", "game": name, "options": spot.options, "seat": seat, "move_ms": 1000}
                say(process, request(type="start", **start))
                assert json.loads(hear(process))["type"] == "ready"
                while spot.drawn.result() is None:
                    if spot.drawn.turn() == seat:
                        say(process, request(type="move", move_ms=1000, **described(spot)))
                        move = json.loads(hear(process))["move"]
                    else:
                        move = rng.choice(sorted(spot.drawn.legal()))
                    spot = next_spot(spot, move)
                say(process, request(type="end", result=spot.drawn.result(), moves=spot.moves))


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda values: st.lists(values, max_size=4) | st.dictionaries(st.text(), values, max_size=4),
    max_leaves=8,
)


@pytest.fixture(scope="module")
def cpp_program(built) -> Iterator[subprocess.Popen[str]]:
    with running(*command_for(built("cpp/any_game"))) as process:
        yield process


@settings(max_examples=300, deadline=None)
@given(
    legal=st.lists(st.text(), min_size=1, max_size=5),
    others=st.dictionaries(st.text() | st.sampled_from(["Type", "state"]), json_values, max_size=4),
    data=st.data(),
    is_ascii=st.booleans(),
    indent=st.sampled_from([(", ", ": "), (",", ":"), (" \t,  ", " :\t")]),
)
def test_the_small_json_reader_reads_any_json(legal, others, data, is_ascii, indent, cpp_program):
    """Unknown fields of any shape, in any order, texts with escapes or without, blanks or none."""
    fields = {**others, "moves": [], "type": "move", "legal": legal, "nested": {"legal": ["no"], "type": "end"}}
    order = data.draw(st.permutations(sorted(fields)))
    line = json.dumps({name: fields[name] for name in order}, ensure_ascii=is_ascii, separators=indent)
    say(cpp_program, line + "\n")
    answer = json.loads(hear(cpp_program))
    assert answer["type"] == "move"
    assert answer["move"] in legal


@pytest.mark.parametrize(
    "line", ['{"type": "move"', '{"type": "mo', '{"type": "\\ud800x"}', '{"type": "move", "legal": []}', "7 7", ""]
)
def test_a_broken_line_is_one_sentence(line, built):
    command = command_for(built("cpp/any_game"))
    done = subprocess.run(command, input=line + "\n", capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode, done.stdout) == (1, "")
    assert len(done.stderr.splitlines()) == 1


@pytest.mark.parametrize("with_list", [True, False])
@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize("program", ["cpp/uttt", "java/uttt.jar"])
def test_whole_games_over_codingame(program, seat, with_list, built):
    spot, rng, opponent = first_spot(load_game("ultimate"), {}), Random(seat), "-1 -1"
    with running(*command_for(built(program))) as process:
        while spot.drawn.result() is None:
            if spot.drawn.turn() == seat:
                legal = [move.replace(",", " ") for move in sorted(spot.drawn.legal())] if with_list else []
                say(process, "\n".join([opponent, str(len(legal)), *legal]) + "\n")
                move = hear(process).strip().replace(" ", ",")
            else:
                move = rng.choice(sorted(spot.drawn.legal()))
                opponent = move.replace(",", " ")
            spot = next_spot(spot, move)
    assert spot.drawn.result() == (1 if seat == 0 else -1)


def spots_sent_to(status: str, count: int) -> list[Spot]:
    """Positions of random games where the last move names a block that is open (-), drawn (d), or won (x)."""
    found: list[Spot] = []
    game, rng = load_game("ultimate"), Random(9)
    while len(found) < count:
        line = random_line(game, game.start(), rng)
        spot, fitting = first_spot(game, {}), []
        for ply, move in enumerate(line.moves[:-1], 1):
            spot = next_spot(spot, game.move_name(move))
            row, column = spot.drawn.targets(spot.drawn.last_move)[0]
            if spot.drawn.block_grid[row][column] == status:
                fitting.append(ply)
        if fitting:
            spot = first_spot(game, {})
            for move in line.moves[: rng.choice(fitting)]:
                spot = next_spot(spot, game.move_name(move))
            found.append(spot)
    return found


@pytest.mark.parametrize("status", ["-", "d", "x"])
@pytest.mark.parametrize("program", ["cpp/uttt", "java/uttt.jar"])
def test_a_codingame_bot_knows_the_rules_in_any_position(program, status, built):
    """A list of one move leads it anywhere; there it must find a legal move without a list."""
    for spot in spots_sent_to(status, 5):
        seat, opponent = spot.drawn.turn(), "-1 -1"
        with running(*command_for(built(program))) as process:
            for ply, move in enumerate(spot.moves):
                if ply % 2 == seat:
                    say(process, f"{opponent}\n1\n{move.replace(',', ' ')}\n")
                    assert hear(process).strip().replace(" ", ",") == move
                opponent = move.replace(",", " ")
            say(process, f"{opponent}\n0\n")
            assert hear(process).strip().replace(" ", ",") in spot.drawn.legal()


@pytest.mark.parametrize(
    ("event", "program"),
    [
        ("term-project", "python-program/any_game"),
        ("nsoc", "node/any_game.js"),
        ("extreme", "cpp/any_game"),
        ("nsoc", "codingame:cpp/uttt"),
        ("nsoc", "codingame:java/uttt.jar"),
    ],
)
def test_the_referee_plays_with_a_program(event, program, built):
    """Both seats, in the sandbox, to a proper end; and one that searches does not lose to chance."""
    protocol, _, name = program.rpartition(":")
    path = built(name)
    command_for(path)
    bot = f"{protocol}:{path}" if protocol else str(path)
    opponent = {"nsoc": "nsoc/random_bot.py", "extreme": "extreme/team1.py", "term-project": "term-project/20250001.py"}
    line = ["match", event, bot, EXAMPLES / opponent[event], "--games", 2, "--swap", "--limit", 5, "--json"]
    words = [sys.executable, "-m", "ludus", *map(str, line)]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    games = [json.loads(line) for line in done.stdout.splitlines()]
    assert [game["swapped"] for game in games] == [False, True]
    for seat, game in enumerate(games):
        assert game["verdict"]["kind"] in ("win", "draw"), game
        if protocol == "codingame":
            assert game["verdict"]["winner"] in (seat, None)


def test_scripts_are_executable():
    assert all(os.access(EXAMPLES / name, os.X_OK) for name in ("python-program/any_game", "node/any_game.js"))
