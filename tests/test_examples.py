"""The example bots: legal wherever they are asked, better than chance where they search, built as their page says."""

from __future__ import annotations

import copy
import importlib
import importlib.util
import json
import os
import random
import re
import shutil
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from random import Random
from types import ModuleType
from typing import Any, NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ludus.bots.live_board import Board
from ludus.rules import Game, State, game_names, load_game, random_line

EXAMPLES = Path(__file__).parent.parent / "examples"
INSTANCES: dict[str, list[dict[str, Any]]] = {
    "slant": [{"m": 4, "seed": 1}, {"m": 6, "seed": 2}],
    "subtraction": [{"seed": 1}, {"low": 1, "high": 9, "seed": 2}, {"low": 2, "high": 5, "seed": 3}],
}


class Spot(NamedTuple):
    """A position as its game knows it, and as the slow rules draw it."""

    game: Game
    options: dict[str, Any]
    moves: list[str]
    state: State
    drawn: Any  # an oracle, whose grids are what the hand-outs show


Ask = Callable[[Any, Spot], object]


def first_spot(game: Game, options: dict[str, Any]) -> Spot:
    state = game.start(**options)
    instance = game.instance(state, options)
    oracle = importlib.import_module(f"oracles.{game.name.replace('-', '_')}").Oracle(**instance)
    return Spot(game, instance, [], state, oracle)


def next_spot(spot: Spot, move: str) -> Spot:
    assert move in spot.drawn.legal(), f"after {spot.moves}"
    state = spot.game.play(spot.state, spot.game.legal_move(spot.state, move))
    spot.drawn.play(move)
    return spot._replace(state=state, moves=[*spot.moves, move])


def random_spots(name: str, seed: int, count: int) -> Iterator[Spot]:
    """The start, and positions anywhere in random games."""
    game, rng = load_game(name), Random(seed)
    for options in INSTANCES.get(name, [{}]):
        yield first_spot(game, options)
        for _ in range(count):
            line = random_line(game, game.start(**options), rng)
            spot = first_spot(game, options)
            for move in line.moves[: rng.randrange(1, len(line.moves))]:
                spot = next_spot(spot, game.move_name(move))
            yield spot


def ask_play(bot: Any, spot: Spot) -> object:
    board = [["-xo".index(mark) for mark in row] for row in spot.drawn.cells]
    return unchanged(bot.play, board, spot.drawn.last_move, spot.drawn.turn() + 1)


def ask_player(bot: Any, spot: Spot) -> object:
    board = [list(row) for row in spot.drawn.cells]
    blocks = [status.replace("d", "D") for status in spot.drawn.blocks()]
    return unchanged(bot.move, board, blocks, spot.drawn.last_move or (-1, -1), "xo"[spot.drawn.turn()])


def ask_team(bot: Any, spot: Spot) -> object:
    board = Board([list(row) for row in spot.drawn.cells], [list(row) for row in spot.drawn.block_grid])
    answer = bot.move(board, spot.drawn.last_move or (-1, -1), "xo"[spot.drawn.turn()])
    assert (board.board_status, board.block_status) == (spot.drawn.cells, spot.drawn.block_grid)
    assert set(vars(board)) == {"board_status", "block_status"}
    return answer


def ask_make_your_move(bot: Any, spot: Spot) -> object:
    return unchanged(bot.make_your_move, [list(row) for row in spot.drawn.board])


def ask_choose(bot: Any, spot: Spot) -> object:
    clock = {"move_ms": 100.0 if len(spot.moves) % 3 == 0 else 5000.0, "bank_ms": 0.0}
    return unchanged(bot.choose, described(spot), clock)


def unchanged(function: Callable[..., object], *arguments: Any) -> object:
    """The answer of a function that leaves what it is handed as it was."""
    before = copy.deepcopy(arguments)
    answer = function(*arguments)
    assert arguments == before
    return answer


def described(spot: Spot) -> dict[str, Any]:
    game = spot.game
    return {
        "game": game.name,
        "options": spot.options,
        "seat": game.turn(spot.state),
        "moves": spot.moves,
        "legal": [game.move_name(move) for move in game.legal(spot.state)],
        "state": dict(zip(game.module.State._fields, spot.state, strict=True)),
    }


def move_of(answer: object) -> str:
    """The name of a move: as such, or a tuple of two ints and nothing like it."""
    if isinstance(answer, str):
        return answer
    assert type(answer) is tuple
    assert [type(number) for number in answer] == [int, int]
    return f"{answer[0]},{answer[1]}"


class Example(NamedTuple):
    """A Python example, what it plays, and how it is asked."""

    file: str
    game: str
    ask: Ask
    limit_s: float = 30.0
    is_random: bool = False

    def new_bot(self) -> Any:
        module = load(EXAMPLES / self.file)
        name = Path(self.file).stem.removeprefix("team")
        return getattr(module, f"Player{name}", getattr(module, f"Team{name}", lambda: module))()


