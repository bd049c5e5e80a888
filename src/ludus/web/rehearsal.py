"""Rules in a process of their own, as the preview's server sees it: asked, waited for, and ended in time."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import signal
import sys
from pathlib import Path
from typing import Any

from ludus.sandbox.process import signal_name
from ludus.web.rehearsing import ANSWER_S, Answer, Seen

STARTING_S = 10.0  # until the process can hear, on a machine that is busy
GRACE_S = 2.0  # after the process should have interrupted the rules itself
CHECK_S = 60.0
LARGEST_ANSWER = 32 << 20  # bytes


class Rehearsal:
    """One process for one state of the file. Whatever the rules do, a question gets an answer."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.files: Seen = {}  # that the rules are made of, as they were just before they were run
        self._process: asyncio.subprocess.Process | None = None
        self._turn = asyncio.Lock()
        self._is_closed = False

    @property
    def is_alive(self) -> bool:
        return not self._is_closed and self._process is not None and self._process.returncode is None

    async def ask(self, request: dict[str, Any]) -> Answer:
        """The answer; one that does not come in time, or a process that ends, is a complaint."""
        async with self._turn:
            limit_s = CHECK_S if request["do"] == "check" else ANSWER_S + GRACE_S
            limit_s += STARTING_S if self._process is None else 0.0
            try:
                return await asyncio.wait_for(self._asked(request), limit_s)
            except asyncio.CancelledError:
                self._kill()  # or its answer would be taken for that to the next question
                raise
            except TimeoutError:
                sentence = "they do not answer, and do not let themselves be interrupted"
            except (ConnectionError, asyncio.IncompleteReadError):
                sentence = f"they ended the process that ran them{await self._how()}"
            except ValueError:
                sentence = f"a board of more than {LARGEST_ANSWER >> 20} MB is not shown"
            await self._end()
            return {"complaint": f"{self.path.name}: the rules cannot be used: {sentence}"}

    async def close(self) -> None:
        """End it at once, whatever it does. Twice is once."""
        self._is_closed = True
        await self._end()

    async def _asked(self, request: dict[str, Any]) -> Answer:
        if self._process is None:
            self._process = await asyncio.create_subprocess_exec(
                *(sys.executable, "-P", "-m", "ludus.web.rehearsing", str(self.path), str(os.getpid())),
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                limit=LARGEST_ANSWER,
                start_new_session=True,
            )
        asked, told = self._process.stdin, self._process.stdout
        assert asked is not None and told is not None
        asked.write(json.dumps(request).encode() + b"\n")
        await asked.drain()
        while True:
            line = await told.readline()
            if not line.endswith(b"\n"):
                raise asyncio.IncompleteReadError(line, None)
            answer: Answer = json.loads(line)
            if "files" not in answer:
                return answer
            self.files = answer["files"]

    async def _how(self) -> str:
        """With which signal or status a process ended that ends by itself."""
        assert self._process is not None
        try:
            status = await asyncio.wait_for(self._process.wait(), 1.0)
        except TimeoutError:
            return ""
        return f" ({signal_name(-status)})" if status < 0 else f" (exit status {status})"

    async def _end(self) -> None:
        """Kill it and wait until it is gone. Whoever is cancelled meanwhile still waits: it takes no time."""
        self._kill()
        if self._process is None:
            return
        ending = asyncio.ensure_future(self._process.wait())
        try:
            await asyncio.shield(ending)
        finally:
            await asyncio.wait([ending])
            # Its pipes too, which a child of the rules may still hold; asyncio gives no public name to them.
            self._process._transport.close()  # type: ignore[attr-defined]

    def _kill(self) -> None:
        if self._process is not None and self._process.returncode is None:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self._process.pid, signal.SIGKILL)
