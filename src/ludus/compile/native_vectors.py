"""Teaches numba the rows of `vectors.py` as vectors of the processor; importing it registers everything.

There are no annotations here: see `native.py`.
"""

from __future__ import annotations

from functools import reduce
from itertools import accumulate

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.core.errors import RequireLiteralValue
from numba.extending import intrinsic, overload

from ludus.compile import vectors

I16, I32, I64 = ir.IntType(16), ir.IntType(32), ir.IntType(64)
LONGEST = 256  # numbers of a vector


class _Rows:
    """Code that reads and writes rows of one length in one array, each row as a few vectors.

    Lengths of vectors are powers of two: others are taken to pieces by the compiler, number by number. Nor is one
    longer than `LONGEST`, so that what it adds up to fits 32 bits: at most 255 * 255 * 128 for each number.
    """

    def __init__(self, context, builder, kind, words, length):
        self.builder = builder
        self.data = context.make_array(kind)(context, builder, words).data
        self.lengths = _pieces(length)

    def places(self, index):
        """Where the vectors of the row at this word begin."""
        for at, length in zip(accumulate(self.lengths, initial=0), self.lengths, strict=False):
            word = self.builder.gep(self.data, [self.builder.add(index, I64(at // 4))])
            yield self.builder.bitcast(word, ir.VectorType(I16, length).as_pointer())

    def row(self, index):
        return [self.builder.load(place, align=8) for place in self.places(index)]

    def word(self, index):
        return self.builder.load(self.builder.gep(self.data, [index]))

    def gather(self, totals, begin, count, combine):
        """Change the totals, which the compiler keeps in registers, by each of the rows that are listed."""
        with cgutils.for_range(self.builder, count) as loop:
            row = self.row(self.word(self.builder.add(begin, loop.index)))
            for total, vector in zip(totals, row, strict=True):
                self.builder.store(combine(self.builder.load(total), vector), total)

    def weighed(self, numbers, weights):
        """Numbers cut off, squared, and added up by weights."""
        sums = [self._weighed(*pair) for pair in zip(numbers, weights, strict=True)]
        return reduce(self.builder.add, sums)

    def _weighed(self, numbers, weights):
        builder, length = self.builder, numbers.type.count
        zero, ceiling = (ir.Constant(numbers.type, [limit] * length) for limit in (0, vectors.CEILING))
        numbers = builder.select(builder.icmp_signed(">", numbers, zero), numbers, zero)
        numbers = builder.select(builder.icmp_signed("<", numbers, ceiling), numbers, ceiling)
        once = builder.mul(numbers, weights)  # at most 255 * 128: still 16 bits
        wide = ir.VectorType(I32, length)
        twice = builder.mul(builder.sext(once, wide), builder.sext(numbers, wide))
        shape = ir.FunctionType(I32, [wide])
        total = builder.module.declare_intrinsic(f"llvm.vector.reduce.add.v{length}i32", fnty=shape)
        return builder.sext(builder.call(total, [twice]), I64)


def _pieces(length):
    """Powers of two that add up to a length, the longest first."""
    pieces = []
    while length:
        pieces.append(min(LONGEST, 1 << length.bit_length() - 1))
        length -= pieces[-1]
    return pieces


@intrinsic(prefer_literal=True)
def _moved_and_weighed(_context, words, row, added, plus, taken, minus, weights, size):
    if not isinstance(size, types.IntegerLiteral):
        raise RequireLiteralValue("the size of a row is a constant")

    def generate(context, builder, signature, args):
        rows = _Rows(context, builder, signature.args[0], args[0], size.literal_value)
        own = [cgutils.alloca_once_value(builder, vector) for vector in rows.row(args[1])]
        rows.gather(own, args[2], args[3], builder.add)
        rows.gather(own, args[4], args[5], builder.sub)
        numbers = [builder.load(vector) for vector in own]
        for vector, place in zip(numbers, rows.places(args[1]), strict=True):
            builder.store(vector, place, align=8)
        return rows.weighed(numbers, rows.row(args[6]))

    whole = types.int64
    return whole(words, whole, whole, whole, whole, whole, whole, size), generate


@overload(vectors.moved_and_weighed, prefer_literal=True)
def _move_and_weigh(words, row, added, plus, taken, minus, weights, size):
    return lambda words, row, added, plus, taken, minus, weights, size: _moved_and_weighed(
        words, row, added, plus, taken, minus, weights, size
    )