def load(path: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location(f"example_{path.stem}", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[module.__name__] = module
    spec.loader.exec_module(module)
    return module


PYTHON = [
    Example("nsoc/random_bot.py", "ultimate", ask_play, 4, is_random=True),
    Example("nsoc/one_ply.py", "ultimate", ask_play, 4),
    Example("nsoc/minimax.py", "ultimate", ask_play, 4),
    Example("nsoc/monte_carlo.py", "ultimate", ask_play, 4),
    Example("cse371/team1.py", "ultimate-adjacent", ask_player, 12),
    Example("cse371/team2.py", "ultimate-adjacent", ask_player, 12),
    Example("extreme/team1.py", "extreme", ask_team, 16, is_random=True),
    Example("extreme/team2.py", "extreme", ask_team, 16),
    Example("term-project/20250001.py", "subtraction", ask_make_your_move, 60),
    Example("term-project/20250002.py", "subtraction", ask_make_your_move, 60),
    Example("any-game/greedy.py", "slant", ask_choose),
    *(Example("any-game/chooser.py", name, ask_choose, is_random=True) for name in game_names()),
    *(Example("any-game/greedy.py", name, ask_choose, is_random=True) for name in game_names() if name != "slant"),
]
THINKING = [example for example in PYTHON if not example.is_random]


def label(example: Example) -> str:
    return f"{example.file}-{example.game}"


def hurry(bot: Any, seconds: float) -> None:
    """Shorten the time for a move that a searching example has at its top."""
    module = bot if isinstance(bot, ModuleType) else sys.modules[type(bot).__module__]
    if hasattr(module, "SECONDS"):
        module.SECONDS = seconds  # type: ignore[attr-defined]


@pytest.mark.parametrize("example", PYTHON, ids=label)
def test_answers_are_legal_anywhere(example):
    bot, seats = example.new_bot(), set()
    hurry(bot, 0.01)
    for spot in random_spots(example.game, seed=len(example.file), count=25):
        move = move_of(example.ask(bot, spot))
        assert move in spot.drawn.legal(), f"{move} after {spot.moves}"
        seats.add(spot.drawn.turn())
    assert seats == {0, 1}


@pytest.mark.parametrize("example", THINKING, ids=label)
def test_better_than_chance(example):
    """Even when there is next to no time: every search finishes its first ply."""
    random.seed(7)  # the examples draw from there
    game, rng, payoff = load_game(example.game), Random(11), 0
    for number in range(8):
        seat, bot = number % 2, example.new_bot()
        hurry(bot, 0.01)
        spot = first_spot(game, {"low": 1, "high": 9, "seed": number} if example.game == "subtraction" else {})
        while spot.drawn.result() is None:
            is_bots_turn = spot.drawn.turn() == seat
            move = move_of(example.ask(bot, spot)) if is_bots_turn else rng.choice(sorted(spot.drawn.legal()))
            spot = next_spot(spot, move)
        result = spot.drawn.result()
        payoff += (result > 0) - (result < 0) if seat == 0 else (result < 0) - (result > 0)
    assert payoff >= 4, f"{payoff} more games won than lost, of 8"


@pytest.mark.parametrize("example", THINKING, ids=label)
def test_well_within_the_limit_as_it_is_shipped(example):
    bot = example.new_bot()
    for spot in list(random_spots(example.game, seed=5, count=1))[:3]:
        begin = time.monotonic()
        example.ask(bot, spot)
        assert time.monotonic() - begin < example.limit_s / 2


@pytest.mark.parametrize(
    ("numbers", "value"), [((4, 2, 3, 2, 3, 4, 3, 4, 2), 5), ((2, 4, 3, 4, 2, 4, 3, 4, 2), 13)], ids=str
)
def test_the_cost_search_finds_the_known_values(numbers, value):
    """What perfect play is worth to the mover, from the hand-out."""
    bot = load(EXAMPLES / "term-project/20250002.py")
    assert bot.search(numbers, sum(numbers), float("-inf"), float("inf"), float("inf")) == value


# Programs


@contextmanager
def running(*command: object) -> Iterator[subprocess.Popen[str]]:
    """A program with pipes, which is ended when it hangs, and which must end by itself when its input does."""
    with subprocess.Popen(
        [str(word) for word in command], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, encoding="utf-8"
    ) as process:
        watchdog = threading.Timer(100, process.kill)
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


@pytest.fixture(scope="session")
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


# The page


def test_the_page_names_every_example():
    page = (EXAMPLES / "README.md").read_text()
    named = set(re.findall(r"\]\(([^)]+)\)", page))
    files = {path.relative_to(EXAMPLES) for path in EXAMPLES.rglob("*") if path.is_file()}
    built_here = {Path("cpp/any_game"), Path("cpp/uttt"), Path("java/uttt.jar")}
    shown = {
        path.as_posix()
        for path in files - built_here
        if path.name not in ("README.md", ".gitignore") and not {"build", "__pycache__"} & set(path.parts)
    }
    assert shown <= named
    assert all((EXAMPLES / link).exists() for link in named)


def test_scripts_are_executable():
    assert all(os.access(EXAMPLES / name, os.X_OK) for name in ("python-program/any_game", "node/any_game.js"))
