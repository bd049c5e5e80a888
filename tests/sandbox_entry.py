"""What runs beside the bots of the sandbox's tests: a bot is `play(message: bytes) -> bytes`."""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType


def play(bot: ModuleType) -> Callable[[bytes], bytes]:
    function: Callable[[bytes], bytes] = bot.play
    return function
