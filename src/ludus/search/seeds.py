"""Seeds from seeds: one number decides everything that is random, each part on its own."""

from __future__ import annotations


def seed_of(seed: int, batch: int) -> int:
    """A random 64-bit word, never 0, that depends on every bit of both numbers (splitmix64)."""
    mask = (1 << 64) - 1
    x = (seed * 0x9E3779B97F4A7C15 + (batch + 1) * 0xD1B54A32D192ED03) & mask
    for shift, factor in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB)):
        x = (x ^ x >> shift) * factor & mask
    return (x ^ x >> 31) or 1
