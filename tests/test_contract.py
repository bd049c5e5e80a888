"""Each mistake in a rules file gets one line that names the file, the line and the mistake."""

from __future__ import annotations

import re

import pytest

from ludus.compile.agreement import check_compiled
from ludus.compile.link import has_numba
from ludus.contract import check_rules
from ludus.errors import RulesError
from ludus.rules import game_names, load_game
from rules_files import heap

GOOD = heap()
TWICE = "    return State(s.heap - m - 1, 1 - s.mover)"

# name: (what to replace in the good game, by what, the line it must point to, what it must say)
MISTAKES = {
    "float field": (
        TWICE,
        "    return State((s.heap - m - 1) / 1, 1 - s.mover)",
        "def play",
        "State.heap is the float",
    ),
    "bool field": (TWICE, "    return State(s.heap - m - 1, s.mover == 0)", "def play", "State.mover is the bool"),
    "numpy field": (
        TWICE,
        "    import numpy\n    return State(numpy.int64(s.heap - m - 1), 1 - s.mover)",
        "import numpy",
        "import cannot be compiled",
    ),
    "numpy at the start": (
        "    return State(heap, 0)",
        "    import numpy\n    return State(numpy.int64(heap), 0)",
        "def start",
        "State.heap is the numpy.int64",
    ),
    "negative field": (TWICE, "    return State(s.heap - m - 1, s.mover - 1)", "def play", "State.mover is -1"),
    "move out of range": ("- 1\n\n\ndef play", "- 1 | 8\n\n\ndef play", "def moves", "moves are bits, from 0 to 2"),
    "bit outside the word": (
        "- 1\n\n\ndef play",
        "- 1 | 1 << 62\n\n\ndef play",
        "def moves",
        "moves are bits, from 0 to 2",
    ),
    "list": (TWICE, "    cells = [s.heap, m]\n" + TWICE, "cells = [", "a list cannot be compiled"),
    "set": (TWICE, "    cells = {s.heap, m}\n" + TWICE, "cells = {", "a set cannot be compiled"),
    "set call": (TWICE, "    cells = set()\n" + TWICE, "cells = set", "a set cannot be compiled"),
    "dict": (TWICE, "    cells = {1: m}\n" + TWICE, "cells = {", "a dict cannot be compiled"),
    "comprehension": (TWICE, "    n = sum(k for k in range(m))\n" + TWICE, "n = sum", "a generator cannot"),
    "text": (TWICE, "    n = f'{m}'\n" + TWICE, "n = f", "a string cannot be compiled"),
    "list outside": (
        "    return (1 << min(s.heap, 3)) - 1",
        "    return (1 << min(s.heap, MOST[0])) - 1",
        "MOST[0]",
        "MOST is a list",
    ),
    "shift past 63": ("(1 << min(s.heap, 3))", "(1 << 70 >> 67)", "1 << 70", "a shift by"),
    "shift past 63 by a variable": (
        "(1 << min(s.heap, 3))",
        "(1 << 60 + s.heap >> 60 + s.heap << 3)",
        "1 << 60",
        "compiled code can shift by 0 to 63 only",
    ),
    "overflow": (
        TWICE,
        "    big = s.heap + 9_000_000_000_000_000_000\n    big = big + big\n" + TWICE,
        "big = big + big",
        "does not fit in 63 bits",
    ),
    "overflow by shift": (
        TWICE,
        "    big = (s.heap + 1) << 62\n" + TWICE,
        "big = (s",
        "does not fit in 63 bits",
    ),
    "number too large": (TWICE, "    big = 9_223_372_036_854_775_808\n" + TWICE, "big =", "does not fit in 63 bits"),
    "changed in place": (TWICE, "    s.heap -= m + 1\n    return s", "s.heap -=", "the state is changed in place"),
    "replaced by name": (TWICE, "    return s._replace(heap=s.heap - m - 1)", "s._replace", "write State(...) out"),
    "dead end": ("    if s.heap > 0:", "    if s.heap >= 0:", "def moves", "no legal move and no result"),
    "result before the end": (
        "    if s.heap > 0:",
        "    if s.heap > 0 and s.heap != 5:",
        "def result",
        "after which the game goes on",
    ),
    "zero instead of None": ("        return None", "        return 0", "def result", "over before it begins"),
    "float result": ("return 1 if s.mover", "return 1.0 if s.mover", "def result", "result() gives 1.0"),
    "exception in play": (TWICE, "    1 // (s.heap - 9)\n" + TWICE, "1 // (s", "ZeroDivisionError"),
    "endless game": (TWICE, "    return State(s.heap, 1 - s.mover)", "def play", "had not ended after"),
    "wrong seat": ("    return s.mover\n", "    return s.mover + 1\n", "def turn", "the seat to move is 0 or 1"),
    "tuple instead of a state": (TWICE, "    return (s.heap - m - 1, 1 - s.mover)", "def play", "a State was expected"),
    "wrong arguments": ("def play(s, m):", "def play(s, m, k):", "def play", "must be called as play(s, m)"),
    "start needs an option": ("heap: int = 10", "heap: int", "def start", "heap has no default"),
    "not a NamedTuple": (
        "class State(NamedTuple):",
        "import dataclasses\n@dataclasses.dataclass\nclass State:",
        "@dataclasses",
        "State must be a typing.NamedTuple",
    ),
    "undefined name": (TWICE, "    return State(s.heap - k - 1, 1 - s.mover)", "return State(s.heap - k", "NameError"),
    "names that collide": (
        "def turn",
        "def move_name(m):\n    return 'take'\n\n\ndef turn",
        "def move_name",
        "for move 0 and for move 1",
    ),
    "names with blanks": (
        "def turn",
        "def move_name(m):\n    return f'take {m}'\n\n\ndef turn",
        "def move_name",
        "a text without blanks",
    ),
    "a name that does not lead back": (
        "def turn",
        "def move_name(m):\n    return str(m)\n\n\ndef parse_move(text):\n    return 0\n\n\ndef turn",
        "def move_name",
        "leads to move 0",
    ),
    "a view without the moves": (
        "def turn",
        "def view(s):\n    from ludus.picture import grid\n    return grid(['..'])\n\n\ndef turn",
        "def view",
        "no area '0' to click",
    ),
    "randomness": (
        "    return State(heap, 0)",
        "    import random\n    return State(random.randrange(5, 10**9), 0)",
        "def start",
        "another position each time",
    ),
    "syntax": ("def turn(s):", "def turn(s:", "def turn", ""),
    "an error while loading": ("MOVES = 3", "MOVES = 3 // 0", "MOVES", "ZeroDivisionError"),
}


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_mistake_gets_one_line_with_file_and_line(write, mistake):
    old, new, place, sentence = MISTAKES[mistake]
    assert GOOD.count(old) == 1, "the mistake must change one place of the good game"
    source = GOOD.replace(old, new).replace("MOVES = 3\n", "MOVES = 3\nMOST = [3]\n", 1)
    path = write("mygame.py", source)
    with pytest.raises(RulesError) as caught:
        check_rules(load_game(path))
    message = str(caught.value)
    assert "\n" not in message
    found = re.match(r"(?P<file>.*mygame\.py):(?P<line>\d+): ", message)
    assert found, message
    assert place in path.read_text().splitlines()[int(found["line"]) - 1], message
    assert sentence in message


