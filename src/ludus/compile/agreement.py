"""Whether compiled rules say what plain rules say, and if they do not compile, why, in one line."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FunctionType
from typing import Any

import numpy as np

from ludus.compile.bindings import bindings
from ludus.compile.interface import Words, load, moves, play, result, store, store_words, turn
from ludus.compile.link import has_numba, link
from ludus.errors import RulesError
from ludus.rules import Game, State

NO_RESULT = -(1 << 62)  # in an array, where None cannot stand
CLUES = re.compile(
    r"Unknown attribute|No implementation|Cannot unify|not supported|Untyped global|NameError|"
    r"not defined|Unsupported|[Cc]annot determine|Invalid use|No conversion"
)


def trace(root: Words, chosen: Words, states: Words, words: Words, turns: Words, results: Words) -> None:
    """Entry point: play the chosen moves and write down what the rules say at every position."""
    state = load(root, 0)
    fields, per_set = states.shape[1], words.shape[1]
    for ply in range(chosen.size + 1):
        store(states.reshape(-1), ply * fields, state)
        payoff = result(state)
        results[ply] = NO_RESULT if payoff is None else payoff
        if payoff is None:
            turns[ply] = turn(state)
            store_words(words.reshape(-1), ply * per_set, moves(state))
        if ply < chosen.size:
            state = play(state, chosen[ply])


def check_compiled(game: Game, *, games: int = 20, longest: int = 2000, seed: int = 1) -> None:
    """Compile the rules and compare them with the plain ones along random games, or raise a RulesError."""
    for name in ("turn", "moves", "play", "result", "evaluate"):
        if hasattr(game.module, name):
            _check_compiles(game, name)
    rng = random.Random(seed)
    for _ in range(games):
        states, chosen = random_line(game, game.start(), rng, longest)
        compare(game, states, chosen)


def random_line(game: Game, start: State, rng: random.Random, longest: int) -> tuple[list[State], list[int]]:
    """A random game: its positions, and the moves between them."""
    states: list[State] = [start]
    chosen: list[int] = []
    while len(chosen) < longest and (legal := game.legal(states[-1])):
        chosen.append(rng.choice(legal))
        states.append(game.play(states[-1], chosen[-1]))
    return states, chosen


def compare(game: Game, states: list[State], chosen: list[int]) -> None:
    """Raise a RulesError if the compiled rules see anything else than the plain ones along a line of play."""
    size = len(states)
    width = len(game.words(states[0]))
    seen_states = np.zeros((size, len(states[0])), np.int64)
    seen_words = np.zeros((size, width), np.int64)
    seen_turns, seen_results = np.zeros(size, np.int64), np.zeros(size, np.int64)
    root = np.array(states[0], np.int64)
    link(game, trace, compiled=True)(
        root, np.array(chosen, np.int64), seen_states, seen_words, seen_turns, seen_results
    )
    for ply, state in enumerate(states):
        payoff = game.result(state)
        plain: dict[str, Any] = {"state": list(state), "result": NO_RESULT if payoff is None else payoff}
        compiled: dict[str, Any] = {"state": seen_states[ply].tolist(), "result": int(seen_results[ply])}
        if payoff is None:
            plain |= {"turn": game.turn(state), "moves": list(game.words(state))}
            compiled |= {"turn": int(seen_turns[ply]), "moves": seen_words[ply].tolist()}
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
        odd = [f for f, kind in zip(game.module.State._fields, given, strict=False) if kind != types.int64]
        code = game.module.play.__code__
        raise RulesError(
            f"play() gives State.{odd[0]} as something else than an int once compiled",
            path=code.co_filename,
            line=code.co_firstlineno,
        )


@contextmanager
def compiling(game: Game) -> Iterator[None]:
    """Whatever numba says about rules inside this block, say it as a RulesError of one line."""
    if not has_numba():
        yield
        return
    from numba.core.errors import NumbaError  # noqa: PLC0415  # only where numba is

    try:
        yield
    except NumbaError as error:
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
