"""Each game's own examples and options, and how rules files are found and loaded."""

from __future__ import annotations

import sys

import pytest

from ludus.errors import GameNotFoundError, MoveError, OptionsError, RulesError
from ludus.rules import follow, game_names, load_game
from rules_files import heap


def best_payoff(game, state):
    """The mover's payoff under perfect play, by plain recursion with memory."""
    memory = {}

    def value(state):
        if state not in memory:
            result = game.result(state)
            if result is None:
                sign = 1 if game.turn(state) == 0 else -1
                result = sign * max(sign * value(game.play(state, move)) for move in game.legal(state))
            memory[state] = result
        return memory[state]

    return value(state) if game.turn(state) == 0 else -value(state)


def test_the_games_are_there_because_their_files_are():
    assert game_names() == ["extreme", "slant", "subtraction", "ultimate", "ultimate-adjacent"]


@pytest.mark.parametrize(
    ("board", "cost"), [([[4, 2, 3], [2, 3, 4], [3, 4, 2]], -5), ([[2, 4, 3], [4, 2, 4], [3, 4, 2]], -13)]
)
def test_subtraction_under_perfect_play(board, cost):
    """Mover minus opponent cost. Costs so far only shift the payoff, so they are left out of the memory."""
    game = load_game("subtraction")
    assert subtraction_value(game, game.start(board=board), {}) == -cost


def subtraction_value(game, state, memory):
    """The mover's payoff from here on: what the opponent will pay less what the mover will."""
    key = state._replace(first_cost=1, second_cost=1, mover=0)  # 1: somebody has moved
    if key not in memory:
        values = []
        for move in game.legal(state):
            child = game.play(state, move)
            if (result := game.result(child)) is None:
                values.append(-subtraction_value(game, child, memory) - (move % 3 + 1))
            else:
                before = state.second_cost - state.first_cost
                values.append((result - before) * (1 if state.mover == 0 else -1))
        memory[key] = max(values)
    return memory[key]


def test_slant_example_of_the_hand_out():
    game = load_game("slant")
    start = game.start(circles="1 0 1 / 0 2 0 / 0 0 1")
    line = follow(game, start, ["0,1", "1,1", "0,0", "1,0"])
    gains = [(state.first_gain, state.second_gain) for state in line.states]
    assert gains == [(0, 0), (1, 0), (1, 3), (1, 3), (1, 3)]
    assert game.result(line.states[-1]) == -2
    assert best_payoff(game, start) == 0


@pytest.mark.parametrize("text", ["101/020/001", "1 0 1\n0 2 0\n0 0 1\n", "1,0,1 / 0,2,0 / 0,0,1", "1 0 1;0 2 0;0 0 1"])
def test_a_slant_board_may_be_typed_in_many_ways(text):
    game = load_game("slant")
    assert game.instance(game.start(circles=text), {}) == {"circles": [[1, 0, 1], [0, 2, 0], [0, 0, 1]]}


BAD_OPTIONS = {
    "ultimate": [{"bonus": True}],
    "extreme": [{"bonus": 1}, {"bonus": "no"}, {"size": 4}],
    "slant": [
        {"m": 3}, {"m": 0}, {"m": 14}, {"m": "4"}, {"m": True}, {"seed": "a"}, {"seed": 1.5}, {"circles": []},
        {"circles": [[1, 0], [0, 1]]}, {"circles": [[1, 0, 4], [0, 0, 0], [0, 0, 0]]}, {"circles": 7},
        {"circles": [[1, 0, -1], [0, 0, 0], [0, 0, 0]]}, {"circles": [[0, 0, 0], [0, 0], [0, 0, 0]]},
        {"circles": "101/0x0/001"}, {"circles": "0" * 20_000}, {"circles": [[0, 0, 0]] * 3, "m": 4},
        {"circles": [[0, 0, None], [0, 0, 0], [0, 0, 0]]}, {"circles": {"a": 1}}, {"circles": [[0.0] * 3] * 3},
    ],
    "subtraction": [
        {"board": [[1, 2], [3, 4]]}, {"board": [[1, 2, 3]] * 2}, {"board": [[-1, 2, 3]] * 3}, {"board": "1 2"},
        {"board": [[1_000_001, 2, 3]] * 3}, {"board": [[True, 2, 3]] * 3}, {"board": [[1.0, 2, 3]] * 3},
        {"low": 9, "high": 5}, {"low": -1}, {"high": 10**7}, {"reward": -1}, {"penalty": "7"}, {"seed": None},
        {"board": 10**400}, {"board": "1 2 3 / 4 5 6 / 7 8 " + "9" * 50},
    ],
}  # fmt: skip


