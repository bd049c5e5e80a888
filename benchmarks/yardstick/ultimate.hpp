// Ultimate Tic-Tac-Toe by hand: the yardstick that compiled rules are measured against.
//
// The rules stand here twice, because it is not obvious which way to hold a position is the fastest:
//
//   FreeCells    remembers the cells that may still be played (won blocks have none) and the one block
//                that the next move must go to. Legal moves come without a table.
//   BlockSets    remembers the blocks that are open and the set of blocks that the next move may go to;
//                the same fields as the rules in Python. Legal moves come out of a table.
//
// Both number moves as 9 * block + cell and hold 81 cells in two words, so that no block straddles them:
//
//   lo  bit 62        54   45   36   27   18    9         0      hi  bit 17      9         0
//       | block 6 | ... 5 | 4  | 3  | 2  | 1 | block 0 |            | block 8 | block 7 |
//
// The side to move is always "mine". A position is a value: play() gives the next one.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#if defined(__BMI2__)
#include <immintrin.h>
#endif

namespace ultimate {

using Word = std::uint64_t;

constexpr Word block_mask = 0777;
constexpr unsigned blocks_in_lo = 7;
constexpr unsigned bits_in_lo = 9 * blocks_in_lo;
constexpr Word all_lo = (Word{1} << bits_in_lo) - 1;
constexpr Word all_hi = (Word{1} << 18) - 1;

// For each set of nine cells, or of nine blocks: whether it holds three in a row.
constexpr auto has_line = [] {
    std::array<bool, 512> table{};
    for (Word nine = 0; nine < 512; ++nine)
        for (Word line : {0007, 0070, 0700, 0111, 0222, 0444, 0421, 0124})
            if ((nine & line) == line) table[nine] = true;
    return table;
}();

// For each set of blocks: their cells, as the two words.
constexpr auto cells_of_blocks = [] {
    struct Cells { Word lo, hi; };
    std::array<Cells, 512> table{};
    for (Word blocks = 0; blocks < 512; ++blocks)
        for (unsigned block = 0; block < 9; ++block)
            if (blocks >> block & 1) {
                if (block < blocks_in_lo) table[blocks].lo |= block_mask << 9 * block;
                else table[blocks].hi |= block_mask << 9 * (block - blocks_in_lo);
            }
    return table;
}();

// The index of the k-th set bit, counting from 0; the word has more than k of them.
inline unsigned nth_bit(Word word, unsigned k) {
#if defined(__BMI2__)
    return std::countr_zero(_pdep_u64(Word{1} << k, word));
#else
    while (k--) word &= word - 1;
    return std::countr_zero(word);
#endif
}

struct Moves {
    Word lo, hi;

    bool empty() const { return (lo | hi) == 0; }
    unsigned size() const { return std::popcount(lo) + std::popcount(hi); }

    unsigned take_first() {
        if (lo) {
            unsigned move = std::countr_zero(lo);
            lo &= lo - 1;
            return move;
        }
        unsigned move = bits_in_lo + std::countr_zero(hi);
        hi &= hi - 1;
        return move;
    }

    unsigned first() const { return lo ? std::countr_zero(lo) : bits_in_lo + std::countr_zero(hi); }

    bool has(unsigned move) const { return (move < bits_in_lo ? lo >> move : hi >> (move - bits_in_lo)) & 1; }

    void remove(unsigned move) {
        if (move < bits_in_lo) lo &= ~(Word{1} << move);
        else hi &= ~(Word{1} << (move - bits_in_lo));
    }

    unsigned nth(unsigned k) const {
        unsigned in_lo = std::popcount(lo);
        return k < in_lo ? nth_bit(lo, k) : bits_in_lo + nth_bit(hi, k - in_lo);
    }
};

struct FreeCells {
    Word mine_lo, mine_hi, theirs_lo, theirs_hi, free_lo, free_hi;
    Word mine_won, theirs_won;  // blocks, nine bits each
    Word target;                // a block, or anywhere

    static constexpr Word anywhere = 9;

