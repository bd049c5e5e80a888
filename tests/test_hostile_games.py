"""Every bot of tests/bots under the referee: the hostile get the verdict they must get, the honest play to the end."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from hostile_bots import BotCase, honest, honest_programs, hostile, hostile_programs
from judging import Judge, fault
from ludus.bots.room import Sandbox
from ludus.sandbox.levels import open_sandbox, why_not_full

pytestmark = pytest.mark.skipif(why_not_full() is not None, reason="needs isolation at level full")

LEFT_BEHIND = 100  # games in a row


@pytest.fixture(scope="module")
def sandboxes() -> Iterator[dict[bool, Sandbox]]:
    """With numpy and without: it is imported once, before any bot."""
    opened = {has_numpy: open_sandbox("full", preload=("numpy",) if has_numpy else ()) for has_numpy in (False, True)}
    yield opened
    for sandbox in opened.values():
        sandbox.close()


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where programs are built; other users can go there."""
    made = tmp_path_factory.mktemp("programs")
    for path in (made, *made.parents[:2]):
        path.chmod(0o755)
    return made


@pytest.mark.parametrize(
    "case", hostile() + honest() + hostile_programs() + honest_programs(), ids=lambda case: case.name
)
def test_verdict(case: BotCase, sandboxes: dict[bool, Sandbox], folder: Path) -> None:
    if case.missing:
        pytest.skip(f"needs {case.missing}")
    if case.path.suffix == ".c" and not shutil.which("gcc"):
        pytest.skip("needs gcc")
    found = Judge(sandboxes["numpy" in case.needs], folder).judge(case)
    assert fault(case, found) is None
    if case.line is not None and not isinstance(found, str):
        assert found.verdict.line == case.line


def test_a_hundred_hostile_games_leave_nothing_behind(folder: Path) -> None:
    quick = [case for case in hostile() if not case.missing and not case.verdict & {"timeout", "memory"}]
    with open_sandbox("full") as sandbox:
        judge = Judge(sandbox, folder)
        for case in quick[:10]:
            judge.judge(case)
        before = left_behind()
        for case in (quick * 2)[10 : 10 + LEFT_BEHIND]:
            judge.judge(case)
        after = left_behind()
    assert after["descriptors"] == before["descriptors"]
    assert after["processes"] == before["processes"]
    assert after["files"] <= before["files"]
    assert after["megabytes"] < before["megabytes"] + 30  # of ours: what Python keeps for later use


def left_behind() -> dict[str, object]:
    """What this process holds, and what its family and the common folders hold."""
    children = Path(f"/proc/{os.getpid()}/task/{os.getpid()}/children").read_text().split()
    grandchildren = [
        child for one in children for child in Path(f"/proc/{one}/task/{one}/children").read_text().split()
    ]
    resident = int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    return {
        "descriptors": len(list(Path("/proc/self/fd").iterdir())),
        "processes": len(children) + len(grandchildren),
        "files": {path for place in ("/tmp", "/dev/shm") for path in Path(place).glob("*ludus*")},
        "megabytes": resident / 1e6,
    }
