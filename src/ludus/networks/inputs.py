"""What a network sees of any game: the bits of a position, seen from the side to move. Found by playing, not asked for.

Where the rules treat both seats alike, the first seat's words trade places with the second's, and a network needs to
learn one side only. To find out, the same random moves are played from the start with either seat to move first.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from random import Random
from typing import cast

import numpy as np
from numpy.typing import NDArray

from ludus.compile.judging import Shape
from ludus.errors import RulesError
from ludus.rules import Game, State

GAMES = 200  # random ones that show which bits there are
SEED = 1
MOST_PLIES = 2000
MOST_BOUNDED = 8  # payoffs up to here are wins of a kind, beyond they are margins
MOST_INPUTS = 4096
MOST_PHASES = 256


def find_shape(game: Game, *, hidden: int, with_guess: bool = False) -> Shape:
    """The shape of a network for this game; the same each time."""
    played = [_random_states(game, game.start(), Random(SEED * 1000 + k)) for k in range(GAMES)]
    words = np.array([words_of(game, state) for states in played for state in states if game.result(state) is None])
    extra = words.shape[1] - len(game.start())
    trade, mover = _trade(game)
    widths = [int(bits).bit_length() for bits in np.bitwise_or.reduce(words, axis=0)]
    for k, other in enumerate(trade):
        widths[k] = max(widths[k], widths[other])
    for unseen in _unseen(game, trade) if mover is None else (mover, *_unseen(game, trade)):
        widths[unseen] = 0  # the mover, too: the side to move always sees itself
    payoffs = [abs(cast(int, game.result(states[-1]))) for states in played if game.result(states[-1]) is not None]
    greatest = max(payoffs, default=1)
    if hasattr(game.module, "payoffs"):
        greatest = max(greatest, *(abs(limit) for limit in game.module.payoffs(game.start())))
    if sum(widths) > MOST_INPUTS:
        raise RulesError(f"a position has {sum(widths)} bits; a network can see {MOST_INPUTS}", path=game.path)
    return Shape(
        tuple(widths),
        trade + tuple(range(len(trade), len(trade) + extra)) if trade else (),
        extra,
        hidden,
        greatest if greatest <= MOST_BOUNDED else 0,
        with_guess and game.guess is not None,
        phases_of(game, [state for states in played for state in states]),
    )


def features_of(game: Game) -> Callable[[State], tuple[int, ...]] | None:
    """The game's own `features`, words whose bits a network sees too, from the side to move."""
    return cast("Callable[[State], tuple[int, ...]] | None", game.part("features", file="learning.py"))


def phases_of(game: Game, states: Iterable[State] = ()) -> int:
    """How many outputs a network has: the game's own `phase` says which one judges a position."""
    phases = game.part("PHASES", file="learning.py")
    if phases is None:
        return 1
    if type(phases) is not int or not 1 <= phases <= MOST_PHASES:
        raise RulesError(f"PHASES is {phases!r}; a whole number from 1 to {MOST_PHASES} was expected", path=game.path)
    if not callable(game.phase):
        raise RulesError("PHASES says how many there are; phase(s), which says which, is not there", path=game.path)
    for state in states:
        given = game.phase(state) if game.result(state) is None else 0
        if type(given) is not int or not 0 <= given < phases:
            sentence = f"phase(s) gives {given!r}; a whole number from 0 to {phases - 1} was expected"
            raise RulesError(sentence, path=game.path)
    return phases


def bits_of(shape: Shape, words: NDArray[np.int64], movers: NDArray[np.int64]) -> NDArray[np.uint8]:
    """The inputs of positions, a row each: their words as the mover sees them, bit by bit."""
    seen = words
    if shape.trade:
        seen = np.where(movers[:, None] == 0, words, words[:, list(shape.trade)])
    columns = [
        (seen[:, k, None] >> np.arange(shape.widths[k], dtype=np.int64) & 1).astype(np.uint8)
        for group in shape.groups
        for k in group
    ]
    if not shape.trade:
        columns.append(movers[:, None].astype(np.uint8))
    return np.concatenate(columns, axis=1)


