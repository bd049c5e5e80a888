"""Duels: openings, pairs, workers that die, tests that stop early, and the command `ludus duel`."""

from __future__ import annotations

import itertools
import json
import os
import signal
import subprocess
import sys
import time
from dataclasses import fields
from pathlib import Path

import pytest

from ludus.agents.agent import Agent, Budget
from ludus.agents.naming import make_agent
from ludus.cli import main
from ludus.errors import LudusError
from ludus.lab.crew import Crew
from ludus.lab.duel import duel, in_order
from ludus.lab.openings import Opening, draws_its_board, openings, usual_plies
from ludus.lab.pair import Played, Thoughts
from ludus.lab.tally import Tally, quantile
from ludus.lab.workers import lease_cores
from ludus.ratings.duel import Bounds, Estimate
from ludus.records import parse_record, replay
from ludus.rules import Game, load_game
from rules_files import heap

NODES = Budget(nodes=20)


@pytest.fixture(autouse=True)
def plain(monkeypatch):
    """Small budgets need no machine code, neither here nor in the workers."""
    monkeypatch.setenv("NUMBA_DISABLE_JIT", "1")


def take(number, game, options=None, **settings):
    return list(itertools.islice(openings(game, options or {}, **settings), number))


def state_of(game: Game, opening: Opening):
    state = game.start(**opening.options)
    for move in opening.moves:
        state = game.play(state, move)
    return state


class TestOpenings:
    @pytest.mark.parametrize("name", ["ultimate", "ultimate-adjacent", "extreme", "slant", "subtraction"])
    def test_they_are_distinct_open_and_the_same_for_the_same_seed(self, name):
        game = load_game(name)
        plies = usual_plies(game, {})
        found = take(40, game, plies=plies, seed=5)
        states = [state_of(game, opening) for opening in found]
        assert len(set(states)) == 40 and all(game.result(state) is None for state in states)
        assert [opening.number for opening in found] == list(range(40))
        assert found == take(40, game, plies=plies, seed=5) != take(40, game, plies=plies, seed=6)

    def test_how_many_random_moves_are_usual(self):
        known = {name: usual_plies(load_game(name), {}) for name in ("ultimate", "extreme", "slant", "subtraction")}
        assert known == {"ultimate": 4, "extreme": 6, "slant": 0, "subtraction": 0}

    def test_a_given_board_is_kept(self):
        game = load_game("subtraction")
        options = {"board": [[9, 9, 9]] * 3}
        assert draws_its_board(game, {}) and draws_its_board(game, {"low": 60})
        assert not draws_its_board(game, options) and not draws_its_board(game, {"seed": 4})
        assert usual_plies(game, options) >= 1
        assert all(opening.options == options for opening in take(5, game, options, plies=1, seed=0))

    def test_where_there_are_too_few_they_come_again(self):
        game = load_game("slant")
        options = {"circles": "101/020/001"}
        found = take(12, game, options, plies=1, seed=0)
        assert len(found) == 12 and {opening.moves for opening in found[:4]} == {opening.moves for opening in found}

    def test_one_that_leaves_nothing_to_play_is_refused(self):
        with pytest.raises(LudusError, match="no opening of 4 random moves"):
            take(1, load_game("slant"), {"circles": "101/020/001"}, plies=4, seed=0)


