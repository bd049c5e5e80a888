"""Checks a bot as an event would, and measures how well it plays: everything, in the order in which it is told.

What it finds is a `Checkup`; judgements.py says what it means, check_text.py and check_page.py show it.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import Path

from ludus.bots.entrants import Entrant, ProgramFile, PythonFile
from ludus.bots.room import Room
from ludus.course.asking import Answer, Asker
from ludus.course.blunders import Blunder, find_blunders, moments_of
from ludus.course.compiling import compiling_beside
from ludus.course.engine import Engine
from ludus.course.faults import Fault, find_faults, follows_the_game
from ludus.course.ladder import Ladder, Played, agent_name
from ludus.course.positions import FEW_GAMES, GAMES, KINDS, Sampled, Spot, find_spots, sample
from ludus.course.randomness import Randomness, randomness_of, ranked
from ludus.course.rating import Rating, known_results, played_results, rate, scale_of
from ludus.course.source_reading import Reading, read_source
from ludus.course.tactics import Puzzle, Score, find_puzzles, scores
from ludus.course.workload import LEAST_S, MOST_MOMENTS, QUICK_S, WITHIN_S, Pace, Workload, games_on_the_spot, workload
from ludus.events.event import Event
from ludus.rules import Line
from ludus.sandbox.process import Spent
from ludus.search import mcts
from ludus.search.seeds import seed_of

MOST_FAILURES = 4  # of a kind, after which nothing more of it is asked
FEW_MOMENTS = 150  # that the engine looks at where a quick check has run out of time

Tell = Callable[[float, str], None]
"""Hears how much is done, 0 to 1, and what comes next."""


@dataclass(frozen=True)
class Checkup:
    """All that a check found, before anything is made of it."""

    event: Event
    entrant: PythonFile | ProgramFile
    size: int  # bytes
    reading: Reading | None  # of a Python file
    neighbours: tuple[str, ...] = ()  # files beside it that it imports
    workload: Workload | None = None
    answers: tuple[Answer, ...] = ()  # to single positions
    again: tuple[tuple[Spot, tuple[Answer, ...]], ...] = ()  # the same position: twice with one seed, then others
    puzzles: tuple[tuple[Puzzle, Answer], ...] = ()
    played: tuple[Played, ...] = ()
    randomness: Randomness | None = None
    rating: Rating | None = None
    blunders: tuple[Blunder, ...] = ()
    seconds: float = 0.0
    is_quick: bool = False
    faults: tuple[Fault, ...] = ()
    follows_the_game: bool = False  # single positions say nothing of its legality

    @property
    def spents(self) -> list[Spent]:
        """What its moves took, in games and in single positions."""
        asked = [answer.spent for answer in self.all_answers if answer.spent.wall_s > 0]
        return asked + [mind.spent for one in self.played for mind in one.judged.minds if mind.seat == one.seat]

    @property
    def all_answers(self) -> list[Answer]:
        repeated = [answer for _, answers in self.again for answer in answers]
        return [*self.answers, *repeated, *(answer for _, answer in self.puzzles)]

    @property
    def peak_memory_mb(self) -> float:
        peaks = [answer.evidence.peak_memory_mb for answer in self.all_answers]
        return max([*peaks, *(one.evidence.peak_memory_mb for one in self.played)], default=0.0)

    @property
    def tactics(self) -> list[Score]:
        return scores([puzzle for puzzle, _ in self.puzzles], [answer for _, answer in self.puzzles])


def check_bot(
    event: Event,
    entrant: PythonFile | ProgramFile,
    room: Room,
    *,
    seed: int = 0,
    is_quick: bool = False,
    load: Workload | None = None,
    announce: Callable[[Workload], None] = lambda load: None,
    on_compiling: Callable[[], None] = lambda: None,
    tell: Tell = lambda share, text: None,
) -> Checkup:
    """All of it. Never raises for what the bot does; what it takes is announced once the bot's speed is known.

    How much is asked follows from that speed, unless a `load` says it. `on_compiling` hears of it where opponents have
    to be compiled first.
    """
    begin = time.perf_counter()
    reading = read_source(entrant.source) if isinstance(entrant, PythonFile) else None
    found = Checkup(event, entrant, entrant.path.stat().st_size, reading, _neighbours(entrant, reading))
    tell(0.0, "first games")
    work = _Work(event, entrant, room, seed, tell)
    first = [work.game("random", number) for number in (0, 1)]
    if all(one.is_forfeit and one.judged.plies == 0 for one in first):  # it cannot even begin
        faults = tuple(find_faults(event.game, first[:1], ()))
        return _with(found, played=tuple(first[:1]), faults=faults, seconds=time.perf_counter() - begin)
    games = FEW_GAMES if load is not None and load.nodes == 0 else GAMES
    sampled = sample(event.game, event.options, seed=seed, games=games)
    spent_s = time.perf_counter() - begin
    if load is None:
        pace, moves = work.pace(first, sampled), sampled.mean_plies / 2
        load = workload(pace, moves, spent_s=spent_s, kinds=len(KINDS), is_quick=is_quick)
        announce(load)
    found = _with(found, workload=load, is_quick=is_quick)
    work.get_ready(load, sampled, on_compiling)
    ready = time.perf_counter()
    left_s = max(LEAST_S, min(QUICK_S - spent_s, begin + WITHIN_S - ready))
    work.until = ready + left_s if is_quick else math.inf
    found = work.everything(found, load, sampled, first)
    return _with(found, seconds=time.perf_counter() - begin)


class _Work:
    """One check as it goes on."""

    def __init__(self, event: Event, entrant: Entrant, room: Room, seed: int, tell: Tell) -> None:
        self.event, self.entrant, self.room, self.seed = event, entrant, room, seed
        self.tell, self.until = tell, math.inf
        self.engine: Engine | None = None
        self.asker, self.ladder = Asker(room, entrant, event), Ladder(event, seed=seed)

    def game(self, rung: str, number: int) -> Played:
        return self.ladder.play(self.room, self.entrant, rung, number)

    def get_ready(self, load: Workload, sampled: Sampled, on_compiling: Callable[[], None]) -> None:
        """Make all rungs and the engine, which may compile them: that is not the bot's time."""
        game = self.event.game
        later = [rung for rung in load.games if agent_name(game, rung).startswith("mcts")]
        first = [rung for rung in load.games if rung not in later]
        with compiling_beside(game, mcts.__name__, on_compiling=on_compiling) if later else nullcontext():
            self._make(first)
        self._make(later)
        self.engine = Engine(game, sampled.payoffs) if load.nodes else None

    def _make(self, rungs: Iterable[str]) -> None:
        for rung in rungs:
            self.tell(0.03, f"getting {rung} ready")
            self.ladder.rung(rung)

    def pace(self, played: Sequence[Played], sampled: Sampled) -> Pace:
        """What a move takes it, from whole games, and what its process takes to come and go."""
        options, line = sampled.games[0]
        begin = time.perf_counter()
        answer = self.asker.ask(Spot(options, Line(line.states[:1], ())), seed=0)
        start_s = time.perf_counter() - begin - answer.spent.wall_s
        spent = [mind.spent.wall_s for one in played for mind in one.judged.minds if mind.seat == one.seat]
        return Pace(sum(spent) / len(spent) if spent else 0.0, max(0.005, start_s))

    def everything(self, found: Checkup, load: Workload, sampled: Sampled, first: list[Played]) -> Checkup:
        spots = find_spots(self.event.game, sampled, wanted=load.positions, seed=self.seed)
        answers = self._asked(spots, "positions", 0.05, 0.2)
        again = self._repeated(spots, load, 0.2, 0.3)
        puzzles = find_puzzles(self.event.game, sampled, wanted=load.puzzles, seed=self.seed)
        solved = self._asked([puzzle.spot for puzzle in puzzles], "puzzles", 0.35, 0.45)
        pairs = tuple(zip(puzzles, solved, strict=False))
        played = self._climbed(load, first, 0.45, 0.85)
        found = _with(found, answers=tuple(answers), again=again, puzzles=pairs, played=tuple(played))
        follows = follows_the_game(played, answers)
        relevant = [
            answer
            for answer in found.all_answers
            if not follows or (answer.failure and answer.failure.kind not in ("illegal", "exception"))
        ]
        faults = find_faults(self.event.game, played, relevant)
        found = _with(found, faults=tuple(faults), follows_the_game=follows)
        return self._measured(found, load, sampled.mean_plies) if load.nodes else found

    def _asked(self, spots: Sequence[Spot], what: str, low: float, high: float) -> list[Answer]:
        """Answers to positions, until it has failed too often in the same way."""
        answers: list[Answer] = []
        failures: dict[str, int] = {}
        for number, spot in enumerate(spots):
            self.tell(low + (high - low) * number / len(spots), f"{what}: {number} of {len(spots)}")
            answers.append(self.asker.ask(spot, seed=seed_of(self.seed, number) >> 1))
            if (failure := answers[-1].failure) is not None:
                failures[failure.kind] = failures.get(failure.kind, 0) + 1
                if failures[failure.kind] >= MOST_FAILURES:
                    break
        return answers

    def _repeated(
        self, spots: Sequence[Spot], load: Workload, low: float, high: float
    ) -> tuple[tuple[Spot, tuple[Answer, ...]], ...]:
        """Positions with a choice, asked twice with the same seed and then with others."""
        game = self.event.game
        wide = sorted(
            (spot for spot in spots if len(game.legal(spot.state)) > 2), key=lambda spot: spot.kind != "ordinary"
        )
        found = []
        for number, spot in enumerate(wide[: load.repeated]):
            self.tell(low + (high - low) * number / load.repeated, "the same positions again")
            # No two positions share a seed: the same dice in both would look like a habit.
            seeds = [seed_of(self.seed, 1000 + 100 * number + place) >> 1 for place in (0, *range(load.times))]
            answers = tuple(self.asker.ask(spot, seed=seed) for seed in seeds)
            found.append((spot, answers))
            if any(answer.failure for answer in answers):
                break
        return tuple(found)

    def _climbed(self, load: Workload, first: list[Played], low: float, high: float) -> list[Played]:
        """Games against the ladder, the first ones included, until it has forfeited too often.

        All rungs get their first games before any gets more; a quick check leaves out what comes after its time.
        """
        played, total = list(first), sum(load.games.values())
        for rung, number in _fixtures(load.games):
            if rung == "random" and number < len(first):
                continue
            if time.perf_counter() > self.until or sum(one.is_forfeit for one in played) >= MOST_FAILURES:
                break
            self.tell(low + (high - low) * len(played) / total, f"against {rung}, game {number + 1}")
            # With one game a rung, seats alternate from rung to rung.
            at = number if load.games[rung] > 1 else len(played) % 2
            played.append(self.game(rung, at))
        return played

    def _measured(self, found: Checkup, load: Workload, plies_a_game: float) -> Checkup:
        """What our engine makes of it."""
        game, engine = self.event.game, self.engine
        assert engine is not None
        most = MOST_MOMENTS if time.perf_counter() < self.until else FEW_MOMENTS
        moments = moments_of(game, found.played)[:most]
        values = []
        for number, moment in enumerate(moments):
            if number % 16 == 0:
                self.tell(0.85 + 0.07 * number / len(moments), "looking at its moves")
            values.append(engine.values(moment.state))
        choices = [
            rank
            for moment, worths in zip(moments, values, strict=True)
            if (rank := ranked(worths, moment.move, moment.played.seat)) is not None
        ]
        blunders = find_blunders(
            engine, moments, values, nodes=load.nodes, tell=lambda share: self.tell(0.92 + 0.05 * share, "blunders")
        )
        repeated = [
            (len(game.legal(spot.state)), moves)
            for spot, answers in found.again
            if (moves := [answer.move for answer in answers[1:] if answer.move is not None])
        ]
        outcomes = [one.outcome for one in found.played if one.rung == "random" and not one.is_forfeit]
        draws = engine.payoffs.get(0, 0.0)
        return _with(
            found,
            randomness=randomness_of(choices, repeated, found.puzzles, outcomes, draws=draws),
            rating=self._rating(found, load, plies_a_game),
            blunders=tuple(blunders),
        )

    def _rating(self, found: Checkup, load: Workload, plies_a_game: float) -> Rating | None:
        """On the scale of the game; for one of others, rungs that the bot has met play for it on the spot."""
        self.tell(0.97, "rating")
        among = known_results(self.event.game)
        if among is None and len(load.games) > 1:
            games = games_on_the_spot(plies_a_game, is_quick=found.is_quick)
            among = played_results(self.ladder, games=games)
        return None if among is None else rate(found.played, scale_of(among))


def _fixtures(games: Mapping[str, int]) -> list[tuple[str, int]]:
    """Rungs and numbers of games, two of each rung in turn."""
    all_games = [
        (number // 2, place, rung, number) for place, rung in enumerate(games) for number in range(games[rung])
    ]
    return [(rung, number) for _, _, rung, number in sorted(all_games)]


def _with(found: Checkup, **known: object) -> Checkup:
    return Checkup(**{**vars(found), **known})


def _neighbours(entrant: PythonFile | ProgramFile, reading: Reading | None) -> tuple[str, ...]:
    """Files beside a bot that it imports, and that the referee does not know."""
    if reading is None:
        return ()
    folder: Path = entrant.path.parent
    found = []
    for module in reading.unknown(allows_numpy=True):
        name = module.module.lstrip(".").partition(".")[0]
        if name and ((folder / f"{name}.py").is_file() or (folder / name / "__init__.py").is_file()):
            found.append(f"{name}.py" if (folder / f"{name}.py").is_file() else name)
    return tuple(sorted(set(found)))
