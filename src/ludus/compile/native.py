"""Teaches numba the bit tricks and the clock of `bits.py`; importing it registers everything.

numba's internals are private: pyproject.toml pins its minor version. There are no annotations here: numba
compares the signature of an overload with that of its implementation, annotations included.
"""

from __future__ import annotations

import platform
import time

from llvmlite import binding, ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic, overload, overload_method

from ludus.compile import bits

HAS_PDEP = platform.machine() in ("x86_64", "AMD64") and bool(binding.get_host_cpu_features().get("bmi2"))
HAS_CLOCK = hasattr(time, "CLOCK_MONOTONIC")


@intrinsic(target="generic")
def _count_ones(_context, x):
    x = types.unliteral(x)
    return x(x), lambda _, builder, _signature, args: builder.ctpop(args[0])


@intrinsic(target="generic")
def _leading_zeros(_context, x):
    x = types.unliteral(x)
    return x(x), lambda _, builder, _signature, args: builder.ctlz(args[0], ir.Constant(ir.IntType(1), 0))


@intrinsic(target="generic")
def _trailing_zeros(_context, x):
    return x(x), lambda _, builder, _signature, args: builder.cttz(args[0], ir.Constant(ir.IntType(1), 1))


@intrinsic
def _deposit(_context, _x, _mask):
    """The instruction pdep: with a single 1 shifted by k it finds the k-th set bit at once."""

    def generate(_, builder, _signature, args):
        i64 = ir.IntType(64)
        shape = ir.FunctionType(i64, [i64, i64])
        return builder.call(builder.module.declare_intrinsic("llvm.x86.bmi.pdep.64", fnty=shape), args)

    return types.int64(types.int64, types.int64), generate


@intrinsic
def _clock_gettime(_context):
    def generate(_, builder, _signature, _args):
        i32, i64 = ir.IntType(32), ir.IntType(64)
        pair = cgutils.alloca_once(builder, ir.ArrayType(i64, 2))
        shape = ir.FunctionType(i32, [i32, i64.as_pointer()])
        function = cgutils.get_or_insert_function(builder.module, shape, "clock_gettime")
        builder.call(function, [i32(time.CLOCK_MONOTONIC), builder.bitcast(pair, i64.as_pointer())])
        both = builder.load(pair)
        seconds, rest = builder.extract_value(both, 0), builder.extract_value(both, 1)
        return builder.add(builder.mul(seconds, i64(1_000_000_000)), rest)

    return types.int64(), generate


@intrinsic
def _prefetch(_context, words, _index):
    def generate(context, builder, signature, args):
        array = context.make_array(signature.args[0])(context, builder, args[0])
        place = builder.bitcast(builder.gep(array.data, [args[1]]), ir.IntType(8).as_pointer())
        i32 = ir.IntType(32)
        shape = ir.FunctionType(ir.VoidType(), [place.type, i32, i32, i32])
        function = cgutils.get_or_insert_function(builder.module, shape, "llvm.prefetch.p0i8")
        builder.call(function, [place, i32(0), i32(3), i32(1)])  # for reading, into all caches, data
        return context.get_dummy_value()

    return types.void(words, types.int64), generate


@overload_method(types.Integer, "bit_count", target="generic", prefer_literal=True)
def _bit_count(_x):
    return lambda _x: _count_ones(_x)


@overload_method(types.Integer, "bit_length", target="generic", prefer_literal=True)
def _bit_length(_x):
    width = _x.bitwidth
    return lambda _x: width - _leading_zeros(_x)


@overload(bits.lowest, target="generic")
def _lowest(x):
    return lambda x: _trailing_zeros(x)


@overload(bits.plain, target="generic")
def _plain(x):
    return lambda x: types.int64(x)


@overload(bits.nth, target="generic")
def _nth(x, k):
    def one_by_one(x, k):
        for _ in range(k):
            x &= x - 1
        return _trailing_zeros(x)

    return one_by_one


if HAS_PDEP:

    @overload(bits.nth, target="cpu")
    def _nth_at_once(x, k):
        return lambda x, k: _trailing_zeros(_deposit(1 << k, x))


if HAS_CLOCK:

    @overload(bits.now_ns)
    def _now_ns():
        return lambda: _clock_gettime()


@overload(bits.fetch_soon)
def _fetch_soon(words, index):
    return lambda words, index: _prefetch(words, index)
