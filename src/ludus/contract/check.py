"""The promises of a rules file, each tried: its shape, its source, and hundreds of random games."""

from __future__ import annotations

import inspect
import random
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from types import FunctionType
from typing import Any, NoReturn

from ludus.contract.core import check_core
from ludus.contract.source import check_source
from ludus.contract.time_limit import time_limit
from ludus.contract.word import HIGH, LeavesWord, Word
from ludus.errors import LudusError, RulesError
from ludus.picture import Area, View
from ludus.rules import Game, State

ONE_STATE = ("turn", "moves", "result", "evaluate", "payoffs", "banked", "core", "view")
PARAMETERS = {"play": 2, "move_name": 1, **dict.fromkeys(ONE_STATE, 1)}
LARGEST_PAYOFF = 1 << 25  # searches count in thousandths, in words that hold more than that
CALL_SECONDS = 10  # that one call of a function may take


@dataclass(frozen=True)
class Findings:
    """What was looked at, for a game that keeps every promise."""

    games: int
    positions: int
    shortest: int
    longest: int
    most_moves: int


def check_rules(
    game: Game, *, options: dict[str, Any] | None = None, games: int = 100, longest: int = 10_000, seed: int = 1
) -> Findings:
    """Try every promise of `ludus.rules` on random games with checked ints, or raise a RulesError.

    The games begin at the start that the options give.
    """
    options = options or {}
    check_shape(game)
    check_source(game)
    check_names(game)
    check_start(game, options)
    first = game.start(**options)
    rng = random.Random(seed)
    lengths: list[int] = []
    most_moves = 0
    for index in range(games):
        length, widest = _play_one(game, first, rng, longest, with_view=index < 5)
        lengths.append(length)
        most_moves = max(most_moves, widest)
        if sum(lengths) > longest:
            break  # long games need fewer of them
    check_core(game, first, games=min(games, 20), longest=longest, seed=seed)
    return Findings(len(lengths), sum(lengths) + len(lengths), min(lengths), max(lengths), most_moves)


def check_shape(game: Game) -> None:
    """The parts are what they should be; that they are there, loading has seen."""
    module = game.module
    for name, least, most in (("MOVES", 1, 1008), ("WORD", 1, 63)):
        value = getattr(module, name, least)
        if type(value) is not int or not least <= value <= most:
            raise RulesError(f"{name} is {value!r}; an int from {least} to {most} was expected", path=game.path, line=1)
    if not (isinstance(module.State, type) and issubclass(module.State, tuple) and hasattr(module.State, "_fields")):
        line = _line_of_class(game)
        sentence = "State must be a typing.NamedTuple of ints, so that play cannot change it in place"
        raise RulesError(sentence, path=game.path, line=line)
    for name, kind in getattr(module.State, "__annotations__", {}).items():
        shown = getattr(kind, "__forward_arg__", getattr(kind, "__name__", kind))
        if shown != "int":
            sentence = f"State.{name} is a {shown}; every field must be an int"
            raise RulesError(sentence, path=game.path, line=_line_of_class(game))
    for name in ("start", *PARAMETERS):
        function = game.guess if name == "evaluate" else getattr(module, name, None)
        if function is None:
            continue
        if not isinstance(function, FunctionType):
            raise RulesError(f"{name} is {function!r}; a plain function was expected", path=game.path, line=1)
        if name in PARAMETERS and len(inspect.signature(function).parameters) != PARAMETERS[name]:
            shown = "(s, m)" if name == "play" else "(m)" if name == "move_name" else "(s)"
            _fail(f"{name} must be called as {name}{shown}", function)
    parameters = inspect.signature(module.start).parameters
    needed = [n for n, p in parameters.items() if p.default is p.empty and p.kind is not p.VAR_KEYWORD]
    if needed:
        _fail(f"start() must work without options, but {needed[0]} has no default", module.start)


def check_names(game: Game) -> None:
    """Every move has a name of its own that leads back to it."""
    function = getattr(game.module, "move_name", None)
    if function is None:
        return
    seen: dict[str, int] = {}
    for move in range(game.move_limit):
        name = _run(function, move)
        if type(name) is not str or not name or name.split() != [name]:
            _fail(f"move_name({move}) gives {name!r}; a text without blanks was expected", function)
        if name in seen:
            _fail(f"move_name gives {name!r} for move {seen[name]} and for move {move}", function)
        seen[name] = move
    for name, move in seen.items():
        try:
            back = game.parse_move(name)
        except LudusError as error:
            _fail(f"the name {name!r} of move {move} does not lead back to it: {error}", function)
        if back != move:
            _fail(f"the name {name!r} of move {move} leads to move {back}", function)


