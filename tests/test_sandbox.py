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
from ludus.sandbox import messages
from ludus.sandbox.levels import why_not_full
from ludus.sandbox.process import Limits, Process, Reply
from sandbox_cases import ENDINGS, FORBIDDEN, HONEST, Case

pytestmark = pytest.mark.skipif(why_not_full() is not None, reason=str(why_not_full()))
if why_not_full() is None:
    from ludus.sandbox import policy
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
        gone = []
        while not gone or (gone[-1] >= 0.25 and len(gone) < 5):  # 50 ms are promised, on a machine that has time
            reply = outcome(start(f"def play(message):\n    {act}\n"), 0.1)
            assert reply.kind == "timeout" and reply.gone_s is not None and reply.spent.wall_s >= 0.1
            assert reply.line == 2 or reply.line is None
            gone.append(reply.gone_s)
        assert gone[-1] < 0.25, gone


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
    time.sleep(1.0)
    first = int(outcome(bot).answer)
    assert first < 500, "it is frozen, so few ticks passed, however busy the one who freezes it is"


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


def test_a_bot_is_compiled_once_and_fails_alike_each_time(start: Start, zygote: Zygote) -> None:
    source = "import decimal\n\ndef play(message):\n    return decimal.Decimal(1) / 0  # once\n"
    bots = [start(source) for _ in range(3)]
    assert [bool(bot.prepared) for bot in bots] == [True, False, False]  # type: ignore[attr-defined]
    replies = [outcome(bot) for bot in bots]
    assert {(reply.kind, reply.line, reply.reason) for reply in replies} == {
        ("exception", 4, "DivisionByZero: [<class 'decimal.DivisionByZero'>]")
    }
    assert len({bot.evidence.traceback for bot in bots}) == 1 and "# once" in bots[2].evidence.traceback
    assert bool(start(source, name="other.py").prepared)  # type: ignore[attr-defined]  # its tracebacks differ


def test_a_bot_cannot_hand_on_code_of_its_own(start: Start, zygote: Zygote) -> None:
    source = "import os\nos.write(3, b'K' + b'forged')\ndef play(message):\n    return message\n"
    for _ in range(2):
        assert start(source).ready.kind == "protocol"
    assert b"forged" not in zygote._prepared["team7.py", source][:10]


def test_what_a_bot_imports_is_there_before_it_is_locked_in(start: Start) -> None:
    names = ("argparse", "csv", "decimal", "hashlib", "logging", "pickle", "statistics", "uuid")
    there = f"import sys\nthere = [name in sys.modules for name in {names}]\n"
    asks = "".join(f"    import {name}\n" for name in names)
    for _ in range(2):
        bot = start(f"{there}def play(message):\n{asks}    return str(sum(there)).encode()\n")
        assert outcome(bot).answer == str(len(names)).encode()
    assert not bot.evidence.calls


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
    part = 1 << 17
    for length in (0, 130_000, part - 9, part - 8, part - 7, 2 * part - 8, 10 * part, 1):
        assert bot.ask(b"x" * length, limit_s=5).answer == str(length).encode()


def test_an_answer_may_be_as_long_as_its_question(start: Start) -> None:
    bot = start("def play(message): return message\n")
    for length in (65_520, 65_527, 65_528, 65_536, 200_000, 2_000_000, 3):
        question = os.urandom(length)
        assert bot.ask(question, limit_s=5).answer == question
    longer = start("def play(message): return message * 3\n").ask(b"x" * 100_000, limit_s=5)
    assert (longer.kind, longer.reason) == ("protocol", "its answer has more than 200016 bytes")
    for forged in (b"M\0\0\0\0", b"M\xff\xff\xff\xff", b"M\1\0\0\0", b"A" * 70_000):
        reply = outcome(start(f"import os\ndef play(m):\n    os.write(3, {forged!r}); os.write(3, b'x')\n"))
        assert reply.kind == "protocol", reply


def test_a_bot_that_does_not_read_its_long_question_is_late(start: Start) -> None:
    bot = start("import time\ndef play(message): time.sleep(9)\n")
    assert bot.ask(b"x" * 5_000_000, limit_s=0.3).reason == "it did not answer within 0.3 s"
    deaf = start("import os, time\ndef play(message):\n    os.write(3, b'x'); time.sleep(9)\n")
    assert deaf.ask(b"x" * 5_000_000, limit_s=0.3).kind == "protocol"
    closing = start("import os\ndef play(message):\n    os.close(3); os.close(0)\n    while True: pass\n")
    assert closing.ask(b"x" * 9, limit_s=0.3).kind == "protocol"


