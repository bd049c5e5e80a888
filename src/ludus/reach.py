"""What a function reaches: the global names it reads, and the functions and constants behind them."""

from __future__ import annotations

import dis
import sys
from collections.abc import Iterator
from types import CodeType, FunctionType, ModuleType


def globals_used(code: CodeType) -> Iterator[str]:
    """The global names that a code object reads, those of nested functions included, each maybe twice."""
    for instruction in dis.get_instructions(code):
        if instruction.opname in ("LOAD_GLOBAL", "LOAD_NAME"):
            yield instruction.argval
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from globals_used(constant)


def is_ours(module: ModuleType) -> bool:
    """Whether functions of the module are to be followed, unlike those of the standard library."""
    return module.__name__.partition(".")[0] not in sys.stdlib_module_names


def chains_used(code: CodeType) -> set[tuple[str, ...]]:
    """Outside names with the attributes read from them: `helper.most()` is ("helper", "most")."""
    found: set[tuple[str, ...]] = set()
    chain: tuple[str, ...] = ()
    for instruction in dis.get_instructions(code):
        if chain and instruction.opname in ("LOAD_ATTR", "LOAD_METHOD"):
            chain += (instruction.argval,)
            continue
        found.add(chain)
        chain = (instruction.argval,) if instruction.opname in ("LOAD_GLOBAL", "LOAD_NAME", "LOAD_DEREF") else ()
    found.add(chain)
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            found |= chains_used(constant)
    return found - {()}


def outside(function: FunctionType) -> dict[str, object]:
    """What the names of a function that are not its own stand for."""
    closed = zip(function.__code__.co_freevars, function.__closure__ or (), strict=True)
    return {**function.__globals__, **{name: cell.cell_contents for name, cell in closed}}


def values_used(function: FunctionType) -> Iterator[tuple[str, object]]:
    """Each outside value that a function reads, by name: globals, what modules of ours hold, closed-over."""
    known = outside(function)
    for first, *rest in sorted(chains_used(function.__code__)):
        if first not in known:
            continue  # a builtin, or a name that does not exist
        name, value = first, known[first]
        while rest and isinstance(value, ModuleType) and is_ours(value) and hasattr(value, rest[0]):
            name, value = f"{name}.{rest[0]}", getattr(value, rest.pop(0))
        yield name, value


def functions_reached(functions: list[FunctionType]) -> list[FunctionType]:
    """The functions and every plain function they call, each once."""
    found: dict[FunctionType, None] = {}
    rest = list(functions)
    while rest:
        function = rest.pop(0)
        if function not in found:
            found[function] = None
            rest += [value for _, value in values_used(function) if isinstance(value, FunctionType)]
    return list(found)