def check_start(game: Game, options: dict[str, Any]) -> None:
    """The start is a good State, always the same, not over, and described by `instance`."""
    first = _run(game.module.start, **options)
    _check_state(game, first, game.module.start)
    if _run(game.module.start, **options) != first:
        _fail("start() gives another position each time; randomness must come from an option", game.module.start)
    if hasattr(game.module, "instance"):
        described = _run(game.module.instance, first)
        if not isinstance(described, dict) or _run(game.module.start, **described) != first:
            _fail("start(**instance(s)) does not give the start s again", game.module.instance)
    if _run(game.module.result, first) is not None:
        _fail("the game is over before it begins: result() of the start is not None", game.module.result)


def _play_one(game: Game, start: State, rng: random.Random, longest: int, *, with_view: bool) -> tuple[int, int]:
    """One random game; its length and the most legal moves seen."""
    module = game.module
    state = _checked(start)
    names: list[str] = []
    widest = 0
    bounds = (-LARGEST_PAYOFF, LARGEST_PAYOFF)
    word_count = len(_words(_run(module.moves, state)))
    while True:
        payoff = _run(module.result, state)
        if payoff is not None:
            _check_end(game, state, payoff, names)
            if not bounds[0] <= payoff <= bounds[1]:
                sentence = f"the game ends with {int(payoff)}{_after(names)}, but payoffs() said {bounds} on the way"
                _fail(sentence, module.payoffs)
            if with_view:
                _check_view(game, state, [])
            return len(names), widest
        if len(names) == longest:
            _fail(f"a random game had not ended after {longest} moves; every game must end", module.play)
        seat = _run(module.turn, state)
        if type(seat) not in (int, Word) or seat not in (0, 1):
            _fail(f"turn() gives {seat!r}{_after(names)}; the seat to move is 0 or 1", module.turn)
        legal = _legal(game, state, word_count, names)
        widest = max(widest, len(legal))
        least, most = _payoffs(game, state, names)
        if least < bounds[0] or most > bounds[1]:
            sentence = f"payoffs() gives {(least, most)}{_after(names)}, but {bounds} before; bounds can only narrow"
            _fail(sentence, module.payoffs)
        bounds = least, most
        _check_guess(game, state, least, most)
        if with_view:
            _check_view(game, state, legal)
        move = rng.choice(legal)
        state = _checked(_played(game, state, move, names))
        names.append(game.move_name(move))


def _payoffs(game: Game, state: State, names: list[str]) -> tuple[int, int]:
    """What the rules say of the payoffs from here on, made sure to be a range; any payoff where they say nothing."""
    function = getattr(game.module, "payoffs", None)
    if function is None:
        return -LARGEST_PAYOFF, LARGEST_PAYOFF
    given = _run(function, state)
    if type(given) is not tuple or len(given) != 2 or any(type(bound) not in (int, Word) for bound in given):
        _fail(f"payoffs() gives {given!r}{_after(names)}; two ints were expected, (least, most)", function)
    least, most = map(int, given)
    if least > most:
        _fail(f"payoffs() gives {(least, most)}{_after(names)}; the least payoff comes first", function)
    return least, most


def _check_guess(game: Game, state: State, least: int, most: int) -> None:
    """A guess is an int that never looks like a proof."""
    if game.guess is None:
        return
    guess = _run(game.guess, state)
    if type(guess) not in (int, Word):
        _fail(f"evaluate() gives {guess!r}; an int was expected", game.guess)
    if least < most and not 1000 * least < guess < 1000 * most:
        _fail(f"evaluate() gives {guess!r}; a guess lies between 1000 * payoffs{(least, most)}", game.guess)


def _played(game: Game, state: State, move: int, names: list[str]) -> State:
    """The position after the move, made sure to be a good one and to depend on nothing else."""
    module = game.module
    before = tuple(state)
    after = _run(module.play, state, Word(move))
    if tuple(state) != before:
        _fail(f"play() changes the state in place{_after(names)}", module.play)
    _check_state(game, after, module.play)
    if _run(module.play, state, Word(move)) != after:
        _fail(
            f"play() gives another position the second time{_after(names)}; it may depend on s and m only",
            module.play,
        )
    return tuple.__new__(module.State, after)


def _legal(game: Game, state: State, word_count: int, names: list[str]) -> list[int]:
    """The legal moves, made sure to be in range."""
    function = game.module.moves
    words = _words(_run(function, state))
    for word in words:
        if type(word) not in (int, Word) or not 0 <= word <= HIGH:
            _fail(f"moves() gives {word!r}{_after(names)}; ints from 0 to 2**63 - 1 were expected", function)
        if word >> game.word_bits:
            _fail(
                f"moves() sets bit {word.bit_length() - 1}{_after(names)}; a word has {game.word_bits} bits",
                function,
            )
    if len(words) != word_count:
        _fail(f"moves() gives {len(words)} words{_after(names)}, but {word_count} at the start", function)
    bits = _bits(words, game.word_bits)
    if not bits:
        _fail(f"no legal move and no result{_after(names)}: a dead end", function)
    if bits[-1] >= game.move_limit:
        _fail(
            f"moves() gives move {bits[-1]}{_after(names)}; moves are bits, from 0 to {game.move_limit - 1}",
            function,
        )
    return bits


