"""What a game is, and how to load one: by name, or from any path. For everybody.

A game is a plain module; nothing is registered and nothing is inherited:

    MOVES = 9                                  # moves are the ints 0 .. MOVES - 1
    class State(NamedTuple): ...               # every field an int in 0 .. 2**63 - 1
    def start(**options) -> State              # the options are the instance
    def turn(s) -> int                         # the seat to move, 0 or 1
    def moves(s) -> int | tuple[int, ...]      # legal moves as bits: bit b of word w is move w * WORD + b
    def play(s, m) -> State                    # m is legal; s is not changed
    def result(s) -> int | None                # seat 0's payoff, None while the game goes on

    # optional
    NAME, WORD = "Tic-tac-toe", 63             # a title; bits used per word of moves
    def move_name(m) -> str                    # how people write a move, e.g. "4,4"
    def parse_move(text) -> int                # only where inverting move_name is not enough
    def instance(s) -> dict                    # the options that give the start `s` again
    def why_not(s, m) -> str                   # why the move m is not legal in s
    def view(s) -> ludus.picture.View          # what it looks like; may stand in view.py beside rules.py
    def evaluate(s) -> int                     # a guess at seat 0's payoff in thousandths, for search;
                                               #   may stand in evaluation.py beside rules.py
    def payoffs(s) -> tuple[int, int]          # no payoff from s on is below the first or above the second
    def banked(s) -> int                       # the part of seat 0's payoff that is settled already
    def core(s) -> State                       # s without what no longer matters: worth banked(s) less than s
    def features(s) -> tuple[int, ...]         # words whose bits a network sees besides those of the State;
                                               #   may stand in learning.py beside rules.py, as may
    def symmetries(s) -> tuple[State, ...]     # s turned and mirrored, always in the same order
    PHASES = 4; def phase(s) -> int            # which of so many outputs of a network judges s
    UNSEEN = ("field", ...)                    # fields that a network need not see
    BEST, MARGIN = "alphabeta", 150            # the best agent, and how far it may trust evaluate: stand beside it

Files beside rules.py may hold more: solving.py a smaller game of the same worth, for proofs, and guessing.py one for
alpha-beta; table.py all positions from one on, to look up. docs/reference/rules-file.md describes them.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from random import Random
from types import ModuleType
from typing import Any, NamedTuple, cast

from ludus.errors import GameNotFoundError, MoveError, OptionsError, RulesError
from ludus.loading import load_file
from ludus.picture import View

State = tuple[int, ...]  # in truth the NamedTuple of the rules module
REQUIRED = ("MOVES", "State", "start", "turn", "moves", "play", "result")
GAMES_FOLDER = Path(__file__).parent / "games"
WORD = 63  # an int of compiled code has 63 bits that are safe to use


@dataclass(frozen=True, eq=False, repr=False)
class Game:
    """A rules module, and what follows from it for people: lists of moves, names, options."""

    name: str
    module: ModuleType
    path: Path

    def __repr__(self) -> str:
        return f"<game {self.name}: {self.title}>"

    @property
    def title(self) -> str:
        return str(getattr(self.module, "NAME", self.name))

    @property
    def move_limit(self) -> int:
        """Moves are the ints from 0 up to, but not including, this one."""
        return int(self.module.MOVES)

    @property
    def word_bits(self) -> int:
        return int(getattr(self.module, "WORD", WORD))

    @cached_property
    def _parameters(self) -> Mapping[str, inspect.Parameter]:
        return inspect.signature(self.module.start).parameters

    @property
    def options(self) -> dict[str, Any]:
        """The options of `start` with their defaults."""
        return {name: p.default for name, p in self._parameters.items() if p.kind is not p.VAR_KEYWORD}

    @property
    def has_options(self) -> bool:
        """Whether there may be more than one start."""
        return bool(self._parameters)

    def start(self, **options: Any) -> State:
        """The first position of the instance that the options describe, or an OptionsError."""
        takes_any = any(p.kind is p.VAR_KEYWORD for p in self._parameters.values())
        unknown = sorted(set(options) - set(self.options))
        if unknown and not takes_any:
            known = ", ".join(self.options) or "none"
            raise OptionsError(f"{self.name} has no option {unknown[0][:40]!r}; its options are: {known}")
        try:
            state = cast(State, self.module.start(**options))
            for name, value in zip(self.module.State._fields, state, strict=True):
                if type(value) is not int or not 0 <= value < 1 << 63:
                    raise ValueError(f"{name} would be {str(value)[:20]}, not an int from 0 to 2**63 - 1")
        except (ValueError, TypeError, OverflowError) as error:
            raise OptionsError(f"{self.name} cannot start with these options: {str(error)[:200]}") from error
        return state

    def instance(self, state: State, options: dict[str, Any]) -> dict[str, Any]:
        """Options that give the start `state` again, random boards written out."""
        describe = getattr(self.module, "instance", None)
        return options if describe is None else cast(dict[str, Any], describe(state))

    def turn(self, state: State) -> int:
        return cast(int, self.module.turn(state))

    def play(self, state: State, move: int) -> State:
        return cast(State, self.module.play(state, move))

    def result(self, state: State) -> int | None:
        return cast("int | None", self.module.result(state))

    def evaluate(self, state: State) -> int:
        """The game's guess at seat 0's payoff in thousandths, between the payoffs; without one, what is banked."""
        if self.guess is not None:
            guess = self.guess(state)
        else:
            guess = 1000 * cast(int, self.module.banked(state)) if hasattr(self.module, "banked") else 0
        if not hasattr(self.module, "payoffs"):
            return guess
        low, high = cast("tuple[int, int]", self.module.payoffs(state))
        return min(max(guess, 1000 * low + 1), 1000 * high - 1) if low < high else 1000 * low

    def words(self, state: State) -> tuple[int, ...]:
        """The set of moves as a tuple of words, whichever way the rules write it."""
        moves = self.module.moves(state)
        words = moves if isinstance(moves, tuple) else (moves,)
        for word in words:
            if type(word) is not int or word < 0:
                what = "a negative number" if isinstance(word, int) else f"a {type(word).__name__}"
                sentence = f"moves() gives {what}; legal moves are the bits of an int of at least 0"
                raise RulesError(sentence, path=self.path, line=self.module.moves.__code__.co_firstlineno)
        return words

    def legal(self, state: State) -> list[int]:
        """The legal moves in rising order; none once the game is over."""
        if self.result(state) is not None:
            return []
        found, bits = [], self.word_bits
        for index, word in enumerate(self.words(state)):
            rest, below = word, index * bits - 1
            while rest:
                found.append(below + (rest & -rest).bit_length())
                rest &= rest - 1
        return found

    def move_name(self, move: int) -> str:
        name = getattr(self.module, "move_name", None)
        return str(move) if name is None else cast(str, name(move))

    @cached_property
    def _moves_by_name(self) -> dict[str, int]:
        return {self.move_name(move): move for move in range(self.move_limit)}

    def parse_move(self, text: str) -> int:
        """The move that a person means by "4,4", "(4, 4)" or "4 4"; legality is another question."""
        parse = getattr(self.module, "parse_move", None)
        plain = ",".join(text.strip().strip("()[]").replace(",", " ").split())
        try:
            move = (
                self._moves_by_name.get(text.strip(), self._moves_by_name.get(plain)) if parse is None else parse(text)
            )
        except (LookupError, ValueError, TypeError, AttributeError):
            move = None
        if type(move) is not int or not 0 <= move < self.move_limit:
            shown = text if len(text) <= 40 else text[:37] + "..."
            example = self.move_name(0)
            raise MoveError(f"{shown!r} is not a move of {self.name}; a move looks like {example}")
        return move

    def legal_move(self, state: State, text: str) -> int:
        """The legal move that the text means, or a MoveError that says why there is none."""
        move = self.parse_move(text)
        if self.result(state) is not None:
            raise MoveError(f"illegal move {self.move_name(move)}: the game is over")
        word, bit = divmod(move, self.word_bits)
        words = self.words(state)
        if word < len(words) and words[word] >> bit & 1:
            return move
        raise MoveError(f"illegal move {self.move_name(move)}: {self.why_not(state, move)}")

    def why_not(self, state: State, move: int) -> str:
        explain = getattr(self.module, "why_not", None)
        return "the rules do not allow it here" if explain is None else cast(str, explain(state, move))

    def beside(self, file: str) -> ModuleType | None:
        """The module in the file of that name beside rules.py, where there is one."""
        place = self.path.with_name(file)
        if self.path.name != "rules.py" or not place.is_file():
            return None
        own = self.module.__name__
        return load_file(place, name=_sibling(own, place.stem) if own.startswith("ludus.") else None)

    def part(self, name: str, *, file: str) -> Any:
        """An optional part of the game: of the rules file, or of the file of that name beside rules.py; else None."""
        return getattr(self.module if hasattr(self.module, name) else self.beside(file), name, None)

    @cached_property
    def describe(self) -> Callable[[State], View] | None:
        """The game's own `view` function, where it has one."""
        return cast("Callable[[State], View] | None", self.part("view", file="view.py"))

    @cached_property
    def guess(self) -> Callable[[State], int] | None:
        """The game's own `evaluate` function, where it has one."""
        return cast("Callable[[State], int] | None", self.part("evaluate", file="evaluation.py"))

    @cached_property
    def phase(self) -> Callable[[State], int] | None:
        """The game's own `phase` function, where it says how many `PHASES` there are."""
        if self.part("PHASES", file="learning.py") is None:
            return None
        return cast("Callable[[State], int] | None", self.part("phase", file="learning.py"))

    def view(self, state: State) -> View | None:
        """The position as data, or None when the game does not describe itself."""
        return None if self.describe is None else self.describe(state)


