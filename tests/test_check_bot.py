"""`ludus check`: honest bots are valid and not accused, every planted fault is found and named."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random

import pytest

from hostile_bots import honest, hostile
from ludus.bots.entrants import parse_entrant
from ludus.bots.room import Room
from ludus.course import compiling
from ludus.course.asking import Answer
from ludus.course.check import Checkup, check_bot
from ludus.course.check_data import check_data
from ludus.course.check_page import check_page
from ludus.course.check_text import check_text
from ludus.course.compiling import compiling_beside
from ludus.course.judgements import Judged, judge
from ludus.course.ladder import RUNGS
from ludus.course.positions import find_spots, sample
from ludus.course.randomness import randomness_of, ranked
from ludus.course.rating import known_results, scale_of
from ludus.course.source_reading import read_source
from ludus.course.starting import new_bot, new_game
from ludus.course.tactics import Puzzle, find_puzzles
from ludus.course.workload import BRIEF, QUICK, VALIDITY, Pace, Workload, games_on_the_spot, workload
from ludus.events.event import Event, event_names, load_event, read_event
from ludus.rules import Game, State, load_game
from ludus.sandbox.levels import best_level, open_sandbox
from ludus.sandbox.process import Evidence, Spent

ROOT = Path(__file__).parent.parent
EXAMPLES = ROOT / "examples"

HEAD = """\
import random

SENDS_TO = [(1, 3), (0, 2), (1, 5), (0, 6), (4,), (2, 8), (3, 7), (6, 8), (5, 7)]