class TestTally:
    def played(self, result, first, seconds=(0.1,), overshoots=(0.0,)):
        thoughts = Thoughts(tuple(seconds), tuple(overshoots), 7)
        return Played(Opening(0, {}, ()), first, (1, 2, 3), result, (thoughts, thoughts))

    def test_points_and_margins_are_those_of_player_0(self):
        tally = Tally()
        tally.add((self.played(5, 0), self.played(5, 1)))  # the first seat wins twice
        tally.add((self.played(3, 0), self.played(-2, 1)))  # player 0 wins twice
        tally.add((self.played(0, 0), self.played(4, 1)))
        assert (tally.wins, tally.draws, tally.losses) == (3, 1, 2)
        assert tally.pairs == (0, 1, 1, 0, 1) and tally.margins == 5 - 5 + 3 + 2 + 0 - 4
        assert tally.doubled_points_of_first_seat == 2 + 2 + 2 + 0 + 1 + 2

    def test_the_use_of_time(self):
        tally = Tally()
        tally.add((self.played(0, 0, [0.1] * 99, [0.0] * 99), self.played(0, 1, [0.3], [0.2])))
        use = tally.time_use(0)
        assert use.moves == 100 and use.seconds_a_move == pytest.approx(0.102)
        assert (use.overshoot_p99_s, use.overshoot_max_s) == (0.0, 0.2)
        assert use.nodes_per_second == pytest.approx(14 / 10.2)
        assert quantile([1, 2, 3, 4], 0.5) == 2 and quantile([], 0.5) == 0

    def test_pairs_are_counted_in_the_order_of_their_openings(self):
        pairs = [(Played(Opening(n, {}, ()), 0, (), 0, None),) * 2 for n in (2, 0, 1, 4, 3)]
        assert [pair[0].opening.number for pair in in_order(iter(pairs))] == [0, 1, 2, 3, 4]


def test_the_number_of_workers_changes_nothing_but_times():
    game = load_game("slant")
    reports, games = [], []
    for workers in (1, 2):
        played = []
        report = duel(
            game,
            "mcts:mb=1",
            "level:3",
            games=7,
            budget=NODES,
            options={"m": 2},
            seed=3,
            workers=workers,
            on_pair=lambda pair, tally, played=played: played.extend((p.opening, p.first, p.moves) for p in pair),
        )
        data = report.to_data()
        for key in ("seconds", "workers", "has_own_cores"):
            del data[key]
        for use in data["time_use"]:
            del use["seconds_a_move"], use["nodes_per_second"]
        reports.append(data)
        games.append(played)
    assert reports[0] == reports[1] and games[0] == games[1]
    assert reports[0]["games"] == 8 and sum(reports[0]["pairs"]) == 4
    for one, other in zip(games[0][::2], games[0][1::2], strict=True):
        assert one[0] == other[0] and (one[1], other[1]) == (0, 1)


def test_a_sequential_test_ends_a_duel_early():
    report = duel(
        load_game("ultimate"), "minimax:depth=1", "random", games=400, sprt=Bounds(-300, 300), budget=NODES, workers=1
    )
    assert report.verdict == "elo1" and report.games < 100 and report.estimate.elo > 0


def test_an_agent_may_think_by_other_rules_of_the_same_game(write):
    rules = """
        from ludus.games.slant.rules import MOVES, WORD, State, moves, play, result, start, turn
        def evaluate(s):
            return {sign} * 1000 * (s.first_gain - s.second_gain)
    """
    good, bad = write("good.py", rules.format(sign=1)), write("bad.py", rules.format(sign=-1))
    report = duel(load_game(good), "greedy", f"greedy@{bad}", games=10, budget=NODES, options={"m": 4}, workers=1)
    assert report.players == ("greedy", f"greedy@{bad}") and report.estimate.share > 0.7
    with pytest.raises(LudusError, match="its states or moves are not those of good"):
        duel(load_game(good), "greedy", "random@ultimate", games=2, workers=1)


class Stubborn:
    """Always the same move, legal or not."""

    name = "stubborn"

    def choose(self, state, budget):
        return make_agent(load_game("ultimate"), "random").choose(load_game("ultimate").start())

    def forget(self): ...

    def stop(self): ...


def stubborn(game: Game, seed: int) -> Agent:
    return Stubborn()


def test_an_illegal_move_is_a_bug_and_raises():
    with pytest.raises(RuntimeError, match="stubborn answers the illegal move"):
        duel(load_game("ultimate"), stubborn, "random", games=2, workers=1)


class Mortal:
    """Plays at random and takes its process along in one position, as long as there is no file of that name."""

    name = "mortal"

    def __init__(self, game: Game, file: Path) -> None:
        self.agent, self.game, self.file = make_agent(game, "random"), game, file

    def choose(self, state, budget):
        if sum(self.game.legal(state)) % 3 == 0 and state != self.game.start() and not self.file.exists():
            if self.file.parent.exists():
                self.file.touch()
            os.kill(os.getpid(), signal.SIGKILL)
        return self.agent.choose(state, budget)

    def forget(self):
        self.agent.forget()

    def stop(self): ...


