"""Teaches numba-cuda the k-th set bit and where to keep tables; it knows the other bit tricks from `native.py`.

There are no annotations here, for the reason that stands in `native.py`.
"""

from __future__ import annotations

from numba import types
from numba.cuda.cudadrv import nvvm
from numba.extending import overload

from ludus.compile import bits, native
from ludus.compile.native import _count_ones

__all__ = ["native"]

# Constant memory serves the threads of a warp one by one when they read different entries, and they nearly always do:
# with tables in global memory, which is cached, ultimate runs at 1,217 instead of 328 million games a second.
nvvm.ADDRSPACE_CONSTANT = nvvm.ADDRSPACE_GLOBAL


@overload(bits.nth, target="cuda")
def _nth_by_halves(x, k):
    """Five comparisons for every thread: a loop over k would wait for the largest k of 32 threads."""

    def by_halves(x, k):
        low = types.uint32(x)
        rest = types.int32(k)
        base = types.int32(0)
        ones = types.int32(_count_ones(low))
        if rest >= ones:
            rest -= ones
            base = types.int32(32)
            low = types.uint32(x >> 32)
        for width in (16, 8, 4, 2, 1):
            ones = types.int32(_count_ones(low & types.uint32((1 << width) - 1)))
            if rest >= ones:
                rest -= ones
                base += types.int32(width)
                low >>= types.uint32(width)
        return types.int64(base)

    return by_halves
