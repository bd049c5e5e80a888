"""Teaches numba the rows of `vectors.py` as vectors of the processor; importing it registers everything.

There are no annotations here: see `native.py`.
"""

from __future__ import annotations

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.core.errors import RequireLiteralValue
from numba.extending import intrinsic, overload

from ludus.compile import vectors

I16, I32, I64 = ir.IntType(16), ir.IntType(32), ir.IntType(64)


class _Rows:
    """Code that reads and writes rows of one length in one array."""

    def __init__(self, context, builder, kind, words, length):
        self.builder, self.length = builder, length
        self.data = context.make_array(kind)(context, builder, words).data
        self.vector = ir.VectorType(I16, length)

    def place(self, index):
        return self.builder.bitcast(self.builder.gep(self.data, [index]), self.vector.as_pointer())

    def row(self, index):
        return self.builder.load(self.place(index), align=8)

    def word(self, index):
        return self.builder.load(self.builder.gep(self.data, [index]))

    def gather(self, total, begin, count, combine):
        """Change `total`, which the compiler keeps in registers, by each of the rows that are listed."""
        with cgutils.for_range(self.builder, count) as loop:
            row = self.row(self.word(self.builder.add(begin, loop.index)))
            self.builder.store(combine(self.builder.load(total), row), total)

    def weighed(self, numbers, weights):
        """Numbers cut off, squared, and added up by weights."""
        builder = self.builder
        zero, ceiling = (ir.Constant(self.vector, [limit] * self.length) for limit in (0, vectors.CEILING))
        numbers = builder.select(builder.icmp_signed(">", numbers, zero), numbers, zero)
        numbers = builder.select(builder.icmp_signed("<", numbers, ceiling), numbers, ceiling)
        once = builder.mul(numbers, weights)  # at most 255 * 128: still 16 bits
        wide = ir.VectorType(I32, self.length)
        twice = builder.mul(builder.sext(once, wide), builder.sext(numbers, wide))
        shape = ir.FunctionType(I32, [wide])
        total = builder.module.declare_intrinsic(f"llvm.vector.reduce.add.v{self.length}i32", fnty=shape)
        return builder.sext(builder.call(total, [twice]), I64)


@intrinsic(prefer_literal=True)
def _moved_and_weighed(_context, words, row, added, plus, taken, minus, weights, size):
    if not isinstance(size, types.IntegerLiteral):
        raise RequireLiteralValue("the size of a row is a constant")

    def generate(context, builder, signature, args):
        rows = _Rows(context, builder, signature.args[0], args[0], size.literal_value)
        own = cgutils.alloca_once_value(builder, rows.row(args[1]))
        rows.gather(own, args[2], args[3], builder.add)
        rows.gather(own, args[4], args[5], builder.sub)
        numbers = builder.load(own)
        builder.store(numbers, rows.place(args[1]), align=8)
        return rows.weighed(numbers, rows.row(args[6]))

    whole = types.int64
    return whole(words, whole, whole, whole, whole, whole, whole, size), generate


@overload(vectors.moved_and_weighed, prefer_literal=True)
def _move_and_weigh(words, row, added, plus, taken, minus, weights, size):
    return lambda words, row, added, plus, taken, minus, weights, size: _moved_and_weighed(
        words, row, added, plus, taken, minus, weights, size
    )