class Line(NamedTuple):
    """Positions, and the moves that lead from each to the next; the first position is the start."""

    states: tuple[State, ...]  # one more than moves
    moves: tuple[int, ...]

    @property
    def start(self) -> State:
        return self.states[0]


def follow(game: Game, start: State, moves: Iterable[str]) -> Line:
    """Play named moves from a start; the first one that is not legal is a MoveError that knows its ply."""
    states, played = [start], []
    for ply, text in enumerate(moves):
        try:
            played.append(game.legal_move(states[-1], text))
        except MoveError as error:
            raise MoveError(error.sentence, ply=ply) from None
        states.append(game.play(states[-1], played[-1]))
    return Line(tuple(states), tuple(played))


def random_line(game: Game, start: State, rng: Random, longest: int | None = None) -> Line:
    """A random game from the start to its end, or for so many moves."""
    states: list[State] = [start]
    played: list[int] = []
    while (longest is None or len(played) < longest) and (legal := game.legal(states[-1])):
        played.append(rng.choice(legal))
        states.append(game.play(states[-1], played[-1]))
    return Line(tuple(states), tuple(played))


def game_names() -> list[str]:
    """The games that come with Ludus: those whose file is there."""
    return sorted(file.parent.name.replace("_", "-") for file in GAMES_FOLDER.glob("*/rules.py"))


