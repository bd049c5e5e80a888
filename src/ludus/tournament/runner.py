"""Runs a tournament: asks its format for games, has them played, stores them, and hands the results back.

A game runs at least once and is stored exactly once. Never more than a window of games is outside the
store, so memory does not grow with the plan. What a format is told depends on the store alone, in the order in which
the format asked, so that serial, parallel, distributed and interrupted runs end in the same tables.
"""

from __future__ import annotations

import queue
import time
from collections import Counter, deque
from collections.abc import Callable, Iterator
from concurrent.futures import CancelledError, Future
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import count, islice
from typing import NamedTuple, Protocol

from ludus.errors import EngineError, LudusError, StoreError
from ludus.tournament.engines import Engine
from ludus.tournament.outcome import Format, Outcome
from ludus.tournament.pairing import GameResult, Pairing, Round
from ludus.tournament.store import WAVE, Store, StoredGame
from ludus.tournament.tasks import Numbered, PlayTask, Task, reply_of_bytes

WINDOW = 2  # batches for each slot that are out at a time
BATCH_S, LARGEST_BATCH = 1.0, 256  # so long should a batch take; so many games may it have
ATTEMPTS = 3  # at a game under which workers die
MOST_LOSSES = 60  # batches lost in a row, with no game played in between: then the workers are at fault
TICK_S, SLOTS_S = 0.5, 5.0  # between looks at the world; between questions to a cluster about its size
NOBODY = (Fraction(0), Fraction(0))


class Play(NamedTuple):
    """How games are played: what runs in a worker, by which kit, with files from where."""

    function: PlayTask
    kit: str
    content: Callable[[str], bytes]  # of a hash
    live: str = ""  # where workers may show games while they play them


class Watcher(Protocol):
    """Whoever watches a run."""

    def begin(self, wave: int, games: Round) -> None:
        """The format asks for these games."""

    def result(self, result: GameResult, *, is_new: bool) -> None:
        """A game is over; one that is not new was stored by an earlier run."""

    def tick(self) -> None:
        """Some time has passed."""


class Quiet:
    """Nobody watches."""

    def begin(self, wave: int, games: Round) -> None: ...

    def result(self, result: GameResult, *, is_new: bool) -> None: ...

    def tick(self) -> None: ...


def run_format(
    form: Format,
    store: Store,
    engine: Engine,
    play: Play,
    *,
    watcher: Watcher | None = None,
    only: Callable[[Pairing], bool] | None = None,
) -> Outcome | None:
    """Play what the store does not have yet, to the end of the format, or until games that `only` leaves out miss."""
    watcher = watcher or Quiet()
    driver = _Driver(store, engine, play, watcher)
    results: StoredResults | None = None
    for wave in count():
        games, outcome = _asked(form, results)
        if games is None:
            return outcome
        watcher.begin(wave, games)
        waiting = _Waiting(store, wave, games, watcher, only)
        driver.play(iter(waiting))
        if waiting.left_out:
            return None
        results = StoredResults(store, wave)
    raise AssertionError("rounds are endless")


def outcome_of(form: Format, store: Store) -> Outcome | None:
    """What the stored games lead to, with nothing played; None while games are missing."""
    results: StoredResults | None = None
    for wave in count():
        games, outcome = _asked(form, results)
        if games is None:
            return outcome
        if store.count(wave=wave) < games.count:
            return None
        results = StoredResults(store, wave)
    raise AssertionError("rounds are endless")


def _asked(form: Format, results: StoredResults | None) -> tuple[Round, None] | tuple[None, Outcome]:
    """The next games that the format wants, or how it ended; it is begun with None."""
    try:
        return form.send(results), None  # type: ignore[arg-type]
    except StopIteration as stop:
        return None, stop.value


@dataclass(frozen=True)
class StoredResults:
    """The results of one round; each iteration reads them from the store anew."""

    store: Store
    wave: int

    def __iter__(self) -> Iterator[GameResult]:
        return (result for _, result in self.store.played(self.wave))


@dataclass
class _Waiting:
    """The games of a round that are still to be played."""

    store: Store
    wave: int
    round: Round
    watcher: Watcher
    only: Callable[[Pairing], bool] | None
    left_out: int = 0

    def __iter__(self) -> Iterator[Numbered]:
        stored = self.store.played(self.wave)
        number, result = next(stored, (-1, None))
        for here, pairing in enumerate(self.round.pairings):
            if here == number and result is not None:
                if result.pairing != pairing:
                    found = f"the store has {result.pairing.id}, the plan {pairing.id}"
                    raise StoreError(f"{self.store.folder}: this is not the tournament that was begun here: {found}")
                self.watcher.result(result, is_new=False)
                if here % 1000 == 0:
                    self.watcher.tick()
                number, result = next(stored, (-1, None))
            elif self.only is not None and not self.only(pairing):
                self.left_out += 1
            else:
                yield Numbered(self.wave * WAVE + here, pairing)


@dataclass(eq=False)
class _Batch:
    games: tuple[Numbered, ...]
    blobs: tuple[str, ...] = ()  # what a worker lacked
    sent: int = 0


