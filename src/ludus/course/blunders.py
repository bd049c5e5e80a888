"""A bot's worst moves in its games against the ladder, found by our engine, with the moves that were better."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from ludus.course.engine import Engine, Worth
from ludus.course.ladder import Played
from ludus.rules import Game, Line, State

WANTED = 3
CANDIDATES = 10  # that are looked at longer
LEAST_DROP = 0.08  # in the chance to win: less is no blunder


class Moment(NamedTuple):
    """A choice of the bot in a game."""

    played: Played
    ply: int
    line: Line  # up to the position
    move: int

    @property
    def state(self) -> State:
        return self.line.states[-1]


class Blunder(NamedTuple):
    """A move that cost the bot so much of its chance to win, and one that did not."""

    moment: Moment
    better: int
    before: float  # the chance with the better move
    after: float  # the chance with the move that was played
    better_line: tuple[int, ...]
    what: str

    @property
    def drop(self) -> float:
        return self.before - self.after


def moments_of(game: Game, played: Sequence[Played]) -> list[Moment]:
    """All choices of the bot where there was one."""
    found = []
    for one in played:
        line = one.line(game)
        for ply, move in enumerate(line.moves):
            state = line.states[ply]
            if game.turn(state) == one.seat and len(game.legal(state)) > 1:
                found.append(Moment(one, ply, Line(line.states[: ply + 1], line.moves[:ply]), move))
    return found


def find_blunders(
    engine: Engine,
    moments: Sequence[Moment],
    values: Sequence[dict[int, int]],
    *,
    nodes: int,
    tell: Callable[[float], None] = lambda share: None,
) -> list[Blunder]:
    """The worst ones, the worst first, one of each game where there are enough; `values` are those of a short look."""
    drops = sorted(
        zip(
            (_short_drop(engine, m, v) for m, v in zip(moments, values, strict=True)), range(len(moments)), strict=True
        ),
        reverse=True,
    )
    found = []
    for number, (_, index) in enumerate(drops[:CANDIDATES]):
        blunder = _looked_at(engine, moments[index], nodes=nodes)
        if blunder is not None and blunder.drop >= LEAST_DROP:
            found.append(blunder)
        tell((number + 1) / CANDIDATES)
    found.sort(key=lambda blunder: -blunder.drop)
    games: set[tuple[str, int]] = set()
    first: list[Blunder] = []
    others: list[Blunder] = []
    for blunder in found:
        game = blunder.moment.played.rung, blunder.moment.played.number
        (others if game in games else first).append(blunder)
        games.add(game)
    return sorted((first + others)[:WANTED], key=lambda blunder: -blunder.drop)


def _short_drop(engine: Engine, moment: Moment, values: dict[int, int]) -> float:
    seat = moment.played.seat
    best = max(values.values()) if seat == 0 else min(values.values())
    return engine.chance(best, seat) - engine.chance(values[moment.move], seat)


def _looked_at(engine: Engine, moment: Moment, *, nodes: int) -> Blunder | None:
    """The move by a longer look; None where it was the best after all."""
    best = engine.worth(moment.state, nodes=nodes)
    if best.move is None or best.move == moment.move:
        return None
    seat = moment.played.seat
    played = engine.worth(engine.game.play(moment.state, moment.move), nodes=nodes)
    before = engine.chance(best.score, seat, is_exact=best.is_exact)
    after = engine.chance(played.score, seat, is_exact=played.is_exact)
    return Blunder(moment, best.move, before, after, best.line, _what(engine, moment, best, played))


def _what(engine: Engine, moment: Moment, best: Worth, played: Worth) -> str:
    """What happened, in a few words."""
    game, seat = engine.game, moment.played.seat
    sign = 1 if seat == 0 else -1
    if (payoff := game.result(game.play(moment.state, best.move or 0))) is not None and sign * payoff > 0:
        return "missed a win on the spot"
    if best.is_exact and sign * best.score > 0 and not (played.is_exact and sign * played.score > 0):
        return "missed a forced win"
    if played.is_exact and sign * played.score < 0 and not (best.is_exact and sign * best.score < 0):
        return "allowed a forced loss"
    return "a worse position"
