"""Bots for the sandbox, each with what must become of it: the acts, and the innocent things that look like them."""

from __future__ import annotations

import os
import sys
import textwrap
from typing import NamedTuple


class Case(NamedTuple):
    kinds: str  # what may become of it
    act: str  # the body of its function
    reason: str = ""  # part of the sentence

    @property
    def source(self) -> str:
        return "\ndef play(message):\n" + textwrap.indent(textwrap.dedent(self.act), "    ") + "\n"


C = "import ctypes, os; c = ctypes.CDLL(None)\n"
OTHER_FILE, INTERPRETER = __file__, sys.executable

FORBIDDEN = {
    "fork": Case("forbidden", "import os; os.fork()", "start a process"),
    "fork past python": Case("forbidden", C + "c.fork()", "start a process"),
    "system": Case("forbidden", "import os; os.system('true')", "start a process"),
    "subprocess": Case("forbidden", "import subprocess; subprocess.run(['true'])", "start a process"),
    "exec": Case("forbidden", "import os; os.execv('/bin/true', ['true'])", "run the program /bin/true"),
    "thread": Case("forbidden", "import threading; threading.Thread(target=print).start()", "start a thread"),
    "thread module": Case("forbidden", "import _thread; _thread.start_new_thread(print, ())", "start a thread"),
    "thread with a huge stack": Case(
        "forbidden",
        "import threading; threading.stack_size(1 << 30); threading.Thread(target=print).start()",
        "start a thread",
    ),
    "thread after a larger stack limit": Case(
        "forbidden",
        """
        import resource, threading
        resource.setrlimit(resource.RLIMIT_STACK, (resource.getrlimit(resource.RLIMIT_STACK)[1],) * 2)
        threading.stack_size(0)
        threading.Thread(target=print).start()
        """,
        "start a thread",
    ),
    "pool": Case(
        "forbidden",
        "from concurrent.futures import ThreadPoolExecutor\nThreadPoolExecutor().submit(print)",
        "start a thread",
    ),
    "clone3": Case(
        "forbidden", C + "a = (ctypes.c_uint64 * 11)(0x10f00); c.syscall(435, a, 88)", "start a thread (clone3)"
    ),
    "read": Case("forbidden", f"open({OTHER_FILE!r})", "read the file"),
    "read by a way round": Case("forbidden", "open('/usr/share/zoneinfo/../../../etc/passwd')", "read the file"),
    "read past python": Case("forbidden", C + f"c.open({OTHER_FILE.encode()!r}, 0)", "read the file"),
    "read a user list": Case("forbidden", "open('/etc/passwd')", "read the file /etc/passwd"),
    "read its environment": Case("forbidden", "open('/proc/self/environ')", "read the file"),
    "read its memory": Case("forbidden", "open('/proc/self/mem', 'rb')", "read the file"),
    "read another process": Case("forbidden", "import os; open(f'/proc/{os.getppid()}/cmdline')", "read the file"),
    "read the interpreter": Case("forbidden", f"open({INTERPRETER!r})", "read the file"),
    "list": Case("forbidden", "import os; os.listdir('/')", "list the folder /"),
    "write": Case("forbidden", "open('/tmp/ludus-was-here', 'w')", "write the file"),
    "write here": Case("forbidden", "open('ludus-was-here', 'w')", "write the file"),
    "delete": Case("forbidden", f"import os; os.remove({OTHER_FILE!r})", "change the file"),
    "make a folder": Case("forbidden", "import os; os.mkdir('/tmp/ludus-was-here')", "change the file"),
    "chdir": Case("forbidden", "import os; os.chdir('/tmp')", "go to the folder /tmp"),
    "temporary file": Case("forbidden", "import tempfile; tempfile.mkstemp()", "write the file"),
    "shared memory": Case(
        "forbidden",
        "from multiprocessing.shared_memory import SharedMemory; SharedMemory(create=True, size=9)",
        "share memory",
    ),
    "shared memory by number": Case("forbidden", C + "c.shmget(0, 4096, 0o1600)", "share memory (shmget)"),
    "file in memory": Case("forbidden", "import os; os.memfd_create('x')", "share memory (memfd_create)"),
    "tcp": Case("forbidden", "import socket; socket.socket()", "network connection"),
    "udp": Case("forbidden", "import socket; socket.socket(socket.AF_INET, socket.SOCK_DGRAM)", "network connection"),
    "unix socket": Case("forbidden", "import socket; socket.socket(socket.AF_UNIX)", "a Unix socket"),
    "netlink": Case("forbidden", "import socket; socket.socket(socket.AF_NETLINK, socket.SOCK_RAW)", "netlink"),
    "io_uring": Case("forbidden", C + "c.syscall(425, 1, 0)", "io_uring_setup"),
    "kill the parent": Case("forbidden", "import os; os.kill(os.getppid(), 9)", "send SIGKILL to process"),
    "kill everybody": Case("forbidden", "import os; os.kill(-1, 9)", "send SIGKILL to a group"),
    "stop the parent": Case("forbidden", "import os, signal; os.kill(os.getppid(), signal.SIGSTOP)", "send SIGSTOP"),
    "trace": Case("forbidden", C + "c.ptrace(16, os.getppid(), 0, 0)", "look into another process"),
    "namespace": Case("forbidden", C + "c.unshare(0x10000000)", "leave its namespace"),
    "prctl": Case("forbidden", C + "c.prctl(1, 0)", "(prctl)"),
    "seccomp": Case(
        "forbidden",
        C + "c.syscall(317, 1, 0, 0)" if os.uname().machine == "x86_64" else C + "c.syscall(277, 1, 0, 0)",
        "(seccomp)",
    ),
    "limits of another": Case(
        "forbidden", "import os, resource; resource.prlimit(os.getppid(), resource.RLIMIT_AS)", "(prlimit64)"
    ),
    "priority": Case("forbidden", "import os; os.nice(5)", ""),
    "cores": Case("forbidden", "import os; os.sched_setaffinity(0, [0])", ""),
    "terminal": Case("forbidden", "import os; os.openpty()", ""),
    "hooks off first": Case(
        "forbidden",
        """
        import faulthandler, gc, sys
        faulthandler.disable()
        for number in range(1, 65): faulthandler.unregister(number) if number not in (11, 8, 6, 7, 4) else None
        for found in gc.get_objects():
            if type(found).__name__ in ("function",) and getattr(found, "__module__", "").startswith("ludus"):
                found.__code__ = (lambda *a, **k: None).__code__ if not found.__closure__ else found.__code__
        import os; os.fork()
        """,
        "start a process",
    ),
    "nonsense": Case("forbidden", C + "c.syscall(9999)", "system call 9999"),
}
if os.uname().machine == "x86_64":
    CODE = (
        "b'\\xb8\\x02\\x00\\x00\\x00\\xcd\\x80\\xc3'"  # mov eax, 2; int 0x80; ret: fork, as a 32-bit program calls it
    )
    FORBIDDEN["32-bit call"] = Case(
        "forbidden",
        f"""
        import ctypes, mmap
        m = mmap.mmap(-1, 4096, prot=7); m.write({CODE})
        ctypes.CFUNCTYPE(ctypes.c_int)(ctypes.addressof(ctypes.c_char.from_buffer(m)))()
        """,
        "another kind of machine",
    )
    FORBIDDEN["x32 call"] = Case("forbidden", C + "c.syscall(0x40000000 + 39)", "system call")

