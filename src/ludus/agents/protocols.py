"""An agent as a program: the two protocols in which an outside referee may talk to it, line by line.

docs/reference/protocol.md describes both for people who write a referee or a bot.
"""

from __future__ import annotations

import json
import re
import time
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass, field
from itertools import islice
from random import Random
from typing import Any

from ludus.agents.agent import Agent, Budget, begin_game
from ludus.errors import LudusError, MoveError, ProtocolError
from ludus.rules import Game, State
from ludus.search.finding import SCALE, Finding

PROTOCOL = "ludus/1"
CODINGAME_GAMES = ("ultimate", "ultimate-adjacent")  # one move a turn, named by row and column
MOST_MS = 1_000_000_000
FIRST_MOVE_TIMES, FIRST_MOVE_MS = 10, 1000.0
# Of a limit, for the way of the answer through a pipe to a referee, both of which wait for a core now and then.
RETURN_SHARE, LONGEST_RETURN_S = 0.1, 0.05


@dataclass
class Program:
    """One conversation: whose move it is by our rules, how long a move may take, and whom to tell what."""

    game: Game
    agent: Agent
    start: State
    move_ms: float
    first_ms: float
    say: Callable[[str], None]  # a line of the protocol
    complain: Callable[[str], None]  # a sentence for a person
    rng: Random = field(default_factory=lambda: Random(0))
    state: State | None = None  # None once the referee plays by other rules than we do
    played: list[str] = field(default_factory=list)
    answers: int = 0
    has_complained: bool = False

    def begin(self, start: State) -> None:
        """A new game: nothing of the one before counts."""
        self.start, self.state, self.played = start, start, []
        self.answers, self.has_complained = 0, False
        begin_game(self.agent, start)

    def complain_once(self, sentence: str) -> None:
        if not self.has_complained:
            self.complain(sentence)
        self.has_complained = True

    def budget(self, begin: float, limit_ms: float | None = None) -> Budget:
        """What is left of the limit since `begin`, a time of `perf_counter`."""
        usual_ms = self.first_ms if self.answers == 0 else self.move_ms
        limit_s = (usual_ms if limit_ms is None else limit_ms) / 1000
        return_s = min(RETURN_SHARE * limit_s, LONGEST_RETURN_S)
        return Budget(seconds=max(0.0, limit_s - return_s - (time.perf_counter() - begin)))


def usual_first_ms(move_ms: float) -> float:
    """The limit for a first move where none is given: ten times that of the others, up to a second."""
    return max(move_ms, min(FIRST_MOVE_TIMES * move_ms, FIRST_MOVE_MS))


def choose_among(program: Program, given: list[int], budget: Budget) -> tuple[int, Finding | None]:
    """The agent's move, as one of those that the referee allows, where it says which.

    Where its list is not that of our rules, this is said once, and the best of the list is chosen.
    """
    game, agent, state = program.game, program.agent, program.state
    legal = [] if state is None else game.legal(state)
    if state is None or not legal:
        if not given:
            raise ProtocolError(f"there is no move to choose: {_why_none(program)}, and no moves were given")
        program.complain_once("our rules know no move here; one of the given moves is taken, unseen")
        return program.rng.choice(given), None
    if not given or set(given) == set(legal):
        finding = agent.choose(state, budget)
        return finding.move, finding
    program.complain_once(
        f"the list given holds {_so_many(set(given))}, and not the {_so_many(legal)} that the rules of {game.name} "
        "allow; one of the list is taken"
    )
    known = sorted(set(given) & set(legal))
    if not known:
        return program.rng.choice(given), None
    share = Budget(seconds=(budget.seconds or 0.0) / len(known))
    sign = 1 if game.turn(state) == 0 else -1
    return max(known, key=lambda move: (sign * _worth(program, game.play(state, move), share), -move)), None


def _why_none(program: Program) -> str:
    """Why our rules know no move: the game is over, or somebody has left it."""
    if program.state is None:
        return f"a move was played that the rules of {program.game.name} do not allow"
    return f"the game is over by the rules of {program.game.name}"


def _so_many(moves: Collection[int]) -> str:
    return "1 move" if len(moves) == 1 else f"{len(moves)} moves"


def _worth(program: Program, state: State, budget: Budget) -> int:
    """Seat 0's payoff in thousandths as the agent sees it."""
    payoff = program.game.result(state)
    return SCALE * payoff if payoff is not None else program.agent.choose(state, budget).score


