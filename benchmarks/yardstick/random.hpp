// The random numbers of ludus.search.playouts.
#pragma once

#include <cstdint>

// The next state of a 64-bit xorshift generator; its upper half is what is used.
inline std::uint64_t scramble(std::uint64_t x) {
    x ^= x << 13;
    x ^= x >> 7;
    return x ^ x << 17;
}

// A number in 0 .. limit - 1, without a division.
inline unsigned random_below(std::uint64_t x, std::uint64_t limit) { return (x >> 32) * limit >> 32; }
