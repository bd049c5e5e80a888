"""Programs in other languages at level "full", and agents of ours: what they may do, how they end, what is left."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from ludus.sandbox.levels import why_not_full
from ludus.sandbox.process import Limits, Process, Reply
from ludus.sandbox.trusted import trusted_program

pytestmark = pytest.mark.skipif(why_not_full() is not None, reason=str(why_not_full()))
if why_not_full() is None:
    from ludus.sandbox.zygote import Zygote

SOURCES = Path(__file__).parent / "programs"
LIMITS = Limits(memory_mb=256)
Start = Callable[..., Process]
MEMORY = ("vector", "list", "malloc", "mmap", "at once", "untouched", "shared")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("programs")


@pytest.fixture(scope="module")
def acts(folder: Path) -> Path:
    compiler = shutil.which("g++") or shutil.which("clang++")
    if compiler is None:
        pytest.skip("there is no C++ compiler here")
    program = folder / "acts"
    subprocess.run([compiler, "-O1", "-o", program, SOURCES / "acts.cpp", "-pthread"], check=True)
    return program


@pytest.fixture(scope="module")
def jar(folder: Path) -> Path:
    if shutil.which("javac") is None or shutil.which("jar") is None:
        pytest.skip("there is no Java compiler here")
    subprocess.run(["javac", "-d", folder, SOURCES / "Acts.java"], check=True, capture_output=True)
    subprocess.run(["jar", "cfe", folder / "acts.jar", "Acts", "-C", folder, "Acts.class"], check=True)
    return folder / "acts.jar"


@pytest.fixture(scope="module")
def zygote() -> Iterator[Zygote]:
    with Zygote() as zygote:
        yield zygote


@pytest.fixture
def start(zygote: Zygote) -> Iterator[Start]:
    started: list[Process] = []

    def start(*argv: object, file: Path, limits: Limits = LIMITS, threads: bool = False) -> Process:
        words = [str(word) for word in argv]
        started.append(zygote.program(words, file=file, limits=limits, threads=threads))
        return started[-1]

    yield start
    for program in started:
        program.close()


def descriptors() -> int:
    return len([*Path("/proc/self/fd").glob("*")])


def told(program: Process, word: str, limit_s: float = 10.0) -> Reply:
    assert program.ready.kind == "answer", program.ready
    return program.ask(word.encode() + b"\n", limit_s=limit_s)


def test_a_program_answers_line_by_line(start: Start, acts: Path) -> None:
    program = start(acts, file=acts)
    for word in ("one", "two words", "deep", "ü"):
        assert told(program, word).answer == word.encode()
    assert told(program, "x" * 60_000).answer == b"x" * 60_000
    assert told(start(acts, "a", "b", file=acts), "arguments").answer == b"3"


@pytest.mark.parametrize(
    ("word", "kind", "reason"),
    [
        *(
            (word, "memory", "256 MB")
            for word in ("vector", "list", "malloc", "mmap", "at once", "untouched", "shared")
        ),
        ("read /etc/passwd", "forbidden", "read the file /etc/passwd"),
        (f"read {__file__}", "forbidden", "read the file"),
        ("read /proc/1/environ", "forbidden", "read the file"),
        ("write /tmp/ludus-was-here", "forbidden", "write the file"),
        ("write ludus-was-here", "forbidden", "write the file"),
        ("thread", "forbidden", "start a thread"),
        ("fork", "forbidden", "start a process"),
        ("system", "forbidden", "start a process"),
        ("exec", "forbidden", "run the program /bin/true"),
        ("socket", "forbidden", "network"),
        ("kill", "forbidden", "send SIGKILL"),
        (f"timer {signal.SIGCONT}", "forbidden", "wake itself in its opponent's turn (timer_create)"),
        ("crash", "crash", "SIGSEGV"),
        ("exit", "crash", "status 3"),
        ("endless", "protocol", "a line of more than"),
        ("flood", "output", "1048576 bytes"),
        ("close", "protocol", "closed the way"),
    ],
)
def test_what_becomes_of_a_program(start: Start, acts: Path, word: str, kind: str, reason: str) -> None:
    program = start(acts, file=acts)
    reply = told(program, word, 20)
    assert reply.kind == kind, (reply, program.evidence)
    assert reason in reply.reason
    assert not program.is_alive and program.evidence.peak_memory_mb > 0
    assert (kind == "forbidden") <= bool(program.evidence.calls)


@pytest.mark.parametrize("word", ["loop", "sleep"])
def test_a_late_program_is_gone(start: Start, acts: Path, word: str) -> None:
    replies = [told(start(acts, file=acts), word, 0.1) for _ in range(3)]
    assert all(reply.kind == "timeout" and reply.gone_s is not None for reply in replies)
    assert min(reply.gone_s or 0.0 for reply in replies) < 0.25


def test_lines_out_of_turn_are_seen(start: Start, acts: Path) -> None:
    program = start(acts, file=acts)
    assert told(program, "twice").answer == b"one"
    assert told(program, "more").kind == "protocol"


def test_a_program_that_does_not_read_is_not_waited_for(start: Start, acts: Path) -> None:
    deaf = start("/bin/sh", "-c", "read a; echo $a; while true; do echo more; done", file=acts)
    assert told(deaf, "hello").answer == b"hello"
    # It takes a moment until what it says unasked has arrived; before that, a line of it passes for an answer.
    assert any(told(deaf, "hello").kind == "protocol" for _ in range(100))
    mute = start(acts, file=acts)
    assert mute.ask(b"x" * 60_000, limit_s=0.1).kind == "timeout"
    asleep = start("/bin/sh", "-c", "read a; echo $a; while :; do :; done", file=acts)
    assert told(asleep, "hello").kind == "answer"
    late = asleep.ask(b"x" * (1 << 21), limit_s=0.1)
    assert (late.kind, late.reason) == ("timeout", "it did not read what it was asked within 0.1 s")


@pytest.mark.parametrize("can_grow", [True, False])
def test_long_questions_arrive(start: Start, acts: Path, can_grow: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also where a user has so many pipes that none can grow any more."""
    if not can_grow:
        monkeypatch.setattr("ludus.sandbox.lines._PIPE", 1 << 30)
    program = start(acts, file=acts)
    for length in (1 << 16, 100_000, 1 << 20, 3_000_000, 5):
        reply = program.ask(b"length\n" + b"x" * length + b"\n", limit_s=10)
        assert (reply.kind, reply.answer) == ("answer", str(length).encode()), reply
    gone = start("/bin/sh", "-c", "read a; exec 0<&-; while :; do :; done", file=acts)
    assert gone.ask(b"x\n" * 1_000_000, limit_s=5).kind == "protocol"


