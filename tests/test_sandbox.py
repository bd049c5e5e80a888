"""Bots in Python at level "full": every act and its verdict, on the kernel's evidence; nothing left behind."""

from __future__ import annotations

import gc
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from ludus.errors import SandboxError
from ludus.sandbox.levels import why_not_full
from ludus.sandbox.process import Limits, Process, Reply
from sandbox_cases import ENDINGS, FORBIDDEN, HONEST, Case

pytestmark = pytest.mark.skipif(why_not_full() is not None, reason=str(why_not_full()))
if why_not_full() is None:
    from ludus.sandbox.zygote import Zygote

LIMITS = Limits(memory_mb=400)
ENTRY = "sandbox_entry:play"
Start = Callable[..., Process]


@pytest.fixture(scope="module", params=["landlock", "no landlock"])
def zygote(request: pytest.FixtureRequest) -> Iterator[Zygote]:
    with Zygote(preload=("sandbox_entry",), landlock=request.param == "landlock") as zygote:
        yield zygote


@pytest.fixture
def start(zygote: Zygote) -> Iterator[Start]:
    """Start a bot from its source; all are closed in the end."""
    started: list[Process] = []

    def start(source: str, *, limits: Limits = LIMITS, **more: object) -> Process:
        settings = {"name": "team7.py", "entry": ENTRY, "seed": 7, **more}
        started.append(zygote.python_bot(source, limits=limits, **settings))  # type: ignore[arg-type]
        return started[-1]

    yield start
    for bot in started:
        bot.close()


def outcome(bot: Process, limit_s: float = 5.0) -> Reply:
    return bot.ask(b"question", limit_s=limit_s) if bot.ready.kind == "answer" else bot.ready


def is_gone(pid: int) -> bool:
    """Ended, whether or not its new parent has noticed."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(") ")[2][0] in "ZX"
    except OSError:
        return True


def are_gone(*pids: int) -> bool:
    until = time.monotonic() + 5
    while not all(map(is_gone, pids)) and time.monotonic() < until:
        time.sleep(0.01)
    return all(map(is_gone, pids))


def children(pid: int | str = "self") -> list[int]:
    return [int(word) for path in Path(f"/proc/{pid}/task").glob("*/children") for word in path.read_text().split()]


@pytest.mark.parametrize("audit", [True, False], ids=["audit", "kernel alone"])
@pytest.mark.parametrize("name", FORBIDDEN)
def test_what_is_forbidden(start: Start, name: str, audit: bool) -> None:
    case = FORBIDDEN[name]
    bot = start(case.source, audit=audit)
    reply = outcome(bot)
    assert reply.kind == "forbidden", reply
    assert case.reason in reply.reason and reply.reason.startswith("it tried to ")
    assert bot.evidence.calls, "the call is kept for an appeal"
    assert audit or reply.line is None
    if audit and name not in ("hooks off first", "32-bit call"):
        assert reply.line is not None and reply.line >= 3


@pytest.mark.parametrize("audit", [True, False], ids=["audit", "kernel alone"])
@pytest.mark.parametrize("name", ENDINGS)
def test_how_a_bot_can_end(start: Start, name: str, audit: bool) -> None:
    case = ENDINGS[name]
    bot = start(case.source, audit=audit)
    reply = outcome(bot, 0.3 if case.kinds == "timeout" else 20)
    assert reply.kind in case.kinds.split("|"), reply
    assert case.reason in reply.reason
    assert not bot.is_alive and outcome(bot) == reply


@pytest.mark.parametrize("audit", [True, False], ids=["audit", "kernel alone"])
@pytest.mark.parametrize("name", HONEST)
def test_innocent_acts_are_not_punished(start: Start, name: str, audit: bool) -> None:
    bot = start(HONEST[name].source, audit=audit)
    for _ in range(2):
        reply = outcome(bot, 20)
        assert (reply.kind, reply.answer) == ("answer", b"question"), (reply, bot.evidence)


def test_a_turn_takes_what_the_kernel_says(start: Start) -> None:
    work = "end = time.process_time() + 0.05\n    time.sleep(0.05)\n    while time.process_time() < end: pass"
    bot = start(f"import time\ndef play(message):\n    {work}\n    return b''\n")
    spent = outcome(bot).spent
    assert 0.05 <= spent.cpu_s <= 0.08 and spent.wall_s >= 0.1 and spent.waited_s >= 0
    assert spent.wall_s >= spent.cpu_s + 0.049


def test_waiting_for_a_core_is_counted_apart(start: Start) -> None:
    core = {min(os.sched_getaffinity(0))}
    work = "end = time.process_time() + 0.1\n    while time.process_time() < end: pass"
    bot = start(f"import time\ndef play(message):\n    {work}\n    return b''\n", cores=core)
    busy = subprocess.Popen(
        [sys.executable, "-c", f"import os; os.sched_setaffinity(0, {core})\nwhile True: pass"],
        stdout=subprocess.DEVNULL,
    )
    try:
        time.sleep(0.1)
        spent = outcome(bot, 30).spent
    finally:
        busy.kill()
        busy.wait()
    assert spent.waited_s > 0.02 and spent.cpu_s < spent.wall_s
    assert abs(spent.wall_s - spent.cpu_s - spent.waited_s) < 0.05 + spent.wall_s / 4


def test_a_late_bot_is_gone_at_once(start: Start) -> None:
    for act in (
        "while True: pass",
        "import time; time.sleep(9)",
        "9 ** 9 ** 9",
        "bytearray(300 << 20); found = bytearray(b'x') * (300 << 20)\n    while True: pass",
    ):
        bot = start(f"def play(message):\n    {act}\n")
        reply = outcome(bot, 0.1)
        assert reply.kind == "timeout" and reply.gone_s is not None and reply.spent.wall_s >= 0.1
        assert reply.gone_s < 0.25, "50 ms are promised on a machine that is not overloaded"
        assert reply.line == 2 or reply.line is None


def test_thinking_in_the_opponents_time_is_impossible(start: Start) -> None:
    source = """