@pytest.mark.parametrize(("name", "options"), [(n, o) for n, each in BAD_OPTIONS.items() for o in each])
def test_a_start_that_makes_no_sense_is_refused_in_one_sentence(name, options):
    with pytest.raises(OptionsError, match=rf"^{name} [^\n]+$") as caught:
        load_game(name).start(**options)
    assert len(str(caught.value)) < 250


@pytest.mark.parametrize("m", [2, 4, 6, 8, 10, 12])
def test_random_slant_boards_have_about_a_third_of_circles_and_come_from_their_seed(m):
    game = load_game("slant")
    boards = [game.instance(game.start(m=m, seed=seed), {})["circles"] for seed in range(200)]
    numbers = [number for board in boards for row in board for number in row]
    assert len(boards[0]) == len(boards[0][0]) == m + 1
    assert 0.30 < sum(number > 0 for number in numbers) / len(numbers) < 0.40
    assert {1, 2, 3} <= set(numbers) <= {0, 1, 2, 3}
    assert boards[3] == game.instance(game.start(m=m, seed=3), {})["circles"]
    assert boards[3] != boards[4]


def test_a_subtraction_board_that_is_finished_at_the_start_changes_nobodys_cost():
    game = load_game("subtraction")
    for board in ([[0, 0, 0]] * 3, [[0, 5, 5], [5, 0, 5], [5, 5, 0]], [[0, 1, 1], [1, 0, 1], [1, 1, 0]]):
        state = game.start(board=board)
        assert (game.result(state), game.legal(state)) == (0, [])


def test_the_ends_of_subtraction():
    game = load_game("subtraction")
    line = follow(game, game.start(board=[[1, 1, 1], [5, 5, 5], [5, 5, 5]]), ["0,1"])
    assert game.result(line.states[-1]) == 14  # pays 1, is rewarded 15
    line = follow(game, game.start(board=[[1, 5, 5], [5, 0, 5], [5, 5, 0]]), ["0,1"])
    assert game.result(line.states[-1]) == 14, "a diagonal of zeros is a line"
    line = follow(game, game.start(board=[[9, 1, 9], [1, 9, 9], [9, 9, 0]]), ["0,1", "3,1"])
    assert game.result(line.states[-1]) == 7, "both paid 1; the second player left no move"


@pytest.mark.parametrize(
    ("moves", "sentence"),
    [
        ("4,4 4,4", "move 2: illegal move 4,4: the cell is taken"),
        ("4,4 0,0", "move 2: illegal move 0,0: the move must be in block 4, and this cell is in block 0"),
        ("4,4 9,9", "move 2: '9,9' is not a move of ultimate; a move looks like 0,0"),
        ("4,4 x", "move 2: 'x' is not a move of ultimate; a move looks like 0,0"),
    ],
)
def test_an_illegal_move_says_why(moves, sentence):
    game = load_game("ultimate")
    with pytest.raises(MoveError) as caught:
        follow(game, game.start(), moves.split())
    assert str(caught.value) == sentence


@pytest.mark.parametrize(
    ("name", "moves", "into"),
    [
        ("ultimate", "2,8 6,8 2,6 6,2 2,7", "0,6"),
        ("ultimate-adjacent", "7,4 5,5 7,3 8,2 7,5", "6,3"),
        ("extreme", "2,6 10,8 8,2 3,9 14,4 8,1 3,6 12,9 1,6 6,10 9,9 4,5 0,6", "0,7"),
    ],
)
def test_a_won_block_is_named(name, moves, into):
    game = load_game(name)
    state = follow(game, game.start(), moves.split()).states[-1]
    with pytest.raises(MoveError, match=rf"illegal move {into}: block \d is already won"):
        game.legal_move(state, into)


@pytest.mark.parametrize(
    ("board", "move", "sentence"),
    [
        ([[0, 0, 0]] * 3, "0,1", "the game is over"),
        ("0 1 2 / 3 4 5 / 6 7 8", "3,1", "column 0 contains a 0"),
        ("1 1 2 / 3 4 5 / 6 7 8", "0,3", "the smallest number of row 0 is 1, less than 3"),
    ],
)
def test_an_illegal_subtraction_says_why(board, move, sentence):
    game = load_game("subtraction")
    with pytest.raises(MoveError, match=f"illegal move {move}: {sentence}"):
        game.legal_move(game.start(board=board), move)


