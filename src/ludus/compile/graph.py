"""The plain functions that a function reaches, copied with other globals, and a hash of all they depend on."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from types import BuiltinFunctionType, CellType, CodeType, FunctionType, ModuleType
from typing import Any

from ludus.compile import bits, vectors
from ludus.errors import RulesError
from ludus.reach import chains_used, is_ours, outside, values_used

NATIVE: frozenset[object] = frozenset(
    {
        bits.lowest, bits.nth, bits.plain, bits.now_ns, bits.fetch_soon,
        vectors.moved_and_weighed,
    }
)  # fmt: skip  # the compiler knows these itself
TABLE = 9  # int tuples of at least this many entries become constant arrays


def is_table(value: object) -> bool:
    """Whether the value is a tuple that compiled code should hold as a constant array."""
    return type(value) is tuple and len(value) >= TABLE and all(type(x) in (int, bool) for x in value)


def copy_functions(
    functions: list[FunctionType],
    convert: Callable[[object], object],
    wrap: Callable[[FunctionType], Any],
    *,
    module_name: str,
) -> list[Any]:
    """Wrapped copies of functions and of every function they reach.

    `convert` maps a global to what the copies shall see instead (itself, if nothing else); a function that
    it gives back is copied and wrapped too. The copies say that they come from `module_name`, because the
    cache imports that module again and a rules file may not be importable.
    """
    done: dict[FunctionType, Any] = {}

    def seen_as(value: object, attributes: tuple[str, ...], before: object) -> object:
        """The value as the copies see it; a module of ours gets a stand-in with what is read from it."""
        value = convert(value)
        if isinstance(value, FunctionType):
            return value if value in NATIVE else copy(value)
        if not isinstance(value, ModuleType) or not is_ours(value):
            return value
        stand_in = before if isinstance(before, ModuleType) else ModuleType(value.__name__)
        if attributes and hasattr(value, attributes[0]):
            name, *rest = attributes
            inner = seen_as(getattr(value, name), tuple(rest), getattr(stand_in, name, None))
            setattr(stand_in, name, inner)
        return stand_in

    def copy(function: FunctionType) -> Any:
        if function in done:
            return done[function]
        code = function.__code__
        namespace: dict[str, Any] = {
            "__builtins__": function.__globals__["__builtins__"],
            "__name__": module_name,
        }
        cells = {name: CellType() for name in code.co_freevars}
        twin = FunctionType(code, namespace, function.__name__, function.__defaults__, tuple(cells.values()) or None)
        twin.__kwdefaults__ = function.__kwdefaults__
        twin.__module__, twin.__qualname__ = module_name, function.__qualname__
        done[function] = wrapped = wrap(twin)
        known, seen = outside(function), dict[str, object]()
        for name, *attributes in chains_used(code):
            if name in known:
                seen[name] = seen_as(known[name], tuple(attributes), seen.get(name))
        namespace |= {name: value for name, value in seen.items() if name not in cells}
        for name, cell in cells.items():
            cell.cell_contents = seen[name] if name in seen else known[name]
        return wrapped

    return [copy(function) for function in functions]


def fingerprint(functions: list[FunctionType], convert: Callable[[object], object]) -> str:
    """A hash of everything that the compiled copies of these functions depend on."""
    digest = hashlib.sha256()
    seen: dict[FunctionType, int] = {}

    def note(*things: object) -> None:
        digest.update(repr(things).encode())

    def add_code(code: CodeType) -> None:
        note(code.co_code, code.co_names, code.co_varnames, code.co_freevars, code.co_flags, code.co_argcount)
        for constant in code.co_consts:
            if isinstance(constant, CodeType):
                add_code(constant)
            else:
                note(constant)

    def add(value: object, user: FunctionType | None) -> None:
        value = convert(value)
        if isinstance(value, FunctionType):
            if value in NATIVE:
                note("native", value.__name__)
                return
            if value in seen:
                note("again", seen[value])
                return
            seen[value] = len(seen)
            add_function(value)
        elif isinstance(value, ModuleType) and not is_ours(value):
            note("module", value.__name__)
        elif isinstance(value, type) and issubclass(value, tuple):
            note("tuple type", value.__name__, getattr(value, "_fields", ()), getattr(value, "_field_defaults", {}))
        elif is_table(value):
            note("table", value)
        elif isinstance(value, tuple):
            note("tuple", type(value).__name__, getattr(value, "_fields", len(value)))
            for item in value:
                add(item, user)
        elif value is None or isinstance(value, int | float | str | BuiltinFunctionType | type):
            note(type(value).__name__, value)
        else:
            raise RulesError(
                f"uses a {type(value).__name__}; compiled rules may use ints, tuples, NamedTuples and functions",
                path=user.__code__.co_filename if user else None,
                line=user.__code__.co_firstlineno if user else None,
            )

    def add_function(function: FunctionType) -> None:
        note("function", function.__name__, function.__defaults__, function.__kwdefaults__)
        add_code(function.__code__)
        for name, value in values_used(function):
            note(name)
            add(value, function)

    for function in functions:
        add(function, None)
    return digest.hexdigest()