@pytest.mark.parametrize("part", ["MOVES", "State", "start", "turn", "moves", "play", "result"])
def test_a_missing_part_is_named(write, part):
    source = re.sub(rf"(?m)^(def |class ){part}\b", r"\g<1>other", GOOD).replace(f"{part} = 3", "OTHER = 3")
    path = write("mygame.py", source)
    with pytest.raises(RulesError, match=rf"mygame\.py:1: the rules lack {part};"):
        load_game(path)


def test_a_mistake_in_a_helper_is_found_in_the_helper(write):
    path = write("mygame.py", heap(most="most(s.heap)", imports="from helper import most"))
    helper = write("helper.py", "def most(heap):\n    return len([heap]) + 2\n")
    with pytest.raises(RulesError, match=re.escape(f"{helper}:2: in most(): a list cannot be compiled")):
        check_rules(load_game(path))


def test_hidden_state_is_found(write):
    source = GOOD.replace("def play", "class Memory:\n    plies = 0\n\n\ndef play").replace(
        TWICE, "    Memory.plies += 1\n    return State(s.heap - m - 1, Memory.plies % 2)"
    )
    with pytest.raises(RulesError, match="changed in place"):
        check_rules(load_game(write("mygame.py", source)))


def test_a_finished_game_may_still_list_moves_if_they_change_nothing(write):
    """Tic-tac-toe whose moves() ignores wins, as most people write it, keeps the promises."""
    path = write(
        "tictactoe.py",
        """
        from typing import NamedTuple

        MOVES = 9
        LINES = (0o007, 0o070, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124)

        class State(NamedTuple):
            x: int
            o: int

        def start():
            return State(0, 0)

        def turn(s):
            return (s.x | s.o).bit_count() % 2

        def moves(s):
            return 0o777 & ~(s.x | s.o)

        def play(s, m):
            if turn(s) == 0:
                return State(s.x | 1 << m, s.o)
            return State(s.x, s.o | 1 << m)

        def result(s):
            for line in LINES:
                if s.x & line == line:
                    return 1
                if s.o & line == line:
                    return -1
            return 0 if s.x | s.o == 0o777 else None
        """,
    )
    game = load_game(path)
    assert check_rules(game).longest == 9
    if has_numba():
        check_compiled(game)


