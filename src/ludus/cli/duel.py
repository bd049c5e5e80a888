"""`ludus duel`: which of two agents is stronger, by how much, and how sure that is."""

from __future__ import annotations

import argparse
import json
import math
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import IO, TYPE_CHECKING

from ludus.agents.agent import Budget
from ludus.agents.naming import KINDS
from ludus.cli.position import parse_options
from ludus.cli.progress import saying_once
from ludus.errors import LudusError
from ludus.lab.duel import duel as play_duel
from ludus.lab.tally import DuelReport, Tally, TimeUse
from ludus.ratings.duel import Bounds, Estimate
from ludus.records import record_game
from ludus.rules import Game, load_game

if TYPE_CHECKING:
    from contextlib import AbstractContextManager

    from ludus.lab.pair import Pair, Played

DEFAULT_SECONDS = 0.1  # a move
INTERRUPTED = 130
MOST_ELO = 1000.0
HEADINGS = f"{'':<24}    moves  ms a move  nodes a move      nodes/s   overshoot ms: mean    p99     max"


def duel(arguments: argparse.Namespace) -> int:
    game, options = load_game(arguments.game), parse_options(arguments.options)
    _refuse_files(arguments)
    budget = Budget(nodes=arguments.nodes) if arguments.nodes else Budget(seconds=arguments.time or DEFAULT_SECONDS)
    games = arguments.games + arguments.games % 2
    if games != arguments.games:
        sys.stderr.write(f"ludus: games are played in pairs: {games} instead of {arguments.games}\n")
    with _records(arguments.records) as file, _live(games) as tell:

        def on_pair(pair: Pair, tally: Tally) -> None:
            tell(tally)
            if file is not None:
                file.writelines(_record(game, arguments, budget, played) for played in pair)
                file.flush()

        report = play_duel(
            game,
            arguments.one,
            arguments.other,
            games=games,
            budget=budget,
            opening_plies=arguments.openings,
            options=options,
            sprt=parse_sprt(arguments.sprt),
            seed=arguments.seed,
            workers=arguments.workers,
            on_pair=on_pair,
            on_compiling=saying_once(game.name),
        )
    if arguments.json:
        sys.stdout.write(json.dumps({**report.to_data(), "budget": budget._asdict()}) + "\n")
    elif arguments.records != "-":
        sys.stdout.writelines(line + "\n" for line in describe(report))
    return INTERRUPTED if report.is_interrupted else 0


def _refuse_files(arguments: argparse.Namespace) -> None:
    for name in (arguments.one, arguments.other):
        agent = name.partition("@")[0]
        if agent.partition(":")[0] not in KINDS and (agent.endswith(".py") or Path(agent).exists()):
            match = f"ludus match {arguments.game} {arguments.one} {arguments.other}"
            raise LudusError(f"{agent[:60]} is a file, and duels are between agents; bots play in: {match[:200]}")


def parse_sprt(text: str | None) -> Bounds | None:
    """`0,10` as the two hypotheses of a sequential test."""
    if text is None:
        return None
    try:
        elo0, elo1 = (float(word) for word in text.split(","))
    except ValueError:
        raise LudusError(f"--sprt is {text[:30]!r}; two Elo differences such as 0,10 were expected") from None
    if not -MOST_ELO <= elo0 < elo1 <= MOST_ELO:
        raise LudusError(
            f"--sprt is {text[:30]!r}; the first difference must be below the second, both within {MOST_ELO:.0f} Elo"
        )
    return Bounds(elo0, elo1)


def describe(report: DuelReport) -> list[str]:
    """A finished duel in a few lines for a person."""
    one, other = report.players
    if report.games == 0:
        return ["stopped before the first pair of games was over"]
    lines = [
        f"{one} {100 * report.estimate.share:.1f} % of {report.games} games against {other} "
        f"(+{report.wins} ={report.draws} -{report.losses})   {_certainty(report.estimate)}   "
        f"pairs {'-'.join(map(str, report.pairs))}"
    ]
    if report.sprt is not None and report.ratio is not None:
        lines.append(_sprt_line(report.sprt, report.ratio, report.verdict, one))
    lines += [
        f"mean margin {report.mean_margin:+.2f}   first seat {100 * report.first_seat_share:.0f} % of the points   "
        f"games of {report.mean_plies:.0f} moves{_random_part(report.opening_plies)}",
        "",
        HEADINGS,
        *(_time_line(name, use) for name, use in zip(report.players, report.time_use, strict=True)),
    ]
    if not report.has_own_cores:
        lines += ["", "Not every game had a core to itself: do not trust the times."]
    if report.is_interrupted:
        lines += ["", f"stopped after {report.games} games"]
    return lines