    static constexpr FreeCells start() { return {0, 0, 0, 0, all_lo, all_hi, 0, 0, anywhere}; }

    // From the fields of the rules in Python; a position that is not over.
    static FreeCells from(const Word* fields) {
        const auto cells = cells_of_blocks[fields[6]];
        const Word lo = cells.lo & ~(fields[0] | fields[2]), hi = cells.hi & ~(fields[1] | fields[3]);
        const Word target = std::has_single_bit(fields[7]) ? std::countr_zero(fields[7]) : anywhere;
        return {fields[0], fields[1], fields[2], fields[3], lo, hi, fields[4], fields[5], target};
    }

    Moves moves() const {
        if (target == anywhere) return {free_lo, free_hi};
        if (target < blocks_in_lo) return {free_lo & block_mask << 9 * target, 0};
        return {0, free_hi & block_mask << 9 * (target - blocks_in_lo)};
    }

    FreeCells play(unsigned move) const {
        unsigned block = move / 9, cell = move % 9;
        FreeCells next{theirs_lo, theirs_hi, mine_lo, mine_hi, free_lo, free_hi, theirs_won, mine_won, 0};
        if (block < blocks_in_lo)
            put(next.theirs_lo, next.free_lo, next.theirs_won, move, block, 9 * block);
        else
            put(next.theirs_hi, next.free_hi, next.theirs_won, move - bits_in_lo, block, 9 * (block - blocks_in_lo));
        Word room = cell < blocks_in_lo ? next.free_lo >> 9 * cell : next.free_hi >> 9 * (cell - blocks_in_lo);
        next.target = room & block_mask ? cell : anywhere;
        return next;
    }

    bool has_ended() const { return has_line[theirs_won] || (free_lo | free_hi) == 0; }
    bool last_mover_won() const { return has_line[theirs_won]; }

private:
    static void put(Word& stones, Word& free, Word& won, unsigned bit, unsigned block, unsigned shift) {
        stones |= Word{1} << bit;
        free &= ~(Word{1} << bit);
        if (has_line[stones >> shift & block_mask]) {
            won |= Word{1} << block;
            free &= ~(block_mask << shift);
        }
    }
};

struct BlockSets {
    Word mine_lo, mine_hi, theirs_lo, theirs_hi;
    Word mine_won, theirs_won, open, targets;  // blocks, nine bits each; no targets once the game is over

    static constexpr BlockSets start() { return {0, 0, 0, 0, 0, 0, block_mask, block_mask}; }

    static BlockSets from(const Word* fields) {
        return {fields[0], fields[1], fields[2], fields[3], fields[4], fields[5], fields[6], fields[7]};
    }

    Moves moves() const {
        auto cells = cells_of_blocks[targets];
        return {cells.lo & ~(mine_lo | theirs_lo), cells.hi & ~(mine_hi | theirs_hi)};
    }

    BlockSets play(unsigned move) const {
        unsigned block = move / 9, cell = move % 9;
        BlockSets next{theirs_lo, theirs_hi, mine_lo, mine_hi, theirs_won, mine_won, open, 0};
        Word own, other;
        if (block < blocks_in_lo) {
            next.theirs_lo |= Word{1} << move;
            own = next.theirs_lo >> 9 * block & block_mask;
            other = theirs_lo >> 9 * block & block_mask;
        } else {
            unsigned shift = 9 * (block - blocks_in_lo);
            next.theirs_hi |= Word{1} << (move - bits_in_lo);
            own = next.theirs_hi >> shift & block_mask;
            other = theirs_hi >> shift & block_mask;
        }
        if (has_line[own]) {
            next.theirs_won |= Word{1} << block;
            next.open &= ~(Word{1} << block);
            if (has_line[next.theirs_won]) return next;
        } else if ((own | other) == block_mask) {
            next.open &= ~(Word{1} << block);
        }
        Word sent_to = Word{1} << cell & next.open;
        next.targets = sent_to ? sent_to : next.open;
        return next;
    }

    bool has_ended() const { return targets == 0; }
    bool last_mover_won() const { return has_line[theirs_won]; }
};

}  // namespace ultimate
