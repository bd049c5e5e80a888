"""The example bots in Python: legal wherever they are asked, better than chance where they think, played for real."""

from __future__ import annotations

import copy
import importlib.util
import json
import random
import re
import subprocess
import sys
import time
from collections.abc import Callable
from itertools import count
from pathlib import Path
from random import Random
from types import ModuleType, SimpleNamespace
from typing import Any, NamedTuple

import pytest

from example_spots import EXAMPLES, Spot, described, first_spot, next_spot, random_spots
from ludus.bots.live_board import Board
from ludus.events.event import event_names, load_event
from ludus.rules import game_names, load_game

# What makes a game of chance and little thought short, for whole games.
SHORT = {"subtraction": {"low": 3, "high": 9}, "slant": {"m": 4}}

Ask = Callable[[Any, Spot], object]


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
    looks: int = 100  # at the clock, for a move of a whole game

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
    *(Example(f"nsoc/{name}.py", "ultimate", ask_play, 4) for name in ("one_ply", "minimax", "monte_carlo")),
    Example("cse371/team1.py", "ultimate-adjacent", ask_player, 12, is_random=True),
    *(Example(f"cse371/team{number}.py", "ultimate-adjacent", ask_player, 12) for number in (2, 3, 4)),
    Example("extreme/team1.py", "extreme", ask_team, 16, is_random=True),
    *(Example(f"extreme/team{number}.py", "extreme", ask_team, 16) for number in (2, 3)),
    Example("extreme/team4.py", "extreme", ask_team, 16, looks=10),  # it looks at many moves between two looks
    Example("term-project/20250001.py", "subtraction", ask_make_your_move, 60, is_random=True),
    *(Example(f"term-project/2025000{number}.py", "subtraction", ask_make_your_move, 60) for number in (2, 3, 4)),
    Example("slant/random_bot.py", "slant", ask_choose, is_random=True),
    *(Example(f"slant/{name}.py", "slant", ask_choose) for name in ("greedy", "minimax", "monte_carlo")),
    *(Example("any-game/chooser.py", name, ask_choose, is_random=True) for name in game_names()),
]
THINKING = [example for example in PYTHON if not example.is_random]


def label(example: Example) -> str:
    return f"{example.file}-{example.game}"


def give_looks(bot: Any, looks: int) -> None:
    """Let a searching example look at its clock about so often for a move: the same on every machine."""
    module = bot if isinstance(bot, ModuleType) else sys.modules[type(bot).__module__]
    if hasattr(module, "SECONDS"):
        ticks = count()
        module.SECONDS = looks / 1000  # type: ignore[attr-defined]
        module.time = SimpleNamespace(monotonic=lambda: next(ticks) / 1000)  # type: ignore[attr-defined]


@pytest.mark.parametrize("example", PYTHON, ids=label)
def test_answers_are_legal_anywhere(example):
    bot, seats = example.new_bot(), set()
    give_looks(bot, min(30, example.looks))
    for spot in random_spots(example.game, seed=len(example.file), count=25):
        move = move_of(example.ask(bot, spot))
        assert move in spot.drawn.legal(), f"{move} after {spot.moves}"
        seats.add(spot.drawn.turn())
    assert seats == {0, 1}


@pytest.mark.parametrize("example", THINKING, ids=label)
def test_better_than_chance(example):
    random.seed(7)  # the examples draw from there
    game, rng, payoff = load_game(example.game), Random(11), 0
    for number in range(8):
        seat, bot = number % 2, example.new_bot()
        give_looks(bot, example.looks)
        has_boards = example.game in SHORT
        spot = first_spot(game, {**SHORT[example.game], "seed": number} if has_boards else {})
        while spot.drawn.result() is None:
            is_bots_turn = spot.drawn.turn() == seat
            move = move_of(example.ask(bot, spot)) if is_bots_turn else rng.choice(sorted(spot.drawn.legal()))
            spot = next_spot(spot, move)
        result = spot.drawn.result()
        payoff += (result > 0) - (result < 0) if seat == 0 else (result < 0) - (result > 0)
    assert payoff >= 4, f"{payoff} more games won than lost, of 8"


@pytest.mark.parametrize("example", THINKING, ids=label)
def test_finishes_its_first_ply_when_there_is_no_time(example):
    bot = example.new_bot()
    give_looks(bot, 0)
    for spot in random_spots(example.game, seed=2, count=5):
        assert move_of(example.ask(bot, spot)) in spot.drawn.legal()


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
    bot = load(EXAMPLES / "term-project/20250003.py")
    assert bot.search(numbers, sum(numbers), float("-inf"), float("inf"), float("inf")) == value


def folder_of(event: str) -> list[Path]:
    return sorted((EXAMPLES / event).glob("*.py"))


def pairs(event: str) -> list[tuple[Path, Path]]:
    """Every bot once."""
    files = folder_of(event)
    return list(zip(files[::2], files[1::2], strict=True))


@pytest.mark.parametrize("event", event_names())
def test_every_event_has_four_bots(event):
    files = {path.relative_to(EXAMPLES).as_posix() for path in folder_of(event)}
    assert len(files) >= 4
    assert files == {example.file for example in PYTHON if example.file.startswith(f"{event}/")}


@pytest.mark.parametrize(
    ("event", "one", "other"),
    [(event, one, other) for event in event_names() for one, other in pairs(event)],
    ids=lambda value: value.stem if isinstance(value, Path) else value,
)
def test_the_referee_finds_nothing_to_complain_about(event, one, other, tmp_path):
    """As shipped but for the time that they take, in the sandbox, to a proper end."""
    for file in (one, other):
        (tmp_path / file.name).write_text(
            re.sub(r"^SECONDS = 0\.", "SECONDS = 0.0", file.read_text(), flags=re.MULTILINE)
        )
    one, other = tmp_path / one.name, tmp_path / other.name
    options = [f"{key}={value}" for key, value in SHORT.get(load_event(event).game.name, {}).items()]
    line = ["match", event, one, other, "--json", "--limit", 5, *(["--options", *options] if options else [])]
    done = subprocess.run([sys.executable, "-m", "ludus", *map(str, line)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["verdict"]["kind"] in ("win", "draw"), done.stdout


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
