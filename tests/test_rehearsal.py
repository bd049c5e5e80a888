"""A whole course in one go: forty submissions through collect, check, compare, run, report and feedback.

Every planted fault is found and named, and no honest bot is accused of anything.
"""

from __future__ import annotations

import csv
import json
import subprocess
import sys
from pathlib import Path

import pytest

from course_submissions import (
    BOMB,
    COPY,
    DEADLINE,
    EXAMPLES,
    FAULTS,
    LATE_TEAM,
    ORIGINAL_TEAM,
    RANDOM,
    SYNTAX,
    WRONG_CLASS,
    hand_in,
)
from ludus.bots.entrants import parse_entrant
from ludus.bots.room import Room
from ludus.course.check import check_bot
from ludus.course.judgements import judge
from ludus.course.workload import BRIEF, VALIDITY
from ludus.events.event import load_event
from ludus.reports.findings import findings_of
from ludus.sandbox.levels import best_level, open_sandbox

EVENT = f"""\
title = "Rehearsal"
game = "ultimate-adjacent"
[time]
move_s = 1
[bots]
interface = "player-class"
[points]
finished = "cse371"
forfeit = [2, 0]
tampering = [3, 0]
forbidden = [3, 0]
[format]
kind = "pools"
stages = ["group", "final"]
pools = [8]
advance = [1]
smallest_pool = 3
sides = "coin"
[grades]
kind = "relative"
weights = {{ group = 40, final = 20 }}
[submissions]
deadline = {DEADLINE}
class = 2
late = 5
"""
INVALID = {*FAULTS, SYNTAX, BOMB}
VALID = set(range(1, 41)) - INVALID


@pytest.fixture(scope="module")
def course(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The script: nobody lifts a hand between the first command and the last."""
    folder = tmp_path_factory.mktemp("course")
    (folder / "course.toml").write_text(EVENT)
    hand_in(folder / "handed-in")
    given = folder / "given"
    given.mkdir()
    for file in EXAMPLES.glob("*.py"):
        (given / file.name).write_text(file.read_text().replace("SECONDS = 0.2", "SECONDS = 0.004"))
    script = """
        set -e
        ludus collect handed-in --event course.toml --out bots --json > collected.json
        ludus compare bots --event course.toml --against given --positions 40 --html alike.html --json > alike.json
        ludus run course.toml --bots bots --out played --seed 7 --quiet > table.txt
        ludus report played --no-grades > page.txt
        ludus feedback played --out pages
    """
    script = script.replace("ludus ", f"{sys.executable} -m ludus ")
    done = subprocess.run(["bash", "-c", script], capture_output=True, text=True, cwd=folder, check=False)
    assert done.returncode == 0, done.stderr
    return folder


@pytest.fixture(scope="module")
def collected(course: Path) -> dict[str, dict]:
    return {one["team"]: one for one in json.loads((course / "collected.json").read_text())["submissions"]}


def said(one: dict) -> str:
    return " | ".join([one["verdict"], *one["remarks"], *(penalty["why"] for penalty in one["penalties"])])


def test_collect_finds_and_names_what_is_wrong(collected):
    assert set(collected) == {f"team{team}" for team in range(1, 41)}
    assert {int(name.removeprefix("team")) for name, one in collected.items() if one["valid"]} == VALID
    for team, (_, words) in FAULTS.items():
        assert words in said(collected[f"team{team}"])
    assert "not Python" in said(collected[f"team{SYNTAX}"])
    for words in ("zip bomb", "symbolic link", "leads out of the archive"):
        assert words in said(collected[f"team{BOMB}"])
    assert "Machine; Player38 was expected" in said(collected[f"team{WRONG_CLASS}"])
    assert "it came late" in said(collected[f"team{LATE_TEAM}"])


def test_collect_has_nothing_against_the_honest(collected):
    for team in VALID - {WRONG_CLASS, LATE_TEAM}:
        assert said(collected[f"team{team}"]) == "", team


def test_compare_finds_the_copy_and_accuses_nobody_else(course):
    pairs = json.loads((course / "alike.json").read_text())["pairs"]
    out = {tuple(pair["bots"]): pair["stands_out_by"] for pair in pairs if pair["stands_out_by"]}
    assert out == {(f"team{ORIGINAL_TEAM}", f"team{COPY}"): ["code", "moves"]}
    assert "<mark>" in (course / "alike.html").read_text()


def test_check_has_nothing_against_whoever_is_valid(course):
    event = load_event(course / "course.toml")
    with Room(lambda: open_sandbox(best_level()), limits=event.limits) as room:
        for team in VALID:
            entrant = parse_entrant(str(course / "bots" / f"team{team}.py"), event.game, interface=event.interface)
            assert judge(check_bot(event, entrant, room, load=VALIDITY)).is_valid, team


def test_check_knows_the_random_one_from_the_others(course):
    event = load_event(course / "course.toml")
    found = {}
    with Room(lambda: open_sandbox(best_level()), limits=event.limits) as room:
        for team in (RANDOM, 3, 4, ORIGINAL_TEAM):
            entrant = parse_entrant(str(course / "bots" / f"team{team}.py"), event.game, interface=event.interface)
            checkup = check_bot(event, entrant, room, load=BRIEF)
            assert judge(checkup).is_valid
            assert checkup.randomness is not None
            found[team] = checkup.randomness.verdict
    assert found.pop(RANDOM) == "random"
    assert "random" not in found.values()


def test_everybody_valid_plays_and_nobody_fails(course):
    found = findings_of(course / "played")
    assert {int(name.removeprefix("team")) for name in found.names} == VALID
    assert found.failures == ()
    assert found.unfolded.is_finished
    marks = {found.names[sheet.team]: sheet for sheet in found.sheets}
    lines = {team: " ".join(line.what for line in marks[f"team{team}"].lines) for team in (LATE_TEAM, WRONG_CLASS)}
    assert "it came late" in lines[LATE_TEAM] and "Machine" in lines[WRONG_CLASS]
    assert sum("off" in line.how for sheet in marks.values() for line in sheet.lines) == 2


def test_everybody_who_played_gets_a_page(course):
    assert (course / "played" / "report" / "index.html").is_file()
    rows = list(csv.DictReader((course / "played" / "feedback.csv").read_text().splitlines()))
    assert {int(row["team"].removeprefix("team")) for row in rows} == VALID
    for row in rows:
        page = (course / "pages" / row["page"]).read_text()
        assert f"<h1>{row['team']}</h1>" in page and "Move by move" in page
