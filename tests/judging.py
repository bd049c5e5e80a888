"""Plays the bots of tests/bots under the referee: as a module for tests, as a script for another user.

python tests/judging.py [--without-audit]     one line of JSON for each bot whose verdict is not what it must be
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import tempfile
from dataclasses import replace
from pathlib import Path

from hostile_bots import REFUSED, BotCase, honest, honest_programs, hostile, hostile_programs
from ludus.bots.entrants import Entrant, parse_entrant
from ludus.bots.room import Room, Sandbox
from ludus.errors import BotError
from ludus.events.event import Event, event_names, load_event, plain_event
from ludus.referee.game import Judged, Pitch, play_game
from ludus.referee.series import drawn_options
from ludus.referee.verdict import Verdict
from ludus.rules import load_game
from ludus.sandbox.levels import open_sandbox

OPPONENT = "def choose(state, clock):\n    return state['legal'][0]\n"
USUAL_LIMIT_S, PATIENT_LIMIT_S = 2.0, 20.0  # a slow machine must not make a time-out of anything else


class Judge:
    """Judges bots one after the other in one sandbox, each as seat 0 against a meek opponent."""

    def __init__(self, sandbox: Sandbox, folder: Path, *, audit: bool = True) -> None:
        self.sandbox, self.folder, self.audit = sandbox, folder, audit
        (folder / "meek.py").write_text(OPPONENT)

    def judge(self, case: BotCase) -> Judged | str:
        """The game, or the sentence with which the bot's file was refused."""
        event = event_of(case)
        try:
            bot = self.entrant(case, event)
        except BotError as error:
            return str(error)
        meek = parse_entrant(str(self.folder / "meek.py"), event.game, interface="choose")
        limits = event.limits if case.loading is None else event.limits._replace(loading_s=case.loading)
        room = Room(self.sandbox, limits=limits, audit=self.audit)
        pitch = Pitch(event.game, drawn_options(event.game, event.options, seed=1), event.control, seed=1)
        one, other = (room.player(entrant, event.game, who=who, seed=1) for who, entrant in enumerate((bot, meek)))
        return play_game(pitch, (one, other))

    def entrant(self, case: BotCase, event: Event) -> Entrant:
        if case.path.suffix == ".py":
            return parse_entrant(str(case.path), event.game, interface=event.interface)
        program = self.folder / case.path.stem
        if not program.exists():
            subprocess.run(["gcc", "-O1", "-pthread", "-o", program, case.path, "-lm"], check=True)
        return parse_entrant(f"{case.protocol}:{program}", event.game)


def event_of(case: BotCase) -> Event:
    if case.event in event_names():
        event = load_event(case.event)
    else:
        event = plain_event(load_game(case.event), limit_s=USUAL_LIMIT_S)
    options = (
        {"low": 3, "high": 9} if event.game.name == "subtraction" else {"m": 4} if event.game.name == "slant" else {}
    )
    usual_s = USUAL_LIMIT_S if "timeout" in case.verdict else PATIENT_LIMIT_S
    event = event.changed(options=options, limit_s=case.limit or usual_s)
    return replace(event, allows_numpy="numpy" in case.needs)


def fault(case: BotCase, found: Judged | str) -> str | None:
    """What is wrong with a verdict, if anything."""
    if isinstance(found, str):
        return None if REFUSED in case.verdict else f"refused: {found}"
    verdict: Verdict = found.verdict
    told = f"{verdict.kind} in ply {verdict.ply}, line {verdict.line}: {verdict.reason}"
    if verdict.kind not in case.verdict:
        return f"must be {' or '.join(sorted(case.verdict))}, is {told}"
    if not verdict.reason.isprintable() or len(verdict.reason) > 300:
        return f"the reason is not one short line: {told!r}"
    if verdict.is_forfeit and verdict.seat != 0:
        return f"the opponent is blamed: {told}"
    if case.reason and case.reason.lower() not in verdict.reason.lower():
        return f"the reason must speak of {case.reason!r}, and is {told}"
    if case.ply is not None and verdict.ply != case.ply:
        return f"must end in ply {case.ply}, is {told}"
    return None


def all_cases() -> list[BotCase]:
    programs = hostile_programs() + honest_programs() if shutil.which("gcc") else []
    return [case for case in hostile() + honest() + programs if not case.missing]


def main(audit: bool) -> int:
    faults = 0
    with tempfile.TemporaryDirectory() as folder:
        sandboxes = {False: open_sandbox("full"), True: open_sandbox("full", preload=("numpy",))}
        try:
            for case in all_cases():
                judge = Judge(sandboxes["numpy" in case.needs], Path(folder), audit=audit)
                wrong = fault(case, judge.judge(case))
                faults += wrong is not None
                if wrong is not None:
                    print(json.dumps({"bot": case.name, "fault": wrong}), flush=True)
        finally:
            for sandbox in sandboxes.values():
                sandbox.close()
    print(json.dumps({"bots": len(all_cases()), "faults": faults}), flush=True)
    return 0


if __name__ == "__main__":
    raise SystemExit(main(audit="--without-audit" not in sys.argv))
