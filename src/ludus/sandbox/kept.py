"""What a bot wrote, kept at both ends and counted by turns."""

from __future__ import annotations

KEPT = 16_384  # bytes in all, the first half and the last half


class Kept:
    """The text of one stream."""

    def __init__(self) -> None:
        self.in_turn = 0  # bytes since the turn began
        self.total = 0
        self._first, self._last = bytearray(), bytearray()

    def keep(self, data: bytes) -> None:
        """Count it, and keep it as far as there is room."""
        self.in_turn += len(data)
        self.total += len(data)
        room = KEPT // 2 - len(self._first)
        if room > 0:
            self._first += data[:room]
            data = data[room:]
        if data:
            self._last += data
            del self._last[: -KEPT // 2]

    @property
    def text(self) -> str:
        """What was kept, for people."""
        left_out = self.total - len(self._first) - len(self._last)
        between = f"\n... {left_out} bytes are left out ...\n".encode() if left_out else b""
        return (self._first + between + self._last).decode("utf-8", "replace")

    @property
    def tail(self) -> str:
        """The last of it."""
        return (self._last or self._first).decode("utf-8", "replace")