def test_a_timer_may_send_other_signals(start: Start, acts: Path) -> None:
    assert told(start(acts, file=acts), f"timer {int(signal.SIGALRM)}").answer == b"timer 14"
    threaded = start(acts, file=acts, threads=True)
    assert told(threaded, f"timer {int(signal.SIGCONT)}").answer == b"none", "nobody can look at it in time"


def test_what_runs_in_the_opponents_turn_is_seen(start: Start, acts: Path) -> None:
    program = start(acts, file=acts, threads=True)
    assert told(program, "busy").answer == b"busy"
    os.kill(program._body.pid, signal.SIGCONT)  # type: ignore[attr-defined]  # as by a way that nobody knows
    time.sleep(0.2)
    reply = told(program, "hello")
    assert reply.kind == "forbidden" and "ms of CPU in its opponent's turn" in reply.reason


def test_threads_that_wait_for_each_other_have_no_excuse(zygote: Zygote, acts: Path) -> None:
    core = {min(os.sched_getaffinity(0))}
    program = zygote.program([str(acts)], file=acts, limits=LIMITS, threads=True, cores=core)
    for _ in range(3):
        assert told(program, "busy").answer == b"busy"
    spent = told(program, "loop", 0.4).spent
    assert spent.waited_s <= max(0.0, spent.wall_s - spent.cpu_s) + 1e-9, spent


def test_a_program_in_a_folder_bin_reads_nothing_beside_it(start: Start, acts: Path, tmp_path: Path) -> None:
    (tmp_path / "bin").mkdir()
    spy, secret = tmp_path / "bin" / "spy", tmp_path / "lib"
    shutil.copy(acts, spy)
    secret.write_text("opponent")
    for file in (spy, spy.parent):
        assert told(start(spy, file=file), f"read {secret}").kind == "forbidden"