import os, signal, time
count = 0
def tick(*_):
    global count
    count += 1
signal.signal(signal.SIGALRM, tick)
def play(message):
    signal.setitimer(signal.ITIMER_REAL, 0.001, 0.001)
    before = count
    return str(count).encode()
"""
    bot = start(source)
    outcome(bot)
    time.sleep(0.3)
    first = int(outcome(bot).answer)
    assert first < 50, "it is frozen, so at most a few ticks passed"


def test_an_answer_before_the_question_is_no_answer(start: Start) -> None:
    naive = outcome(start("import os\ndef play(message):\n    os.write(3, b'Aone'); return b'two'\n"))
    assert (naive.kind, naive.reason) == ("protocol", "its answer was not made by the code that asks it")
    twice = "import os, sys\ndef play(message):\n    number = sys._getframe(1).f_locals['message'][:8]\n"
    bot = start(twice + "    os.write(3, b'A' + number + b'one'); return b'two'\n")
    assert outcome(bot).answer == b"one"
    assert outcome(bot).kind == "protocol"


def test_output_and_answers_are_apart(start: Start) -> None:
    act = "print('A' * 10); os.write(1, b'raw'); print('e', file=sys.stderr); return message"
    bot = start(f"import os, sys\ndef play(message):\n    {act}\n")
    assert [outcome(bot).answer for _ in range(3)] == [b"question"] * 3
    bot.close()
    assert bot.evidence.stdout == ("A" * 10 + "\nraw") * 3 and bot.evidence.stderr == "e\n" * 3


def test_long_output_is_kept_at_both_ends(start: Start) -> None:
    bot = start("def play(message):\n    print('first' + 'x' * 100_000 + 'last'); return message\n")
    assert outcome(bot).kind == "answer"
    bot.close()
    assert bot.evidence.stdout.startswith("first") and bot.evidence.stdout.endswith("last\n")
    assert len(bot.evidence.stdout) < 17_000 and "left out" in bot.evidence.stdout


def test_failures_name_the_line_of_the_file(start: Start) -> None:
    load = start("x = 1\ny = 1 / 0\n").ready
    assert (load.kind, load.reason, load.line) == ("exception", "ZeroDivisionError: division by zero", 2)
    syntax = start("x = 1\nif x\n").ready
    assert (syntax.kind, syntax.line) == ("exception", 2) and "SyntaxError: expected ':'" in syntax.reason
    bot = start("def helper():\n    return {}['a']\n\ndef play(message):\n    return helper()\n")
    reply = outcome(bot)
    assert (reply.line, reply.reason) == (2, "KeyError: 'a'")
    assert "team7.py" in bot.evidence.traceback and "return {}['a']" in bot.evidence.traceback
    missing = start("x = 1\n").ready
    assert missing.kind == "exception" and missing.line is None and "play" in outcome(start("")).reason


def test_loading_has_a_limit_of_its_own(start: Start) -> None:
    reply = start("while True: pass\n", limits=Limits(loading_s=0.3)).ready
    assert reply.kind == "timeout" and reply.gone_s is not None
    assert start("import os\nos.fork()\n").ready.kind == "forbidden"
    assert start("found = bytearray(1 << 33)\n").ready.kind == "memory"


def test_a_seed_is_a_bots_luck(start: Start) -> None:
    source = "import random\ndef play(message):\n    return str((random.random(), hash('x'))).encode()\n"
    first, same, other = (outcome(start(source, seed=seed)).answer for seed in (1, 1, 2))
    assert first == same != other


def test_bots_see_nothing_of_the_host(start: Start) -> None:
    act = "return repr((dict(os.environ), sys.argv, os.getcwd(), sys.executable)).encode()"
    found = eval(outcome(start(f"import os, sys\ndef play(message):\n    {act}\n")).answer)
    assert found == ({"HOME": "/", "LANG": "C.UTF-8", "TZ": "UTC0"}, [""], "/", "")


def test_nothing_of_one_bot_is_in_another(start: Start) -> None:
    secret = "s3cr3t" + "opening"
    start(f"book = '{secret}'\ndef play(message): return message\n")
    source = """
