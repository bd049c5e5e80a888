"""`ludus show-verdict` and `ludus rerun`: what happened in a recorded game, and would it happen again?"""

from __future__ import annotations

import argparse
import json
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

from ludus.bots.entrants import Entrant, parse_entrant
from ludus.bots.interfaces import INTERFACES
from ludus.bots.player import Choice
from ludus.cli.match import open_room
from ludus.cli.position import read_one
from ludus.errors import BotError, RecordError
from ludus.events.event import plain_event
from ludus.referee.recorded import Again, Recorded, ask_again, recorded
from ludus.rules import Line, load_game
from ludus.view.canvas import printable
from ludus.view.scene import scene_of_line
from ludus.view.terminal import position_lines

LONGEST_TEXT = 16_000  # characters of one output that are shown


def show_verdict(arguments: argparse.Namespace) -> int:
    game = _read(arguments)
    if arguments.json:
        keys = ("event", "players", "points", "seed", "time", "isolation", "times_ms", "dossier", "starved")
        report = {"verdict": game.verdict, **{k: game.record.more[k] for k in keys if k in game.record.more}}
        sys.stdout.write(json.dumps(report) + "\n")
        return 0
    line = Line(game.played.states, game.played.moves)
    sys.stdout.write("\n".join(position_lines(scene_of_line(game.pitch.game, line))) + "\n\n")
    for row in _rows(game):
        sys.stdout.write(row + "\n")
    return 0


def rerun(arguments: argparse.Namespace) -> int:
    game = _read(arguments)
    ply = game.last_ply if arguments.ply is None else arguments.ply
    plies = len(game.played.states) - (game.played.result is not None)
    if ply >= plies:
        raise RecordError(f"{arguments.record}: there is no ply {ply} to play; plies go from 0 to {plies - 1}")
    seat = game.seat_at(ply)
    entrant = _entrant(game, seat, arguments.bot)
    if arguments.limit is not None:
        control = game.pitch.control._replace(limit_s=arguments.limit, first_limit_s=None)
        game = replace(game, pitch=replace(game.pitch, control=control))
    if arguments.pdb and arguments.bot is None:
        raise BotError("--pdb runs a file without a sandbox, so it is named by --bot, never by a record")
    if arguments.pdb:
        from ludus.cli.debugging import debug  # noqa: PLC0415  # only for those who ask for it

        return debug(game, ply, entrant)
    event = plain_event(game.pitch.game, limit_s=game.pitch.control.limit_s)
    with open_room(event, level=arguments.isolation) as room:
        player = room.player(entrant, game.pitch.game, who=0, seed=game.pitch.player_seed(seat))
        try:
            again = ask_again(game, ply, player)
        finally:
            player.close()
    _tell(game, ply, entrant, again, is_json=arguments.json)
    return 0


def _read(arguments: argparse.Namespace) -> Recorded:
    rules = None if arguments.game is None else load_game(arguments.game)
    try:
        return recorded(read_one(arguments.record), rules)
    except RecordError as error:
        at = "" if error.ply is None else f"ply {error.ply}: "
        raise RecordError(f"{arguments.record}: {at}{error}", ply=error.ply) from None


def _entrant(game: Recorded, seat: int, file: str | None) -> Entrant:
    """The bot of the record, or the file that a person names in its place."""
    player = game.players[seat]
    text = file or player.get("file") or player.get("name")
    if not isinstance(text, str) or (player.get("kind") == "human" and file is None):
        raise BotError(f"seat {seat} was played by a person; name a bot with --bot")
    interface = player.get("interface") if player.get("interface") in INTERFACES else None
    if file is None and player.get("protocol") == "codingame":
        text = f"codingame:{text}"
    entrant = parse_entrant(text, game.pitch.game, interface=interface if file is None else None)
    digest = getattr(entrant, "digest", None)
    if file is None and digest is not None and digest != player.get("sha256"):
        sys.stderr.write(f"ludus: {Path(text).name} is no longer the file of the record: its content has changed\n")
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
    before = f"the record has {was}" if was else f"the record has: {printable(str(game.verdict.get('reason')))[:200]}"
    sys.stdout.write(f"ply {ply}: {printable(entrant.name)} {_answer(choice, names)}; {before}\n")


def _answer(choice: Choice, names: Any) -> str:
    spent = f"{choice.spent.wall_s:.3f} s (CPU {choice.spent.cpu_s:.3f} s, waiting {choice.spent.waited_s:.3f} s)"
    if choice.move is not None:
        return f"answers {names(choice.move)} in {spent}"
    assert choice.failure is not None
    at = f" (line {choice.failure.line})" if choice.failure.line else ""
    return f"fails after {spent}: {printable(choice.failure.reason)}{at}"


def _rows(game: Recorded) -> list[str]:
    """The verdict and its dossier, one thing a row; all of it comes from strangers."""
    verdict, more = game.verdict, game.record.more
    names = [printable(str(player.get("name")))[:60] for player in game.players]
    kind, reason = printable(str(verdict.get("kind")))[:20], printable(str(verdict.get("reason")))[:400]
    seat = verdict.get("seat")
    guilty = f" by {names[seat]} (seat {seat})" if seat in (0, 1) else ""
    rows = [f"verdict    {kind}{guilty} in ply {verdict.get('ply')}: {reason}"]
    if verdict.get("line"):
        rows.append(f"line       {verdict['line']} of its file")
    rows.append(f"players    {names[0]} (seat 0) and {names[1]} (seat 1), isolation {more.get('isolation')}")
    if "points" in more:
        rows.append(f"points     {more['points']}, event {printable(str(more.get('event')))[:60]}")
    found = more.get("dossier")
    if not isinstance(found, dict):
        return rows
    clock = found.get("clock")
    if isinstance(clock, dict):
        rows.append("clock      " + ", ".join(f"{key.removesuffix('_ms')} {value} ms" for key, value in clock.items()))
    for key, title in (("gone_after_ms", "gone after"), ("peak_memory_mb", "memory"), ("exit_status", "exit")):
        if found.get(key):
            unit = " ms" if key.endswith("_ms") else " MB at most" if key.endswith("_mb") else ""
            rows.append(f"{title:<10} {printable(str(found[key]))[:200]}{unit}")
    for call in found.get("calls") or []:
        rows.append(f"call       {printable(str(call))[:400]}")
    for key in ("traceback", "stderr", "stdout"):
        text = found.get(key)
        if isinstance(text, str) and text.strip():
            rows += [f"{key}:", *(f"    {printable(part)}" for part in text[:LONGEST_TEXT].splitlines())]
    return rows
