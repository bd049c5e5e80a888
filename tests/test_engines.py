"""Engines as they are: processes that die and are replaced, and a real Dask cluster whose workers are killed."""

from __future__ import annotations

import contextlib
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import CancelledError, wait
from pathlib import Path

import pytest

from ludus.errors import EngineError
from ludus.tournament.engines import LocalExecutor, WorkerLostError, open_engine
from ludus.tournament.store import Store
from tournament_toys import run_toy

TESTS = Path(__file__).parent
ENVIRONMENT = {
    **os.environ,
    "PYTHONPATH": str(TESTS),
    "DASK_DISTRIBUTED__WORKER__PROFILE__ENABLED": "False",
    "DASK_DISTRIBUTED__COMM__TIMEOUTS__CONNECT": "30s",
}
GAMES = 60 + 10


def double(number: int) -> int:
    return 2 * number


def die() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


class StrangeError(Exception):
    def __init__(self, one: int, other: int) -> None:
        super().__init__("strange")


def fail(is_strange: bool) -> None:
    raise StrangeError(1, 2) if is_strange else KeyError("it")


def test_a_local_executor_keeps_the_rules_of_executors() -> None:
    with LocalExecutor(2) as executor:
        assert list(executor.map(double, range(50))) == [double(number) for number in range(50)]
        with pytest.raises(KeyError, match="it"):
            executor.submit(fail, False).result()
        with pytest.raises(RuntimeError, match="StrangeError: strange"):  # cannot be pickled and read again
            executor.submit(fail, True).result()


def test_one_death_costs_one_task() -> None:
    with LocalExecutor(2) as executor:
        futures = [
            executor.submit(die) if number % 10 == 5 else executor.submit(double, number) for number in range(40)
        ]
        wait(futures)
        for number, future in enumerate(futures):
            if number % 10 == 5:
                assert isinstance(future.exception(), WorkerLostError)
            else:
                assert future.result() == double(number)


def test_a_worker_that_dies_idle_costs_nothing_much() -> None:
    with LocalExecutor(1) as executor:
        executor.submit(double, 1).result()
        (pid,) = executor.pids()
        os.kill(pid, signal.SIGKILL)
        time.sleep(0.2)
        assert executor.submit(double, 2).result() == 4 and executor.pids() != [pid]


def test_a_killed_executor_answers_every_future() -> None:
    executor = LocalExecutor(2)
    futures = [executor.submit(time.sleep, 60) for _ in range(6)]
    time.sleep(0.5)
    executor.kill()
    for future in futures:
        with pytest.raises((WorkerLostError, CancelledError)):
            future.result(timeout=10)


@pytest.mark.parametrize("text", ["", "cloud", "local:3", "dask9"])
def test_no_such_engine(text: str) -> None:
    with pytest.raises(EngineError, match="there is no engine"), open_engine(text):
        pass


def test_an_extra_that_is_not_installed() -> None:
    with contextlib.suppress(ImportError):
        import ray  # noqa: F401

        pytest.skip("ray is installed here")
    with pytest.raises(EngineError, match=r"pip install 'ludus\[ray\]'"), open_engine("ray"):
        pass


pytest_dask = pytest.mark.skipif(
    subprocess.run([sys.executable, "-c", "import distributed"], capture_output=True, check=False).returncode != 0,
    reason="the extra dask is not installed",
)


