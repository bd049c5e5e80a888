"""An int that refuses to leave 64 bits, as compiled code does silently."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

LOW, HIGH = -(1 << 63), (1 << 63) - 1


class LeavesWord(Exception):  # noqa: N818  # it is what happens, and never reaches a person under this name
    """Plain Python would go on with this number; compiled code would go on with another."""


class Word(int):
    """Behaves as an int, and hands itself on through every operation."""

    def bit_count(self) -> int:
        if self < 0:
            raise LeavesWord(f"bit_count() of the negative number {int(self)} is another one once compiled")
        return Word(int.bit_count(self))

    def bit_length(self) -> int:
        if self < 0:
            raise LeavesWord(f"bit_length() of the negative number {int(self)} is another one once compiled")
        return Word(int.bit_length(self))

    def __neg__(self) -> Word:
        return Word(_inside(-int(self), "-", self))

    def __invert__(self) -> Word:
        return Word(~int(self))

    def __abs__(self) -> Word:
        return Word(_inside(abs(int(self)), "abs", self))


def _inside(value: int, operation: str, *operands: int) -> int:
    if LOW <= value <= HIGH:
        return value
    shown = f" {operation} ".join(str(int(x)) for x in operands)
    raise LeavesWord(f"{shown} does not fit in 63 bits; compiled code would go on with another number")


def _checked(symbol: str, operate: Callable[[int, int], int], *, is_reflected: bool) -> Callable[..., Any]:
    def method(self: int, other: object) -> Any:
        if not isinstance(other, int):
            return NotImplemented
        x, y = (int(other), int(self)) if is_reflected else (int(self), int(other))
        if symbol in ("<<", ">>") and not 0 <= y <= 63:
            raise LeavesWord(f"{x} {symbol} {y}: compiled code can shift by 0 to 63 only")
        for operand in (x, y):
            _inside(operand, symbol, x, y)
        return Word(_inside(operate(x, y), symbol, x, y))

    return method


for _name, _symbol in {
    "add": "+",
    "sub": "-",
    "mul": "*",
    "lshift": "<<",
    "rshift": ">>",
    "and": "&",
    "or": "|",
    "xor": "^",
    "floordiv": "//",
    "mod": "%",
    "pow": "**",
}.items():
    _operate = getattr(operator, f"__{_name}__")
    setattr(Word, f"__{_name}__", _checked(_symbol, _operate, is_reflected=False))
    setattr(Word, f"__r{_name}__", _checked(_symbol, _operate, is_reflected=True))