def test_a_runtime_reads_its_own_libraries_and_no_bots(start: Start, acts: Path, tmp_path: Path) -> None:
    (tmp_path / "bin").mkdir()
    (tmp_path / "lib" / "bots").mkdir(parents=True)
    runtime, library = tmp_path / "bin" / "runtime", tmp_path / "lib" / "library"
    shutil.copy(acts, runtime)
    library.write_text("library")
    bot, other, inside = tmp_path / "bot.js", tmp_path / "other.js", tmp_path / "lib" / "bots" / "bot.js"
    for file in (bot, other, inside):
        file.write_text("bot")
    for place in (bot, library):
        assert told(start(runtime, bot, file=bot), f"read {place}").kind == "answer"
    assert told(start(runtime, bot, file=bot), f"read {other}").kind == "forbidden"
    assert told(start(runtime, inside, file=inside), f"read {library}").kind == "forbidden"


def test_a_program_that_never_rests_is_told_so(start: Start, acts: Path) -> None:
    ready = start("/bin/sh", "-c", "while :; do :; done", file=acts, limits=Limits(loading_s=0.3)).ready
    assert ready.reason == "it did not come to rest, to wait for its first question, within 0.3 s"


def test_a_referee_that_is_late_blames_nobody() -> None:
    """Its own delay, here a stop from outside, is not the program's."""
    script = """
import sys
from ludus.sandbox.trusted import trusted_program
echo = "import sys, time\\nfor line in sys.stdin: time.sleep(0.3); print(line.strip(), flush=True)\\n"
agent = trusted_program([sys.executable, "-c", echo])
agent.ask(b"one\\n", limit_s=20)
print("now", flush=True)
reply = agent.ask(b"two\\n", limit_s=0.6)
print(reply.kind, reply.spent.wall_s <= 0.6, flush=True)
agent.close()
"""
    referee = subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True)
    assert referee.stdout
    assert referee.stdout.readline() == "now\n"
    referee.send_signal(signal.SIGSTOP)
    time.sleep(1.5)
    referee.send_signal(signal.SIGCONT)
    assert referee.stdout.readline() == "answer True\n"
    referee.wait()
    referee.stdout.close()


def test_threads_where_they_are_allowed_are_frozen_too(start: Start, acts: Path) -> None:
    program = start(acts, file=acts, threads=True)
    assert told(program, "thread").answer == b"thread"
    assert told(program, "busy").answer == b"busy"
    time.sleep(1.0)
    assert told(program, "hello").spent.cpu_s < 0.5, "its thread could not go on in the other's time"
    assert told(start(acts, file=acts, threads=True), "fork").kind == "forbidden"
    assert told(start(acts, file=acts, threads=True), "shared", 20).kind in ("crash", "memory")
    assert told(start(acts, file=acts, threads=True), "vector", 20).kind == "memory"


def test_a_file_that_cannot_be_run_is_a_failure_of_the_bot(start: Start, tmp_path: Path) -> None:
    broken = tmp_path / "broken"
    broken.write_bytes(b"\x7fELF nonsense")
    broken.chmod(0o755)
    ready = start(broken, file=broken).ready
    assert ready.kind == "crash" and "cannot be run" in ready.reason
    missing = start(tmp_path / "missing", file=tmp_path).ready
    assert missing.kind == "crash" and "cannot be run" in missing.reason


def test_a_script_in_a_closed_folder(start: Start, tmp_path: Path) -> None:
    script = tmp_path / "bot"
    script.write_text('#!/bin/sh\nwhile read line; do echo "$line"; done\n')
    script.chmod(0o700)
    tmp_path.chmod(0o700)
    assert told(start(script, file=script), "hello").answer == b"hello"


def test_another_file_of_the_same_folder_is_not_for_it(start: Start, acts: Path) -> None:
    other = acts.parent / "opponent.txt"
    other.write_text("secret")
    assert told(start(acts, file=acts), f"read {other}").kind == "forbidden"
    assert told(start(acts, file=acts.parent), f"read {other}").kind == "answer"