def advance(program: Program, move: int) -> None:
    """Play a move by our rules; where they do not allow it, they are of no use for the rest of the game."""
    state, game = program.state, program.game
    if state is not None and move in game.legal(state):
        program.state = game.play(state, move)
        return
    if state is not None:
        why = "the game is over" if game.result(state) is not None else game.why_not(state, move)
        program.complain_once(f"the rules of {game.name} do not allow {game.move_name(move)}, which was played: {why}")
    program.state = None


# The protocol of CodinGame: the opponent's "row col", a count, so many legal moves; the answer is "row col".


def require_codingame(game: Game) -> None:
    """Refuse a game whose moves the protocol cannot say."""
    if game.name not in CODINGAME_GAMES:
        known = " and ".join(CODINGAME_GAMES)
        raise ProtocolError(f"the protocol codingame is for {known}; for {game.name} use --protocol ludus")


def speak_codingame(program: Program, lines: Iterable[str]) -> None:
    """Play until the input ends. `-1 -1` begins a game, a second one too; so does a move that opens another one."""
    require_codingame(program.game)
    program.begin(program.start)
    for number, line in (source := _numbered(lines)):
        begin = time.perf_counter()
        opponent = _opponent(program.game, line, number)
        given = _given(program.game, source)
        if given is None:
            return
        if opponent is not None:
            if _opens_another(program, opponent, given):
                program.begin(program.start)
            advance(program, opponent)
        elif program.answers > 0:
            program.begin(program.start)
        try:
            move, _ = choose_among(program, given, program.budget(begin))
        except ProtocolError as error:
            raise ProtocolError(f"line {number}: {error}") from None
        program.answers += 1
        program.say(program.game.move_name(move).replace(",", " "))
        advance(program, move)


def _opponent(game: Game, line: str, number: int) -> int | None:
    """The opponent's move; None where there is none yet."""
    row, column = _two_ints(line, number)
    return None if (row, column) == (-1, -1) else _cell(game, row, column, number)


def _given(game: Game, source: Iterator[tuple[int, str]]) -> list[int] | None:
    """The list of legal moves; None where the input ends before it does."""
    counted = next(source, None)
    if counted is None:
        return None
    count = _count(counted[1], counted[0])
    given = [_cell(game, *_two_ints(line, number), number) for number, line in islice(source, count)]
    return given if len(given) == count else None


def _opens_another(program: Program, move: int, given: list[int]) -> bool:
    """Whether the opponent's move begins a game: the one before is over, or was ended by a move that nobody told us."""
    game, state = program.game, program.state
    if state is None:
        return False
    if game.result(state) is not None:
        return True
    listed = given if move in game.legal(state) else []  # a move that is not legal here needs no list as a witness
    if _fits(game, state, move, listed) or not _fits(game, program.start, move, listed):
        return False
    return any(game.result(game.play(state, last)) is not None for last in game.legal(state))


def _fits(game: Game, state: State, move: int, given: list[int]) -> bool:
    """Whether the move is legal here, and the list, where there is one, is of what is legal after it."""
    return move in game.legal(state) and (not given or set(given) == set(game.legal(game.play(state, move))))


def _numbered(lines: Iterable[str]) -> Iterator[tuple[int, str]]:
    """The lines with their numbers, without those that are blank."""
    return ((number, line) for number, line in enumerate(lines, 1) if line.strip())


def _two_ints(line: str, number: int) -> tuple[int, int]:
    words = line.split()
    if len(words) != 2 or not all(re.fullmatch("-?[0-9]{1,4}", word) for word in words):
        raise ProtocolError(f"line {number}: {line.strip()[:40]!r} is not 'row col'")
    return int(words[0]), int(words[1])


def _count(line: str, number: int) -> int:
    text = line.strip()
    if not text.isascii() or not text.isdigit() or len(text) > 4:
        raise ProtocolError(f"line {number}: {text[:40]!r} is not a number of moves")
    return int(text)


def _cell(game: Game, row: int, column: int, number: int) -> int:
    try:
        return game.parse_move(f"{row},{column}")
    except MoveError as error:
        raise ProtocolError(f"line {number}: {error}") from None


# Our own protocol: one line of JSON per request and answer.


def speak_ludus(program: Program, lines: Iterable[str]) -> None:
    """Play until the input ends. A `move` before any `start` is of the game that the command line names."""
    program.begin(program.start)
    for number, line in _numbered(lines):
        begin = time.perf_counter()
        try:
            request = _request(line)
            kind = request.get("type")
            if kind == "start":
                _start(program, request)
                program.say(json.dumps({"type": "ready", "protocol": PROTOCOL, "name": program.agent.name}))
            elif kind == "move":
                program.say(json.dumps(_answer(program, request, begin)))
            elif kind != "end":
                raise ProtocolError(f"type is {_shown_type(request)}; start, move or end was expected")
        except LudusError as error:
            raise ProtocolError(f"line {number}: {error}") from None