def test_nothing_that_a_bot_writes_raises_here(start: Start) -> None:
    stack = 'Stack (most recent call first):\\n  File "team7.py", line '
    for number in ("1" * 5000, "0", "-1", "\u0663"):
        source = f"import os\ndef play(m):\n    os.write(2, '{stack}{number}\\n'.encode()); os._exit(1)\n"
        reply = outcome(start(source))
        assert reply.kind == "crash" and (reply.line is None or reply.line < 1e9)
    for text in (
        b"[" * 50_000,
        b"1" * 9000,
        b'["\\ud800", 1, "\\udfff", 0]',
        b"null",
        b'[1, 2, {"a": []}, 1]',
        b"\xff",
    ):
        source = f"import os\ndef play(m):\n    os.write(3, b'E' + {text!r})\n    while True: pass\n"
        bot = start(source)
        reply = outcome(bot)
        assert reply.kind in ("protocol", "exception")
        (reply.reason + bot.evidence.traceback).encode()
    for depth in range(100, 1500, 20):
        messages.unpack_failure(b"E[" + b"[" * depth + b"]" * depth + b', 1, "", false]')


def test_what_runs_in_the_opponents_turn_is_seen(start: Start) -> None:
    source = """
import signal, time
def think(*_):
    end = time.process_time() + 0.1
    while time.process_time() < end: pass
signal.signal(signal.SIGCONT, think)
def play(message): return message
"""
    bot = start(source)
    assert [outcome(bot).kind for _ in range(2)] == ["answer"] * 2, "to be thawed for its own turn is nothing"
    os.kill(bot._body.pid, signal.SIGCONT)  # type: ignore[attr-defined]  # as by a way that nobody knows
    time.sleep(0.3)
    reply = outcome(bot)
    assert reply.kind == "forbidden" and "ms of CPU in its opponent's turn" in reply.reason


def test_descriptors_that_a_bot_sends_are_not_kept(start: Start) -> None:
    source = """
import array, socket
def play(message):
    channel = socket.socket(fileno=3)
    for number in (1, 2, 3, 4):
        rights = [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", [0] * number))]
        channel.sendmsg([b"A"], rights)
    channel.detach()
"""
    bot = start(source)
    before = descriptors()
    os.write(bot._outbox, b"12345678")  # type: ignore[attr-defined]
    os.kill(bot._body.pid, signal.SIGCONT)  # type: ignore[attr-defined]
    for _ in range(4):
        until = time.monotonic() + 5
        while bot._receive(1.0, 0.0) is None and time.monotonic() < until:  # type: ignore[attr-defined]  # as when late
            time.sleep(0.01)
    assert descriptors() == before


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


def test_a_bot_that_was_given_up_is_not_the_next_one(monkeypatch: pytest.MonkeyPatch) -> None:
    def spawn(zygote: Zygote, name: str) -> Process:
        return zygote.python_bot(f"def play(m): return b'{name}'\n", name="b.py", entry=ENTRY, seed=1, limits=LIMITS)

    with Zygote(preload=("sandbox_entry",)) as zygote:
        server = zygote._server.pid
        old = spawn(zygote, "old")
        before = descriptors()
        for is_asked_between in (False, True):
            os.kill(server, signal.SIGSTOP)
            with monkeypatch.context() as patch:
                patch.setattr("ludus.sandbox.zygote._ANSWERING_S", 0.1)
                with pytest.raises(SandboxError, match="does not answer"):
                    spawn(zygote, "late")
            os.kill(server, signal.SIGCONT)
            if is_asked_between:
                old.close()
            bot = spawn(zygote, "next")
            assert outcome(bot).answer == b"next"
            bot.close()
        assert descriptors() < before
        until = time.monotonic() + 5
        while children(server) and time.monotonic() < until:
            time.sleep(0.01)
        assert children(server) == []


def test_a_fork_that_fails_ends_one_bot_only() -> None:
    with Zygote(preload=("sandbox_entry", "sandbox_full_system")) as zygote:
        before = counts()
        for round_ in range(4):
            fails = round_ % 2 == 1
            if fails:
                with pytest.raises(SandboxError, match="no process can be started for a bot: Resource temporarily"):
                    zygote.python_bot("", name="b.py", entry=ENTRY, seed=1, limits=LIMITS)
            else:
                bot = zygote.python_bot("def play(m): return m\n", name="b.py", entry=ENTRY, seed=1, limits=LIMITS)
                assert outcome(bot).kind == "answer"
                bot.close()
        assert counts() == before


def test_a_way_up_goes_where_links_go(tmp_path: Path) -> None:
    (tmp_path / "here").mkdir()
    (tmp_path / "there" / "deep").mkdir(parents=True)
    (tmp_path / "here" / "link").symlink_to(tmp_path / "there" / "deep")
    plain = policy._plain
    assert plain(f"{tmp_path}/here/link/../secret", 1) == f"{tmp_path}/there/secret"
    assert plain(f"{tmp_path}//here/./link", 1) == f"{tmp_path}/here/link"
    assert plain("/proc/self/maps", 77) == "/proc/77/maps"


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
