"""Plays one game between two players and judges it. Whatever a bot does ends in a verdict, never in an exception."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from ludus.bots.player import Choice, Failure, Player, Setup, Turn
from ludus.referee.clock import Clock, TimeControl, was_starved
from ludus.referee.verdict import Verdict, forfeit, forfeit_of_both, of_result
from ludus.rules import Game, State
from ludus.sandbox.cores import stolen_s
from ludus.sandbox.process import Evidence, Spent
from ludus.search.seeds import seed_of

LONGEST = 100_000  # moves; rules that never end are a fault of the rules, and a draw


@dataclass(frozen=True)
class Pitch:
    """What both players of a game have in common."""

    game: Game
    options: dict[str, Any]  # of the start, random boards written out
    control: TimeControl
    seed: int
    opening: tuple[int, ...] = ()  # moves that are on the board before anybody is asked

    def setup(self, seat: int) -> Setup:
        """What the player of a seat is told before the first move."""
        control = self.control
        first_s = control.limit_s if control.first_limit_s is None else control.first_limit_s
        return Setup(self.game, self.options, seat, control.limit_s, first_s, self.player_seed(seat))

    def player_seed(self, seat: int) -> int:
        """What decides all that is random in the player of a seat."""
        return seed_of(self.seed, seat)


@dataclass(frozen=True)
class Mind:
    """What one move took."""

    seat: int
    spent: Spent
    limit_s: float  # that it was told
    allowed_s: float  # after which a move is late
    bank_s: float = 0.0  # that was left of the time bank when it was asked
    strikes_left: int = 1  # at the last one, a late move loses


@dataclass(frozen=True)
class Judged:
    """A game as the referee saw it."""

    verdict: Verdict
    start: State
    moves: tuple[int, ...]
    final: State
    minds: tuple[Mind, ...]  # one for each move, and one for the move that never came
    levels: tuple[str, str]  # of isolation, by seat
    evidence: Evidence | None = None  # of the guilty seat
    was_starved: bool = False
    gone_s: float | None = None  # from the deadline of an overrun until nothing of the bot could run any more

    @property
    def plies(self) -> int:
        """Turns taken, one that was forfeited included."""
        return len(self.minds)


Watch = Callable[[State, tuple[int, ...], Mind], None]
"""Is told every position, the moves that led to it, and what the last of them took."""


@dataclass
class _Board:
    """The game so far."""

    state: State
    moves: list[int] = field(default_factory=list)
    minds: list[Mind] = field(default_factory=list)


def play_game(pitch: Pitch, players: tuple[Player, Player], *, watch: Watch | None = None) -> Judged:
    """The game from its start to its verdict; the players are closed afterwards."""
    game = pitch.game
    start = game.start(**pitch.options)
    board, stolen = _opened(pitch, start), stolen_s()
    clocks = (Clock(pitch.control), Clock(pitch.control))
    try:
        verdict, last = _begin(pitch, players)
        while verdict is None:
            payoff = game.result(board.state)
            if payoff is not None:
                verdict = of_result(payoff, len(board.moves), (players[0].name, players[1].name))
            elif len(board.moves) >= LONGEST:
                verdict = Verdict("draw", None, f"not over after {LONGEST} moves: a draw", LONGEST - 1)
            else:
                verdict, last = _move(pitch, players, clocks, board)
                if verdict is None and watch is not None:
                    watch(board.state, tuple(board.moves), board.minds[-1])
        guilty = None if verdict.seat is None else players[verdict.seat]
        levels = (players[0].level, players[1].level)
    finally:
        for player in players:
            player.close()
    return Judged(
        verdict,
        start,
        tuple(board.moves),
        board.state,
        tuple(board.minds),
        levels,
        evidence=None if guilty is None else guilty.evidence(),
        was_starved=verdict.kind == "timeout"
        and last is not None
        and _is_starved(board.minds[-1], stolen_s() - stolen),
        gone_s=None if last is None else last.gone_s,
    )


def _opened(pitch: Pitch, start: State) -> _Board:
    """The board with the opening on it, which took nobody any time."""
    board = _Board(start)
    for move in pitch.opening:
        limit_s = pitch.control.limit_s
        board.minds.append(Mind(pitch.game.turn(board.state), Spent(), limit_s, limit_s))
        board.moves.append(move)
        board.state = pitch.game.play(board.state, move)
    return board


def _begin(pitch: Pitch, players: tuple[Player, Player]) -> tuple[Verdict | None, Choice | None]:
    one, other = (player.begin(pitch.setup(seat)) for seat, player in enumerate(players))
    if one is not None and other is not None:
        return forfeit_of_both(one, other), None
    if one is not None or other is not None:
        seat, failure = (0, one) if other is None else (1, other)
        assert failure is not None
        return forfeit(seat, failure, 0), None
    return None, None


def _is_starved(mind: Mind, stolen: float = 0.0) -> bool:
    """Whether a move was late for want of a core; what the host stole is known for the whole game only."""
    return was_starved(mind.spent._replace(waited_s=mind.spent.waited_s + stolen), mind.allowed_s)


def _move(
    pitch: Pitch, players: tuple[Player, Player], clocks: tuple[Clock, Clock], board: _Board
) -> tuple[Verdict | None, Choice]:
    """Ask the seat to move, and put its move on the board; a verdict where it has none to put."""
    seat = pitch.game.turn(board.state)
    clock = clocks[seat]
    moves = tuple(board.moves)
    turn = Turn(pitch.game, pitch.options, board.state, moves, seat, clock.limit_s, clock.patience_s, clock.bank_s)
    choice = players[seat].choose(turn)
    mind = Mind(seat, choice.spent, clock.limit_s, clock.allowed_s, clock.bank_s, clock.strikes_left)
    board.minds.append(mind)
    failure = choice.failure
    if failure is None and players[seat].is_timed:
        # A late move that stands costs nothing of a bank or of strikes where the machine made it late.
        taken_s = mind.spent.wall_s - (mind.spent.waited_s if _is_starved(mind) else 0.0)
        late = clock.charge(taken_s)
        failure = None if late is None else Failure("timeout", late)
    if failure is not None:
        return forfeit(seat, failure, len(moves)), choice
    assert choice.move is not None
    board.moves.append(choice.move)
    board.state = pitch.game.play(board.state, choice.move)
    return None, choice
