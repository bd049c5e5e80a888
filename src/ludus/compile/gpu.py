"""The same rules functions as a kernel of a graphics processor: one thread, one lane of games.

numba-cuda is the extra `ludus[gpu]`; with NUMBA_ENABLE_CUDASIM=1 its simulator runs kernels as plain Python, anywhere.
"""

from __future__ import annotations

import importlib.util
import os
from collections.abc import Callable
from functools import lru_cache
from types import FunctionType, SimpleNamespace
from typing import Any

from ludus.compile import bits
from ludus.compile.bindings import bindings
from ludus.compile.graph import copy_functions
from ludus.compile.interface import NAMES
from ludus.rules import Game

THREADS = 128  # of a block: small enough that registers, not blocks, limit how many are at work
HOPPER = (9, 0)  # the compute capability of an H200


def why_no_gpu() -> str | None:
    """Why no kernel can run here, in half a sentence; None where one can."""
    if importlib.util.find_spec("numba_cuda") is None:
        return "numba-cuda is not installed (pip install 'ludus[gpu]')"
    from numba import cuda  # noqa: PLC0415  # an extra, and slow to import

    return None if is_simulated() or cuda.is_available() else "no graphics processor with a driver is to be found"


def is_simulated() -> bool:
    return os.environ.get("NUMBA_ENABLE_CUDASIM", "0") not in ("", "0")


@lru_cache(maxsize=64)
def gpu_kernel(game: Game, lane: Callable[..., None], arguments: int) -> Any:
    """A kernel(lanes, ...) in which thread i calls lane(i, ...) with the same so many arguments."""
    from numba import cuda  # noqa: PLC0415

    return cuda.jit(_kernel_source(game, lane, arguments))


def run_lanes(kernel: Any, lanes: int, *arguments: Any) -> None:
    """Run all lanes; arrays are copied there and back."""
    kernel[-(-lanes // THREADS), THREADS](lanes, *arguments)


def ptx_of(game: Game, lane: Callable[..., None], signature: tuple[Any, ...]) -> str:
    """The kernel in the assembly language of Nvidia's processors, for a machine without numba; needs none here."""
    from numba import cuda, types  # noqa: PLC0415
    from numba.cuda import dispatcher  # noqa: PLC0415

    # numba-cuda asks the device at hand for its capability even when it is told one: there may be none.
    asked, dispatcher.get_current_device = (
        dispatcher.get_current_device,
        lambda: SimpleNamespace(compute_capability=HOPPER),
    )
    try:
        text, _ = cuda.compile_ptx(_kernel_source(game, lane, len(signature)), (types.int64, *signature), cc=HOPPER)
    finally:
        dispatcher.get_current_device = asked
    return str(text)


SOURCE = """\
def count_up(counts, index):
    cuda.atomic.add(counts, index, 1)
def kernel(lanes, {names}):
    lane = cuda.grid(1)
    if lane < lanes:
        on_device(lane, {names})
"""


def _kernel_source(game: Game, lane: Callable[..., None], arguments: int) -> FunctionType:
    """The kernel as a plain function over device functions of this game."""
    from numba import cuda  # noqa: PLC0415

    if not is_simulated():
        from ludus.compile import gpu_native  # noqa: F401, PLC0415  # teaches the compiler our bit tricks
    from ludus.compile.jit import as_table  # noqa: PLC0415

    functions = bindings(game)
    # The simulator looks for the global `cuda` of each function and puts its own in its place.
    namespace: dict[str, Any] = {"cuda": cuda, "__name__": __name__}
    source = SOURCE.format(names=", ".join(f"a{number}" for number in range(arguments)))
    exec(compile(source, f"<{__name__}>", "exec"), namespace)  # noqa: S102  # built from a number only
    count_up = cuda.jit(device=True)(namespace["count_up"])

    def of_this_game(value: object) -> object:
        if value is bits.count_up:
            return count_up
        linked = functions[NAMES[value]] if isinstance(value, FunctionType) and value in NAMES else value
        return linked if is_simulated() else as_table(linked)

    assert isinstance(lane, FunctionType)
    (on_device,) = copy_functions([lane], of_this_game, cuda.jit(device=True), module_name=__name__)
    kernel: FunctionType = namespace["kernel"]
    namespace["on_device"] = on_device
    return kernel