def load_game(name_or_path: str | Path) -> Game:
    """The game of that name, or the rules file (or the folder with a rules.py) at that path.

    A word without a slash and without ".py" is always a name, so that a folder which happens to be
    called like a game never takes its place.
    """
    text = str(name_or_path)
    if text in (".", ".."):
        text += "/"
    if isinstance(name_or_path, Path) or text.endswith(".py") or any(c in text for c in "/\\"):
        return _load_path(Path(text))
    if text in game_names():
        return _load_ours(text)
    beside = Path(f"{text[:60]}.py")
    if beside.is_file():
        raise GameNotFoundError(f"there is no game {text[:60]!r}; did you mean ./{beside}?")
    raise GameNotFoundError(
        f"there is no game {text[:60]!r}; the games are {', '.join(game_names())}, or give a path such as ./mygame.py"
    )


@cache
def _load_ours(name: str) -> Game:
    stem = name.replace("-", "_")
    file = GAMES_FOLDER / stem / "rules.py"
    return Game(name, load_file(file, name=f"ludus.games.{stem}.rules"), file)


def _sibling(module_name: str, stem: str) -> str:
    return f"{module_name.rpartition('.')[0]}.{stem}"


def _load_path(path: Path) -> Game:
    try:
        file = path / "rules.py" if path.is_dir() else path
        name = path.resolve().name if path.is_dir() else path.stem
        is_there = file.is_file()
    except OSError as error:  # a name that is too long, a folder that may not be read
        raise GameNotFoundError(f"{str(path)[:200]}: {error.strerror}") from None
    if not is_there:
        raise GameNotFoundError(f"{file}: there is no such rules file")
    game = Game(name, load_file(file.resolve()), file.resolve())
    missing = [part for part in REQUIRED if not hasattr(game.module, part)]
    if missing:
        raise RulesError(f"the rules lack {missing[0]}; a game needs {', '.join(REQUIRED)}", path=file, line=1)
    return game
