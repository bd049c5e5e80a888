"""Takes values out of a TOML table one by one; what is missing, of the wrong kind or left over is one sentence."""

from __future__ import annotations

import math
from collections.abc import Iterable
from fractions import Fraction
from typing import Any

from ludus.errors import EventError


class Fields:
    """A table, and where it stands: a file, or a file and the name of a table in it."""

    def __init__(self, values: dict[str, Any], where: str) -> None:
        self.values, self.where = dict(values), where
        self.known: dict[str, None] = {}  # what was asked for, in that order

    def take(self, key: str) -> Any:
        """The value, once; None where there is none."""
        self.known[key] = None
        return self.values.pop(key, None)

    def wrong(self, key: str, value: Any, expected: str) -> EventError:
        shown = repr(value) if isinstance(value, str) else str(value).lower() if isinstance(value, bool) else str(value)
        shown = shown if len(shown) <= 40 else shown[:37] + "..."
        return EventError(f"{self.where}: {key} is {shown}; expected {expected}")

    def table(self, key: str) -> Fields:
        value = self.take(key)
        if value is not None and not isinstance(value, dict):
            raise self.wrong(key, value, f"a table [{key}]")
        return Fields(value or {}, f"{self.where}: [{key}]")

    def text(self, key: str, *, default: str | None = None, longest: int = 200) -> str:
        value = self._given(key, default)
        if not isinstance(value, str) or not value or len(value) > longest:
            raise self.wrong(key, value, f"a text of at most {longest} characters")
        return value

    def one_of(self, key: str, allowed: Iterable[str], *, default: str) -> str:
        value = self._given(key, default)
        words = list(allowed)
        if value not in words:
            raise self.wrong(key, value, f"one of {', '.join(words)}")
        return str(value)

    def flag(self, key: str, *, default: bool) -> bool:
        value = self._given(key, default)
        if not isinstance(value, bool):
            raise self.wrong(key, value, "true or false")
        return value

    def whole(self, key: str, *, default: int, least: int, most: int) -> int:
        value = self._given(key, default)
        if type(value) is not int or not least <= value <= most:
            raise self.wrong(key, value, f"a whole number from {least} to {most}")
        return value

    def number(self, key: str, *, default: float | None = None, least: float, most: float) -> float:
        value = self._given(key, default)
        if isinstance(value, bool) or not isinstance(value, int | float) or math.isnan(value):
            raise self.wrong(key, value, f"a number from {least:g} to {most:g}")
        if not least <= value <= most:
            raise self.wrong(key, value, f"a number from {least:g} to {most:g}")
        return float(value)

    def fraction(
        self, key: str, *, default: Fraction | None = None, least: int = -(10**6), most: int = 10**6
    ) -> Fraction:
        """A number exactly as it is written: 0.1 is a tenth."""
        value = self._given(key, default)
        exact = value if isinstance(value, Fraction) else as_written(value)
        if exact is None or not least <= exact <= most:
            raise self.wrong(key, value, f"a number from {least} to {most}")
        return exact

    def each(self, key: str, *, of: str) -> list[Fields] | None:
        """The items of a list, each to be taken by the key `of`; None where there is no list."""
        value = self.take(key)
        if value is None:
            return None
        if not isinstance(value, list) or not value or len(value) > 1000:
            raise self.wrong(key, value, f"a list of at least one {of}")
        return [Fields({of: item}, f"{self.where}: {key}") for item in value]

    def rest(self) -> dict[str, Any]:
        """All that has not been taken."""
        taken, self.values = self.values, {}
        return taken

    def done(self) -> None:
        """Nothing may be left: what nobody reads is a slip of the pen."""
        if self.values:
            unknown = next(iter(self.values))[:40]
            raise EventError(f"{self.where}: {unknown!r} means nothing here; expected {', '.join(self.known)}")

    def _given(self, key: str, default: Any) -> Any:
        value = self.take(key)
        if value is not None:
            return value
        if default is None:
            raise EventError(f"{self.where}: {key} is missing")
        return default


def as_written(value: Any) -> Fraction | None:
    """A number of a TOML file exactly as it is written there; None for whatever is no finite number."""
    if type(value) not in (int, float) or not math.isfinite(value):
        return None
    return Fraction(str(value))
