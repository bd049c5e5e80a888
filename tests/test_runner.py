"""Tournaments that are stopped, killed and gone on with: every game is stored once, the table is always the same."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from ludus.errors import EngineError, StoreError
from ludus.tournament.engines import Local, open_engine
from ludus.tournament.pairing import GameResult, Pairing, Round
from ludus.tournament.runner import Play, Quiet, run_format
from ludus.tournament.store import Store, writing
from tournament_toys import run_toy, toy_format, toy_task

TESTS = Path(__file__).parent
LEAGUE, FINAL = 60, 10


def is_alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except OSError:
        return False


def driver(folder: Path, workers: int, settings: dict[str, Any], *, engine: str = "local") -> subprocess.Popen[str]:
    """A run in a process of its own."""
    command = [sys.executable, "-c", "from tournament_toys import main; main()"]
    return subprocess.Popen(
        [*command, str(folder), engine, str(workers), json.dumps(settings)],
        env={**os.environ, "PYTHONPATH": str(TESTS)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def stored(folder: Path) -> int:
    try:
        with Store(folder) as store:
            return store.count()
    except StoreError:
        return 0


def executions(log: Path) -> Counter[str]:
    return Counter(line.split()[0] for line in log.read_text().splitlines())


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> str:
    """What a run in one worker, one game at a time, without a mishap, ends with."""
    folder = tmp_path_factory.mktemp("serial")
    found = run_toy(folder, "local", 1, {})
    with Store(folder) as store:
        assert store.count() == LEAGUE + FINAL
    return found


def test_workers_do_not_matter(tmp_path: Path, table: str) -> None:
    assert run_toy(tmp_path, "local", 3, {"seconds": 0.002}) == table
    with Store(tmp_path) as store:
        assert len({result.pairing.id for result in store.all_results()}) == store.count() == LEAGUE + FINAL


def test_a_finished_tournament_plays_nothing_again(tmp_path: Path, table: str) -> None:
    log = tmp_path / "log"
    settings = {"log": str(log)}
    assert run_toy(tmp_path / "t", "local", 2, settings) == run_toy(tmp_path / "t", "local", 2, settings) == table
    assert set(executions(log).values()) == {1} and len(executions(log)) == LEAGUE + FINAL


def test_a_driver_that_is_killed_again_and_again(tmp_path: Path, table: str) -> None:
    log, folder = tmp_path / "log", tmp_path / "t"
    settings = {"log": str(log), "seconds": 0.02}
    kills = 0
    for games in (1, 12, 25, 45, 61):
        run = driver(folder, 2, settings)
        while stored(folder) < games and run.poll() is None:
            time.sleep(0.005)
        run.kill()
        run.communicate()
        kills += run.returncode != 0
    run = driver(folder, 2, settings)
    out, errors = run.communicate(timeout=60)
    assert run.returncode == 0, errors
    assert kills >= 3 and out.rstrip("\n") == table
    with Store(folder) as store:
        assert store.count() == LEAGUE + FINAL
    # What was in flight when a driver died is played again, and nothing else.
    assert sum(executions(log).values()) - len(executions(log)) <= kills * 2 * 50


def test_workers_end_with_a_driver_that_is_killed(tmp_path: Path) -> None:
    log = tmp_path / "log"
    run = driver(tmp_path / "t", 2, {"log": str(log), "seconds": 60})
    until = time.monotonic() + 30
    while not log.exists() or len(log.read_text().splitlines()) < 2:
        assert time.monotonic() < until
        time.sleep(0.05)
    run.kill()
    run.communicate()
    pids = [int(line.split()[1]) for line in log.read_text().splitlines()]
    while any(is_alive(pid) for pid in pids):
        assert time.monotonic() < until
        time.sleep(0.05)


def test_an_interrupt_keeps_what_was_played(tmp_path: Path, table: str) -> None:
    settings = {"seconds": 0.05}
    run = driver(tmp_path, 2, settings)
    until = time.monotonic() + 30
    while stored(tmp_path) < 5:
        assert time.monotonic() < until and run.poll() is None
        time.sleep(0.02)
    run.send_signal(signal.SIGINT)
    _, errors = run.communicate(timeout=20)
    assert run.returncode != 0 and errors.strip().splitlines()[-1] == "KeyboardInterrupt"
    assert errors.count("Traceback") == 1  # the workers say nothing
    with Store(tmp_path) as store:
        assert 5 <= store.count() < LEAGUE + FINAL
    assert run_toy(tmp_path, "local", 2, settings) == table


def test_workers_that_are_killed_while_they_play(tmp_path: Path, table: str) -> None:
    """Somebody kills a worker now and then; the games that it had are played elsewhere."""
    with writing(tmp_path) as store, open_engine("local", workers=3) as engine:
        assert isinstance(engine, Local)
        killed: list[int] = []

        class Killer(Quiet):
            def result(self, result: GameResult, *, is_new: bool) -> None:
                if store.count() // 15 > len(killed):
                    pid = engine.processes.pids()[len(killed) % 3]
                    os.kill(pid, signal.SIGKILL)
                    killed.append(pid)

        play = Play(toy_task, json.dumps({"seconds": 0.01}), str.encode)
        form: Any = toy_format(6, 4)
        assert run_format(form, store, engine, play, watcher=Killer()) == table
        assert len(set(killed)) >= 3
        assert store.count() == LEAGUE + FINAL and not list(store.failures())


def test_a_game_that_kills_its_worker_is_one_crashed_row(tmp_path: Path, table: str) -> None:
    log = tmp_path / "log"
    poison = "league/2-4/g3"
    settings = {"poison": [poison], "log": str(log), "seconds": 0.001}
    found = run_toy(tmp_path / "t", "local", 2, settings)
    assert executions(log)[poison] == 3
    with Store(tmp_path / "t") as store:
        crashed = [result for result in store.all_results() if result.status == "crashed"]
        assert [result.pairing.id for result in crashed] == [poison]
        assert crashed[0].points == (0, 0) and crashed[0].winner is None
        assert store.count() == LEAGUE + FINAL
    assert found != table
    again = run_toy(tmp_path / "t", "local", 1, settings)
    assert again == found and executions(log)[poison] == 3


def test_a_worker_that_cannot_play_is_nobody_s_loss(tmp_path: Path, table: str) -> None:
    with pytest.raises(EngineError, match="a worker cannot play: no sandbox today"):
        run_toy(tmp_path, "local", 2, {"broken": ["league/1-3/g2"]})
    with Store(tmp_path) as store:
        assert not list(store.failures())
    assert run_toy(tmp_path, "local", 2, {}) == table


def test_workers_that_only_die(tmp_path: Path) -> None:
    everything = [
        f"league/{one}-{other}/g{game}" for other in range(12) for one in range(other) for game in range(1, 5)
    ]
    with pytest.raises(EngineError, match=r"workers died .* times in a row"):
        run_toy(tmp_path, "local", 2, {"poison": everything, "teams": 12})


def test_workers_get_the_files_that_they_lack(tmp_path: Path, table: str) -> None:
    assert run_toy(tmp_path, "local", 2, {"needs": ["aa", "bb", "cc"]}) == table


def test_two_drivers_of_one_folder(tmp_path: Path) -> None:
    with writing(tmp_path), pytest.raises(StoreError, match=f"another run .process {os.getpid()}."), writing(tmp_path):
        pass
    with writing(tmp_path) as store:
        assert store.count() == 0


def test_another_plan_in_the_same_folder(tmp_path: Path) -> None:
    run_toy(tmp_path, "local", 1, {"teams": 6})
    with pytest.raises(StoreError, match="not the tournament that was begun here"):
        run_toy(tmp_path, "local", 1, {"teams": 6, "games": 3})


def test_only_some_games(tmp_path: Path, table: str) -> None:
    play = Play(toy_task, "{}", str.encode)

    def run(only: Any) -> Any:
        form: Any = toy_format(6, 4)
        with writing(tmp_path) as store, open_engine("local", workers=1) as engine:
            return run_format(form, store, engine, play, only=only), store.count()

    assert run(lambda pairing: 3 in (pairing.first, pairing.second)) == (None, 20)
    assert run(lambda pairing: pairing.stage == "league") == (None, LEAGUE)
    assert run(None) == (table, LEAGUE + FINAL)


def test_the_plan_is_never_held(tmp_path: Path) -> None:
    """Of a long round, the format is asked only for what the workers need next."""
    asked: list[int] = []

    def pairings() -> Any:
        for number in range(3000):
            asked.append(number)
            yield Pairing(f"g{number}", "long", "", 1, 0, 1, number)

    class Watcher(Quiet):
        most = told = 0  # games that were asked for and not yet told of; one batch may take long while others pass it

        def result(self, result: GameResult, *, is_new: bool) -> None:
            self.most = max(self.most, len(asked) - self.told)
            self.told += 1

    def form() -> Any:
        results = yield Round("long", 3000, pairings(), ())
        return sum(1 for _ in results)

    watcher = Watcher()
    with writing(tmp_path) as store, open_engine("local", workers=2) as engine:
        assert run_format(form(), store, engine, Play(toy_task, "{}", str.encode), watcher=watcher) == 3000  # type: ignore[comparison-overlap]
    assert watcher.most <= 2 * (2 * 2 * 256)