def _request(line: str) -> dict[str, Any]:
    try:
        request = json.loads(line.rstrip())
    except json.JSONDecodeError as error:
        what = error.msg.removesuffix(" at")  # as in "Unterminated string starting at"
        raise ProtocolError(f"this is not JSON: {what} at column {error.colno}") from None
    except RecursionError:
        raise ProtocolError("this is not JSON that can be read: it is nested too deeply") from None
    except ValueError:  # what Python says of it is advice for programmers
        raise ProtocolError("this is not JSON that can be read: it holds a number of thousands of digits") from None
    if not isinstance(request, dict):
        raise ProtocolError("a JSON object was expected")
    return request


def _shown_type(request: dict[str, Any]) -> str:
    kind = request.get("type", "")
    return "missing" if "type" not in request else repr(kind[:30]) if isinstance(kind, str) else "not a text"


def _require_own_game(program: Program, request: dict[str, Any]) -> None:
    named = request.get("game", program.game.name)
    if named != program.game.name:
        raise ProtocolError(f"the game is {str(named)[:40]!r}, but this program plays {program.game.name}")


def _start(program: Program, request: dict[str, Any]) -> None:
    _require_own_game(program, request)
    program.begin(_start_of(program, request))
    _reseed(program, request.get("seed"))
    move_ms = _limit_ms(request, "move_ms")
    program.move_ms = program.move_ms if move_ms is None else move_ms
    first_ms = _limit_ms(request, "first_ms")
    if first_ms is not None or move_ms is not None:
        program.first_ms = usual_first_ms(program.move_ms) if first_ms is None else first_ms


def _start_of(program: Program, request: dict[str, Any]) -> State:
    """The start that the options of a request describe; without any, the one in use."""
    options = request.get("options")
    if options is None:
        return program.start
    if not isinstance(options, dict):
        raise ProtocolError("options must be a JSON object")
    return program.game.start(**options)


def _reseed(program: Program, seed: object) -> None:
    """What is random from now on is decided by the seed, where one is given."""
    if seed is None:
        return
    if isinstance(seed, bool) or not isinstance(seed, int) or not 0 <= seed < 1 << 64:
        raise ProtocolError(f"seed is {str(seed)[:20]}; a whole number from 0 to 2**64 - 1 was expected")
    if reseed := getattr(program.agent, "reseed", None):
        reseed(seed)


def _answer(program: Program, request: dict[str, Any], begin: float) -> dict[str, Any]:
    """The answer to a request for a move, with what the search found where there was one."""
    game = program.game
    _require_own_game(program, request)
    _change_start(program, _start_of(program, request))
    _catch_up(program, _names(request, "moves", []))
    given = [game.parse_move(name) for name in _names(request, "legal", [])]
    budget = program.budget(begin, _limit_ms(request, "move_ms"))
    move, finding = choose_among(program, given, budget)
    program.answers += 1
    answer: dict[str, Any] = {"type": "move", "move": game.move_name(move)}
    if finding is not None:
        answer |= {
            "score": finding.score / SCALE,
            "exact": finding.is_exact,
            "depth": finding.depth,
            "nodes": finding.nodes,
            "line": [game.move_name(m) for m in finding.line],
        }
    return answer


def _change_start(program: Program, start: State) -> None:
    """Where the start is another one, so is the game; only whether this program has answered yet is remembered."""
    if start != program.start:
        answers = program.answers
        program.begin(start)
        program.answers = answers


def _catch_up(program: Program, names: list[str]) -> None:
    """Bring the position to the one after these moves, from where we are or else from the start."""
    game, known = program.game, len(program.played)
    if program.state is None or names[:known] != program.played:
        program.state, known = program.start, 0
    for ply, name in enumerate(names[known:], known):
        try:
            program.state = game.play(program.state, game.legal_move(program.state, name))
        except MoveError as error:
            raise MoveError(error.sentence, ply=ply) from None
    program.played = list(names)


def _names(request: dict[str, Any], key: str, default: list[str]) -> list[str]:
    names = request.get(key, default)
    if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
        raise ProtocolError(f"{key} must be a list of moves as texts")
    return names


def _limit_ms(request: dict[str, Any], key: str) -> float | None:
    value = request.get(key)
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 < value <= MOST_MS:  # nan is none of them
        expected = f"a number of milliseconds above 0, up to {MOST_MS}"
        raise ProtocolError(f"{key} is {str(value)[:20]}; {expected} was expected")
    return float(value)
