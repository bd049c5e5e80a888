"""`ludus run`: plays a tournament from a folder of bots to its table, and goes on where an earlier run stopped."""

from __future__ import annotations

import argparse
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from ludus.cli.standings import outcome_lines, watching
from ludus.errors import BotError, EventError, StoreError
from ludus.events.event import load_event
from ludus.sandbox.process import Level
from ludus.tournament.engines import open_engine
from ludus.tournament.folder import (
    Prepared,
    Tournament,
    changed_bots,
    content_of,
    differences,
    is_tournament,
    make_tournament,
    open_tournament,
    prepare_tournament,
    require_ours,
    versions_here,
)
from ludus.tournament.identical import identical_games
from ludus.tournament.kit import Team, hash_of
from ludus.tournament.live import publishing
from ludus.tournament.outcome import Outcome
from ludus.tournament.pairing import Pairing
from ludus.tournament.plan import Plan, plan_of
from ludus.tournament.runner import Play, run_format
from ludus.tournament.store import Store, writing
from ludus.tournament.worker import play_task
from ludus.view.canvas import printable

INTERRUPTED = 130


def run(arguments: argparse.Namespace) -> int:
    folder, prepared = _place(arguments)
    with writing(folder) as store:
        tournament = open_tournament(folder) if prepared is None else make_tournament(folder, prepared)
        plan = plan_of(tournament.event)
        for notice in _notices(tournament, arguments, is_new=prepared is not None):
            _say(notice)
        with _stopping_gently():
            try:
                outcome = _play(tournament, plan, store, arguments)
            except KeyboardInterrupt:
                _say(f"stopped with {store.count()} games stored; `ludus run {folder}` goes on")
                return INTERRUPTED
        for notice in _afterwards(tournament, store):
            _say(notice)
        if outcome is None:
            _say(f"{store.count()} games are stored, others are left out by --only; `ludus run {folder}` plays them")
            return 0
        _tell(tournament, outcome, store)
        return 0


def _place(arguments: argparse.Namespace) -> tuple[Path, Prepared | None]:
    """The tournament's folder, and what is to be written there if it is new."""
    named = Path(arguments.event)
    if named.is_dir() and is_tournament(named):
        return named, None
    event = load_event(arguments.event)
    plan = plan_of(event)
    seed = plan.seed if arguments.seed is None else arguments.seed
    folder = Path(arguments.out or f"{event.name}-{seed}")
    if is_tournament(folder):
        _require_same(folder, event.name, arguments)
        return folder, None
    require_ours(folder)
    if not arguments.bots:
        raise BotError("name the bots: --bots FOLDER, or --bots and their files")
    level: Level | None = arguments.isolation
    prepared = prepare_tournament(arguments.event, arguments.bots, seed=seed, isolation=level)
    plan.play(
        len(prepared.kit.teams), seed
    )  # a plan that cannot be made for so many is said before anything is written
    return folder, prepared


def _require_same(folder: Path, event: str, arguments: argparse.Namespace) -> None:
    known = open_tournament(folder).kit
    if known.event_name != event:
        raise StoreError(f"{folder}: this is a tournament of {known.event_name}, not {event}; name another --out")
    if arguments.seed not in (None, known.seed):
        raise StoreError(f"{folder}: this tournament has the seed {known.seed}; name another --out for another seed")


def _notices(tournament: Tournament, arguments: argparse.Namespace, *, is_new: bool) -> Iterator[str]:
    """What whoever runs it should know before it begins."""
    kit = tournament.kit
    if kit.isolation == "basic":
        yield (
            "isolation is basic: bots run in processes of their own with limits, but could read files, use the "
            "network or disturb other programs; play only bots that you trust"
        )
    if is_new:
        return
    yield f"going on with the tournament in {tournament.folder}"
    for what, version in versions_here().items():
        if tournament.versions.get(what) != version:
            yield f"the tournament began with {what} {tournament.versions.get(what)}, and goes on with {version}"
    if arguments.bots:
        yield from differences(tournament, arguments.bots)


def _play(tournament: Tournament, plan: Plan, store: Store, arguments: argparse.Namespace) -> Outcome | None:
    kit = tournament.kit
    blob = kit.to_bytes()
    digest = hash_of(blob)

    def content(wanted: str) -> bytes:
        return blob if wanted == digest else content_of(tournament, wanted)

    names = [printable(team.name) for team in kit.teams]
    only = _only(arguments.only, kit.teams, plan) if arguments.only else None
    with (
        publishing(tournament.folder) as live,
        open_engine(arguments.engine, workers=arguments.workers) as engine,
        watching(names, plan.games(len(names)), is_quiet=arguments.quiet, look=_changes_noticed(tournament)) as watcher,
    ):
        if engine.slots() == 0:
            _say("the cluster has no worker yet; games begin when one comes")
        play = Play(play_task, digest, content, live)
        return run_format(plan.play(len(names), kit.seed), store, engine, play, watcher=watcher, only=only)


def _only(words: list[str], teams: tuple[Team, ...], plan: Plan) -> Callable[[Pairing], bool]:
    """Whether a game is of a stage ("group"), a pool ("group/pool-3"), or of a team by its name."""
    named = {number for number, team in enumerate(teams) if team.name in words}
    known = {teams[number].name for number in named}
    for word in words:
        if word not in known and word.partition("/")[0] not in plan.parts:
            stages = ", ".join(plan.parts)
            raise EventError(f"--only {word[:60]!r} is no team and no stage; the stages are {stages}")
    parts = tuple(f"{word.rstrip('/')}/" for word in words)

    def is_meant(pairing: Pairing) -> bool:
        return pairing.first in named or pairing.second in named or pairing.id.startswith(parts)

    return is_meant


def _changes_noticed(tournament: Tournament) -> Callable[[], list[str]]:
    """Says of each bot once that its file has changed."""
    said: set[str] = set()

    def look() -> list[str]:
        new = [name for name in changed_bots(tournament) if name not in said]
        said.update(new)
        return [
            f"the file of {printable(name)} has changed since the tournament began; it goes on with the old content, "
            "and another --out plays the new one"
            for name in new
        ]

    return look


def _afterwards(tournament: Tournament, store: Store) -> Iterator[str]:
    names = [printable(team.name) for team in tournament.kit.teams]
    for result, reason in store.failures():
        yield f"game {result.pairing.id} counts for nobody: {printable(reason)}"
    repeated = identical_games(store.repeated_lines())
    if repeated:
        spare = sum(len(found.ids) - 1 for found in repeated)
        one, other = repeated[0].teams
        yield (
            f"{spare} of {store.count()} games repeat another of the same two bots move for move (such as "
            f"{repeated[0].ids[1]} of {names[one]} and {names[other]}); where bots are deterministic, opening_plies "
            "in the event's [format] varies the openings"
        )


def _tell(tournament: Tournament, outcome: Outcome, store: Store) -> None:
    names = [printable(team.name) for team in tournament.kit.teams]
    table = "\n".join(outcome_lines(outcome, names)) + "\n"
    (tournament.folder / "table.txt").write_text(table, encoding="utf-8")
    sys.stdout.write(table)
    sys.stdout.write(f"\n{names[outcome.placing[0].team]} wins after {store.count()} games; ")
    sys.stdout.write(f"all is in {tournament.folder}\n")


@contextmanager
def _stopping_gently() -> Iterator[None]:
    """A batch system's end of time is a Ctrl-C."""

    def interrupt(_number: int, _frame: object) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGTERM, interrupt)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def _say(sentence: str) -> None:
    sys.stderr.write(f"ludus: {sentence}\n")
