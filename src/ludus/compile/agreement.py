"""Whether compiled rules say what plain rules say, and if they do not compile, why, in one line."""

from __future__ import annotations

import random
import re
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FunctionType
from typing import Any

import numpy as np

from ludus.compile.bindings import bindings
from ludus.compile.interface import Words, evaluate, load, moves, play, result, store, store_words, turn
from ludus.compile.link import has_numba, link
from ludus.errors import RulesError
from ludus.rules import Game, Line, random_line

NO_RESULT = -(1 << 62)  # in an array, where None cannot stand
CLUES = re.compile(
    r"Unknown attribute|No implementation|Can(?:no|')t unify|not supported|Untyped global|NameError|"
    r"not defined|Unsupported|[Cc]annot determine|Invalid use|No conversion"
)


def trace(
    root: Words, chosen: Words, states: Words, words: Words, turns: Words, results: Words, guesses: Words
) -> None:
    """Entry point: play the chosen moves and write down what the rules say at every position."""
    state = load(root, 0)
    fields, per_set = states.shape[1], words.shape[1]
    for ply in range(chosen.size + 1):
        store(states.reshape(-1), ply * fields, state)
        payoff = result(state)
        results[ply] = NO_RESULT if payoff is None else payoff
        if payoff is None:
            guesses[ply] = evaluate(state)
            turns[ply] = turn(state)
            store_words(words.reshape(-1), ply * per_set, moves(state))
        if ply < chosen.size:
            state = play(state, chosen[ply])


def check_compiled(
    game: Game, *, options: dict[str, Any] | None = None, games: int = 20, longest: int = 2000, seed: int = 1
) -> None:
    """Compile the rules and compare them with the plain ones along random games, or raise a RulesError."""
    for name in ("turn", "moves", "play", "result", "evaluate", "payoffs", "banked", "core"):
        if hasattr(game.module, name) or (name == "evaluate" and game.guess is not None):
            _check_compiles(game, name)
    rng = random.Random(seed)
    for _ in range(games):
        compare(game, random_line(game, game.start(**(options or {})), rng, longest))


def compare(game: Game, line: Line) -> None:
    """Raise a RulesError if the compiled rules see anything else than the plain ones along a line of play."""
    states, chosen = line
    size = len(states)
    width = len(game.words(states[0]))
    seen_states = np.zeros((size, len(states[0])), np.int64)
    seen_words = np.zeros((size, width), np.int64)
    seen_turns, seen_results, seen_guesses = (np.zeros(size, np.int64) for _ in range(3))
    root = np.array(states[0], np.int64)
    link(game, trace, compiled=True)(
        root, np.array(chosen, np.int64), seen_states, seen_words, seen_turns, seen_results, seen_guesses
    )
    for ply, state in enumerate(states):
        payoff = game.result(state)
        plain: dict[str, Any] = {"state": list(state), "result": NO_RESULT if payoff is None else payoff}
        compiled: dict[str, Any] = {"state": seen_states[ply].tolist(), "result": int(seen_results[ply])}
        if payoff is None:
            plain |= {"turn": game.turn(state), "moves": list(game.words(state)), "guess": game.evaluate(state)}
            compiled |= {"turn": int(seen_turns[ply]), "moves": seen_words[ply].tolist()}
            compiled["guess"] = int(seen_guesses[ply])
        for what, value in plain.items():
            if value != compiled[what]:
                raise RulesError(
                    f"after {ply} moves the compiled {what} is {compiled[what]}, but the plain one is {value}: "
                    "some number leaves 63 bits, or an index its table",
                    path=game.path,
                )


def _check_compiles(game: Game, name: str) -> None:
    """Compile one function on its own, so that a fault is reported at its own line."""
    from numba import types  # noqa: PLC0415  # only where numba is

    from ludus.compile.jit import compile_inner  # noqa: PLC0415

    function = bindings(game)[name]
    state = types.NamedUniTuple(types.int64, len(game.module.State._fields), game.module.State)
    signature = (state, types.int64) if name == "play" else (state,)
    assert isinstance(function, FunctionType)
    (compiled,) = compile_inner([function], lambda value: value)
    try:
        compiled.compile(signature)
    except RulesError:
        raise
    except Exception as error:  # numba raises a dozen kinds
        raise explained(error, game, function) from None
    given = compiled.overloads[signature].signature.return_type
    if name == "play" and given != state:
        kinds = getattr(given, "types", ())
        odd = [f for f, kind in zip(game.module.State._fields, kinds, strict=False) if kind != types.int64]
        what = f"State.{odd[0]} as something else than an int" if odd else "no State with all its fields on some way"
        code = game.module.play.__code__
        raise RulesError(f"play() gives {what}, once compiled", path=code.co_filename, line=code.co_firstlineno)


@contextmanager
def compiling(game: Game) -> Iterator[None]:
    """Whatever numba says about rules inside this block, say it as a RulesError of one line."""
    if not has_numba():
        yield
        return
    try:
        yield
    except Exception as error:  # numba raises a dozen kinds
        if "numba" not in Path(traceback.extract_tb(error.__traceback__)[-1].filename).parts:
            raise
        raise explained(error, game, game.module.play) from None


def explained(error: Exception, game: Game, function: FunctionType) -> RulesError:
    """numba's hundreds of lines as one: the innermost line of the author's files, and the clue."""
    text = re.sub(r"\x1b\[[0-9;]*m", "", str(error))
    text = text.replace("NRT required but not enabled", "lists, sets, dicts and strings are not supported in rules")
    places = re.findall(r'(?:File "?|at )([^"\n]+?\.py)(?:", line | \(|:)(\d+)', text)
    folder = game.path.parent
    own = [(p, int(n)) for p, n in places if Path(p).name in {f.name for f in folder.glob("*.py")}]
    path, line = own[-1] if own else (str(game.path), function.__code__.co_firstlineno)
    path = str(folder / Path(path).name)
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    clue = next((line for line in lines if CLUES.search(line)), lines[0] if lines else type(error).__name__)
    return RulesError(f"in {function.__name__}(): this cannot be compiled: {clue[:200]}", path=path, line=line)
