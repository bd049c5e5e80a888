"""What else isolates: level "basic", the doctor, quiet cores; and that none of it needs Linux to be imported."""

from __future__ import annotations

import gc
import os
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

import pytest

from ludus.errors import SandboxError
from ludus.sandbox.basic import NOT_GUARANTEED, Basic
from ludus.sandbox.cores import busy_shares, claim, leased_core, quiet_core
from ludus.sandbox.doctor import examine
from ludus.sandbox.levels import best_level, open_sandbox, why_not_full
from ludus.sandbox.process import Limits, Process, Reply
from sandbox_cases import ENDINGS, FORBIDDEN, HONEST

LIMITS = Limits(memory_mb=400)


def outcome(bot: Process, limit_s: float = 20.0) -> Reply:
    return bot.ask(b"question", limit_s=limit_s) if bot.ready.kind == "answer" else bot.ready


def descriptors() -> int:
    return len([*Path("/proc/self/fd").glob("*")])


def basic_bot(source: str, **more: object) -> Process:
    settings = {"name": "team7.py", "entry": "sandbox_entry:play", "seed": 7, "limits": LIMITS, **more}
    return Basic().python_bot(source, **settings)  # type: ignore[arg-type]


# What goes through Python; the rest this level does not see, and says so.
SEEN = ["fork", "system", "subprocess", "exec", "thread", "pool", "read", "list", "write", "delete", "chdir", "tcp"]
BASIC_ENDINGS = [
    "loop",
    "sleep",
    "exit",
    "exit by exception",
    "division",
    "memory at once",
    "flood",
    "huge answer",
    "hanging finalizer",
]


@pytest.mark.parametrize("name", SEEN)
def test_basic_prevents_what_goes_through_python(name: str) -> None:
    bot = basic_bot(FORBIDDEN[name].source)
    reply = outcome(bot)
    assert reply.kind == "forbidden" and reply.line is not None, reply
    bot.close()


@pytest.mark.parametrize("name", BASIC_ENDINGS)
def test_basic_ends_bots(name: str) -> None:
    case = ENDINGS[name]
    bot = basic_bot(case.source)
    reply = outcome(bot, 0.3 if case.kinds == "timeout" else 20)
    assert reply.kind in case.kinds, reply
    assert reply.kind != "timeout" or (reply.gone_s is not None and reply.gone_s < 0.5)


@pytest.mark.parametrize("name", ["answer", "print", "catches memory errors", "missing file", "codecs", "traceback"])
def test_basic_does_not_punish_the_innocent(name: str) -> None:
    bot = basic_bot(HONEST[name].source)
    for _ in range(2):
        reply = outcome(bot)
        assert (reply.kind, reply.answer) == ("answer", b"question"), reply
    bot.close()
    assert name != "print" or bot.evidence.stdout == "out\n" * 2


def test_basic_leaves_nothing_behind() -> None:
    first = basic_bot(HONEST["answer"].source)
    outcome(first)
    first.close()
    gc.collect()
    threads, before = threading.active_count(), descriptors()
    for name in ("loop", "exit", "flood", "division"):
        bot = basic_bot(ENDINGS[name].source)
        outcome(bot, 0.2)
        bot.close()
        bot.close()
    assert threading.active_count() <= threads
    assert descriptors() <= before


def test_basic_programs() -> None:
    echo = "import sys\nfor line in sys.stdin: print(line.strip(), flush=True)\n"
    program = Basic().program([sys.executable, "-c", echo], file=sys.executable, limits=LIMITS)
    assert program.ask(b"hello\n", limit_s=20).answer == b"hello"
    program.close()
    late = Basic().program([sys.executable, "-c", "import time; time.sleep(60)"], file=sys.executable, limits=LIMITS)
    assert late.ask(b"hello\n", limit_s=0.2).kind == "timeout"
    with pytest.raises(SandboxError, match="cannot be started"):
        Basic().program(["/no/such/program"], file="/no/such/program", limits=LIMITS)


def test_basic_knows_signals_without_a_name() -> None:
    program = Basic().program(["/bin/sh", "-c", "read a; kill -40 $$"], file="/bin/sh", limits=LIMITS)
    assert program.ask(b"hello\n", limit_s=20).reason == "its process was ended by signal 40"
    assert program.evidence.exit_status == "signal 40"