ENDINGS = {
    "loop": Case("timeout", "while True: pass"),
    "loop in C": Case("timeout", "9 ** 9 ** 9"),
    "sleep": Case("timeout", "import time; time.sleep(60)"),
    "ignored signals": Case(
        "timeout",
        """
        import signal
        for number in set(range(1, 65)) - {9, 19, 32, 33}: signal.signal(number, signal.SIG_IGN)
        while True: pass
        """,
    ),
    "hanging finalizer": Case("timeout", "class Late:\n    def __del__(self):\n        while True: pass\nLate()"),
    "stops itself": Case("timeout", "import os, signal; os.kill(os.getpid(), signal.SIGSTOP)"),
    "exit": Case("crash", "import os; os._exit(3)", "status 3"),
    "kills itself": Case("crash", "import os; os.kill(os.getpid(), 9)", "SIGKILL"),
    "abort": Case("crash", "import os; os.abort()", "SIGABRT"),
    "segmentation fault": Case("crash", "import ctypes; ctypes.string_at(0)", "SIGSEGV"),
    "exit by exception": Case("exception", "raise SystemExit(0)", "SystemExit"),
    "interrupt": Case("exception", "raise KeyboardInterrupt", "KeyboardInterrupt"),
    "left a breakpoint": Case("exception", "breakpoint()", "BdbQuit"),
    "recursion": Case("exception", "play(message)", "RecursionError"),
    "division": Case("exception", "1 / 0", "ZeroDivisionError: division by zero"),
    "not bytes": Case("exception", "return 5"),
    "memory at once": Case("memory", "bytearray(1 << 33)"),
    "memory bit by bit": Case("memory", "found = []\nwhile True: found.append(bytearray(1 << 20))"),
    "memory in small bits": Case("memory", "found = []\nwhile True: found.append([0] * 20)"),
    "memory past python": Case(
        "memory",
        """
        import ctypes
        map_ = ctypes.CDLL(None).mmap
        map_.restype, map_.argtypes = ctypes.c_size_t, [ctypes.c_size_t] * 6
        while True: ctypes.memset(map_(0, 1 << 24, 3, 0x22, (1 << 64) - 1, 0), 1, 9)
        """,
    ),
    "memory shared": Case(
        "exception|memory", "import mmap\nfound = []\nwhile True: found.append(mmap.mmap(-1, 1 << 24))"
    ),
    "flood": Case("output", "while True: print('x' * 1000)"),
    "flood of errors": Case("output", "import os\nwhile True: os.write(2, b'x' * 1000)"),
    "huge answer": Case("protocol", "return b'x' * (1 << 20)", "more than 65536 bytes"),
    "forged answer": Case("protocol", "import os; os.write(3, b'nonsense')", "not made by the code"),
    "forged listener": Case("protocol", "import os; os.write(3, b'L')"),
    "forged failure of the sandbox": Case("protocol", "import os; os.write(3, b'Fno')"),
    "forged exception": Case("protocol", "import os; os.write(3, b'E{')"),
    "closes one way": Case("protocol", "import socket; socket.socket(fileno=3).shutdown(socket.SHUT_RD); return b''"),
    "closes everything": Case("protocol", "import os; os.closerange(0, 100); return b''", "closed the way"),
}