class MortalFactory:
    def __init__(self, file: Path) -> None:
        self.file = file

    def __call__(self, game: Game, seed: int) -> Agent:
        return Mortal(game, self.file)

    def __hash__(self):
        return hash(self.file)

    def __eq__(self, other):
        return self.file == other.file


def test_a_worker_that_dies_is_replaced_and_its_pair_played_again(tmp_path):
    file = tmp_path / "died"
    report = duel(load_game("ultimate"), MortalFactory(file), "random", games=4, workers=2)
    assert file.exists() and report.games == 4


def test_a_pair_that_always_kills_its_worker_ends_the_duel(tmp_path):
    with pytest.raises(LudusError, match="has died 3 times"):
        duel(load_game("ultimate"), MortalFactory(tmp_path / "none" / "x"), "random", games=2, workers=1)


@pytest.mark.skipif(not hasattr(os, "sched_setaffinity"), reason="no core can be taken here")
def test_a_core_is_held_once_and_freed_when_its_process_ends(tmp_path, monkeypatch, python):
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    script = """
        import os, subprocess, sys
        from ludus.lab.workers import lease_cores
        held = lease_cores(len(os.sched_getaffinity(0)))
        again = "from ludus.lab.workers import lease_cores; print(lease_cores(1))"
        print(len(held) > 0, subprocess.run([sys.executable, "-c", again], capture_output=True, text=True).stdout)
    """
    assert python(script).split() == ["True", "set()"]
    assert python("from ludus.lab.workers import lease_cores; print(len(lease_cores(1)))") == "1"
    assert lease_cores(10_000) == set()


def start_duel(*arguments: str) -> subprocess.Popen:
    command = [sys.executable, "-m", "ludus", "duel", "ultimate", "mcts:mb=4", "random", *arguments]
    return subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True, env={**os.environ}
    )


def wait_for_records(file: Path) -> None:
    deadline = time.monotonic() + 60
    while not (file.exists() and file.stat().st_size > 0):
        assert time.monotonic() < deadline
        time.sleep(0.05)


def test_an_interrupt_prints_what_is_known_so_far(tmp_path):
    file = tmp_path / "records.jsonl"
    running = start_duel("--games", "100000", "--nodes", "2", "--records", str(file))
    wait_for_records(file)
    os.killpg(running.pid, signal.SIGINT)
    out, err = running.communicate(timeout=30)
    assert running.returncode == 130 and err == ""
    assert " of " in out.splitlines()[0] and "stopped after" in out.splitlines()[-1]


@pytest.mark.skipif(not Path("/proc").is_dir(), reason="processes are listed in /proc")
def test_workers_end_with_a_killed_driver(tmp_path):
    file = tmp_path / "records.jsonl"
    running = start_duel("--games", "100000", "--nodes", "2", "--records", str(file))
    wait_for_records(file)
    running.kill()
    running.communicate(timeout=30)
    deadline = time.monotonic() + 20
    while _in_session(running.pid):
        assert time.monotonic() < deadline
        time.sleep(0.05)


def _in_session(session: int) -> list[int]:
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        try:
            fields = (process / "stat").read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if int(fields[3]) == session and fields[0] != "Z":
            found.append(int(process.name))
    return found