@pytest.mark.skipif(shutil.which("setsid") is None, reason="there is no setsid here")
def test_basic_does_not_wait_for_what_a_program_left_behind() -> None:
    threads, before = threading.active_count(), descriptors()
    for prefix in ("", "setsid "):  # in its group, which is killed, and out of it
        argv = ["/bin/sh", "-c", f"{prefix}sleep 4 & read a; echo $a"]
        program = Basic().program(argv, file="/bin/sh", limits=LIMITS)
        assert program.ask(b"hello\n", limit_s=20).answer == b"hello"
        start = time.monotonic()
        program.close()
        assert time.monotonic() - start < 2.5
    until = time.monotonic() + 10
    while (threading.active_count(), descriptors()) != (threads, before) and time.monotonic() < until:
        time.sleep(0.05)
    assert (threading.active_count(), descriptors()) == (threads, before)


def test_basic_says_what_it_does_not_guarantee() -> None:
    assert len(NOT_GUARANTEED) >= 3 and Basic.level == "basic"


def test_levels_open() -> None:
    with open_sandbox(best_level()) as sandbox:
        assert sandbox.level == best_level()
    assert (why_not_full() is None) == (best_level() == "full")


def test_the_doctor_tries_every_guarantee() -> None:
    report = examine()
    assert report.level == best_level() and report.is_sound, [trial for trial in report.trials if not trial.holds]
    levels = {trial.level for trial in report.trials}
    assert levels == ({"full", "basic"} if report.level == "full" else {"basic"})
    assert {"system", "python"} <= {feature.name for feature in report.features}
    assert all(trial.holds for trial in report.trials if trial.level == "basic"), report.trials


def test_nothing_of_linux_is_imported_where_there_is_none() -> None:
    """With the modules that Windows lacks taken away, and another name of the system, the package still imports."""
    script = """
import shutil, sys  # the interpreter's own modules ask for the system, too, and are to be what they are
for name in ("resource", "fcntl"):
    sys.modules[name] = None
sys.platform = "win32"
import ludus.sandbox, ludus.sandbox.basic, ludus.sandbox.levels, ludus.sandbox.doctor, ludus.sandbox.process
import ludus.sandbox.cores, ludus.sandbox.messages, ludus.sandbox.serving, ludus.sandbox.basic_child
assert not [name for name in sys.modules if name in ("ludus.sandbox.kernel", "ludus.sandbox.zygote")]
from ludus.sandbox.levels import best_level, open_sandbox
from ludus.errors import SandboxError
assert best_level() == "basic"
try:
    open_sandbox("full")
except SandboxError as error:
    print(error)
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("isolation at level full needs Linux, and this is win32")


def test_a_quiet_core_is_nobody_elses() -> None:
    if not hasattr(os, "sched_getaffinity"):
        pytest.skip("this system has no affinities")
    with quiet_core(patience_s=5.0) as core:
        if core is None:
            pytest.skip("this machine is busy")
        assert core in os.sched_getaffinity(0)
        script = "from ludus.sandbox.cores import claim; import sys; print(claim(int(sys.argv[1])))"
        other = subprocess.run([sys.executable, "-c", script, str(core)], capture_output=True, text=True, check=True)
        assert other.stdout.strip() == "None"
    shares = busy_shares(watch_s=0.05)
    assert shares and all(0 <= share <= 1 for share in shares.values())


@pytest.mark.skipif(not hasattr(os, "sched_getaffinity"), reason="this system has no affinities")
def test_where_no_core_can_be_claimed_nobody_waits(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    cores = frozenset(os.sched_getaffinity(0))
    folder = tmp_path / f"ludus-cores-{os.getuid()}"
    folder.write_text("not a folder")
    with pytest.raises(SandboxError, match="cores cannot be claimed"), leased_core(cores, liked=None):
        pass
    with quiet_core(patience_s=0.1) as core:
        assert core is None
    folder.unlink()
    held = claim(min(cores))
    assert held is not None and claim(min(cores)) is None, "held is not the same as impossible"
    os.close(held)
    if os.geteuid() == 0:
        os.chown(folder, 65534, 65534)
        with pytest.raises(SandboxError, match="belongs to somebody else"):
            claim(min(cores))
