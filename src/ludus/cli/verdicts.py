"""`ludus show-verdict` and `ludus rerun`: what happened in a recorded game, and would it happen again?"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from ludus.bots.entrants import Entrant, parse_entrant
from ludus.bots.player import Choice
from ludus.cli.match import open_room
from ludus.cli.position import read_one
from ludus.errors import BotError, RecordError
from ludus.events.event import plain_event
from ludus.records import Record
from ludus.referee.recorded import Again, Recorded, ask_again, recorded
from ludus.rules import Line, load_game
from ludus.sandbox.process import Evidence
from ludus.view.canvas import printable
from ludus.view.scene import scene_of_line
from ludus.view.terminal import position_lines

LONGEST_TEXT = 16_000  # characters of one output that are shown


def show_verdict(arguments: argparse.Namespace) -> int:
    record = read_one(arguments.record)
    game = _judged(record, arguments)
    if arguments.json:
        keys = ("event", "players", "points", "seed", "time", "isolation", "times_ms", "dossier", "starved")
        more = {key: record.more[key] for key in keys if key in record.more}
        sys.stdout.write(json.dumps({"verdict": game.verdict.to_json(), **more}) + "\n")
        return 0
    line = Line(game.played.states, game.played.moves)
    sys.stdout.write("\n".join(position_lines(scene_of_line(game.pitch.game, line))) + "\n\n")
    for row in _rows(game, record):
        sys.stdout.write(printable(row) + "\n")
    return 0


def rerun(arguments: argparse.Namespace) -> int:
    game = _judged(read_one(arguments.record), arguments)
    ply = game.last_ply if arguments.ply is None else arguments.ply
    plies = len(game.played.states) - (game.played.result is not None)
    if not game.opening <= ply < plies:
        where = f"plies go from {game.opening} to {plies - 1}"
        raise RecordError(f"{arguments.record}: there is no ply {ply} to play; {where}")
    seat = game.seat_at(ply)
    entrant = _entrant(game, seat, arguments)
    if arguments.limit is not None:
        control = game.pitch.control._replace(limit_s=arguments.limit, first_limit_s=None)
        game = replace(game, pitch=replace(game.pitch, control=control))
    if arguments.pdb and arguments.bot is None:
        raise BotError("--pdb runs a file without a sandbox, so it is named by --bot, never by a record")
    if arguments.pdb:
        from ludus.cli.debugging import debug  # noqa: PLC0415  # only for those who ask for it

        return debug(game, ply, entrant)
    event = plain_event(game.pitch.game, limit_s=game.pitch.control.limit_s)
    event = replace(event, limits=game.limits, allows_numpy=game.has_numpy)
    with open_room(event, level=arguments.isolation) as room:
        player = room.player(entrant, game.pitch.game, who=0, seed=game.pitch.player_seed(seat))
        try:
            again = ask_again(game, ply, player)
        finally:
            player.close()
    _tell(game, ply, entrant, again, is_json=arguments.json)
    return 0


def _judged(record: Record, arguments: argparse.Namespace) -> Recorded:
    rules = None if arguments.game is None else load_game(arguments.game)
    try:
        return recorded(record, rules)
    except RecordError as error:
        at = "" if error.ply is None else f"ply {error.ply}: "
        raise RecordError(f"{arguments.record}: {at}{error}", ply=error.ply) from None


def _entrant(game: Recorded, seat: int, arguments: argparse.Namespace) -> Entrant:
    """The bot that a person names, or the one of the record, where its file is still the same.

    A record is data: that it names a file is no reason to run what is there now, nor to run it with less isolation.
    """
    player = game.players[seat]
    if arguments.bot is not None:
        return parse_entrant(arguments.bot, game.pitch.game)
    if player.kind == "human":
        raise BotError(f"seat {seat} was played by a person; name a bot with --bot")
    if player.kind == "agent":
        return parse_entrant(player.name, game.pitch.game)
    if player.file is None or arguments.isolation == "basic":
        raise BotError(f"name the bot of seat {seat} with --bot: a record alone does not say what to run here")
    text = f"codingame:{player.file}" if player.protocol == "codingame" else player.file
    entrant = parse_entrant(text, game.pitch.game, interface=player.interface)
    if getattr(entrant, "digest", None) != player.sha256:
        shown = Path(player.file).name
        raise BotError(f"{shown} is no longer the file of the record; name it with --bot to run it as it is now")
    return entrant


def _tell(game: Recorded, ply: int, entrant: Entrant, again: Again, *, is_json: bool) -> None:
    choice, names = again.choice, game.pitch.game.move_name
    was = names(game.played.moves[ply]) if ply < len(game.played.moves) else None
    if is_json:
        failure = None if choice.failure is None else choice.failure._asdict()
        report = {
            "ply": ply,
            "seat": game.seat_at(ply),
            "move": None if choice.move is None else names(choice.move),
            "failure": failure,
            "recorded": was,
            "strayed": list(again.strayed),
            **{f"{key[:-2]}_ms": round(1000 * value, 3) for key, value in choice.spent._asdict().items()},
        }
        sys.stdout.write(json.dumps(report) + "\n")
        return
    for earlier in again.strayed:
        sys.stdout.write(f"ply {earlier}: its answer is not the recorded {names(game.played.moves[earlier])}\n")
    before = f"the record has {was}" if was else f"the record has: {printable(game.verdict.reason)[:200]}"
    sys.stdout.write(f"ply {ply}: {printable(entrant.name)} {_answer(choice, names)}; {before}\n")


def _answer(choice: Choice, names: Any) -> str:
    spent = f"{choice.spent.wall_s:.3f} s (CPU {choice.spent.cpu_s:.3f} s, waiting {choice.spent.waited_s:.3f} s)"
    if choice.move is not None:
        return f"answers {names(choice.move)} in {spent}"
    assert choice.failure is not None
    at = f" (line {choice.failure.line})" if choice.failure.line else ""
    return f"fails after {spent}: {printable(choice.failure.reason)}{at}"


def _rows(game: Recorded, record: Record) -> Iterator[str]:
    """The verdict and its dossier, one thing a row."""
    verdict, (one, other) = game.verdict, game.players
    guilty = "" if verdict.seat is None else f" by {game.players[verdict.seat].name} (seat {verdict.seat})"
    yield f"verdict    {verdict.kind}{guilty} in ply {verdict.ply}: {verdict.reason}"
    if verdict.line is not None:
        yield f"line       {verdict.line} of its file"
    levels = " and ".join(str(level)[:20] for level in _list(record.more.get("isolation")))
    yield f"players    {one.name} (seat 0) and {other.name} (seat 1), isolation {levels or 'unknown'}"
    if "points" in record.more:
        points = " : ".join(str(part)[:20] for part in _list(record.more["points"]))
        yield f"points     {points}, event {str(record.more.get('event'))[:60]}"
    if not verdict.is_forfeit:
        return
    if len(game.spents) > len(game.played.moves):
        wall, cpu, waited = (f"{1000 * part:.3f} ms" for part in game.spents[-1])
        limit_ms = 1000 * game.turn_at(len(game.played.moves)).limit_s
        yield f"clock      limit {limit_ms:g} ms, wall {wall}, CPU {cpu}, waiting for a core {waited}"
    if game.bank_ms is not None:
        yield f"bank       {game.bank_ms:.3f} ms were left when it was asked"
    if game.strikes_left is not None:
        yield f"strikes    {game.strikes_left:g} left when it was asked"
    if game.gone_ms is not None:
        yield f"gone       {game.gone_ms:.3f} ms after the limit"
    if game.evidence is not None:
        yield from _evidence_rows(game.evidence, is_forbidden=verdict.kind == "forbidden")


def _evidence_rows(evidence: Evidence, *, is_forbidden: bool) -> Iterator[str]:
    """What was kept. Most calls are only refused, as Python makes them by itself; the last one may be the forbidden."""
    if evidence.peak_memory_mb:
        yield f"memory     {evidence.peak_memory_mb:.1f} MB at most"
    if evidence.exit_status:
        yield f"exit       {evidence.exit_status[:200]}"
    for number, call in enumerate(evidence.calls, 1):
        yield f"{'forbidden' if is_forbidden and number == len(evidence.calls) else 'refused':<10} {call[:400]}"
    for name in ("traceback", "stderr", "stdout"):
        text = getattr(evidence, name)[:LONGEST_TEXT]
        if text.strip():
            yield f"{name}:"
            yield from (f"    {part}" for part in text.splitlines())


def _list(value: object) -> list[Any]:
    return value[:2] if isinstance(value, list) else []
