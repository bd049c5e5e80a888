"""What a bot answers, as data that crosses from its process to the referee without losing what it was.

JSON knows neither tuples nor the difference between true and 1, and events do: a tuple is {"tuple": [...]},
a bool {"bool": 1}, anything else that is no plain value {"other": "its type"}.
"""

from __future__ import annotations

import json
import operator
from typing import Any

LONGEST_TEXT, LONGEST_SEQUENCE, DEEPEST = 200, 16, 3  # no move of any game needs more

to_json = json.JSONEncoder(separators=(",", ":")).encode


def plain(value: object, depth: int = 0) -> Any:
    """The value as JSON can hold it; it is cut where it is larger than any move."""
    if value is None:
        return None
    if isinstance(value, bool):
        return {"bool": int(value)}
    if isinstance(value, int):
        return int(value) if -(1 << 63) <= value < 1 << 63 else {"other": "int, and huge"}
    if isinstance(value, float):
        return {"float": repr(float(value))}
    if isinstance(value, str):
        return str(value[:LONGEST_TEXT])
    if isinstance(value, tuple | list) and depth < DEEPEST:
        items = [plain(item, depth + 1) for item in value[:LONGEST_SEQUENCE]]
        return {"tuple": items} if isinstance(value, tuple) else items
    try:
        return plain(operator.index(value), depth)  # type: ignore[arg-type]  # numpy's ints are no ints
    except TypeError:
        return {"other": type(value).__name__[:60]}


def shown(answer: Any) -> str:
    """A plain answer as Python would write it, short, for a sentence to a person."""
    text = _written(answer)
    return text if len(text) <= 60 else text[:57] + "..."


def _written(answer: Any) -> str:
    if isinstance(answer, list):
        return "[" + ", ".join(map(_written, answer)) + "]"
    if not isinstance(answer, dict):
        return repr(answer)
    if "tuple" in answer:
        items = [_written(item) for item in answer["tuple"]]
        return f"({items[0]},)" if len(items) == 1 else "(" + ", ".join(items) + ")"
    if "bool" in answer:
        return str(bool(answer["bool"]))
    return str(answer.get("float", f"of type {answer.get('other')}"))