def _words(given: Any) -> tuple[Any, ...]:
    return given if isinstance(given, tuple) else (given,)


def _bits(words: tuple[int, ...], word_bits: int) -> list[int]:
    return [w * word_bits + b for w, word in enumerate(map(int, words)) for b in range(63) if word >> b & 1]


def _check_end(game: Game, state: State, payoff: Any, names: list[str]) -> None:
    """A result is an int, and the end."""
    function = game.module.result
    if type(payoff) not in (int, Word) or abs(payoff) > LARGEST_PAYOFF:
        _fail(f"result() gives {payoff!r}{_after(names)}; None or an int from -2**25 to 2**25 was expected", function)
    for move in _bits(_words(_run(game.module.moves, state)), game.word_bits):
        try:
            goes_on = game.result(game.play(state, Word(move))) is None
        except Exception:  # noqa: S112  # nobody promised that play works after the end
            continue
        if goes_on:
            _fail(
                f"result() gives {int(payoff)}{_after(names)}, but moves() offers {game.move_name(move)}, after "
                "which the game goes on; give no moves once there is a result",
                function,
            )


def _check_view(game: Game, state: State, legal: list[int]) -> None:
    """Every legal move can be pointed at."""
    plain = tuple.__new__(game.module.State, map(int, state))
    describe = game.describe
    if describe is None:
        return
    view = _run(describe, plain)
    if not isinstance(view, View):
        _fail(f"view() gives {view!r}; a ludus.picture.View was expected", describe)
    areas = view.areas()
    if len(areas) != sum(isinstance(item, Area) for item in view.items):
        _fail("two areas of the view have one key", describe)
    shared: dict[tuple[str, ...], int] = {}
    for move in legal:
        path = view.paths.get(move, (game.move_name(move),))
        for key in path:
            if key not in areas:
                name = game.move_name(move)
                _fail(
                    f"the view has no area {key!r} to click for the move {name}; the path () makes a button", describe
                )
        if path and path in shared and (move not in view.choices or shared[path] not in view.choices):
            other = game.move_name(shared[path])
            _fail(
                f"the moves {other} and {game.move_name(move)} share one area of the view and have no choices",
                describe,
            )
        shared[path] = move


def _check_state(game: Game, state: Any, function: Callable[..., Any]) -> None:
    kind = game.module.State
    if type(state) is not kind:
        _fail(f"{function.__name__}() gives a {type(state).__name__}; a State was expected", function)
    for name, value in zip(kind._fields, state, strict=True):
        if type(value) not in (int, Word):
            article = f"{type(value).__module__}.{type(value).__name__}".removeprefix("builtins.")
            _fail(f"State.{name} is the {article} {value!r}; every field must be an int", function)
        if not 0 <= value <= HIGH:
            _fail(f"State.{name} is {int(value)}; every field must be in 0 .. 2**63 - 1", function)


def _checked(state: State) -> State:
    """The same state with ints that refuse to leave 64 bits."""
    return tuple.__new__(type(state), map(Word, state))


def _run(function: Callable[..., Any], *arguments: Any, **options: Any) -> Any:
    """Call a function of the rules; whatever goes wrong inside is a RulesError at its line."""
    try:
        with time_limit(CALL_SECONDS):
            return function(*arguments, **options)
    except LeavesWord as error:
        path, line = _place(error, function)
        raise RulesError(f"in {function.__name__}(): {error}", path=path, line=line) from None
    except Exception as error:
        path, line = _place(error, function)
        sentence = f"in {function.__name__}(): {type(error).__name__}: {error}"
        if isinstance(error, AttributeError) and "set attribute" in str(error):
            sentence = f"in {function.__name__}(): the state is changed in place; return a new State(...) instead"
        raise RulesError(sentence, path=path, line=line) from None


def _place(error: BaseException, function: Callable[..., Any]) -> tuple[str, int]:
    """The innermost line of the traceback that is the author's, not ours and not the library's."""
    ours = Path(__file__).parent
    code = function.__code__
    for frame in reversed(traceback.extract_tb(error.__traceback__)):
        file = Path(frame.filename)
        if file.is_file() and file.parent != ours and frame.lineno and "site-packages" not in file.parts:
            return frame.filename, frame.lineno
    return code.co_filename, code.co_firstlineno


def _line_of_class(game: Game) -> int:
    try:
        return inspect.getsourcelines(game.module.State)[1]
    except (OSError, TypeError):
        return 1


def _after(names: list[str]) -> str:
    """Where in a game: after which moves."""
    if not names:
        return " at the start"
    shown = " ".join(names[-6:])
    return f" after {'... ' if len(names) > 6 else ''}{shown}"


def _fail(sentence: str, function: Callable[..., Any]) -> NoReturn:
    code = function.__code__
    raise RulesError(sentence, path=code.co_filename, line=code.co_firstlineno)
