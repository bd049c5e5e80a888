"""What a bot writes on its standard output or error, read from a pipe as it comes."""

from __future__ import annotations

import os

from ludus.sandbox.kept import Kept

_AT_ONCE = 1 << 16


class Captured(Kept):
    """One stream, from a pipe that never blocks."""

    def __init__(self, descriptor: int) -> None:
        super().__init__()
        os.set_blocking(descriptor, False)
        self.descriptor = descriptor

    def drain(self) -> bool:
        """Take what is there; whether more can come."""
        try:
            data = os.read(self.descriptor, _AT_ONCE)
        except BlockingIOError:
            return True
        except OSError:
            return False
        self.keep(data)
        return bool(data)

    def drain_all(self) -> None:
        """Take what a process that has ended left behind; a pipe holds only so much."""
        before = -1
        while self.total != before:
            before = self.total
            self.drain()

    def close(self) -> None:
        if self.descriptor >= 0:
            os.close(self.descriptor)
            self.descriptor = -1
