"""What all tests share: a compile cache of the run's own, and rules files written on the spot."""

from __future__ import annotations

import compileall
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import textwrap
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import settings

ROOT = Path(__file__).parent.parent
CACHE = "LUDUS_CACHE"
# Files that take long begin first: two workers that share files out are then done at about the same time. While one
# compiles what all others use (agents), the other one has files that compile nothing, or only what is their own.
LONGEST = (
    *("agents", "rules_against_oracles", "sandbox", "compile_cache", "whole_events", "examples", "browser_games"),
    *("docs", "gpu", "check_bot", "rehearsal", "docs_commands", "web_analysis", "train", "networks", "match"),
    *("contract", "reports", "cli", "compare", "engines", "self_play", "browser_looks", "new", "handout"),
    *("hostile_unprivileged", "run_command", "solver", "analyse", "web_tournaments"),
)

settings.register_profile("ludus", deadline=None)  # no test depends on how fast the machine is just now
settings.load_profile("ludus")


def pytest_configure(config: pytest.Config) -> None:
    """One cache for the whole run, made by the process that starts the workers and inherited by them."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # started in the background: programs under test inherit it
        signal.signal(signal.SIGINT, signal.default_int_handler)
    if not hasattr(config, "workerinput"):  # as an installation does: hundreds of processes would each compile it all
        compileall.compile_dir(ROOT / "src", quiet=2)
    if CACHE not in os.environ:
        os.environ[CACHE] = tempfile.mkdtemp(prefix="ludus-test-cache-")
        config.add_cleanup(lambda: shutil.rmtree(os.environ[CACHE], ignore_errors=True))


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    place = {f"test_{name}": index for index, name in enumerate(LONGEST)}
    items.sort(key=lambda item: place.get(item.path.stem, len(LONGEST)))


@pytest.fixture
def empty_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache folder that does not exist yet, for this test and the processes it starts."""
    folder = tmp_path / "cache"
    monkeypatch.setenv(CACHE, str(folder))
    return folder


@pytest.fixture
def write(tmp_path: Path) -> Callable[[str, str], Path]:
    """Write a file below the test's own folder."""

    def write(name: str, source: str) -> Path:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(textwrap.dedent(source))
        return path

    return write


@pytest.fixture
def python(tmp_path: Path) -> Callable[..., str]:
    """Run a script in a process of its own and give back what it printed; a failure shows its errors."""

    def run(script: str, *arguments: object) -> str:
        done = subprocess.run(
            [sys.executable, "-c", textwrap.dedent(script), *map(str, arguments)],
            capture_output=True,
            text=True,
            cwd=tmp_path,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        return done.stdout.strip()

    return run


@pytest.fixture
def shared_games() -> Iterator[Path]:
    """Real tournament games that are kept beside the checkout, not in it."""
    path = ROOT.parent / "shared" / "data" / "extreme-2018-games.json"
    if not path.is_file():
        pytest.skip("the recorded games of 2018 are not beside this checkout")
    yield path
