"""Commands of ours that run in the background of browser tests: servers, and a tournament."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

ADDRESS = re.compile(r"http://127\.0\.0\.1:(\d+)")
END_S = 30.0


def started(*words: object, cwd: Path | None = None, output: int = subprocess.DEVNULL) -> subprocess.Popen[str]:
    """`ludus` with these words, in a process of its own."""
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1"}  # pages are tried, and plain searches are there at once
    if cwd is not None:
        environment["TMPDIR"] = str(cwd)  # cores are leased there; other tests have others
    command = [sys.executable, "-m", "ludus", *map(str, words)]
    return subprocess.Popen(command, cwd=cwd, env=environment, stdout=output, text=True)


class Served:
    """A server that can be killed and come back at the same address."""

    def __init__(self, *words: object) -> None:
        self.words = words
        self.port = 0
        self.start()

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def start(self) -> None:
        self.process = started(*self.words, "--port", self.port, output=subprocess.PIPE)
        assert self.process.stdout is not None
        told = self.process.stdout.readline()
        found = ADDRESS.search(told)
        assert found, f"the server says {told!r} and no address"
        self.port = int(found[1])

    def kill(self) -> None:
        """As a power cut would."""
        self.process.kill()
        self._left()

    def close(self) -> None:
        self.process.terminate()
        try:
            self.process.wait(END_S)
        except subprocess.TimeoutExpired:
            self.process.kill()
        self._left()

    def _left(self) -> None:
        self.process.wait()
        assert self.process.stdout is not None
        self.process.stdout.close()