def _random_part(plies: int) -> str:
    return "" if plies == 0 else ", the first one random" if plies == 1 else f", the first {plies} of them random"


def _certainty(estimate: Estimate) -> str:
    low, high = estimate.elo_low, estimate.elo_high
    if math.isfinite(low) and math.isfinite(high):
        elo = f"Elo {estimate.elo:+.0f} ± {estimate.elo_error:.0f}"
    elif math.isfinite(low):
        elo = f"Elo above {low:+.0f}"
    elif math.isfinite(high):
        elo = f"Elo below {high:+.0f}"
    else:
        elo = "Elo unknown"
    return f"{elo}   LOS {100 * estimate.superiority:.1f} %"


def _sprt_line(sprt: Bounds, ratio: float, verdict: str | None, one: str) -> str:
    said = f"SPRT {sprt.elo0:g} or {sprt.elo1:g} Elo: LLR {ratio:+.2f} ({sprt.lower:.2f} to {sprt.upper:.2f}), "
    if verdict is None:
        return said + "undecided"
    likelier, other = (sprt.elo1, sprt.elo0) if verdict == "elo1" else (sprt.elo0, sprt.elo1)
    return said + f"decided: {one} is {likelier:+g} rather than {other:+g}"


def _time_line(name: str, use: TimeUse) -> str:
    return (
        f"{name[:24]:<24} {use.moves:>8} {1000 * use.seconds_a_move:>10.2f} {use.nodes_a_move:>13,.0f} "
        f"{use.nodes_per_second:>12,.0f} {1000 * use.overshoot_mean_s:>20.2f} {1000 * use.overshoot_p99_s:>6.2f} "
        f"{1000 * use.overshoot_max_s:>7.2f}"
    )


def _record(game: Game, arguments: argparse.Namespace, budget: Budget, played: Played) -> str:
    names = (arguments.one, arguments.other)
    record = record_game(
        game,
        game.start(**played.opening.options),
        played.opening.options,
        list(played.moves),
        result=played.result,
        players=[names[played.first], names[1 - played.first]],
        budget=budget._asdict(),
        seed=arguments.seed,
        pair=played.opening.number,
        opening=len(played.opening.moves),
    )
    return record.to_json() + "\n"


def _records(name: str | None) -> AbstractContextManager[IO[str] | None]:
    if name is None or name == "-":
        return nullcontext(None if name is None else sys.stdout)
    try:
        return Path(name).open("w", encoding="utf-8")
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise LudusError(f"{name[:200]}: the records cannot be written: {reason}") from None


@contextmanager
def _live(games: int) -> Iterator[Callable[[Tally], None]]:
    """How the duel stands and how long it will take, on standard error, for whoever watches."""
    if not sys.stderr.isatty():
        yield lambda tally: None
        return
    from rich.console import Console  # noqa: PLC0415  # slow to import, and only people at a terminal need it
    from rich.progress import BarColumn, Progress, TextColumn  # noqa: PLC0415

    columns = (BarColumn(bar_width=20), TextColumn("{task.completed}/{task.total} games  {task.fields[text]}"))
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("", total=games, text="making the players; what is new is compiled first")
        moments: list[tuple[float, int]] = []  # when so many games were over

        def tell(tally: Tally) -> None:
            moments[1:] = [(time.perf_counter(), tally.games)]
            bar.update(task, completed=tally.games, text=f"{_standing(tally)}{_time_left(moments, games)}")

        yield tell


def _standing(tally: Tally) -> str:
    share = f"{100 * tally.estimate.share:.1f} % (+{tally.wins} ={tally.draws} -{tally.losses})"
    text = f"{share}   {_certainty(tally.estimate)}"
    if tally.sprt is None or tally.ratio is None:
        return text
    return f"{text}   LLR {tally.ratio:+.2f} ({tally.sprt.lower:.2f} to {tally.sprt.upper:.2f})"


def _time_left(moments: list[tuple[float, int]], games: int) -> str:
    """At the pace between the first pair and the last one; before the first, players are made and code is loaded."""
    (begin, first), (now, last) = moments[0], moments[-1]
    if first == last:
        return ""
    minutes, seconds = divmod(round((now - begin) * (games - last) / (last - first)), 60)
    return f"   {minutes // 60}:{minutes % 60:02}:{seconds:02} left"