RUNTIMES = [("random", "answer"), ("memory", "memory"), ("socket", "forbidden"), ("process", "forbidden")]


@pytest.mark.parametrize(("word", "kind"), [*RUNTIMES, (f"read {__file__}", "forbidden")])
def test_java(start: Start, jar: Path, word: str, kind: str) -> None:
    java = shutil.which("java")
    program = start(java, "-Xmx100m", "-jar", jar, file=jar, limits=Limits(), threads=True)
    assert told(program, "hello").answer == b"hello", program.evidence
    assert told(program, word, 30).kind == kind, program.evidence


def test_java_without_any_setting(start: Start, jar: Path) -> None:
    program = start(shutil.which("java"), "-jar", jar, file=jar, limits=Limits(), threads=True)
    assert told(program, "hello").answer == b"hello", program.evidence


@pytest.mark.parametrize(("word", "kind"), [*RUNTIMES, (f"read {__file__}", "forbidden")])
def test_node(start: Start, word: str, kind: str) -> None:
    node = shutil.which("node")
    if node is None:
        pytest.skip("there is no Node here")
    program = start(node, SOURCES / "acts.js", file=SOURCES / "acts.js", limits=Limits(), threads=True)
    assert told(program, "hello").answer == b"hello", program.evidence
    assert told(program, word, 30).kind == kind, program.evidence


def test_programs_leave_nothing_behind(zygote: Zygote, acts: Path) -> None:
    def run(word: str) -> None:
        program = zygote.program([str(acts)], file=acts, limits=LIMITS)
        program.ask(word.encode() + b"\n", limit_s=0.05)
        program.close()

    run("one")
    before = descriptors()
    for word in ("loop", "crash", "fork", "twice", "close", "hello", "exit"):
        run(word)
    assert descriptors() == before


ECHO = "import sys\nfor line in sys.stdin: print('you said', line.strip(), flush=True)\n"


def test_an_agent_of_ours_is_held_to_its_time() -> None:
    before = descriptors()
    agent = trusted_program([sys.executable, "-c", ECHO])
    assert agent.level == "trusted" and agent.ready.kind == "answer"
    assert agent.ask(b"hello\n", limit_s=20).answer == b"you said hello"
    agent.close()
    late = trusted_program([sys.executable, "-c", "import time; time.sleep(60)"])
    reply = late.ask(b"hello\n", limit_s=0.3)
    assert reply.kind == "timeout" and reply.gone_s is not None and reply.gone_s < 1
    broken = trusted_program([sys.executable, "-c", "raise SystemExit(4)"])
    assert broken.ask(b"hello\n", limit_s=20).reason == "its process exited with status 4"
    assert descriptors() == before


def test_an_agent_is_frozen_between_turns_with_all_its_threads() -> None:
    code = "import threading\ndef spin():\n    while True: pass\nthreading.Thread(target=spin, daemon=True).start()\n"
    agent = trusted_program([sys.executable, "-c", code + ECHO])
    agent.ask(b"one\n", limit_s=20)
    time.sleep(1.0)
    assert agent.ask(b"two\n", limit_s=20).spent.cpu_s < 0.5
    agent.close()


def test_an_agent_ends_with_the_referee(tmp_path: Path) -> None:
    script = f"""
import sys
from ludus.sandbox.trusted import trusted_program
agent = trusted_program([sys.executable, "-c", {ECHO!r}])
agent.ask(b"x\\n", limit_s=20)
print(agent._body.pid, flush=True); sys.stdin.read()
"""
    referee = subprocess.Popen([sys.executable, "-c", script], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert referee.stdin and referee.stdout
    pid = int(referee.stdout.readline())
    referee.kill()
    referee.wait()
    until = time.monotonic() + 5
    stat = Path(f"/proc/{pid}/stat")
    while stat.exists() and stat.read_text().rpartition(") ")[2][0] not in "ZX" and time.monotonic() < until:
        time.sleep(0.01)
    assert not stat.exists() or stat.read_text().rpartition(") ")[2][0] in "ZX"
    referee.stdin.close()
    referee.stdout.close()