import gc, sys
def play(message):
    word = b's3cr3t' + b'opening'
    values = [v for o in gc.get_objects() if isinstance(o, dict) for v in list(o.values())]
    return str(sum(isinstance(v, str) and v.encode('utf-8', 'replace') == word for v in values)).encode()
"""
    assert outcome(start(source), 20).answer == b"0"


def test_large_questions_arrive(start: Start) -> None:
    bot = start("def play(message): return str(len(message)).encode()\n")
    assert bot.ask(b"x" * 130_000, limit_s=5).answer == b"130000"
    assert bot.ask(b"", limit_s=0.2).kind in ("timeout", "answer")


def test_a_bot_runs_on_the_cores_it_is_given(start: Start) -> None:
    core = max(os.sched_getaffinity(0))
    source = "import os\ndef play(message): return repr(os.sched_getaffinity(0)).encode()\n"
    assert outcome(start(source, cores={core})).answer == repr({core}).encode()


def test_started_by_root_a_bot_is_nobody(start: Start) -> None:
    if os.geteuid() != 0:
        pytest.skip("not started by root")
    reply = outcome(
        start("import os\ndef play(message): return repr((os.getuid(), os.getgid(), os.getgroups())).encode()\n")
    )
    user, group, groups = eval(reply.answer)
    assert user == group != 0 and groups == []


def test_two_bots_play_at_once_and_one_may_die(start: Start) -> None:
    good = start("def play(message): return message\n")
    bad = start("def play(message):\n    import os; os.abort()\n")
    assert outcome(good).kind == "answer"
    assert outcome(bad).kind == "crash"
    assert outcome(good).kind == "answer"


def descriptors(pid: int | str = "self") -> int:
    return len([*Path(f"/proc/{pid}/fd").glob("*")])


def counts() -> tuple[int, list[int]]:
    gc.collect()
    return descriptors(), children()


def test_a_hundred_hostile_bots_leave_nothing_behind() -> None:
    acts = [case for case in {**FORBIDDEN, **ENDINGS, **HONEST}.values() if "memory" not in case.kinds]
    with Zygote(preload=("sandbox_entry",)) as zygote:
        server = children()[-1]

        def run(case: Case) -> None:
            bot = zygote.python_bot(case.source, name="b.py", entry=ENTRY, seed=1, limits=LIMITS)
            outcome(bot, 0.05)
            bot.close()
            bot.close()

        def memory_kb() -> int:
            return int(Path(f"/proc/{server}/statm").read_text().split()[1]) * 4

        for case in acts[:10]:
            run(case)
        before, server_before, memory_before = counts(), descriptors(server), memory_kb()
        for case in (acts * 2)[:100]:
            run(case)
        assert counts() == before
        assert descriptors(server) == server_before and children(server) == []
        assert memory_kb() < memory_before + 2000
    assert is_gone(server)
    assert not [path for folder in ("/tmp", "/", "/dev/shm") for path in Path(folder).glob("*ludus-was-here*")]


def test_a_closed_zygote_leaves_nothing() -> None:
    before = counts()
    zygote = Zygote(preload=("sandbox_entry",))
    bots = [
        zygote.python_bot("def play(m): return m\n", name="b.py", entry=ENTRY, seed=1, limits=LIMITS) for _ in range(3)
    ]
    pids = [bot._body.pid for bot in bots]
    zygote.close()
    zygote.close()
    for bot in bots:
        bot.close()
    assert counts() == before and are_gone(*pids)
    with pytest.raises(SandboxError, match="closed"):
        zygote.python_bot("", name="b.py", entry=ENTRY, seed=1, limits=LIMITS)


def test_a_fork_server_that_is_killed_is_nobodys_fault_and_comes_again() -> None:
    with Zygote(preload=("sandbox_entry",)) as zygote:
        bot = zygote.python_bot("def play(m): return m\n", name="b.py", entry=ENTRY, seed=1, limits=LIMITS)
        pid = bot._body.pid
        os.kill(zygote._server.pid, signal.SIGKILL)
        assert are_gone(pid)
        with pytest.raises(SandboxError, match="ended from outside"):
            bot.ask(b"?", limit_s=5)
        bot.close()
        again = zygote.python_bot("def play(m): return m\n", name="b.py", entry=ENTRY, seed=1, limits=LIMITS)
        assert again.ask(b"?", limit_s=5).answer == b"?"
        again.close()


def test_a_referee_that_is_killed_takes_everything_along(tmp_path: Path) -> None:
    script = f"""
