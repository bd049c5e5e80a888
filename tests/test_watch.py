"""`ludus watch`: records, files of several, and folders of tournaments, printed and on the full screen."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from random import Random

import pytest
from textual.pilot import Pilot
from textual.widgets import DataTable

from ludus.errors import RecordError
from ludus.records import record_game
from ludus.rules import load_game, random_line
from ludus.screens.board import Board
from ludus.screens.gallery import listed_games
from ludus.screens.watching import WatchApp
from played_folder import played_folder
from screen_tests import run, until


@pytest.fixture
def records(tmp_path: Path) -> Path:
    """A file of two games and a line that is none."""
    game = load_game("ultimate")
    lines = []
    for seed in (1, 2):
        line = random_line(game, game.start(), Random(seed))
        verdict = {"kind": "win", "seat": None, "reason": f"verdict {seed}", "winner": 0}
        players = [{"name": f"one{seed}"}, {"name": "[bold]two"}]
        times = [[12.5, 1, 0] for _ in line.moves]
        more = {"players": players, "verdict": verdict, "times_ms": times, "points": [1, 0]}
        lines.append(record_game(game, line.start, {}, list(line.moves), **more).to_json())
    path = tmp_path / "games.jsonl"
    path.write_text("\n".join([*lines, "{no record}"]) + "\n")
    return path


def watch(*arguments: object) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "ludus", "watch", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)


def text_of(app: WatchApp, name: str) -> str:
    return str(app.query_one(f"#{name}").render())


def test_plain_prints_every_game_and_says_which_cannot_be_read(records: Path) -> None:
    done = watch(records, "--plain")
    assert done.returncode == 1  # one line is no record
    assert done.stdout.count("a game, move by move") == 2 and "line 3: this is not JSON" in done.stdout
    one = watch(f"{records}:2", "--plain")
    assert one.returncode == 0 and "X (one2) moves first" in one.stdout


def test_what_cannot_be_watched_is_one_sentence(tmp_path: Path, records: Path) -> None:
    for arguments, sentence in (
        ((tmp_path / "nothing",), "the records cannot be read"),
        ((records,), "the full screen needs a terminal; --plain prints the games"),
    ):
        done = watch(*arguments)
        assert done.returncode == 1 and sentence in done.stderr and done.stderr.count("\n") == 1
    (tmp_path / "empty").mkdir()
    with pytest.raises(RecordError, match="there are no recorded games here"):
        listed_games(tmp_path / "empty")


def test_stepping_through_a_file_of_games(records: Path) -> None:
    app = WatchApp(listed_games(records))

    async def steps(pilot: Pilot[None]) -> None:
        assert app.played is not None
        last = len(app.played.moves)
        assert f"Move 0 of {last}" in text_of(app, "status")
        assert "[bold]two" in text_of(app, "players")
        await pilot.press("right", "right", "left")
        assert f"Move 1 of {last}" in text_of(app, "status") and "0.01 s" in text_of(app, "status")
        await pilot.press("end")
        assert app.ply == last and "verdict 1" in text_of(app, "verdict")
        table = app.query_one(DataTable)
        assert table.cursor_row == table.row_count - 1
        await pilot.press("right", "home", "left")
        assert app.ply == 0
        await pilot.press("down", "end")  # at once: the end of the second game, not of the first
        await pilot.pause()
        assert "verdict 2" in text_of(app, "verdict")
        await pilot.press("down")
        assert "this is not JSON" in text_of(app, "status") and not app.query_one(Board).display
        await pilot.press("right", "space", "space", "d")
        assert app.theme == "ludus-light"

    run(app, steps, size=(140, 40))


def test_a_game_runs_by_itself(records: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    app = WatchApp(listed_games(records)[:1])

    async def steps(pilot: Pilot[None]) -> None:
        await pilot.press("space")
        await until(pilot, lambda: app.ply >= 2)
        await pilot.press("space")
        assert app.timer is None
        await pilot.press("t")
        await pilot.pause()
        assert "Result: " in (tmp_path / "ultimate-trace.txt").read_text()

    run(app, steps, size=(50, 20))


def test_the_games_of_a_tournament(tmp_path: Path) -> None:
    folder = tmp_path / "league"
    played_folder(folder, "nsoc", ["anna", "bert", "cleo"], failing=0.3)
    games = listed_games(folder)
    assert len(games) == 6 and all(" – " in game.title for game in games)
    app = WatchApp(games)

    async def steps(pilot: Pilot[None]) -> None:
        for game in games:
            await pilot.press("end")
            assert app.played is not None and app.ply == len(app.played.moves)
            names = game.title.split("  ")[0].split(" – ")
            assert all(name in text_of(app, "players") for name in names)
            assert text_of(app, "verdict")
            await pilot.press("down")

    run(app, steps, size=(130, 36))
    done = watch(folder, "--plain")
    assert done.returncode == 0 and done.stdout.count("a game, move by move") == 6
