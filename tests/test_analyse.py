"""Analysis: the same answers as the searches behind it, chances that fit, and the command as a person uses it."""

from __future__ import annotations

import json
import os
import pty
import signal
import subprocess
import sys
import time
from pathlib import Path
from threading import Thread

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ludus.agents.agent import Budget
from ludus.agents.analysis import Analysis, Analyst, Variation, usual_budget
from ludus.agents.chances import WIN_OR_LOSS, chance_to_win, likely_payoffs
from ludus.agents.naming import make_agent
from ludus.errors import AgentError, PositionError
from ludus.rules import follow, load_game
from ludus.search.deepening import AlphaBeta
from ludus.view.analysis import analysis_canvas, hints_of, line_on_board, verdict
from ludus.view.scene import scene_of
from ludus.view.terminal import position_canvas
from ludus.view.theme import PALETTES
from rules_files import heap

LUDUS = Path(sys.executable).with_name("ludus")
SLANT = {"circles": "101/020/001"}  # of the hand-out: worth 0 under perfect play


def value(game, state):
    """Seat 0's payoff under perfect play, the slow way."""
    payoff = game.result(state)
    if payoff is not None:
        return payoff
    best = max if game.turn(state) == 0 else min
    return best(value(game, game.play(state, move)) for move in game.legal(state))


def analysed(name, agent, *, options=(), moves="", lines=3, **limits):
    game = load_game(name)
    state = follow(game, game.start(**dict(options)), moves.split()).states[-1]
    return game, state, Analyst(game, make_agent(game, agent), state, lines=lines, budget=Budget(**limits)).run()


# ---- chances


@given(st.integers(-999, 999))
def test_wins_and_losses_are_expected_points(score):
    assert chance_to_win(score, WIN_OR_LOSS) == pytest.approx(min(max((1000 + score) / 2000, 0.005), 0.995))


payoff_shares = st.dictionaries(st.integers(0, 70), st.integers(1, 100), min_size=1).map(
    lambda found: {p: n / 2 / sum(found.values()) for k, n in found.items() for p in (k, -k)}
).filter(lambda shares: max(shares) > 1)  # fmt: skip


@given(payoff_shares, st.integers(-60_000, 60_000), st.integers(0, 10_000))
def test_chances_are_fair_and_grow_with_the_score(payoffs, score, more):
    chance = chance_to_win(score, payoffs)
    assert 0 < chance < 1
    assert chance_to_win(-score, payoffs) == pytest.approx(1 - chance, abs=1e-6)
    assert chance_to_win(score + more, payoffs) >= chance - 1e-9
    assert chance_to_win(0, payoffs) == pytest.approx(0.5, abs=1e-6)


def test_what_is_proven_is_no_guess():
    assert [chance_to_win(score, WIN_OR_LOSS, is_exact=True) for score in (-7000, 0, 1000)] == [0.0, 0.5, 1.0]


def test_likely_payoffs_come_from_the_rules_or_from_random_games(write):
    ultimate, slant = load_game("ultimate"), load_game("slant")
    assert likely_payoffs(ultimate, ultimate.start()) == WIN_OR_LOSS
    seen = likely_payoffs(slant, slant.start(**SLANT))
    assert sum(seen.values()) == pytest.approx(1)
    assert all(seen[payoff] == pytest.approx(seen[-payoff]) for payoff in seen)
    undeclared = load_game(write("heap.py", heap()))
    assert set(likely_payoffs(undeclared, undeclared.start())) == {1, -1}


# ---- the analysis itself


def test_lines_are_those_of_the_search():
    game, state, found = analysed("ultimate", "alphabeta", moves="4,4 3,3", nodes=20_000)
    searched = AlphaBeta(game).search_lines(state, 3, nodes=20_000)
    assert [line.line for line in found.lines] == [one.line for one in searched]
    assert found.lines[0].score == searched[0].score
    assert found.depth == searched[0].depth
    assert found.nodes >= searched[0].nodes
    assert 0 < found.table_hits < found.nodes
    assert 0 < found.cut_off_rate < 1
    assert 0 < found.first_move_cut_rate <= 1


@pytest.mark.parametrize(
    ("name", "agent", "moves"),
    [("ultimate", "mcts", ""), ("ultimate", "best", "4,4"), ("extreme", "alphabeta", "0,0 1,1")],
)
def test_every_line_is_legal_and_the_best_comes_first(name, agent, moves):
    game, state, found = analysed(name, agent, moves=moves, lines=4, nodes=3_000)
    assert len({line.move for line in found.lines}) == len(found.lines) == 4
    for line in found.lines:
        follow(game, state, map(game.move_name, line.line))
        assert 0 < line.chance < 1
    if agent != "mcts":
        mover = 1 if game.turn(state) == 0 else -1
        scores = [mover * line.score for line in found.lines]
        assert scores == sorted(scores, reverse=True)
        assert [line.chance for line in found.lines] == sorted((line.chance for line in found.lines), reverse=True)