import sys; sys.path.insert(0, {str(Path(__file__).parent)!r})
from ludus.sandbox.zygote import Zygote
from ludus.sandbox.process import Limits
z = Zygote(preload=("sandbox_entry",))
b = z.python_bot("def play(m): return m", name="b.py", entry="{ENTRY}", seed=1, limits=Limits())
print(z._server.pid, b._body.pid, flush=True)
b.ask(b"?", limit_s=5); sys.stdin.read()
"""
    referee = subprocess.Popen([sys.executable, "-c", script], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert referee.stdout and referee.stdin
    pids = [int(word) for word in referee.stdout.readline().split()]
    referee.kill()
    referee.wait()
    assert are_gone(*pids)
    referee.stdin.close()
    referee.stdout.close()


def test_a_preloaded_module_that_is_missing_is_one_sentence() -> None:
    with pytest.raises(SandboxError, match="no_such_module"):
        Zygote(preload=("no_such_module",))


def test_numpy_where_it_is_allowed() -> None:
    pytest.importorskip("numpy")
    source = """
import numpy
def play(message):
    import numpy.polynomial
    a = numpy.random.rand(60, 60)
    return repr((float(a[0, 0]), float((a @ a)[0, 0]))).encode()
"""
    with Zygote(preload=("sandbox_entry", "numpy")) as zygote:
        bots = [zygote.python_bot(source, name="b.py", entry=ENTRY, seed=s, limits=LIMITS) for s in (1, 1, 2)]
        first, same, other = (outcome(bot, 20).answer for bot in bots)
        assert first and first == same != other
        greedy = zygote.python_bot(
            "import numpy\ndef play(m): return numpy.ones(1 << 30)", name="b.py", entry=ENTRY, seed=1, limits=LIMITS
        )
        assert outcome(greedy, 20).kind == "memory"
        for bot in [*bots, greedy]:
            bot.close()


def other_python() -> str | None:
    """An interpreter that other users can run, with what this one can import."""
    version = f"python{sys.version_info[0]}.{sys.version_info[1]}"
    return next((path for path in (f"/usr/bin/{version}", f"/usr/local/bin/{version}") if Path(path).exists()), None)


def test_all_of_this_as_an_unprivileged_user() -> None:
    """The same acts, the same verdicts, in a process that has given root away."""
    python = other_python()
    if os.geteuid() != 0 or python is None:
        pytest.skip("these tests run without root already, or no other user can run this Python")
    script = """
import json, os, sys
os.setgroups([]); os.setresgid(65534, 65534, 65534); os.setresuid(65534, 65534, 65534)
from ludus.sandbox.zygote import Zygote
from ludus.sandbox.process import Limits
from sandbox_cases import ENDINGS, FORBIDDEN, HONEST
found = {}
with Zygote(preload=("sandbox_entry",)) as zygote:
    for name, case in {**FORBIDDEN, **ENDINGS, **HONEST}.items():
        limits, entry = Limits(memory_mb=400), "sandbox_entry:play"
        bot = zygote.python_bot(case.source, name="b.py", entry=entry, seed=1, limits=limits)
        reply = bot.ready
        if reply.kind == "answer":
            reply = bot.ask(b"question", limit_s=0.2 if case.kinds == "timeout" else 20)
        found[name] = (reply.kind, reply.reason)
        bot.close()
print(json.dumps(found))
"""
    here = Path(__file__).parent
    where = os.pathsep.join([str(here.parent / "src"), str(here)])
    done = subprocess.run(
        [python, "-c", script],
        env={"PYTHONPATH": where},
        cwd="/",
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    wrong = {
        name: (found[name], case.kinds)
        for name, case in {**FORBIDDEN, **ENDINGS, **HONEST}.items()
        if found[name][0] not in case.kinds.split("|") or case.reason not in found[name][1]
    }
    assert wrong == {}