def toy_run(folder: Path, engine: str, settings: dict[str, object]) -> subprocess.Popen[str]:
    command = [sys.executable, "-c", "from tournament_toys import main; main()"]
    return subprocess.Popen(
        [*command, str(folder), engine, "3", json.dumps(settings)],
        env=ENVIRONMENT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


@contextlib.contextmanager
def scheduler(folder: Path) -> Iterator[int]:
    """A Dask scheduler of its own; gives the port at which it listens on every address."""
    file = folder / "scheduler.json"
    command = ["-m", "distributed.cli.dask_scheduler", "--host", "0.0.0.0", "--port", "0", "--no-dashboard"]
    with running([*command, "--scheduler-file", str(file)], folder / "scheduler.log"):
        until = time.monotonic() + 60
        while not file.exists() or not file.read_text().endswith("}"):
            assert time.monotonic() < until, (folder / "scheduler.log").read_text()
            time.sleep(0.1)
        yield int(json.loads(file.read_text())["address"].rpartition(":")[2])


@contextlib.contextmanager
def running(command: list[str], log: Path, *, inside: list[str] | None = None) -> Iterator[subprocess.Popen[bytes]]:
    """A Python program in the background, inside a network namespace where there is one."""
    with log.open("ab") as output:
        process = subprocess.Popen(
            [*(inside or []), sys.executable, *command], env=ENVIRONMENT, stdout=output, stderr=output
        )
    try:
        yield process
    finally:
        process.kill()
        process.wait()


def worker_command(address: str) -> list[str]:
    options = ["--nthreads", "1", "--no-nanny", "--memory-limit", "0", "--no-dashboard", "--death-timeout", "60"]
    return ["-m", "distributed.cli.dask_worker", address, *options]


@contextlib.contextmanager
def network_namespace(number: int) -> Iterator[tuple[list[str], str]]:
    """A network of its own with one cable to this machine: how to run there, and this machine's address seen there."""
    name, here, there = f"ludus-{os.getpid()}-{number}", f"lh{os.getpid()}n{number}", f"lt{os.getpid()}n{number}"
    subnet = f"10.{200 + number}.{random.randrange(256)}"
    commands = [
        f"ip netns add {name}",
        f"ip link add {here} type veth peer name {there}",
        f"ip link set {there} netns {name}",
        f"ip addr add {subnet}.1/30 dev {here}",
        f"ip link set {here} up",
        f"ip netns exec {name} ip addr add {subnet}.2/30 dev {there}",
        f"ip netns exec {name} ip link set {there} up",
        f"ip netns exec {name} ip link set lo up",
    ]
    try:
        for command in commands:
            done = subprocess.run(command.split(), capture_output=True, text=True, check=False)
            if done.returncode != 0:
                pytest.skip(f"no network namespaces here: {command}: {done.stderr.strip()}")
        yield ["ip", "netns", "exec", name], f"{subnet}.1"
    finally:
        subprocess.run(["ip", "link", "del", here], capture_output=True, check=False)
        subprocess.run(["ip", "netns", "del", name], capture_output=True, check=False)


@pytest_dask
def test_a_dask_cluster_of_three_workers_that_are_killed(tmp_path: Path) -> None:
    """Two workers live in networks of their own. Killed ones are replaced; one game kills each worker it gets."""
    if shutil.which("ip") is None:
        pytest.skip("no network namespaces here: there is no ip")
    table = run_toy(tmp_path / "serial", "local", 1, {})
    with contextlib.ExitStack() as stack:
        port = stack.enter_context(scheduler(tmp_path))
        places = [([], "127.0.0.1"), *(stack.enter_context(network_namespace(number)) for number in range(2))]

        def start(number: int) -> subprocess.Popen[bytes]:
            inside, host = places[number]
            log = tmp_path / f"worker-{number}.log"
            return stack.enter_context(running(worker_command(f"tcp://{host}:{port}"), log, inside=inside))

        workers = [start(number) for number in range(3)]
        run = toy_run(tmp_path / "t", f"dask:tcp://127.0.0.1:{port}", {"seconds": 0.15})
        for number in (1, 0, 2, 1):
            seen = stored(tmp_path / "t")
            until = time.monotonic() + 60
            while stored(tmp_path / "t") < seen + 6:
                assert time.monotonic() < until and run.poll() is None, run.communicate()
                time.sleep(0.05)
            workers[number].send_signal(signal.SIGKILL)
            workers[number] = start(number)
        out, errors = run.communicate(timeout=120)
        assert run.returncode == 0, errors
        assert out.rstrip("\n") == table
    with Store(tmp_path / "t") as store:
        assert store.count() == GAMES and not list(store.failures())
        hosts = {row[0] for row in store.database.execute("select distinct worker from game")}
        assert len(hosts) >= 3  # processes that played


def stored(folder: Path) -> int:
    try:
        with Store(folder) as store:
            return store.count()
    except Exception:
        return 0


@pytest_dask
def test_dask_on_this_machine_and_a_game_that_kills(tmp_path: Path) -> None:
    poison = "league/1-2/g2"
    serial = run_toy(tmp_path / "serial", "local", 1, {"poison": [poison]})
    run = toy_run(tmp_path / "t", "dask", {"poison": [poison], "seconds": 0.01, "log": str(tmp_path / "log")})
    out, errors = run.communicate(timeout=120)
    assert run.returncode == 0, errors
    assert out.rstrip("\n") == serial
    assert sum(line.startswith(f"{poison} ") for line in (tmp_path / "log").read_text().splitlines()) == 3


def test_ray_on_this_machine_and_a_game_that_kills(tmp_path: Path) -> None:
    pytest.importorskip("ray")
    poison = "league/1-2/g2"
    serial = run_toy(tmp_path / "serial", "local", 1, {"poison": [poison]})
    run = toy_run(tmp_path / "t", "ray", {"poison": [poison], "seconds": 0.01, "log": str(tmp_path / "log")})
    out, errors = run.communicate(timeout=300)
    assert run.returncode == 0, errors
    assert out.rstrip("\n") == serial
    assert sum(line.startswith(f"{poison} ") for line in (tmp_path / "log").read_text().splitlines()) == 3


@pytest_dask
def test_nobody_at_the_address() -> None:
    script = (
        "from ludus.tournament import dask_engine as d; d.CONNECTING_S = 2; d.Dask('tcp://127.0.0.1:9', workers=None)"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    assert "EngineError: no Dask scheduler answers at tcp://127.0.0.1:9" in done.stderr
