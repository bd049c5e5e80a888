"""Link a search, written over the names of `interface.py`, with a game: compiled where numba is, else plain."""

from __future__ import annotations

import importlib.util
import os
from collections.abc import Callable
from functools import cache, lru_cache
from types import FunctionType
from typing import Any

import numpy as np

from ludus.compile.bindings import bindings
from ludus.compile.graph import copy_functions, fingerprint
from ludus.compile.interface import NAMES
from ludus.compile.judging import Shape
from ludus.rules import Game


@cache
def has_numba() -> bool:
    """Whether rules can be compiled here at all: numba is there, and nobody has switched it off."""
    return importlib.util.find_spec("numba") is not None and os.environ.get("NUMBA_DISABLE_JIT", "0") in ("", "0")


def link(
    game: Game, entry: Callable[..., Any], *, compiled: bool | None = None, shape: Shape | None = None
) -> Callable[..., Any]:
    """The search `entry` for this game, and a network of that shape. It takes arrays and ints, states as int64 arrays.

    With `compiled=None` it is compiled exactly if numba is installed. One source, two ways to run it: the
    answers are the same. Compiling happens at the first call, seconds the first time ever.
    """
    return _linked(game, entry, has_numba() if compiled is None else compiled, shape)


@lru_cache(maxsize=256)
def _linked(game: Game, entry: Callable[..., Any], compiled: bool, shape: Shape | None) -> Callable[..., Any]:
    """The same, once for each way to ask: what was compiled or loaded before stays so."""
    assert isinstance(entry, FunctionType)
    functions = bindings(game, shape)

    def of_this_game(value: object) -> object:
        return functions[NAMES[value]] if isinstance(value, FunctionType) and value in NAMES else value

    if compiled:
        from ludus.compile.jit import compile_entry  # noqa: PLC0415  # numba takes 0.4 s to import

        key = fingerprint([entry], of_this_game)
        return compile_entry(entry, of_this_game, fingerprint=key)  # type: ignore[no-any-return]
    (plain_copy,) = copy_functions([entry], of_this_game, lambda f: f, module_name=__name__)
    return plain_copy  # type: ignore[no-any-return]


def compiled_alone(entry: Callable[..., Any]) -> Callable[..., Any]:
    """A function that knows no game, compiled; it needs numba.

    Its sums of real numbers are reordered, to add several at a time: quicker, and as exact as any order.
    """
    from ludus.compile.jit import compile_entry  # noqa: PLC0415  # numba takes 0.4 s to import

    def unchanged(value: object) -> object:
        return value

    assert isinstance(entry, FunctionType)
    key = fingerprint([entry], unchanged)
    return compile_entry(entry, unchanged, fingerprint=key, fastmath=True)  # type: ignore[no-any-return]


def wrapping(entry: Callable[..., Any]) -> Callable[..., Any]:
    """Uncompiled, numpy warns when a key wraps around, which it is meant to."""
    if hasattr(entry, "py_func"):
        return entry

    def call(*arguments: Any) -> Any:
        with np.errstate(over="ignore"):
            return entry(*arguments)

    return call
