"""What the tests of `ludus preview` share: rules to look at, and a way to run coroutines."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

from rules_files import HEAP

Message = dict[str, Any]

PATIENCE_S = 40.0
HEAP_OF_9 = HEAP.format(imports="", heap=9, most=3)
SHOW: Message = {"do": "show", "options": {}, "moves": ["1", "2"], "is_lenient": True}


def run(work: Callable[[], Awaitable[None]]) -> None:
    """A coroutine to its end, in the main thread, as the server runs."""

    async def main() -> None:
        await asyncio.wait_for(work(), 3 * PATIENCE_S)

    asyncio.run(main())


def with_line(text: str, line: str, *, after: str) -> str:
    """Rules with one more line after the one that begins so; of the same depth."""
    lines = text.splitlines()
    at = next(number for number, one in enumerate(lines) if one.strip().startswith(after))
    return "\n".join([*lines[: at + 1], line, *lines[at + 1 :]]) + "\n"