@pytest.mark.parametrize("name", game_names())
def test_our_games_keep_every_promise(name):
    game = load_game(name)
    check_rules(game, games=10)
    if has_numba():
        check_compiled(game, games=5)


NOT_COMPILABLE = {
    "a call that the compiler does not know": (
        "    return (1 << min(s.heap, 3)) - 1",
        "    return (1 << min(s.heap, id(3) * 0 + 3)) - 1",
    ),
    "two types for one name": (
        TWICE,
        "    k = m if m > 5 else (m,)\n    if m > 5:\n        return State(k, 0)\n" + TWICE,
    ),
}


@pytest.mark.skipif(not has_numba(), reason="needs numba")
@pytest.mark.parametrize("mistake", NOT_COMPILABLE)
def test_what_does_not_compile_is_one_line_too(write, mistake):
    old, new = NOT_COMPILABLE[mistake]
    path = write("mygame.py", GOOD.replace(old, new))
    game = load_game(path)
    check_rules(game)
    with pytest.raises(RulesError, match=r"^[^\n]*mygame\.py:\d+: in \w+\(\): this cannot be compiled: [^\n]+$"):
        check_compiled(game)


@pytest.mark.skipif(not has_numba(), reason="needs numba")
def test_compiled_rules_that_differ_are_found(write):
    """1 << 63 is positive in Python and negative once compiled; the contract check misses it behind a global."""
    source = heap(most="min(3, (1 << LONG) % 7)", imports="LONG = 64").replace("1 << LONG", "1 << (LONG - 1)")
    path = write("mygame.py", source)
    game = load_game(path)
    with pytest.raises(RulesError, match=r"the compiled \w+ is"):
        check_compiled(game)


def test_a_corrected_file_is_checked_anew(write):
    path = write("mygame.py", GOOD.replace(TWICE, "    cells = [m]\n" + TWICE))
    with pytest.raises(RulesError, match="a list cannot be compiled"):
        check_rules(load_game(path))
    write("mygame.py", GOOD)
    check_rules(load_game(path))


MOVES_LINE = "    return (1 << min(s.heap, 3)) - 1"
PROPERTY = "\n    @property\n    def most(self):\n        return 3\n"
PICTURE = "    from ludus.picture import grid\n    return grid([[1 // s.heap]], paths={0: ('0,0',)})"
MORE_MISTAKES = {
    "a float annotation": (GOOD.replace("    heap: int\n", "    heap: float\n"), "State.heap is a float"),
    "bin": (GOOD.replace(MOVES_LINE, "    return 7 if bin(s.heap).count('1') else 7"), "bin() cannot be compiled"),
    "an exception with a value": (GOOD.replace(TWICE, "    assert m < 3, m\n" + TWICE), "an exception with a value"),
    "a property of State": (
        GOOD.replace("    mover: int\n", "    mover: int\n" + PROPERTY).replace("s.heap, 3)", "s.heap, s.most)"),
        "most is a method or property of State",
    ),
    "a decorator": (
        GOOD.replace("def moves(s):", "import functools\n\n\n@functools.cache\ndef moves(s):"),
        "a plain function was expected",
    ),
    "a decorated helper": (
        GOOD.replace("min(s.heap, 3)", "least(s.heap)")
        + "\n\nimport functools\n\n\n@functools.cache\ndef least(x):\n    return min(x, 3)\n",
        "remove the decorator",
    ),
    "a class of constants": (
        GOOD.replace("min(s.heap, 3)", "min(s.heap, Limits.most)") + "\n\nclass Limits:\n    most = 3\n",
        "make its constants plain globals",
    ),
    "a keyword-only parameter": (
        GOOD.replace("min(s.heap, 3)", "least(s.heap)") + "\n\ndef least(x, *, k=3):\n    return min(x, k)\n",
        "only plain parameters can be compiled",
    ),
    "start is no function": (GOOD + "\nstart = 3\n", "start is 3; a plain function was expected"),
    "result fails at the start": (
        GOOD.replace("def result(s):", "def result(s):\n    1 // (10 - s.heap)"),
        "ZeroDivisionError",
    ),
    "moves fail at the end": (GOOD.replace("def moves(s):", "def moves(s):\n    1 // s.heap"), "ZeroDivisionError"),
    "a view of nothing": (GOOD + "\ndef view(s):\n    return None\n", "a ludus.picture.View was expected"),
    "a view that lacks an area": (GOOD + f"\ndef view(s):\n{PICTURE}\n", "no area"),
    "an instance that is another": (
        GOOD + "\ndef instance(s):\n    return {'heap': 7}\n",
        "does not give the start s again",
    ),
    "an instance that is none": (GOOD + "\ndef instance(s):\n    return {'hep': 7}\n", "TypeError"),
    "payoffs that are not kept": (
        GOOD + "\ndef payoffs(s):\n    return (0, 0) if s.heap == 1 else (-1, 1)\n",
        "but payoffs() said (0, 0) on the way",
    ),
    "payoffs that widen": (
        GOOD + "\ndef payoffs(s):\n    return (-2, 1) if s.heap < 3 else (-1, 1)\n",
        "but (-1, 1) before; bounds can only narrow",
    ),
    "payoffs the wrong way round": (GOOD + "\ndef payoffs(s):\n    return 1, -1\n", "payoffs() gives (1, -1)"),
    "payoffs of one number": (GOOD + "\ndef payoffs(s):\n    return 1\n", "two ints were expected, (least, most)"),
    "payoffs that are floats": (GOOD + "\ndef payoffs(s):\n    return -1.0, 1.0\n", "two ints were expected"),
    "payoffs with a list": (GOOD + "\ndef payoffs(s):\n    return min([s.heap, -1]), 1\n", "a list cannot be compiled"),
    "payoffs of two arguments": (GOOD + "\ndef payoffs(s, m):\n    return -1, 1\n", "called as payoffs(s)"),
    "a guess that looks like a proof": (
        GOOD + "\ndef payoffs(s):\n    return -1, 1\n\n\ndef evaluate(s):\n    return 1000\n",
        "a guess lies between 1000 * payoffs(-1, 1)",
    ),
    "points that are not settled": (GOOD + "\ndef banked(s):\n    return 1\n", "with 1 banked()"),
    "a core that is another position": (
        GOOD + "\ndef core(s):\n    return State(1, s.mover)\n",
        "core() changes the legal moves",
    ),
}