class TestCommand:
    def test_json_says_everything(self, capsys, tmp_path):
        file = tmp_path / "games.jsonl"
        words = ["duel", "subtraction", "greedy", "random", "--options", "low=5", "high=9", "--games", "3", "--json"]
        assert main([*words, "--nodes", "5", "--seed", "2", "--workers", "1", "--records", str(file)]) == 0
        shown = capsys.readouterr()
        report = json.loads(shown.out)
        assert shown.err == "ludus: games are played in pairs: 4 instead of 3\n"
        assert report["games"] == report["wins"] + report["draws"] + report["losses"] == 4
        assert report["players"] == ["greedy", "random"] and report["budget"] == {"seconds": None, "nodes": 5}
        records = [parse_record(line) for line in file.read_text().splitlines()]
        assert [record.more["players"][0] for record in records] == ["greedy", "random"] * 2
        points = 0.0
        for record in records:
            result = replay(record).result
            sign = 1 if record.more["players"][0] == "greedy" else -1
            points += 0.5 + 0.5 * sign * ((result > 0) - (result < 0))
        assert points / 4 == report["estimate"]["share"]

    def test_a_person_gets_a_sentence_and_a_table(self, capsys):
        assert main(["duel", "ultimate", "random", "random", "--games", "4", "--sprt", "-10,10", "--workers", "1"]) == 0
        lines = capsys.readouterr().out.splitlines()
        assert lines[0].startswith("random ") and " of 4 games against random (+" in lines[0]
        assert "LOS" in lines[0] and "pairs" in lines[0] and lines[1].startswith("SPRT -10 or 10 Elo: LLR")
        assert "overshoot" in lines[4] and lines[5].startswith("random ")

    def test_records_may_go_to_standard_output(self, capsys):
        assert main(["duel", "ultimate", "random", "random", "--games", "2", "--workers", "1", "--records", "-"]) == 0
        assert [replay(parse_record(line)).game.name for line in capsys.readouterr().out.splitlines()] == [
            "ultimate"
        ] * 2

    @pytest.mark.parametrize(
        ("words", "sentence"),
        [
            (["ultimate", "best", "bset"], "there is no agent 'bset'"),
            (["ultimate", "random", "my.py"], "my.py is a file, and duels are between agents; bots play in: ludus"),
            (["ultimate", "random", "random", "--sprt", "5"], "two Elo differences such as 0,10 were expected"),
            (["ultimate", "random", "random", "--sprt", "10,0"], "must be below the second"),
            (["ultimate", "random", "minimax:depth=0"], "a number from 1 to 64 was expected"),
            (["slant", "random", "random", "--options", "m=3"], "m is an even number"),
            (["slant", "random", "random", "--openings", "36"], "no opening of 36 random moves"),
            (["ultimate", "random", "random", "--records", "/no/such/file"], "cannot be written"),
            (["chess", "random", "random"], "there is no game 'chess'"),
        ],
    )
    def test_what_is_wrong_is_one_sentence(self, words, sentence, capsys):
        assert main(["duel", *words, "--games", "2", "--workers", "1"]) == 1
        shown = capsys.readouterr()
        assert sentence in shown.err and shown.err.count("\n") == 1 and shown.out == ""

    def test_it_says_once_that_it_compiles_and_only_when_it_does(self, write, empty_cache, monkeypatch, capsys):
        pytest.importorskip("numba")
        monkeypatch.delenv("NUMBA_DISABLE_JIT")
        words = ["duel", str(write("mygame.py", heap())), "greedy", "greedy", "--games", "4", "--workers", "2"]
        said = "ludus: compiling the search for mygame (once; later starts are quick)\n"
        for expected in (said, ""):
            assert main(words) == 0
            assert capsys.readouterr().err == expected

    def test_without_a_pair_of_games_nothing_is_claimed(self, monkeypatch, capsys):
        def interrupted(crew):
            raise KeyboardInterrupt

        monkeypatch.setattr(Crew, "prepare", interrupted)
        words = ["duel", "ultimate", "random", "random", "--sprt", "0,10"]
        assert main([*words, "--json"]) == 130
        report = json.loads(capsys.readouterr().out)
        assert (report["games"], report["is_interrupted"]) == (0, True)
        assert set(report["estimate"]) == {field.name for field in fields(Estimate)}
        assert set(report["estimate"].values()) == {None}
        assert {report[key] for key in ("mean_margin", "mean_plies", "first_seat_share")} == {None}
        assert main(words) == 130
        assert capsys.readouterr().out == "stopped before the first pair of games was over\n"

    def test_help_says_how_many_random_moves_are_usual(self, capsys):
        with pytest.raises(SystemExit, match="0"):
            main(["duel", "--help"])
        assert "(0 to 6, by the game)" in " ".join(capsys.readouterr().out.split())

    def test_time_and_nodes_exclude_each_other(self, capsys):
        with pytest.raises(SystemExit, match="2"):
            main(["duel", "ultimate", "random", "random", "--time", "1", "--nodes", "5"])
        assert "not allowed with" in capsys.readouterr().err
