"""A formula for marks, as an event file writes it: read as a tree of allowed words, never run as Python."""

from __future__ import annotations

import ast
import math
import operator
import warnings
from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from typing import NamedTuple

from ludus.errors import EventError

LONGEST = 500  # characters
ZERO = Fraction(0)


def divided(one: Fraction, other: Fraction) -> Fraction:
    """A share of nothing is nothing."""
    return one / other if other else ZERO


def round_half_up(value: Fraction, decimals: Fraction = ZERO) -> Fraction:
    """To so many decimals, from 0 to 9; halves away from zero."""
    scale = Fraction(10) ** min(9, max(0, int(decimals)))
    nearest = math.floor(abs(value) * scale + Fraction(1, 2))
    return (nearest if value >= 0 else -nearest) / scale


BINARY: dict[type[ast.operator], Callable[[Fraction, Fraction], Fraction]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: divided,
}
COMPARISONS: dict[type[ast.cmpop], Callable[[Fraction, Fraction], bool]] = {
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
}
FUNCTIONS: dict[str, tuple[Callable[..., Fraction], int, int]] = {  # with the fewest and the most arguments
    "min": (min, 1, 20),
    "max": (max, 1, 20),
    "abs": (abs, 1, 1),
    "round": (round_half_up, 1, 2),
    "floor": (lambda value: Fraction(math.floor(value)), 1, 1),
    "ceil": (lambda value: Fraction(math.ceil(value)), 1, 1),
}


class Formula(NamedTuple):
    """A formula that was read, and the names that it uses."""

    text: str
    tree: ast.expr
    names: tuple[str, ...]

    def value(self, variables: Mapping[str, Fraction]) -> Fraction:
        """Exact; a division by zero gives 0."""
        return _value(self.tree, variables)


def read_formula(text: str, names: Iterable[str]) -> Formula:
    """The formula, or an EventError that says what is wrong with it."""
    known = list(names)
    if len(text) > LONGEST:
        raise EventError(f"the formula has {len(text)} characters; at most {LONGEST} are allowed")
    try:
        with warnings.catch_warnings(action="ignore"):  # of style, such as 1if
            tree = ast.parse(text.strip(), mode="eval").body
        used: dict[str, None] = {}
        _check(tree, known, used)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        raise EventError(f"{_short(text)} is not a formula; expected one such as 40 * group_share") from None
    return Formula(text.strip(), tree, tuple(used))


def _check(node: ast.expr, known: list[str], used: dict[str, None]) -> None:
    """Only numbers, known names and the operations above are allowed; anything else is an EventError."""
    match node:
        case ast.Constant(value=int() | float() as value) if not isinstance(value, bool) and math.isfinite(value):
            parts: list[ast.expr] = []
        case ast.Name(id=name) if name in known:
            used[name] = None
            parts = []
        case ast.Name(id=name):
            raise EventError(f"the formula's {_short(name)} means nothing here; the names are {', '.join(known)}")
        case ast.BinOp(left=left, op=op, right=right) if type(op) in BINARY:
            parts = [left, right]
        case ast.UnaryOp(op=ast.USub() | ast.UAdd() | ast.Not(), operand=operand):
            parts = [operand]
        case ast.BoolOp(values=values):
            parts = values
        case ast.Compare(left=left, ops=ops, comparators=others) if all(type(op) in COMPARISONS for op in ops):
            parts = [left, *others]
        case ast.IfExp(test=test, body=body, orelse=orelse):
            parts = [test, body, orelse]
        case ast.Call(func=ast.Name(id=name), args=arguments, keywords=[]) if name in FUNCTIONS:
            _, fewest, most = FUNCTIONS[name]
            if not fewest <= len(arguments) <= most:
                raise EventError(f"the formula's {name}() has {len(arguments)} arguments; expected {fewest} to {most}")
            parts = arguments
        case _:
            allowed = f"numbers, names, + - * /, comparisons, if ... else, and {', '.join(FUNCTIONS)}"
            raise EventError(f"{_short(ast.unparse(node))} is not allowed in a formula; expected {allowed}")
    for part in parts:
        _check(part, known, used)


def _value(node: ast.expr, variables: Mapping[str, Fraction]) -> Fraction:
    match node:
        case ast.Constant(value=value):
            return Fraction(str(value))  # 0.1 is a tenth
        case ast.Name(id=name):
            return variables[name]
        case ast.BinOp(left=left, op=op, right=right):
            return BINARY[type(op)](_value(left, variables), _value(right, variables))
        case ast.UnaryOp(op=op, operand=operand):
            inner = _value(operand, variables)
            return Fraction(not inner) if isinstance(op, ast.Not) else -inner if isinstance(op, ast.USub) else inner
        case ast.BoolOp(op=op, values=values):
            truths = (bool(_value(part, variables)) for part in values)
            return Fraction(all(truths) if isinstance(op, ast.And) else any(truths))
        case ast.Compare(left=left, ops=ops, comparators=others):
            numbers = [_value(part, variables) for part in (left, *others)]
            return Fraction(all(COMPARISONS[type(op)](*numbers[at : at + 2]) for at, op in enumerate(ops)))
        case ast.IfExp(test=test, body=body, orelse=orelse):
            return _value(body if _value(test, variables) else orelse, variables)
        case ast.Call(func=ast.Name(id=name), args=arguments):
            return FUNCTIONS[name][0](*(_value(part, variables) for part in arguments))
    raise AssertionError(f"{ast.dump(node)} was checked")


def _short(text: str) -> str:
    return repr(text if len(text) <= 60 else text[:57] + "...")