@pytest.mark.parametrize("mistake", MORE_MISTAKES)
def test_mistakes_in_the_optional_parts(write, mistake):
    source, sentence = MORE_MISTAKES[mistake]
    with pytest.raises(RulesError, match=r"mygame\.py:\d+: ") as caught:
        check_rules(load_game(write("mygame.py", source)))
    assert sentence in str(caught.value)


def test_a_call_that_does_not_come_back_is_given_up(write, monkeypatch):
    from ludus.contract import check

    monkeypatch.setattr(check, "CALL_SECONDS", 0.2)
    source = GOOD.replace(MOVES_LINE, "    while s.heap == 7:\n        pass\n" + MOVES_LINE)
    with pytest.raises(RulesError, match=r"mygame\.py:2\d: in moves\(\): TimeoutError: no answer after 0\.2 seconds"):
        check_rules(load_game(write("mygame.py", source)))


def test_other_starts_than_the_default_can_be_checked(write):
    source = GOOD.replace("    return State(heap, 0)", "    return State(heap, 0 if heap < 50 else 2)")
    game = load_game(write("mygame.py", source))
    check_rules(game)
    with pytest.raises(RulesError, match="the seat to move is 0 or 1"):
        check_rules(game, options={"heap": 60})


def test_a_move_may_have_a_button_of_its_own(write):
    source = GOOD + "\n\ndef view(s):\n    from ludus.picture import grid\n"
    source += "    return grid(['..'], paths={0: ('0,0',), 1: ('0,1',), 2: ()})\n"
    check_rules(load_game(write("mygame.py", source)))


def test_options_may_be_taken_as_they_come(write):
    source = GOOD.replace(
        "def start(heap: int = 10) -> State:", "def start(**options):\n    heap = options.get('heap', 10)"
    )
    game = load_game(write("mygame.py", source))
    check_rules(game)
    assert game.start(heap=4) == (4, 0)


def test_a_name_that_a_helper_has_too_is_no_false_alarm(write):
    write("helper.py", "heap = [1]\n\n\ndef most():\n    return 3\n")
    check_rules(load_game(write("mygame.py", heap(most="helper.most()", imports="import helper"))))


@pytest.mark.skipif(not has_numba(), reason="needs numba")
def test_a_play_that_forgets_to_return_is_found(write):
    source = GOOD.replace(TWICE, "    if m < 3:\n    " + TWICE)
    with pytest.raises(RulesError, match=r"mygame\.py:\d+: .*play\(\)"):
        check_compiled(load_game(write("mygame.py", source)))
