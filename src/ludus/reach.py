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


def attributes_used(code: CodeType, module: ModuleType) -> list[str]:
    """The attributes of the module that the code may read: every name in it that the module has."""
    return sorted({name for name in code.co_names if hasattr(module, name)})


def values_used(function: FunctionType) -> Iterator[tuple[str, object]]:
    """Each outside value that a function reads, by name: globals, what modules of ours hold, closed-over."""
    code = function.__code__
    for name in sorted(set(globals_used(code))):
        if name not in function.__globals__:
            continue  # a builtin, or a name that does not exist
        value = function.__globals__[name]
        if isinstance(value, ModuleType) and is_ours(value):
            for attribute in attributes_used(code, value):
                yield f"{name}.{attribute}", getattr(value, attribute)
        else:
            yield name, value
    for name, cell in zip(code.co_freevars, function.__closure__ or (), strict=True):
        yield name, cell.cell_contents


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