def _unseen(game: Game, trade: tuple[int, ...]) -> list[int]:
    """The fields that a network need not see, because of what else it sees."""
    fields = game.module.State._fields
    names = game.part("UNSEEN", file="learning.py") or ()
    if not isinstance(names, tuple):
        raise RulesError(f"UNSEEN is {names!r}; a tuple of fields of State was expected", path=game.path)
    for name in names:
        if name not in fields:
            raise RulesError(f"UNSEEN names {name!r}; the fields of State are {', '.join(fields)}", path=game.path)
        other = fields[trade[fields.index(name)]] if trade else name
        if other not in names:
            raise RulesError(f"UNSEEN names {name!r}, but not {other!r}, the other seat's field", path=game.path)
    return [fields.index(name) for name in names]


def words_of(game: Game, state: State) -> tuple[int, ...]:
    """A position as a network sees it, but for the trade of the seats."""
    core = getattr(game.module, "core", None)
    own = tuple(state if core is None else core(state))
    added = features_of(game)
    return own if added is None else own + tuple(added(state))


def noted(game: Game, state: State) -> tuple[int, ...]:
    """What `note` writes of a position: what a network sees, and the phase where the game has some."""
    return words_of(game, state) if game.phase is None else (*words_of(game, state), game.phase(state))


def _random_states(game: Game, state: State, random: Random) -> list[State]:
    states = [state]
    while game.result(state) is None and len(states) < MOST_PLIES:
        legal = game.legal(state)
        if not legal:
            break
        state = game.play(state, random.choice(legal))
        states.append(state)
    return states


def _trade(game: Game) -> tuple[tuple[int, ...], int | None]:
    """Which word the second seat sees in the place of each, and the one that says who moves; nothing if none fits."""
    none: tuple[tuple[int, ...], int | None] = ((), None)
    start = game.start()
    for mover in range(len(start)):
        if start[mover] != game.turn(start):
            continue
        other = game.module.State(*(1 - word if k == mover else word for k, word in enumerate(start)))
        try:
            if game.turn(other) == 1 - game.turn(start):
                found = _traded(game, start, other, mover)
                if found is not None:
                    return found, mover
        except Exception:  # noqa: S112  # rules may refuse a position that nobody could reach
            continue
    return none


def _traded(game: Game, start: State, other: State, mover: int) -> tuple[int, ...] | None:
    """The same games from two starts, with the seats exchanged: which words trade places; None if the games differ."""
    core = getattr(game.module, "core", lambda state: state)
    ours, theirs = [], []
    for k in range(GAMES // 4):
        random = Random(SEED * 2000 + k)
        one, two = start, other
        while True:
            ours.append(tuple(core(one)))
            theirs.append(tuple(core(two)))
            payoff = game.result(one)
            if game.turn(one) != 1 - game.turn(two) or game.result(two) != (None if payoff is None else -payoff):
                return None
            if payoff is not None:
                break
            legal = game.legal(one)
            if legal != game.legal(two) or not legal:
                return None
            move = random.choice(legal)
            one, two = game.play(one, move), game.play(two, move)
    return _matched(np.array(ours), np.array(theirs), mover)


def _matched(ours: NDArray[np.int64], theirs: NDArray[np.int64], mover: int) -> tuple[int, ...] | None:
    """For each of our words the one of theirs that always says the same, itself where it can be."""
    trade = []
    for k in range(ours.shape[1]):
        same = [k, *(j for j in range(ours.shape[1]) if j != k)]
        match = next((j for j in same if np.array_equal(ours[:, k], theirs[:, j])), None)
        if k == mover:
            match = k
        if match is None:
            return None
        trade.append(match)
    is_whole = sorted(trade) == list(range(len(trade))) and all(trade[trade[k]] == k for k in range(len(trade)))
    return tuple(trade) if is_whole else None
