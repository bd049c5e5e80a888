// The evaluation of ludus.games.ultimate, over tables that Python hands over: weights are data, not code.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>

#include "ultimate.hpp"

namespace evaluation {

using ultimate::Word;

constexpr int block_states = 19683, line_states = 19683;  // 3^9 and 27^3
constexpr int steps = 2048;

// Filled by load(); a block's entry is 32 * weight + grade.
inline std::int16_t blocks[3 * block_states], lines[3 * line_states], targets[3 * block_states];
inline std::int16_t payoffs[steps];
inline int free_choice;

// Nine cells in base 3, turned so that all corner blocks look alike, and all edge blocks.
using Digits = std::array<std::array<std::uint16_t, 512>, 9>;
inline Digits ours, theirs;

inline void load(const std::int16_t* weights, const std::int16_t* payoff_table, const std::int64_t* our_digits,
                 const std::int64_t* their_digits) {
    std::copy_n(weights, 3 * block_states, blocks);
    std::copy_n(weights + 3 * block_states, 3 * line_states, lines);
    std::copy_n(weights + 3 * (block_states + line_states), 3 * block_states, targets);
    free_choice = weights[3 * (2 * block_states + line_states)];
    std::copy_n(payoff_table, steps, payoffs);
    for (int block = 0; block < 9; ++block)
        for (int nine = 0; nine < 512; ++nine) {
            ours[block][nine] = our_digits[512 * block + nine];
            theirs[block][nine] = their_digits[512 * block + nine];
        }
}

// Where a block stands in a table of block states.
inline unsigned state_of(const ultimate::BlockSets& position, unsigned block) {
    const bool is_low = block < ultimate::blocks_in_lo;
    const unsigned shift = 9 * (is_low ? block : block - ultimate::blocks_in_lo);
    const Word mine = is_low ? position.mine_lo : position.mine_hi;
    const Word other = is_low ? position.theirs_lo : position.theirs_hi;
    return ours[block][mine >> shift & ultimate::block_mask] + theirs[block][other >> shift & ultimate::block_mask];
}

// The expected payoff of the side to move, in thousandths.
inline int evaluate(const ultimate::BlockSets& position) {
    int total = 0, grade[9];
    for (unsigned block = 0; block < 9; ++block) {
        const int entry = blocks[state_of(position, block)];
        total += entry >> 5;
        grade[block] = entry & 31;
    }
    const auto line = [&](int kind, int a, int b, int c) {
        return lines[kind * line_states + 729 * grade[a] + 27 * grade[b] + grade[c]];
    };
    total += line(0, 0, 1, 2) + line(0, 6, 7, 8) + line(0, 0, 3, 6) + line(0, 2, 5, 8);
    total += line(1, 3, 4, 5) + line(1, 1, 4, 7) + line(2, 0, 4, 8) + line(2, 2, 4, 6);
    const bool is_free = position.targets & (position.targets - 1);
    total += is_free ? free_choice : targets[state_of(position, std::countr_zero(position.targets))];
    return payoffs[std::clamp((total >> 1) + steps / 2, 0, steps - 1)];
}

}  // namespace evaluation