@pytest.mark.parametrize("agent", ["alphabeta", "mcts", "solver"])
def test_small_positions_are_solved(agent):
    for moves in ("", "0,1", "0,1 1,1", "0,1 1,1 0,0"):
        game, state, found = analysed("slant", agent, options=SLANT.items(), moves=moves, lines=9, nodes=100_000)
        worth = {line.move: line.score for line in found.lines}
        assert found.lines[0].is_exact
        assert found.lines[0].score == 1000 * value(game, state)
        for line in found.lines:
            if line.is_exact:
                assert worth[line.move] == 1000 * value(game, game.play(state, line.move))
        if agent in ("alphabeta", "solver"):
            assert len(found.lines) == len(game.legal(state))
            assert all(line.is_exact for line in found.lines)


def test_chances_are_of_the_side_to_move(write):
    """Ten stones are won by who is to move, eight are lost, whoever it is."""
    file = write("stones.py", heap())
    for moves, chance in (("", 1.0), ("1", 0.0), ("1 0", 1.0)):
        assert analysed(file, "mcts", moves=moves, nodes=10_000)[2].lines[0].chance == chance


def test_agents_without_lines_say_so():
    for agent in ("random", "greedy", "minimax:depth=2", "level:3"):
        game, state, found = analysed("ultimate", agent, nodes=100)
        (line,) = found.lines
        assert line.move in game.legal(state)
        assert found.note.startswith(f"{agent.partition(':')[0]} gives one line only")
        assert not analysed("ultimate", agent, nodes=100, lines=1)[2].note


def test_the_same_nodes_give_the_same_analysis():
    for agent in ("alphabeta", "mcts", "solver"):
        one, other = (analysed("slant", agent, options={"m": 4}.items(), nodes=5_000)[2] for _ in range(2))
        assert (one.lines, one.nodes, one.counts) == (other.lines, other.nodes, other.counts)


def test_an_agents_own_limits_hold():
    game = load_game("ultimate")
    assert usual_budget(make_agent(game, "alphabeta")) == Budget(seconds=5.0)
    assert usual_budget(make_agent(game, "best:nodes=500")) == Budget()
    assert analysed("ultimate", "alphabeta:depth=3")[2].depth == 3
    assert analysed("ultimate", "mcts:nodes=500", nodes=100_000)[2].nodes == 500


@pytest.mark.parametrize("agent", ["alphabeta", "mcts", "solver"])
def test_an_endless_analysis_is_stopped_from_outside(agent):
    game = load_game("ultimate")
    analyst = Analyst(game, make_agent(game, agent), game.start(), budget=Budget())
    heard = []
    thread = Thread(target=lambda: analyst.run(heard.append))
    thread.start()
    while agent != "solver" and not analyst.latest().lines:
        time.sleep(0.01)
    while thread.is_alive():
        analyst.stop()
        thread.join(0.02)
    assert len(analyst.latest().lines) == 3
    assert heard
    assert heard[-1].lines == analyst.latest().lines
    assert analyst.latest() == analyst.latest()


def test_stopping_before_the_start_still_gives_a_move():
    game = load_game("ultimate")
    for agent in ("alphabeta", "mcts", "solver", "minimax:depth=1"):
        analyst = Analyst(game, make_agent(game, agent), game.start(), budget=Budget(nodes=200_000))
        analyst.stop()
        assert analyst.run().lines[0].move in game.legal(game.start())


def test_a_finished_game_is_refused():
    game = load_game("slant")
    over = follow(game, game.start(**SLANT), ["0,1", "1,1", "0,0", "1,0"]).states[-1]
    with pytest.raises(PositionError):
        Analyst(game, make_agent(game, "random"), over, budget=Budget())


# ---- how it looks


def canvas_of(game, state, found, **size):
    scene = scene_of(game, state, hints=hints_of(found), best_line=line_on_board(found))
    board = position_canvas(scene, PALETTES["dark"])
    return analysis_canvas(game, scene.view.seats, board, found, PALETTES["dark"], agent="best", **size)


@pytest.mark.parametrize(
    ("name", "options"), [("ultimate", {}), ("extreme", {}), ("slant", {"m": 6}), ("subtraction", {})]
)
def test_it_fits_any_terminal(name, options):
    game, state, found = analysed(name, "alphabeta", options=options.items(), nodes=3_000, lines=5)
    for columns in (40, 60, 80, 100, 120, 200):
        for rows in (23, 39, 60):
            canvas = canvas_of(game, state, found, columns=columns, rows=rows)
            assert canvas.width <= columns
            assert canvas.height <= rows
            assert all(line.isascii() for line in canvas.rows(ascii=True))
            text = "\n".join(canvas.rows())
            assert all(game.move_name(line.move) in text for line in found.lines)
            assert "depth" in text
    assert game.title in "\n".join(canvas_of(game, state, found, columns=80, rows=10, may_scroll=True).rows())


