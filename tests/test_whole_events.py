"""The two large events from a folder of bots to everybody's marks: cse371 with 100 teams, extreme with 30."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from ludus.sandbox.levels import why_not_full

pytestmark = pytest.mark.skipif(why_not_full() is not None, reason=f"no isolation at level full: {why_not_full()}")

# Each team takes the legal cell that its own order of cells puts first.
ADJACENT = """
SENDS = [(1, 3), (0, 2), (1, 5), (0, 6), (4,), (2, 8), (3, 7), (6, 8), (5, 7)]


class Player{n}:
    def move(self, temp_board, temp_block, old_move, flag):
        blocks = range(9) if old_move[0] < 0 else SENDS[3 * (old_move[0] % 3) + old_move[1] % 3]
        blocks = [b for b in blocks if temp_block[b] == "-"] or [b for b in range(9) if temp_block[b] == "-"]
        cells = [(3 * (b // 3) + i // 3, 3 * (b % 3) + i % 3) for b in blocks for i in range(9)]
        free = [c for c in cells if temp_board[c[0]][c[1]] == "-"]
        return min(free, key=lambda c: (7 + {n}) * (9 * c[0] + c[1]) % 83)
"""
EXTREME = """
class Team{n}:
    def move(self, board, old_move, flag):
        return min(board.find_valid_move_cells(old_move), key=lambda c: (7 + {n}) * (16 * c[0] + c[1]) % 257)
"""


def held(tmp_path: Path, event: str, source: str, teams: int) -> dict[str, Any]:
    """The event held with so many teams, as its report in JSON tells it."""
    bots = tmp_path / "bots"
    bots.mkdir()
    for number in range(1, teams + 1):
        (bots / f"team{number}.py").write_text(source.replace("{n}", str(number)))
    environment = {**os.environ, "TMPDIR": str(tmp_path)}  # where cores are leased: others' runs are not waited for
    for words in (["run", event, "--bots", "bots", "--out", "held"], ["report", "held", "--json"]):
        done = subprocess.run(
            [sys.executable, "-m", "ludus", *words],
            cwd=tmp_path,
            env=environment,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr
    report: dict[str, Any] = json.loads(done.stdout)
    return report


@pytest.mark.parametrize(
    ("event", "source", "teams", "games", "weights"),
    [("cse371", ADJACENT, 100, 621, (40, 10, 10)), ("extreme", EXTREME, 30, 278, (30, 10, 10))],
)
def test_everybody_gets_a_place_and_a_mark(
    tmp_path: Path, event: str, source: str, teams: int, games: int, weights: tuple[int, ...]
) -> None:
    report = held(tmp_path, event, source, teams)
    assert report["is_finished"] and report["games_played"] == games and report["failures"] == []
    assert sorted(row["place"] for row in report["standings"]) == list(range(1, teams + 1))
    assert len({row["team"] for row in report["standings"]}) == teams
    marks = {sheet["team"]: Fraction(str(sheet["mark"])) for sheet in report["grades"]}
    assert len(marks) == teams
    assert all(0 <= mark <= sum(weights) for mark in marks.values())
    leagues = [table for table in report["tables"] if table["stage"] == report["tables"][0]["stage"]]
    for table in leagues:  # whoever is first in a group has all the marks of the group stage
        assert marks[table["rows"][0]["team"]] >= weights[0]
    played = [game for game in report["games"] if game["stage"] == leagues[0]["stage"]]
    assert sum(row["played"] for table in leagues for row in table["rows"]) == 2 * len(played)
