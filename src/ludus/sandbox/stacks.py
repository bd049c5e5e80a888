"""The stack that a bot's process writes when it is asked where it is, as the text that its referee finds."""

from __future__ import annotations

import re
from typing import NamedTuple

_MARKER = "(most recent call first):\n"


class Place(NamedTuple):
    """Where a bot is: the innermost line of its own file, and the stack down to its outermost."""

    line: int
    stack: str


def place_in(text: str, name: str) -> Place | None:
    """The place in the file of that name, by the last stack of the text; the bot may have made the text up."""
    _, marker, stack = text.rpartition(_MARKER)
    own = rf'File "{re.escape(name)}", line ([0-9]{{1,9}})\b'
    found = re.search(own, stack) if marker and name else None
    if found is None:
        return None
    rows = stack.splitlines()
    last = max(index for index, row in enumerate(rows) if re.search(own, row))
    return Place(int(found[1]), "\n".join(["Where it was, innermost first:", *rows[: last + 1]]))


def without_stack(text: str) -> str:
    """What a bot wrote, less what its process wrote for the referee: that is kept as the traceback."""
    before, marker, _ = text.rpartition(f"Stack {_MARKER}")
    return before if marker else text