@pytest.mark.parametrize("text", ["4,4", " 4,4 ", "(4, 4)", "4 4", "[4,4]"])
def test_moves_may_be_typed_in_many_ways(text):
    game = load_game("ultimate")
    assert game.move_name(game.parse_move(text)) == "4,4"


def test_a_game_is_loaded_from_any_path_with_its_helpers(write, monkeypatch, tmp_path):
    path = write("far/away/mygame.py", heap(most="most()", imports="from helper import most"))
    write("far/away/helper.py", "from deeper import three\n\n\ndef most():\n    return three()\n")
    write("far/away/deeper.py", "def three():\n    return 3\n")
    monkeypatch.chdir(path.parent)
    for given in ("./mygame.py", path, str(path)):
        game = load_game(given)
        assert game.name == "mygame"
        assert game.legal(game.start()) == [0, 1, 2]
    assert not {"helper", "deeper", "mygame"} & set(sys.modules)
    assert not list(path.parent.glob("__pycache__"))


def test_helpers_may_be_imported_from_the_folder_too(write):
    path = write("mygame.py", heap(most="most()", imports="from .helper import most"))
    write("helper.py", "def most():\n    return 2\n")
    game = load_game(path)
    assert game.legal(game.start()) == [0, 1]


def test_a_game_may_be_a_folder_with_rules_and_a_view(write):
    write("mygame/rules.py", heap())
    write(
        "mygame/view.py",
        "from ludus.picture import View\n\n\ndef view(s):\n    return View((1, 1), (), status=str(s.heap))\n",
    )
    game = load_game(write("mygame/rules.py", heap()).parent)
    assert (game.name, game.view(game.start()).status) == ("mygame", "10")


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ("checkers", "there is no game 'checkers'; the games are extreme, slant, subtraction, ultimate"),
        ("./nothing.py", "nothing.py: there is no such rules file"),
        ("/", "rules.py: there is no such rules file"),
        ("nested", "there is no game 'nested'"),
        ("../ultimate", "there is no such rules file"),
    ],
)
def test_a_game_that_is_not_there(given, sentence):
    with pytest.raises(GameNotFoundError) as caught:
        load_game(given)
    assert sentence in str(caught.value)


@pytest.mark.parametrize("content", [b"\x00\x01\x02", b"\xff\xfe\xfa", b"def (:", b"import nothing_like_this", b"1/0"])
def test_a_file_that_is_no_rules_is_refused_in_one_sentence(tmp_path, content):
    path = tmp_path / "mygame.py"
    path.write_bytes(content)
    with pytest.raises(RulesError, match=r"^[^\n]*mygame\.py:[^\n]+$"):
        load_game(path)


def test_a_helper_named_like_a_library_module_stays_with_its_game(write):
    path = write("mygame.py", heap(most="3", imports="import colorsys"))
    write("colorsys.py", "raise RuntimeError('not this one')\n")
    sys.modules.pop("colorsys", None)
    load_game(path)
    import colorsys

    assert hasattr(colorsys, "rgb_to_hsv")


def test_a_file_loaded_again_has_its_helpers_as_they_are_now(write):
    path = write("mygame.py", heap(most="most()", imports="from .helper import most"))
    for most in (3, 2):
        write("helper.py", f"def most():\n    return {most}\n")
        game = load_game(path)
        assert len(game.legal(game.start())) == most


@pytest.mark.parametrize("line", ["raise SystemExit(7)", "int('q')", "open('/nowhere')"])
def test_what_goes_wrong_while_loading_is_told_with_its_line(write, line):
    with pytest.raises(RulesError, match=r"mygame\.py:2: "):
        load_game(write("mygame.py", f"import sys\n{line}\n"))


@pytest.mark.parametrize("stones", [3.7, -5, True, "abc", 2**70, None])
def test_a_start_with_fields_that_are_no_ints_is_refused(write, stones):
    game = load_game(write("mygame.py", heap()))
    with pytest.raises(OptionsError, match="heap would be"):
        game.start(heap=stones)


def test_a_move_name_may_have_brackets(write):
    game = load_game(write("mygame.py", heap() + "\n\ndef move_name(m):\n    return f'({m})'\n"))
    assert game.parse_move("(1)") == 1
