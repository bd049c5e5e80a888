"""`ludus run` as people use it: real bots in the real sandbox, stopped, killed, changed, resumed, and distributed."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from ludus.records import parse_record
from ludus.referee.recorded import recorded
from ludus.sandbox.levels import why_not_full
from ludus.tournament.folder import open_tournament
from ludus.tournament.plan import plan_of
from ludus.tournament.runner import outcome_of
from ludus.tournament.store import Store
from rules_files import TIC_TAC_TOE

pytestmark = pytest.mark.skipif(why_not_full() is not None, reason=f"no isolation at level full: {why_not_full()}")

EVENT = """
title = "Short games"
game = "subtraction"
[options]
low = 1
high = 5
[time]
move_s = 5
[bots]
interface = "choose"
[points]
finished = "margin"
forfeit = [100, -100]
[format]
kind = "pools"
pools = [2]
advance = [2]
smallest_pool = 3
games_per_pair = 2
"""
FIRST = "def choose(state, clock):\n    return state['legal'][0]\n"
LAST = "def choose(state, clock):\n    return state['legal'][-1]\n"
DICE = "import random\n\ndef choose(state, clock):\n    return random.choice(state['legal'])\n"
RAISES = "def choose(state, clock):\n    raise RuntimeError('no idea')\n"
GAMES = 2 * 2 * 3 + 2 * 6  # two pools of three, and a final of four


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """An event file and a folder of six bots."""
    (tmp_path / "short.toml").write_text(EVENT)
    (tmp_path / "bots").mkdir()
    for number, source in enumerate((FIRST, LAST, DICE, DICE, DICE, RAISES), 1):
        (tmp_path / "bots" / f"team{number}.py").write_text(source)
    return tmp_path


def start(place: Path, *words: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "ludus", "run", *words]
    # Cores are leased by files there; whatever else runs on this machine shall not make the test wait.
    environment = {**os.environ, "TMPDIR": str(place)}
    return subprocess.Popen(
        command, cwd=place, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )


def ludus_run(place: Path, *words: str, status: int = 0) -> tuple[str, str]:
    run = start(place, *words)
    out, errors = run.communicate(timeout=120)
    assert run.returncode == status, errors
    assert "Traceback" not in errors
    return out, errors


def stored(folder: Path) -> int:
    try:
        with Store(folder) as store:
            return store.count()
    except Exception:
        return 0


def wait_for_games(folder: Path, games: int, run: subprocess.Popen[str]) -> None:
    until = time.monotonic() + 60
    while stored(folder) < games:
        assert run.poll() is None and time.monotonic() < until, run.communicate()
        time.sleep(0.01)


def test_a_tournament_from_bots_to_its_table(place: Path) -> None:
    out, errors = ludus_run(place, "short.toml", "--bots", "bots", "--seed", "7", "--workers", "2")
    folder = place / "short-7"
    table = (folder / "table.txt").read_text()
    assert out.startswith(table) and out.rstrip().endswith(f"after {GAMES} games; all is in short-7")
    assert errors == "" or "repeat another" in errors
    with Store(folder) as store:
        assert store.count() == GAMES == sum(1 for _ in store.records())
        for name, content in store.records():
            record = parse_record(content)
            assert record.more["pairing"] == name
            recorded(record)  # it replays by the rules
        guilty = [result for result in store.all_results() if result.kind == "exception"]
        assert guilty and all(result.winner is not None for result in guilty)
        made = open_tournament(folder)
        outcome = outcome_of(plan_of(made.event).play(len(made.kit.teams), made.kit.seed), store)
    assert outcome is not None and len(outcome.placing) == 6
    again, _ = ludus_run(place, "short-7")
    assert again == out


def test_stopped_and_killed_it_goes_on_to_the_same_table(place: Path) -> None:
    ludus_run(place, "short.toml", "--bots", "bots", "--out", "whole", "--workers", "1")
    words = ("short.toml", "--bots", "bots", "--out", "parts", "--workers", "2")
    for games, number in ((1, signal.SIGKILL), (5, signal.SIGINT), (9, signal.SIGTERM)):
        run = start(place, *words)
        wait_for_games(place / "parts", games, run)
        run.send_signal(number)
        _, errors = run.communicate(timeout=30)
        if number != signal.SIGKILL and run.returncode:  # it may have come to its end
            assert run.returncode == 130 and "`ludus run parts` goes on" in errors and "Traceback" not in errors
    (place / "bots" / "team3.py").write_text(FIRST)
    _, errors = ludus_run(place, *words)
    assert "the file of team3 has changed since the tournament began" in errors
    assert (place / "parts" / "table.txt").read_bytes() == (place / "whole" / "table.txt").read_bytes()
    assert stored(place / "parts") == GAMES


def test_a_bot_that_changes_midway_is_noticed(place: Path) -> None:
    ludus_run(place, "short.toml", "--bots", "bots", "--out", "whole")
    run = start(place, "short.toml", "--bots", "bots", "--out", "changed", "--workers", "1")
    wait_for_games(place / "changed", 1, run)
    (place / "bots" / "team1.py").write_text(RAISES)
    _, errors = run.communicate(timeout=60)
    assert "the file of team1 has changed" in errors
    assert (place / "changed" / "table.txt").read_bytes() == (place / "whole" / "table.txt").read_bytes()


def test_only_a_stage_or_a_team(place: Path) -> None:
    words = ("short.toml", "--bots", "bots", "--out", "t", "--only")
    _, errors = ludus_run(place, *words, "team2")
    assert stored(place / "t") == 4 and "left out by --only" in errors
    ludus_run(place, *words, "group")
    assert stored(place / "t") == 12
    out, _ = ludus_run(place, "t")
    assert stored(place / "t") == GAMES and "places" in out


def test_an_event_of_ones_own_rules_and_openings(place: Path) -> None:
    """The rules travel to the workers as well, and games on one board begin alike."""
    (place / "rules").mkdir()
    (place / "rules" / "tic.py").write_text(TIC_TAC_TOE)
    (place / "club.toml").write_text(
        'game = "rules/tic.py"\n[time]\nmove_s = 5\n[format]\ngames_per_pair = 4\nopening_plies = 3\n'
    )
    _, errors = ludus_run(place, "club.toml", "--bots", "bots/team1.py", "bots/team2.py", "--out", "t")
    with Store(place / "t") as store:
        games = [json.loads(content) for _, content in store.records()]
    assert len(games) == 4 and all(
        game["opening"] == 3 and len(game["times_ms"]) == len(game["moves"]) for game in games
    )
    openings = [tuple(game["moves"][:3]) for game in games]
    assert openings[0] == openings[1] != openings[2] == openings[3]
    assert "repeat another" not in errors
    assert games[0]["players"][0]["file"] == "team1.py"


def test_bots_that_always_play_the_same_are_noticed(place: Path) -> None:
    (place / "rules.py").write_text(TIC_TAC_TOE)
    (place / "club.toml").write_text('game = "./rules.py"\n[time]\nmove_s = 5\n[format]\ngames_per_pair = 4\n')
    _, errors = ludus_run(place, "club.toml", "--bots", "bots/team1.py", "bots/team2.py", "--out", "t")
    assert "2 of 4 games repeat another of the same two bots move for move" in errors


def test_distributed_by_dask(place: Path) -> None:
    pytest.importorskip("distributed")
    ludus_run(place, "short.toml", "--bots", "bots", "--out", "local")
    ludus_run(place, "short.toml", "--bots", "bots", "--out", "dask", "--engine", "dask", "--workers", "2")
    assert (place / "dask" / "table.txt").read_bytes() == (place / "local" / "table.txt").read_bytes()


def test_slips_of_the_pen_are_one_sentence(place: Path) -> None:
    ludus_run(place, "short.toml", "--bots", "bots", "--out", "t", "--only", "final")
    for words, sentence in (
        (("nope", "--bots", "bots"), "there is no event 'nope'"),
        (("short.toml",), "name the bots"),
        (("short.toml", "--bots", "bots/team1.py"), "two bots or more"),
        (("short.toml", "--bots", "bots", "--engine", "cloud", "--out", "u"), "there is no engine 'cloud'"),
        (("short.toml", "--bots", "bots", "--out", "bots"), "not the folder of a tournament"),
        (("nsoc", "--out", "t"), "this is a tournament of short, not nsoc"),
        (("short.toml", "--out", "t", "--seed", "9"), "this tournament has the seed 0"),
        (("short.toml", "--bots", "bots", "--out", "v", "--only", "team77"), "no stage; the stages are group, final"),
    ):
        out, errors = ludus_run(place, *words, status=1)
        assert out == "" and errors.startswith("ludus: ") and errors.count("\n") == 1 and sentence in errors, errors


def test_the_manifest_says_what_is_needed_to_audit(place: Path) -> None:
    ludus_run(place, "short.toml", "--bots", "bots", "random", "--out", "t", "--only", "final")
    manifest = json.loads((place / "t" / "tournament.json").read_text())
    assert (
        manifest["seed"] == 0 and manifest["isolation"] == "full" and {"ludus", "python"} <= set(manifest["versions"])
    )
    assert [team["name"] for team in manifest["teams"]] == [*(f"team{number}" for number in range(1, 7)), "random"]
    assert (place / "bots" / "team1.py").samefile(place / manifest["sources"][0])
    stored_bots = {file.name for file in (place / "t" / "bots").iterdir()}
    assert stored_bots == {f"{team['sha256']}.py" for team in manifest["teams"] if team["sha256"]}