def test_words_for_who_is_ahead():
    seats = scene_of(load_game("ultimate"), load_game("ultimate").start()).view.seats

    def said(score, chance, *, turn=0, is_exact=False):
        return verdict(seats, Analysis("best", turn, (Variation((0,), score, is_exact, chance),)))

    assert said(0, 0.5) == ("Even", None)
    assert said(200, 0.6) == ("X is slightly ahead", 0)
    assert said(600, 0.2, turn=1) == ("X is ahead", 0)
    assert said(-900, 0.95, turn=1) == ("O is winning", 1)
    assert said(-3000, 0.0, is_exact=True) == ("O wins by 3 with best play", 1)
    assert said(0, 0.5, is_exact=True) == ("Draw with best play", None)
    assert verdict(seats, Analysis("best", 0)) == ("thinking", None)


# ---- the command


def run(*arguments, expect=0, **environment):
    done = subprocess.run(
        [LUDUS, "analyse", *map(str, arguments)],
        capture_output=True, text=True, env={**os.environ, **environment}, check=False,
    )  # fmt: skip
    assert done.returncode == expect, (done.stdout, done.stderr)
    assert "Traceback" not in done.stderr
    return done


def test_json():
    words = ("ultimate", "--moves", "4,4", "3,3", "--nodes", 5000, "--lines", 2, "--json")
    report, again = (json.loads(run(*words).stdout) for _ in range(2))
    for key in ("seconds", "nodes_per_second"):
        assert report.pop(key) > 0
        del again[key]
    assert report == again
    assert (report["game"], report["agent"], report["turn"]) == ("ultimate", "best", 0)
    assert len(report["lines"]) == 2
    for line in report["lines"]:
        assert {"move", "score", "win_probability", "margin", "is_exact", "line"} <= set(line)
        assert line["line"][0] == line["move"]
        assert line["margin"] == line["score"] / 1000
    assert {"depth", "nodes", "table_hits", "cut_off_rate", "first_move_cut_rate"} <= set(report)


def test_a_pipe_gets_plain_text_once():
    text = run("slant", "--options", "circles=101/020/001", "--agent", "solver", "--nodes", 100_000).stdout
    assert "\x1b" not in text
    assert text.count("margin") == 1
    assert "Draw with best play" in text
    assert max(map(len, text.splitlines())) <= 80
    assert run("ultimate", "--nodes", 500, PYTHONIOENCODING="ascii").stdout.isascii()


def test_mistakes_are_one_sentence():
    over = ("slant", "--options", "circles=101/020/001", "--moves", "0,1 1,1 0,0 1,0")
    for words, status, expected in (
        (over, 1, "the game is over"),
        (("ultimate", "--agent", "deepblue"), 1, "there is no agent 'deepblue'"),
        (("ultimate", "--agent", "pijuns"), 1, "it plays extreme only"),
        (("chess",), 1, "there is no game 'chess'"),
        (("ultimate", "--time", "-1"), 2, "not a number of seconds above 0"),
        (("ultimate", "--lines", "0"), 2, "not a whole number from 1 to 32"),
    ):
        complaint = run(*words, expect=status).stderr
        assert expected in complaint
        assert complaint.count("\n") == 1
    with pytest.raises(AgentError):
        make_agent(load_game("ultimate"), "deepblue")


def test_a_game_of_ones_own(write):
    file = write("stones.py", heap())
    text = run(file, "--nodes", 1000).stdout
    assert "First player wins with best play" in text
    report = json.loads(run(file, "--moves", "1", "--nodes", 1000, "--json").stdout)
    assert (report["turn"], report["lines"][0]["win_probability"]) == (1, 0.0)
    assert len(json.loads(run(file, "--options", "heap=1", "--json", "--nodes", 10).stdout)["lines"]) == 1


def in_terminal(*arguments, interrupt_at=None, **environment):
    """What the command writes to a terminal of 80 by 24, interrupted once so much was seen, and its exit status."""
    main, side = pty.openpty()
    process = subprocess.Popen(
        [LUDUS, "analyse", *map(str, arguments)],
        stdin=side, stdout=side, stderr=side, close_fds=True, start_new_session=True,
        env={**os.environ, "TERM": "xterm-256color", "COLUMNS": "80", "LINES": "24", **environment},
    )  # fmt: skip
    os.close(side)
    seen, is_interrupted = b"", False
    while True:
        try:
            more = os.read(main, 1 << 16)
        except OSError:  # nobody is left at the other side
            break
        seen += more
        if interrupt_at is not None and not is_interrupted and seen.count(interrupt_at) >= 3:
            process.send_signal(signal.SIGINT)
            is_interrupted = True
    os.close(main)
    return seen.decode(errors="replace"), process.wait(10)


def test_it_is_live_in_a_terminal_and_ctrl_c_shows_what_is_known():
    seen, status = in_terminal("ultimate", "--time", "inf", interrupt_at=b"margin")
    assert status == 0
    assert seen.count("margin") >= 4  # three pictures, and the one that stays
    assert "Traceback" not in seen
    plain, status = in_terminal("ultimate", "--nodes", "3000", NO_COLOR="1")
    assert status == 0
    assert "margin" in plain
    assert "\x1b[38" not in plain
