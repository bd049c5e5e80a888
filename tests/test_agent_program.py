"""An agent as a program: both protocols, with a referee in this process and with a real one outside."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from random import Random

import pytest

from ludus.agents.naming import make_agent
from ludus.agents.protocols import Program, advance, speak_codingame, speak_ludus, usual_first_ms
from ludus.cli import agent as agent_command
from ludus.cli import main
from ludus.errors import LudusError, ProtocolError
from ludus.rules import game_names, load_game, random_line
from rules_files import heap

LUDUS = Path(sys.executable).with_name("ludus")


def new_program(name="ultimate", agent="random", **options):
    game = load_game(name)
    said, complaints = [], []
    program = Program(
        game=game,
        agent=make_agent(game, agent, seed=3),
        start=game.start(**options),
        move_ms=20,
        first_ms=50,
        say=said.append,
        complain=complaints.append,
    )
    return program, said, complaints


def talk(program, said, lines):
    """The answers to a conversation."""
    said.clear()
    speak = speak_codingame if not lines or lines[0][:1] != "{" else speak_ludus
    speak(program, lines)
    return list(said)


def dumps(**request):
    return json.dumps(request) + "\n"


def legal_names(game, **options):
    return [game.move_name(move) for move in game.legal(game.start(**options))]


def codingame_lines(game, state, opponent, rng, *, with_list=True):
    legal = [game.move_name(m).replace(",", " ") for m in game.legal(state)] if with_list else []
    rng.shuffle(legal)
    return [f"{opponent}\n", f"{len(legal)}\n", *(f"{move}\n" for move in legal)]


@pytest.mark.parametrize("name", ["ultimate", "ultimate-adjacent"])
@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize("with_list", [True, False])
def test_whole_games_by_codingame(name, seat, with_list):
    program, said, complaints = new_program(name)
    game, rng = program.game, Random(seat)

    def referee():
        state, opponent = game.start(), "-1 -1"
        while game.result(state) is None:
            if game.turn(state) == seat:
                yield from codingame_lines(game, state, opponent, rng, with_list=with_list)
                state = game.play(state, game.legal_move(state, said[-1].replace(" ", ",")))
            else:
                move = rng.choice(game.legal(state))
                state, opponent = game.play(state, move), game.move_name(move).replace(",", " ")

    speak_codingame(program, referee())
    assert len(said) > 8
    assert complaints == []


@pytest.mark.parametrize("with_list", [True, False])
def test_the_opponent_opens_the_next_game(with_list):
    """No `-1 -1` says that it is a new one; and the opponent may have ended the one before by a move untold."""
    enders = set()

    def referee(program, said, rng):
        game = program.game
        for seat in (0, 1):
            state, opponent, mover = game.start(), "-1 -1", -1
            while game.result(state) is None:
                mover = game.turn(state)
                if mover == seat:
                    yield from codingame_lines(game, state, opponent, rng, with_list=with_list)
                    state = game.play(state, game.legal_move(state, said[-1].replace(" ", ",")))
                    assert program.state == state
                else:
                    legal = game.legal(state)
                    if state == game.start() and not with_list:  # what could be of the game before, is taken to be
                        legal = sorted(set(legal) - set(game.legal(program.state)))
                    move = rng.choice(legal)
                    state, opponent = game.play(state, move), game.move_name(move).replace(",", " ")
            enders.add((seat, mover))

    for seed in range(8):
        program, said, complaints = new_program()
        speak_codingame(program, referee(program, said, Random(seed)))
        assert complaints == []
    assert {(0, 0), (0, 1)} < enders


def test_a_move_after_the_end_of_a_game_is_said_to_be_one():
    program, _, complaints = new_program()
    program.state = random_line(program.game, program.game.start(), Random(1)).states[-1]
    advance(program, 80)
    assert complaints == ["the rules of ultimate do not allow 8,8, which was played: the game is over"]


def test_why_there_is_no_move_to_choose():
    program, said, _ = new_program()
    with pytest.raises(ProtocolError) as caught:
        talk(program, said, ["-1 -1\n", "1\n", "4 4\n", "0 0\n", "0\n"])
    assert str(caught.value) == (
        "line 4: there is no move to choose: a move was played that the rules of ultimate do not allow, "
        "and no moves were given"
    )
    states, moves = random_line(program.game, program.game.start(), Random(1))

    def referee():
        program.state = states[-2]
        yield program.game.move_name(moves[-1]).replace(",", " ")
        yield "0"

    with pytest.raises(ProtocolError, match=r"line 1: .* the game is over by the rules of ultimate, and no moves"):
        speak_codingame(program, referee())


@pytest.mark.parametrize("name", game_names())
def test_whole_games_by_json(name):
    program, said, complaints = new_program(name)
    game, rng = program.game, Random(5)

    def referee():
        for seat in (0, 1):
            options = {"m": 4} if name == "slant" else {}
            yield dumps(type="start", protocol="ludus/1", game=name, options=options, seat=seat, move_ms=10)
            assert json.loads(said[-1])["type"] == "ready"
            state, played = game.start(**options), []
            while game.result(state) is None:
                if game.turn(state) == seat:
                    legal = [game.move_name(m) for m in game.legal(state)]
                    yield dumps(type="move", moves=played, legal=legal, state=state._asdict(), move_ms=10)
                    move = game.legal_move(state, json.loads(said[-1])["move"])
                else:
                    move = rng.choice(game.legal(state))
                state = game.play(state, move)
                played = [*played, game.move_name(move)]
            yield dumps(type="end", result=game.result(state), moves=played)

    speak_ludus(program, referee())
    assert complaints == []


def test_a_request_needs_no_history():
    program, said, _ = new_program()
    late = dumps(type="move", moves=["4,4", "3,3", "0,0"])
    early = dumps(type="move", moves=["0,0"])
    for lines in ([late], [late, early], [early, late, late]):
        answers = [json.loads(line) for line in talk(program, said, lines)]
        assert len(answers) == len(lines)
        for line, answer in zip(lines, answers, strict=True):
            state = program.game.start()
            for move in json.loads(line)["moves"]:
                state = program.game.play(state, program.game.legal_move(state, move))
            program.game.legal_move(state, answer["move"])


def test_a_request_holds_the_instance_too():
    program, said, _ = new_program("subtraction", agent="minimax:depth=1")
    ones, numbers = [[1] * 3] * 3, [[9, 8, 7], [6, 5, 4], [3, 2, 1]]
    lines = [dumps(type="move", moves=[], options={"board": ones}), dumps(type="move", moves=[])]
    answers = [json.loads(line) for line in talk(program, said, lines)]
    assert all(answer["move"] in legal_names(program.game, board=ones) for answer in answers)
    assert (program.start, program.answers) == (program.game.start(board=ones), 2)
    # Another board is another game, with the same moves; the first move of this program is over all the same.
    moves = legal_names(program.game, board=numbers)[:1]
    talk(program, said, [*lines, dumps(type="move", moves=moves, options={"board": numbers})])
    start = program.game.start(board=numbers)
    assert program.state == program.game.play(start, program.game.legal_move(start, moves[0]))
    assert (program.start, program.played, program.answers) == (start, moves, 3)


def test_the_same_instance_in_every_request_is_one_game(monkeypatch):
    program, said, _ = new_program("slant", m=4)
    forgotten = []
    monkeypatch.setattr(program.agent, "forget", lambda: forgotten.append(1))
    talk(program, said, [dumps(type="move", moves=moves, options={"m": 4}) for moves in ([], ["0,0"], ["0,0", "0,1"])])
    assert (len(said), len(forgotten)) == (3, 1)


def test_a_list_that_is_not_ours_is_said_once_and_obeyed():
    program, said, complaints = new_program(agent="minimax:depth=1")
    lines = ["-1 -1\n", "2\n", "8 8\n", "0 0\n", "-1 -1\n", "1\n", "7 7\n"]
    assert talk(program, said, lines)[0] in ("8 8", "0 0")
    assert said[-1] == "7 7"
    assert len(complaints) == 2  # one for each game
    assert "the list given holds 2 moves, and not the 81 moves that the rules of ultimate allow" in complaints[0]
    assert "the list given holds 1 move, and not the 81 moves that" in complaints[1]
    # A move that our rules forbid ends our knowledge, not the game.
    complaints.clear()
    lines = ["0 0\n", "1\n", "1 1\n", "0 0\n", "2\n", "5 5\n", "4 4\n", "8 8\n", "1\n", "2 2\n"]
    answers = talk(program, said, lines)
    assert (answers[0], answers[2]) == ("1 1", "2 2")
    assert answers[1] in ("5 5", "4 4")
    assert len(complaints) == 1


def test_the_best_of_a_list_is_chosen_by_the_agent():
    """Of two moves, one of which wins at once."""
    game = load_game("ultimate")
    program, said, _ = new_program(agent="minimax:depth=2")
    rng = Random(1)
    while True:
        states, names = [game.start()], []
        while game.result(states[-1]) is None:
            move = rng.choice(game.legal(states[-1]))
            names.append(game.move_name(move))
            states.append(game.play(states[-1], move))
        others = [game.move_name(m) for m in game.legal(states[-2]) if game.result(game.play(states[-2], m)) is None]
        if game.result(states[-1]) != 0 and len(others) > 1:
            break
    request = dumps(type="move", moves=names[:-1], legal=[*others[:-1], names[-1]])
    assert json.loads(talk(program, said, [request])[0])["move"] == names[-1]


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("one two\n", "is not 'row col'"),
        ("9 9\n", "is not a move of ultimate"),
        ("4 4 4\n", "is not 'row col'"),
        ("0000000000005 5\n", "'0000000000005 5' is not 'row col'"),
        ("0_1 +2\n", "'0_1 \\+2' is not 'row col'"),
        ("٣ 3\n", "is not 'row col'"),
    ],
)
def test_a_malformed_line_of_codingame(line, sentence):
    program, _, _ = new_program()
    with pytest.raises(ProtocolError, match=f"line 1: .*{sentence}"):
        speak_codingame(program, [line, "0\n"])
    with pytest.raises(ProtocolError, match="line 2: 'many' is not a number of moves"):
        speak_codingame(program, ["-1 -1\n", "many\n"])


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("{\n", "not JSON: Expecting property name enclosed in double quotes at column 2$"),
        ("[\n", "not JSON: Expecting value at column 2$"),
        (' {"type": "move\n', "not JSON: Unterminated string starting at column 11$"),
        ('{"type": "move", "moves": [' + "9" * 5000, "it holds a number of thousands of digits$"),
        ("[" * 100_000, "not JSON"),
        ("[]", "JSON object was expected"),
        ("{}", "type is missing; start, move or end was expected"),
        ('{"type": null}', "type is not a text; start, move or end was expected"),
        ('{"type": "go"}', "type is 'go'; start, move or end was expected"),
        ('{"type": "move", "moves": "4,4"}', "moves must be a list"),
        ('{"type": "move", "moves": [4]}', "moves must be a list"),
        ('{"type": "move", "moves": ["4,4", "8,8"]}', "move 2: illegal move 8,8"),
        ('{"type": "move", "moves": [], "legal": ["9,9"]}', "is not a move"),
        ('{"type": "move", "moves": [], "move_ms": NaN}', "move_ms is nan"),
        ('{"type": "move", "moves": [], "move_ms": 1e300}', r"move_ms is 1e\+300; .* above 0, up to 1000000000 was"),
        (f'{{"type": "move", "moves": [], "move_ms": {10**400}}}', "move_ms is 10000000000000000000; a number of"),
        ('{"type": "move", "moves": [], "move_ms": true}', "move_ms is True"),
        ('{"type": "start", "game": "chess"}', "the game is 'chess', but this program plays ultimate"),
        ('{"type": "move", "game": "slant", "moves": []}', "the game is 'slant', but this program plays ultimate"),
        ('{"type": "start", "options": 5}', "options must be a JSON object"),
        ('{"type": "start", "options": {"size": 5}}', "no option 'size'"),
        ('{"type": "move", "moves": [], "options": 5}', "options must be a JSON object"),
        ('{"type": "move", "moves": [], "options": {"size": 5}}', "no option 'size'"),
    ],
)
def test_a_malformed_line_of_json(line, sentence):
    program, _, _ = new_program()
    with pytest.raises(LudusError, match=f"line 1: .*{sentence}"):
        speak_ludus(program, [line])


def test_the_input_may_end_anywhere():
    program, said, _ = new_program()
    for lines in ([], ["-1 -1\n"], ["-1 -1\n", "3\n", "0 0\n"]):
        assert talk(program, said, lines) == []


def test_the_first_move_has_more_time():
    assert usual_first_ms(100) == 1000
    assert usual_first_ms(20) == 200
    assert usual_first_ms(5000) == 5000


def run(*arguments, stdin, expect=0):
    done = subprocess.run(
        [LUDUS, "agent", *arguments],
        input=stdin,
        capture_output=True,
        text=True,
        errors="surrogateescape",  # so that tests can write any bytes
        env=os.environ,
        check=False,
    )
    assert done.returncode == expect, (done.stdout, done.stderr)
    assert "Traceback" not in done.stderr
    return done


def test_the_command():
    done = run("ultimate", "mcts", "--protocol", "codingame", "--move-ms", "20", stdin="-1 -1\n0\n\n")
    assert len(done.stdout.split()) == 2
    done = run(
        "slant", "random", "--options", "circles=101/020/001", "--seed", "4", stdin=dumps(type="move", moves=["0,1"])
    )
    assert json.loads(done.stdout)["move"] in ("0,0", "1,0", "1,1")
    done = run("ultimate", "random", "--protocol", "codingame", stdin="x\n", expect=1)
    assert done.stderr == "ludus: line 1: 'x' is not 'row col'\n"
    for protocol, sentence in (("codingame", "is not 'row col'"), ("ludus", "this is not JSON")):
        done = run("ultimate", "random", "--protocol", protocol, stdin="\udcff\udcfe\n", expect=1)
        assert done.stderr.startswith("ludus: line 1: ")
        assert (sentence in done.stderr, done.stderr.count("\n")) == (True, 1)
    done = run("extreme", "random", "--protocol", "codingame", stdin="", expect=1)
    assert "use --protocol ludus" in done.stderr
    done = run("ultimate", "nobody", stdin="", expect=1)
    assert "there is no agent 'nobody'" in done.stderr
    assert "milliseconds above 0" in run("ultimate", "random", "--move-ms", "-1", stdin="", expect=2).stderr


@pytest.mark.parametrize(
    "command", [["agent", "slant", "random"], ["duel", "slant", "best", "best"], ["analyse", "slant"]]
)
@pytest.mark.parametrize("text", ["-1", "1.5", "soon", "٣", "", str(1 << 64), "9" * 5000])
def test_a_seed_is_a_whole_number_of_64_bits(command, text, capsys):
    with pytest.raises(SystemExit, match="2"):
        main([*command, "--seed", text])
    shown = capsys.readouterr().err
    assert shown == (
        f"ludus {command[0]}: argument --seed: {text[:30]!r} is not a whole number from 0 to 2**64 - 1 "
        f"(see ludus {command[0]} --help)\n"
    )


def test_the_largest_seed():
    done = run("ultimate", "mcts:mb=4", "--seed", str((1 << 64) - 1), stdin=dumps(type="move", moves=[], move_ms=20))
    assert json.loads(done.stdout)["type"] == "move"


def test_a_game_without_the_protocol_is_refused_before_anything_is_compiled(write, monkeypatch, capsys):
    monkeypatch.setattr(agent_command, "make_agent", lambda *_, **__: pytest.fail("an agent is made"))
    assert main(["agent", str(write("own.py", heap())), "best", "--protocol", "codingame"]) == 1
    expected = "the protocol codingame is for ultimate and ultimate-adjacent; for own use --protocol ludus"
    assert capsys.readouterr().err == f"ludus: {expected}\n"


def test_each_answer_comes_at_once_and_the_same_seed_gives_the_same_game():
    """The referee waits for every line before it writes the next: an answer kept in a buffer would hang."""
    games = []
    for _ in range(2):
        with subprocess.Popen(
            [LUDUS, "agent", "ultimate", "random", "--seed", "9"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        ) as process:
            moves = []
            for _ in range(6):
                process.stdin.write(dumps(type="move", moves=moves))
                process.stdin.flush()
                moves = [*moves, json.loads(process.stdout.readline())["move"]]
            process.stdin.close()
            assert process.wait() == 0
        games.append(moves)
    assert games[0] == games[1]
