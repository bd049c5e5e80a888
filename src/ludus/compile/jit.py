"""Compiled copies of plain functions, through numba. Import it only where numba is known to be there."""

from __future__ import annotations

from collections.abc import Callable
from types import FunctionType
from typing import Any

import numpy as np
from numba import njit

from ludus.compile import native, native_vectors
from ludus.compile.cache import CodeOnDisk
from ludus.compile.graph import copy_functions, is_table
from ludus.errors import RulesError
from ludus.reach import globals_used

__all__ = ["compile_entry", "compile_inner", "native", "native_vectors"]

# No reference counting: 20 % faster, and a list in rules is a compile error instead of a slow surprise.
ENTRY = {"nogil": True, "error_model": "numpy", "_nrt": False}
LARGE_TABLE = 1024  # entries
INNER = {**ENTRY, "no_cpython_wrapper": True, "no_cfunc_wrapper": True}


def as_table(value: object) -> object:
    """A long tuple of ints or bools as a constant array, anything else as it is."""
    if not is_table(value):
        return value
    assert isinstance(value, tuple)
    least, greatest = min(value), max(value)
    if not -(1 << 63) <= least <= greatest < 1 << 63:
        raise RulesError("a table of the rules holds a number that does not fit in 63 bits; see ludus check-game")
    if all(type(x) is bool for x in value):
        return np.array(value, np.bool_)
    # Large tables are read at random: half the size is half the cache.
    bits = next((bits for bits in (8, 16) if -(1 << bits - 1) <= least <= greatest < 1 << bits - 1), 64)
    return np.array(value, f"i{bits // 8}" if len(value) >= LARGE_TABLE else np.int64)


def compile_inner(functions: list[FunctionType], convert: Callable[[object], object]) -> list[Any]:
    """Compiled functions that only compiled code can call."""
    return copy_functions(functions, lambda value: as_table(convert(value)), njit(**INNER), module_name=__name__)


def compile_entry(
    function: FunctionType, convert: Callable[[object], object], *, fingerprint: str, fastmath: bool = False
) -> Any:
    """A compiled function that Python can call, kept on disk; it takes arrays and ints, never a State."""

    def wrap(twin: FunctionType) -> Any:
        if twin.__code__ is not function.__code__:
            # A call passes a State of 18 fields through memory: inlined, random games are 1.3 to 1.6 times as fast.
            calls_itself = twin.__name__ in globals_used(twin.__code__)
            return njit(**INNER, forceinline=not calls_itself)(twin)
        entry = njit(**ENTRY, fastmath=fastmath)(twin)
        entry._cache = CodeOnDisk(function.__name__, fingerprint)
        return entry

    (entry,) = copy_functions([function], lambda value: as_table(convert(value)), wrap, module_name=__name__)
    return entry
