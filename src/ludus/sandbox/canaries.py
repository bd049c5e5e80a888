"""Small bots that each try to break one guarantee, for the doctor: what happens to them shows whether it holds."""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import ModuleType
from typing import NamedTuple

from ludus.sandbox.process import Kind

ENTRY = f"{__name__}:handler"


class Canary(NamedTuple):
    """A guarantee in a person's words, a bot that breaks it if it can, and what has to become of it."""

    guarantee: str
    act: str  # the body of the bot's function
    expected: Kind


def handler(bot: ModuleType) -> Callable[[bytes], bytes]:
    """What runs beside a canary: each question makes it act."""

    def handle(_message: bytes) -> bytes:
        return str(bot.act()).encode()

    return handle


_LOOP = "while True: pass"
_SOME_FILE = sys.executable  # is there on every system, and no bot's business

CANARIES = (
    Canary("an honest bot plays", "import random; return random.randrange(9)", "answer"),
    Canary("a bot that overruns is ended", _LOOP, "timeout"),
    Canary(
        "a bot that ignores signals is ended", f"import signal; signal.signal(15, signal.SIG_IGN)\n {_LOOP}", "timeout"
    ),
    Canary("a bot has no more memory than its limit", "return len(bytearray(1 << 34))", "memory"),
    Canary("a bot that floods its output is ended", "while True: print('x' * 1000)", "output"),
    Canary("a bot's crash is only its own", "import os; os._exit(3)", "crash"),
    Canary("no file can be read", f"return open({_SOME_FILE!r}, 'rb').read(9)", "forbidden"),
    Canary("no file can be written", "open('canary-was-here', 'w')", "forbidden"),
    Canary("no process can be started", "import subprocess; subprocess.run(['true'])", "forbidden"),
    Canary("no thread can be started", "import threading; threading.Thread(target=print).start()", "forbidden"),
    Canary("no network can be reached", "import socket; socket.socket()", "forbidden"),
    Canary("no other process can be disturbed", "import os; os.kill(os.getppid(), 0)", "forbidden"),
)

_C = "import ctypes; c = ctypes.CDLL(None)"
PAST_PYTHON = (
    Canary("no file can be read past Python", f"{_C}; return c.open({_SOME_FILE.encode()!r}, 0)", "forbidden"),
    Canary("no process can be started past Python", f"{_C}; return c.fork()", "forbidden"),
    Canary("no system call is unseen", f"{_C}; return c.syscall(425, 1, 0)", "forbidden"),
)
"""The same through the C library, which a bot reaches if it wants to."""