def legal(board, blocks, old_move):
    still_open = [b for b in range(9) if blocks[b] == "-"]
    sent = [] if old_move == (-1, -1) else SENDS_TO[3 * (old_move[0] % 3) + old_move[1] % 3]
    targets = [b for b in sent if b in still_open] or still_open
    cells = [(b // 3 * 3 + k // 3, b % 3 * 3 + k % 3) for b in targets for k in range(9)]
    return [(r, c) for r, c in cells if board[r][c] == "-"]


class Player7:
    def move(self, temp_board, temp_block, old_move, flag):
        cells = legal(temp_board, temp_block, old_move)
"""


@pytest.fixture(scope="module")
def cse371() -> Event:
    return load_event("cse371")


@pytest.fixture(scope="module")
def room(cse371: Event) -> Iterator[Room]:
    with Room(lambda: open_sandbox(best_level()), limits=cse371.limits) as opened:
        yield opened


Checked = tuple[Checkup, Judged]


@pytest.fixture
def checked(cse371: Event, room: Room, tmp_path: Path) -> Callable[..., Checked]:
    """Check a bot of cse371 whose move() goes on with these lines."""

    def check(body: str, *, load: Workload = VALIDITY, name: str = "team7.py", event: Event = cse371) -> Checked:
        path = tmp_path / name
        path.write_text(
            HEAD + "".join(f"        {line}\n" for line in body.splitlines()) if "class" not in body else body
        )
        found = check_bot(event, parse_entrant(str(path), event.game, interface=event.interface), room, load=load)
        return found, judge(found)

    return check


def marks(judged: Judged) -> dict[str, str]:
    return {judgement.key: judgement.mark for judgement in judged.judgements}


# ---- honest bots


@pytest.mark.parametrize("event", event_names())
def test_honest_examples_are_valid(event, room):
    loaded = load_event(event)
    own = Room(room.sandbox, limits=loaded.limits)
    for file in sorted((EXAMPLES / event).glob("*.py"))[: 2 if event != "slant" else 1]:
        if file.stem in ("minimax", "monte_carlo"):
            continue
        entrant = parse_entrant(str(file), loaded.game, interface=loaded.interface)
        judged = judge(check_bot(loaded, entrant, own, load=VALIDITY))
        assert judged.verdict == "Valid", f"{file}: {judged.verdict}"
        assert judged.warnings == 0, judged


TRICKY = ["imports_forbidden_only", "pools_unused", "thread_locks_only", "book_missing", "state_in_class", "main_block"]


@pytest.mark.parametrize("case", [case for case in honest() if case.path.stem in TRICKY], ids=lambda case: case.name)
def test_what_only_looks_forbidden_is_valid(case, room):
    event = load_event(case.event)
    entrant = parse_entrant(str(case.path), event.game, interface=event.interface)
    judged = judge(check_bot(event, entrant, Room(room.sandbox, limits=event.limits), load=VALIDITY))
    assert judged.verdict == "Valid"


def test_reading_condemns_no_honest_bot_and_finds_plain_forbidden_calls():
    for case in honest():
        reading = read_source(case.path.read_bytes().decode("utf-8", "replace"))
        assert not [act for act in reading.acts if act.kind == "certain" and act.is_reached], case.name
    found = 0
    for case in hostile():
        if case.verdict == {"forbidden"}:
            found += bool(read_source(case.path.read_bytes().decode("utf-8", "replace")).acts)
    assert found > 60


def test_a_bot_that_follows_the_game_by_itself_is_not_accused(checked):
    body = """\
import copy
class Player7:
    def __init__(self):
        self.moves = 0
    def move(self, temp_board, temp_block, old_move, flag):
        stones = sum(mark != "-" for row in temp_board for mark in row)
        assert stones <= 2 * self.moves + 1, "where did these come from?"
        self.moves += 1
        return Brain().cells(temp_board, temp_block, old_move)[0]
"""
    head, _, _ = HEAD.partition("class Player7")
    source = f"{head}\nclass Brain:\n    cells = staticmethod(legal)\n\n{body}"
    found, judged = checked(source)
    assert found.follows_the_game
    assert judged.is_valid, judged.verdict


# ---- planted faults


def test_an_illegal_move_in_rare_positions_is_found(checked):
    found, judged = checked(
        "return old_move if len(cells) > 18 and old_move != (-1, -1) else cells[0]",
        load=Workload(6, 0, 0, 1, {"random": 2}, 0),
    )
    assert judged.verdict.startswith("Would be disqualified: illegal move")
    assert marks(judged)["legal"] == "fail"
    kinds = {kind for answer in found.answers if answer.failure for kind in answer.spot.kinds}
    assert "free" in kinds


def test_an_exception_as_second_player_only_is_found(checked):
    _, judged = checked("return cells[0] if flag == 'x' else cells[99]")
    assert "IndexError" in judged.verdict and "line" in judged.verdict
    assert "it fails as second player only" in judged.verdict
    assert marks(judged)["runs"] == "fail"


def test_tampering_is_found(checked):
    _, judged = checked("temp_board[4][4] = flag\nreturn cells[0]")
    assert "it changed temp_board[4][4]" in judged.verdict
    assert marks(judged)["board"] == "fail"


def test_a_slow_bot_is_found_and_one_near_the_limit_is_warned(checked, cse371):
    hasty = cse371.changed(options={}, limit_s=0.25)
    _, judged = checked("import time\ntime.sleep(0.4)\nreturn cells[0]", event=hasty)
    assert marks(judged)["time"] == "fail" and "within 0.25 s" in judged.verdict
    near = cse371.changed(options={}, limit_s=2.0)
    body = "import time\nif len(cells) == 1:\n    time.sleep(1.75)\nreturn cells[0]"
    _, judged = checked(body, event=near, load=Workload(1, 0, 0, 1, {"random": 2}, 0))
    assert marks(judged)["time"] == "warn", judged


def test_too_much_memory_is_found(checked):
    _, judged = checked("self.hoard = bytearray(700_000_000)\nreturn cells[0]")
    assert "too much memory: MemoryError (line 17)" in judged.verdict
    assert marks(judged)["memory"] == "fail"


def test_forbidden_calls_are_found_by_running_and_by_reading(checked):
    _, judged = checked("import subprocess\nsubprocess.run(['ls'])\nreturn cells[0]")
    assert "it tried to run the program" in judged.verdict or "it tried to start a process" in judged.verdict
    _, judged = checked("import os\nif len(cells) == 77:\n    os.system('ls')\nreturn cells[0]")
    assert judged.verdict == "Would be disqualified: line 19: os.system runs a program"
    _, judged = checked("import threading\nreturn cells[0]")
    assert judged.is_valid and marks(judged)["imports"] == "warn"


def test_an_import_from_outside_is_found(checked, tmp_path):
    _, judged = checked("import requests\nreturn cells[0]")
    assert "it imports requests (line 17)" in judged.verdict
    (tmp_path / "my_engine.py").write_text("best = min\n")
    _, judged = checked("import my_engine\nreturn my_engine.best(cells)")
    assert "it imports my_engine.py beside it; a bot is one file" in judged.verdict


def test_wrong_names_are_named(checked):
    _, judged = checked(HEAD.replace("Player7", "Champion") + "        return cells[0]\n", name="team9.py")
    assert judged.is_valid
    (interface,) = [one for one in judged.judgements if one.key == "interface"]
    assert interface.mark == "warn" and "Champion" in interface.text and "Player9" in interface.text
    _, judged = checked("return cells[0]", name="final_version.py")
    (file,) = [one for one in judged.judgements if one.key == "file"]
    assert file.mark == "warn" and "teamN.py" in file.text
    _, judged = checked("class Player7:\n    pass\n")
    assert "the file has no class PlayerN" in judged.verdict
    _, judged = checked("class Player7:\n    def move(self, board):\n        return 0, 0\n")
    assert "it takes 1 arguments" in judged.verdict


def test_what_is_no_python_is_said_with_its_line(checked):
    _, judged = checked("class Player7\n")
    assert "line 1" in judged.verdict


def test_a_random_bot_is_told_from_a_weak_one(checked):
    found, judged = checked("return random.choice(cells)", load=BRIEF)
    assert judged.is_valid and marks(judged)["random"] == "warn", found.randomness
    # It takes a block where it can, and draws lots otherwise.
    weak = """\
def takes(cell):
    r, c = cell[0] // 3 * 3, cell[1] // 3 * 3
    own = {(i, j) for i in range(3) for j in range(3) if temp_board[r + i][c + j] == flag}
    own.add((cell[0] - r, cell[1] - c))
    lines = [[(i, j) for j in range(3)] for i in range(3)] + [[(i, j) for i in range(3)] for j in range(3)]
    lines += [[(0, 0), (1, 1), (2, 2)], [(0, 2), (1, 1), (2, 0)]]
    return any(set(line) <= own for line in lines)
return random.choice([cell for cell in cells if takes(cell)] or cells)"""
    found, judged = checked(weak, load=BRIEF)
    assert judged.is_valid and marks(judged)["random"] == "pass", found.randomness
    found, judged = checked("return cells[0]", load=BRIEF)
    assert marks(judged)["random"] != "warn", found.randomness


@pytest.mark.parametrize("name", ["nsoc", "cse371"])
def test_what_new_bot_writes_is_not_called_random_where_it_takes_blocks(name, room, tmp_path):
    """It takes a block if it can, wins four games of five against random moves, and draws lots otherwise."""
    event = load_event(name)
    made = new_bot(event, called=name, name=None)
    (tmp_path / made.name).write_text(made.text)
    entrant = parse_entrant(str(tmp_path / made.name), event.game, interface=event.interface)
    verdicts = [check_bot(event, entrant, room, load=BRIEF, seed=seed).randomness.verdict for seed in range(4)]
    assert verdicts == ["chooses"] * 4


def test_what_random_play_costs_is_said_where_the_event_says_it(checked, tmp_path):
    text = (ROOT / "src/ludus/events/cse371.toml").read_text() + "[submissions]\nrandom = 60\n"
    event = read_event(text, name="ours", folder=tmp_path, where="ours")
    _, judged = checked("return random.choice(cells)", load=BRIEF, event=event)
    (said,) = [one.text for one in judged.judgements if one.key == "random"]
    assert said.endswith("ours takes 60 marks off for that")


# ---- the parts


@pytest.mark.parametrize("name", event_names())
def test_rare_positions_are_found_in_every_event(name):
    event = load_event(name)
    game = event.game
    spots = find_spots(game, sample(game, event.options, seed=3, games=25), wanted=2, seed=3)
    kinds = {kind for spot in spots for kind in spot.kinds}
    assert {"first", "reply", "forced", "full", "ending"} <= kinds
    assert ("again" in kinds) == (name == "extreme")
    assert ("free" in kinds) == (name in ("cse371", "extreme", "nsoc"))
    for spot in spots:
        assert game.result(spot.state) is None
        assert ("forced" in spot.kinds) == (len(game.legal(spot.state)) == 1)
    assert {game.turn(spot.state) for spot in spots} == {0, 1}


def wins_by_force(game: Game, state: State, seat: int, plies: int) -> bool:
    payoff = game.result(state)
    if payoff is not None:
        return payoff * (1 if seat == 0 else -1) > 0
    if plies == 0:
        return False
    after = [wins_by_force(game, game.play(state, move), seat, plies - 1) for move in game.legal(state)]
    return any(after) if game.turn(state) == seat else all(after)


@pytest.mark.parametrize("name", ["nsoc", "term-project"])
def test_puzzles_are_what_they_say(name):
    event = load_event(name)
    game = event.game
    puzzles = find_puzzles(game, sample(game, event.options, seed=1, games=30), wanted=2, seed=1)
    assert {puzzle.kind for puzzle in puzzles} == {"win1", "win2", "win3", "stop1", "stop2"}
    for puzzle in puzzles:
        state, legal = puzzle.spot.state, game.legal(puzzle.spot.state)
        assert puzzle.legal == len(legal) and 0 < len(puzzle.right) < len(legal)
        if puzzle.kind in ("win1", "win2") and len(legal) <= 12:
            plies = 1 if puzzle.kind == "win1" else 3
            assert wins_by_force(game, state, game.turn(state), plies)
            assert puzzle.kind == "win1" or not wins_by_force(game, state, game.turn(state), 1)
        if puzzle.kind == "stop1":
            for move in legal:
                loses = wins_by_force(game, game.play(state, move), 1 - game.turn(state), 1)
                assert loses == (move not in puzzle.right)


def draws(rng: Random, prefers: float, choices: int) -> object:
    """Randomness of a bot that takes the best of a few moves with some probability, and any other time any move."""
    seen, repeated, solved = [], [], []
    for _ in range(choices):
        values = {move: rng.randrange(6) for move in range(rng.randrange(2, 12))}
        best = max(values, key=lambda move: values[move])
        move = best if rng.random() < prefers else rng.choice(list(values))
        rank = ranked(values, move, 0)
        seen += [] if rank is None else [rank]
    for _ in range(8):
        legal = rng.randrange(3, 12)
        repeated.append((legal, [0 if rng.random() < prefers else rng.randrange(legal) for _ in range(4)]))
    for _ in range(15):
        puzzle = Puzzle("win1", None, frozenset([0, 1]), 8)
        move = 0 if rng.random() < prefers else rng.randrange(8)
        solved.append((puzzle, Answer(None, move, None, Spent(), Evidence())))
    outcomes = [1 if rng.random() < prefers else rng.choice((1, 0, -1)) for _ in range(16)]
    return randomness_of(seen, repeated, solved, outcomes, draws=1 / 3)


def test_chance_is_accused_and_choice_is_not():
    rng = Random(11)
    accused = sum(draws(rng, 0.0, 150).verdict == "random" for _ in range(30))
    assert accused >= 28  # each of four tests, and all together, may miss one in 200
    weak = [draws(rng, 0.4, 150).verdict for _ in range(30)]
    assert weak.count("random") == 0
    assert draws(rng, 0.0, 20).verdict == "unknown"


def test_ratings_rise_with_results_and_their_scale_is_fixed(cse371):
    for name in event_names():
        scale = scale_of(known_results(load_event(name).game))
        assert scale.rungs["random"] == 500 and set(scale.rungs) == set(RUNGS)
        assert all(scale.rungs[rung] > 600 for rung in RUNGS if rung != "random")


def test_the_scale_of_a_game_of_ones_own_gets_as_many_games_as_time_allows():
    assert games_on_the_spot(5, is_quick=True) == games_on_the_spot(40, is_quick=False) == 20
    assert games_on_the_spot(40, is_quick=True) == 4
    assert games_on_the_spot(10_000, is_quick=True) == 2


def test_what_has_to_be_compiled_is_compiled_beside(empty_cache, monkeypatch, tmp_path):
    made = new_game("stones")
    (tmp_path / made.name).write_text(made.text)
    game = load_game(str(tmp_path / made.name))
    with compiling_beside(game, "ludus.search.mcts"):
        """Nothing takes long."""
    assert not empty_cache.exists()
    monkeypatch.setattr(compiling, "LOADING_S", 0.0)
    heard: list[bool] = []
    with compiling_beside(game, "ludus.search.mcts", on_compiling=lambda: heard.append(True)):
        time.sleep(0.5)
    assert heard == [True] and list(empty_cache.glob("*/grow-*.bin"))
    with pytest.raises(KeyError), compiling_beside(load_game("extreme"), "ludus.search.mcts"):
        time.sleep(0.2)
        raise KeyError
    assert len(list(empty_cache.glob("*/grow-*.bin"))) == 1  # nobody goes on after whoever has left


def test_a_slow_bot_is_asked_less():
    fast, slow = (workload(Pace(move_s, 0.01), 30, spent_s=1, kinds=8, is_quick=True) for move_s in (0.001, 0.25))
    assert fast.games == QUICK[0].games and fast.seconds < 60
    assert sum(slow.games.values()) < sum(fast.games.values()) and slow.seconds < 60
    assert workload(Pace(10, 0.01), 30, spent_s=1, kinds=8, is_quick=False).seconds > 600  # and says so


def test_page_text_and_data_show_everything_and_escape_what_a_bot_says(checked):
    body = "if len(cells) == 1:\n    raise ValueError('<script>alert(1)</script>\\x1b[2J')\nreturn random.choice(cells)"
    found, judged = checked(body, load=BRIEF)
    page = check_page(found, judged, called="cse371")
    assert "<script" not in page and "&lt;script&gt;alert(1)" in page and "\x1b" not in page
    assert not re.search(r'(?:src|href)="', page)  # nothing is loaded from anywhere
    assert "Would be disqualified" in page and page.count("<figure>") == len(found.blunders) > 0
    lines = list(check_text(found, judged))
    assert lines[0].startswith("Would be disqualified: ") and "\x1b" not in "".join(lines)
    data = json.loads(json.dumps(check_data(found, judged)))
    assert data["valid"] is False and data["verdict"] == judged.verdict
    assert {"checks", "ladder", "rating", "blunders", "random", "tactics", "times_ms", "peak_memory_mb"} <= set(data)


# ---- the command


def ludus(*words: object) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "ludus", "check", *map(str, words)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_mistakes_of_usage_are_status_2(tmp_path):
    for words in (
        [tmp_path / "none.py", "--event", "cse371"],
        ["best", "--event", "cse371"],
        [EXAMPLES / "cse371/team1.py", "--event", "cse372"],
        [EXAMPLES / "cse371/team1.py", "--event", "cse371", "--html", tmp_path / "no/folder.html"],
        [EXAMPLES / "cse371/team1.py"],
    ):
        done = ludus(*words)
        assert done.returncode == 2 and len(done.stderr.strip().splitlines()) == 1, done


def test_a_file_that_is_refused_would_be_disqualified(tmp_path):
    bot = tmp_path / "team1.py"
    bot.write_bytes(b"x = 1\0")
    done = ludus(bot, "--event", "cse371")
    assert done.returncode == 1 and done.stdout.startswith("Would be disqualified: ")
    assert "null byte" in done.stdout
    told = json.loads(ludus(bot, "--event", "cse371", "--json").stdout)
    assert told["valid"] is False


def test_an_event_of_ones_own_and_a_bot_that_cannot_begin(write):
    rules = (ROOT / "docs/tutorials/your-first-game.md").read_text()
    write("mine.py", re.search(r"```python file=\S+\n(.*?)```", rules, re.DOTALL)[1])
    event = write("mine.toml", 'title = "Mine"\ngame = "mine.py"\n[time]\nmove_s = 1\n')
    bot = write("bot.py", "raise ValueError('not today')\n")
    done = ludus(bot, "--event", event, "--quick", "--html", bot.with_suffix(".html"))
    assert done.returncode == 1, done.stderr
    assert "not today" in done.stdout.splitlines()[0]
    page = bot.with_suffix(".html").read_text()
    assert "not today" in page and f"ludus check ./bot.py --event {event}\n" in page


@pytest.mark.skipif(shutil.which("python3") is None, reason="there is no python3")
def test_a_program_is_checked(room):
    event = load_event("nsoc")
    entrant = parse_entrant(str(EXAMPLES / "python-program/any_game"), event.game)
    found = check_bot(event, entrant, Room(room.sandbox, limits=event.limits), load=VALIDITY)
    assert judge(found).verdict == "Valid" and found.reading is None
