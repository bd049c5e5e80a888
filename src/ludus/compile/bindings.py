"""A game's functions in the shape that searches want: see `interface.py` for what each promises."""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType
from typing import Any

from ludus.compile.bits import lowest, nth, plain
from ludus.compile.judging import Shape, judge_source, names_for
from ludus.errors import RulesError
from ludus.rules import Game

Function = Callable[..., Any]
MOST_WORDS = 16
HUGE = 1 << 40  # beyond every payoff


def bindings(game: Game, shape: Shape | None = None) -> dict[str, Function]:
    """The functions of `interface` for one game, by name; with a network of that shape, `judge` asks it."""
    module = game.module
    fields = len(module.State._fields)
    if fields == 0:
        raise RulesError("State has no fields", path=game.path)
    words = _word_count(game)
    known = _of_the_rules(game)
    return {
        **known,
        "judge": _judge(game, known, shape),
        "note": _note(game, known, fields),
        **_written_out(_state_source(fields), {"State": module.State, "plain": plain}),
        **_written_out(
            _move_set_source(words, game.word_bits, is_int=not isinstance(_sample(game), tuple)),
            {"rules_moves": module.moves, "lowest": lowest, "nth": nth},
        ),
    }


def _of_the_rules(game: Game) -> dict[str, Function]:
    """The functions that the rules bring, or what stands for those that they do not."""
    module = game.module
    return {
        "turn": module.turn,
        "play": module.play,
        "result": module.result,
        "evaluate": _guess(game),
        "banked": getattr(module, "banked", _nothing),
        "payoffs": getattr(module, "payoffs", _anything),
        "core": getattr(module, "core", _all_of_it),
    }


def _judge(game: Game, known: dict[str, Function], shape: Shape | None) -> Function:
    """The network's guess, or the game's own where there is no network."""
    if shape is None:
        return _written_out("def judge(state, mind):\n    return evaluate(state)\n", known)["judge"]
    of_the_game = {
        "guess": known["evaluate"],
        "features": game.part("features", file="learning.py"),
        "phase": game.phase,
    }
    return _written_out(judge_source(shape), {**known, **of_the_game, **names_for(shape)})["judge"]


def _note(game: Game, known: dict[str, Function], fields: int) -> Function:
    """The fields of the state, without what no longer matters, the words of the game's own features, its phase."""
    features = game.part("features", file="learning.py")
    added = 0 if features is None else len(features(game.start()))
    lines = ["def note(array, offset, state):", "    known = core(state)"]
    lines += [f"    array[offset + {k}] = known[{k}]" for k in range(fields)]
    lines += ["    added = features(state)"] if added else []
    lines += [f"    array[offset + {fields + k}] = added[{k}]" for k in range(added)]
    lines += [] if game.phase is None else [f"    array[offset + {fields + added}] = phase(state)"]
    return _written_out("\n".join(lines) + "\n", {**known, "features": features, "phase": game.phase})["note"]


def _nothing(state: Any) -> int:
    return 0


def _anything(state: Any) -> tuple[int, int]:
    return -HUGE, HUGE


def _guess(game: Game) -> Function:
    """The game's guess, kept strictly between the payoffs where the game knows them: only a proof reaches one."""
    guess = guess_of_banked(game.module) if game.guess is None else game.guess
    if not hasattr(game.module, "payoffs"):
        return guess
    return _written_out(BETWEEN, {"guess": guess, "payoffs": game.module.payoffs})["evaluate"]


BETWEEN = """\
def evaluate(state):
    low, high = payoffs(state)
    return min(max(guess(state), 1000 * low + 1), 1000 * high - 1) if low < high else 1000 * low
"""


def guess_of_banked(module: ModuleType) -> Function:
    """The guess of a game that has none of its own: what is settled stays, and the rest is even."""
    settled = getattr(module, "banked", None)
    return _nothing if settled is None else _written_out(GUESS, {"banked": settled})["evaluate"]


GUESS = "def evaluate(state):\n    return 1000 * banked(state)\n"


def _all_of_it(state: Any) -> Any:
    return state


def _sample(game: Game) -> int | tuple[int, ...]:
    """The set of moves at the default start: its shape is the shape of all."""
    moves: int | tuple[int, ...] = game.module.moves(game.start())
    return moves


def _word_count(game: Game) -> int:
    sample = _sample(game)
    words = len(sample) if isinstance(sample, tuple) else 1
    if not 1 <= words <= MOST_WORDS:
        raise RulesError(f"moves() gives {words} words; 1 to {MOST_WORDS} can be compiled", path=game.path)
    return words


def _written_out(source: str, known: dict[str, Any]) -> dict[str, Function]:
    """Run our own generated source: straight-line code over k fields or words, which compiles best."""
    namespace = dict(known)
    exec(compile(source, f"<{__name__}>", "exec"), namespace)  # noqa: S102  # built from two numbers only
    return {name: value for name, value in namespace.items() if name not in known and name[0] != "_"}


def _state_source(fields: int) -> str:
    loads = ", ".join(f"plain(array[offset + {k}])" for k in range(fields))
    stores = "\n".join(f"    array[offset + {k}] = state[{k}]" for k in range(fields))
    return f"def load(array, offset):\n    return State({loads})\ndef store(array, offset, state):\n{stores}\n"


def _move_set_source(words: int, bits: int, *, is_int: bool) -> str:
    """For two words of 63 bits, for instance:

    def first(ms):
        if ms[0]: return lowest(ms[0])
        return 63 + lowest(ms[1])
    """
    last = words - 1
    each = range(words)
    lines = [
        "def moves(state):",
        "    return (rules_moves(state),)" if is_int else "    return rules_moves(state)",
    ]
    lines += ["def some(ms):", f"    return ({' | '.join(f'ms[{w}]' for w in each)}) != 0"]
    lines += ["def count(ms):", f"    return {' + '.join(f'ms[{w}].bit_count()' for w in each)}"]
    lines += ["def first(ms):"]
    lines += [f"    if ms[{w}]: return {bits * w} + lowest(ms[{w}])" for w in range(last)]
    lines += [f"    return {bits * last} + lowest(ms[{last}])", "def without_first(ms):"]
    for w in each:
        rest = [f"ms[{v}]" if v != w else f"ms[{w}] & ms[{w}] - 1" for v in each]
        guard = f"if ms[{w}]: " if w < last else ""
        lines += [f"    {guard}return ({', '.join(rest)},)"]
    lines += ["def has(ms, m):"]
    lines += [f"    if m < {bits * (w + 1)}: return ms[{w}] >> m - {bits * w} & 1 != 0" for w in range(last)]
    lines += [f"    return ms[{last}] >> m - {bits * last} & 1 != 0", "def without(ms, m):"]
    for w in each:
        rest = [f"ms[{v}]" if v != w else f"ms[{w}] & ~(1 << m - {bits * w})" for v in each]
        guard = f"if m < {bits * (w + 1)}: " if w < last else ""
        lines += [f"    {guard}return ({', '.join(rest)},)"]
    lines += ["def pick(ms, k):"]
    for w in range(last):
        lines += [
            f"    c = ms[{w}].bit_count()",
            f"    if k < c: return {bits * w} + nth(ms[{w}], k)",
            "    k -= c",
        ]
    lines += [f"    return {bits * last} + nth(ms[{last}], k)"]
    lines += ["def store_words(array, offset, ms):"] + [f"    array[offset + {w}] = ms[{w}]" for w in each]
    return "\n".join(lines) + "\n"