HONEST = {
    "answer": Case("answer", "return message"),
    "print": Case("answer", "import sys; print('out'); print('err', file=sys.stderr); return message"),
    "catches memory errors": Case("answer", "try: bytearray(1 << 33)\nexcept MemoryError: return message"),
    "uses much memory": Case("answer", "found = bytearray(300 << 20); found = None; return message"),
    "alarm": Case(
        "answer", "import signal; signal.setitimer(signal.ITIMER_REAL, 60); signal.alarm(60); return message"
    ),
    "own limits": Case("answer", "import resource; resource.setrlimit(resource.RLIMIT_CPU, (60, 60)); return message"),
    "cpu count": Case("answer", "import os; os.cpu_count(); os.getloadavg; return message"),
    "home": Case("answer", "import os; os.path.expanduser('~'); os.path.expanduser('~root/x'); return message"),
    "path": Case(
        "answer", "import os; os.path.exists('/etc/passwd'); os.getcwd(); os.path.realpath('x'); return message"
    ),
    "missing file": Case("answer", "try: open('book.txt')\nexcept FileNotFoundError: return message"),
    "missing module": Case("answer", "try: import cupy\nexcept ImportError: return message"),
    "stack": Case("answer", "import inspect, traceback; inspect.stack(); traceback.print_stack(); return message"),
    "ours": Case("answer", "try: import ludus.search.mcts\nexcept ImportError: return message"),
    "codecs": Case("answer", "'x'.encode('cp1250'); 'ä'.encode('utf-7'); 'ä'.encode('idna'); return message"),
    "dates": Case(
        "answer",
        "import datetime, time; time.tzset(); datetime.datetime.strptime('1 May 2020', '%d %b %Y'); return message",
    ),
    "locale": Case(
        "answer", "import locale\ntry: locale.setlocale(locale.LC_ALL, '')\nexcept locale.Error: pass\nreturn message"
    ),
    "zones": Case(
        "answer", "import zoneinfo\ntry: zoneinfo.ZoneInfo('Europe/Berlin')\nexcept KeyError: pass\nreturn message"
    ),
    "lazy import": Case(
        "answer",
        """
        import importlib
        for name in ('shelve', 'xml.dom.minidom', 'email.mime.text', 'wave'): importlib.import_module(name)
        return message
        """,
    ),
    "syntax error": Case("answer", "try: compile('a b', 'team.py', 'exec')\nexcept SyntaxError: return message"),
    "traceback": Case(
        "answer", "import traceback\ntry: 1 / 0\nexcept ZeroDivisionError: traceback.print_exc()\nreturn message"
    ),
    "nothing file": Case(
        "answer", "import os\nwith open(os.devnull, 'w') as file: file.write('x' * 9999)\nreturn message"
    ),
    "platform": Case("answer", "import platform; platform.system(); platform.python_version(); return message"),
    "random": Case(
        "answer", "import os, random, secrets, uuid; os.urandom(9); secrets.token_hex(); uuid.uuid4(); return message"
    ),
    "redirected": Case(
        "answer", "import contextlib, io\nwith contextlib.redirect_stdout(io.StringIO()): print(1)\nreturn message"
    ),
    "event loop": Case(
        "answer", "import asyncio\nasync def f(): await asyncio.sleep(0)\nasyncio.run(f()); return message"
    ),
    "database in memory": Case(
        "answer", "import sqlite3; sqlite3.connect(':memory:').execute('create table a (b)'); return message"
    ),
    "deep recursion": Case(
        "answer",
        "import sys\nsys.setrecursionlimit(50000)\ndef f(n): return n and 1 + f(n - 1)\nf(30000); return message",
    ),
    "logging": Case("answer", "import logging; logging.warning('w'); return message"),
    "warnings": Case("answer", "import warnings; warnings.warn('w'); return message"),
    "user name": Case(
        "answer",
        "import getpass\ntry: getpass.getuser()\nexcept (KeyError, OSError, ImportError): pass\nreturn message",
    ),
}
