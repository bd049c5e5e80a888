"""Programs in other languages at level "full", and agents of ours: what they may do, how they end, what is left."""

from __future__ import annotations

import shutil
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
    reply = told(start(acts, file=acts), word, 0.1)
    assert reply.kind == "timeout" and reply.gone_s is not None and reply.gone_s < 0.25


def test_lines_out_of_turn_are_seen(start: Start, acts: Path) -> None:
    program = start(acts, file=acts)
    assert told(program, "twice").answer == b"one"
    assert told(program, "more").kind == "protocol"


def test_a_program_that_does_not_read_is_not_waited_for(start: Start, acts: Path) -> None:
    deaf = start("/bin/sh", "-c", "read a; echo $a; while true; do echo more; done", file=acts)
    assert told(deaf, "hello").answer == b"hello"
    assert told(deaf, "hello").kind == "protocol"
    mute = start(acts, file=acts)
    with pytest.raises(ValueError, match="a question has at most"):
        mute.ask(b"x" * (1 << 21), limit_s=1)
    assert mute.ask(b"x" * 60_000, limit_s=0.1).kind == "timeout"


def test_threads_where_they_are_allowed_are_frozen_too(start: Start, acts: Path) -> None:
    program = start(acts, file=acts, threads=True)
    assert told(program, "thread").answer == b"thread"
    assert told(program, "busy").answer == b"busy"
    time.sleep(0.3)
    assert told(program, "hello").spent.cpu_s < 0.1, "its thread could not go on in the other's time"
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
    time.sleep(0.3)
    assert agent.ask(b"two\n", limit_s=20).spent.cpu_s < 0.15
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