@dataclass
class _Driver:
    """Has games played. It lives as long as the run: how fast games are, and which killed their worker, is kept."""

    store: Store
    engine: Engine
    play_in_worker: Play
    watcher: Watcher
    again: deque[_Batch] = field(default_factory=deque)  # to be sent with more files
    suspects: deque[_Batch] = field(default_factory=deque)  # under which a worker died
    ahead: deque[Numbered] = field(default_factory=deque)
    live: dict[Future[bytes], _Batch] = field(default_factory=dict)
    done: queue.SimpleQueue[Future[bytes]] = field(default_factory=queue.SimpleQueue)
    tries: Counter[int] = field(default_factory=Counter)
    seconds: float = BATCH_S  # that a game takes
    losses: int = 0
    slots: int = 1
    slots_due: float = 0.0

    def __post_init__(self) -> None:
        self._lost_errors: tuple[type[BaseException], ...] = (CancelledError, *self.engine.lost)

    def play(self, games: Iterator[Numbered]) -> None:
        """Play all of them, and store each as it comes."""
        try:
            while self._fill(games):
                self._collect()
        except BaseException:
            self._salvage()
            raise

    def _fill(self, games: Iterator[Numbered]) -> bool:
        """Keep the workers busy; whether anything is out."""
        if time.monotonic() >= self.slots_due:
            self.slots, self.slots_due = max(1, self.engine.slots()), time.monotonic() + SLOTS_S
        while (batch := self._batch(games)) is not None:
            blobs = {digest: self.play_in_worker.content(digest) for digest in batch.blobs}
            task = Task(self.play_in_worker.kit, batch.games, blobs, self.play_in_worker.live).to_bytes()
            future = self.engine.executor.submit(self.play_in_worker.function, task)
            self.live[future] = batch
            future.add_done_callback(self.done.put)
        return bool(self.live)

    def _batch(self, games: Iterator[Numbered]) -> _Batch | None:
        """What to give out next, while there is room.

        Games under which a worker died come last and one to a worker: when somebody kills workers, or an engine blames
        all games that wait where a worker dies, it is not three times the same one.
        """
        if len(self.live) < WINDOW * self.slots:
            batch = self.again.popleft() if self.again else self._next(games)
            if batch is not None:
                return batch
        if self.suspects and len(self.live) < self.slots and not self.ahead:
            return self.suspects.popleft()
        return None

    def _next(self, games: Iterator[Numbered]) -> _Batch | None:
        """Games for about a second; few are left at the end of a round, and then everybody gets some."""
        size = min(LARGEST_BATCH, max(1, int(BATCH_S / max(self.seconds, 1e-6))))
        room = WINDOW * self.slots
        self.ahead.extend(islice(games, max(0, size * room - len(self.ahead))))
        size = min(size, -(-len(self.ahead) // room))
        batch = tuple(self.ahead.popleft() for _ in range(size))
        return _Batch(batch) if batch else None

    def _collect(self) -> None:
        """Store, in one transaction, all that is ready."""
        self.watcher.tick()
        try:
            ready = [self.done.get(timeout=TICK_S)]
        except queue.Empty:
            return
        while not self.done.empty():
            ready.append(self.done.get())
        rows: list[StoredGame] = []
        try:
            for future in ready:
                rows += self._played(future)
        finally:
            self._store(rows)

    def _salvage(self) -> None:
        """What is ready when a run is stopped is stored still."""
        rows: list[StoredGame] = []
        while not self.done.empty():
            future = self.done.get()
            if not future.cancelled() and future.exception() is None:
                rows += reply_of_bytes(future.result()).games
        self._store(rows)

    def _store(self, rows: list[StoredGame]) -> None:
        if rows:
            self.store.write(rows)
            for row in rows:
                self.watcher.result(row.result, is_new=True)

    def _played(self, future: Future[bytes]) -> tuple[StoredGame, ...]:
        batch = self.live.pop(future)
        try:
            reply = reply_of_bytes(future.result())
        except self._lost_errors as error:
            return self._lost(batch, error)
        except (LudusError, OSError) as error:
            self._failed(batch, error)
            return ()
        if reply.missing:
            self._send_again(batch, reply.missing)
            return ()
        self.losses = 0
        for game in reply.games:
            self.seconds += (game.seconds - self.seconds) / 8
        return reply.games

    def _send_again(self, batch: _Batch, missing: tuple[str, ...]) -> None:
        """With the files that the worker lacks; another worker may lack others."""
        batch.sent += 1
        if batch.sent > 100:
            raise EngineError(f"the workers keep nothing: {missing[0][:12]} was sent {batch.sent} times")
        batch.blobs = tuple(sorted({*batch.blobs, *missing}))
        self.again.append(batch)

    def _lost(self, batch: _Batch, error: BaseException) -> tuple[StoredGame, ...]:
        """The worker died: its games are played again, one at a time; one that always kills ends as crashed."""
        self.losses += 1
        self.slots_due = 0.0
        if self.losses > MOST_LOSSES:
            died = f"workers died {self.losses} times in a row"
            raise EngineError(f"{died} ({_sentence(error)}); what was played is stored, run again to go on") from None
        crashed = []
        for game in batch.games:
            self.tries[game.key] += not isinstance(error, CancelledError)  # the engine's doing, not the game's
            if self.tries[game.key] < ATTEMPTS:
                self.suspects.append(_Batch((game,), batch.blobs))
            else:
                crashed.append(_crashed(game, f"the worker died {ATTEMPTS} times: {_sentence(error)}"))
        return tuple(crashed)

    def _failed(self, batch: _Batch, error: LudusError | OSError) -> None:
        """The worker lives, but cannot play; that is the machine's fault, and for a person to see to."""
        for game in batch.games:
            self.tries[game.key] += 1
            if self.tries[game.key] >= ATTEMPTS:
                raise EngineError(f"a worker cannot play: {_sentence(error)}") from error
            self.suspects.append(_Batch((game,), batch.blobs))


def _crashed(game: Numbered, reason: str) -> StoredGame:
    result = GameResult(game.pairing, NOBODY, None, 0, "crashed", "crashed")
    return StoredGame(game.key, result, reason, 0, 0.0, "", b"", b"")


def _sentence(error: BaseException) -> str:
    return " ".join(str(error).split())[:200] or type(error).__name__
