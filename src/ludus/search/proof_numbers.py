"""Depth-first proof-number search."""

from __future__ import annotations

import numpy as np

from ludus.compile.bits import plain
from ludus.compile.interface import (
    Words,
    banked,
    core,
    count,
    evaluate,
    first,
    load,
    moves,
    payoffs,
    play,
    result,
    some,
    turn,
    without_first,
)
from ludus.rules import State
from ludus.search.proof import (
    ABORTED,
    BUCKET,
    HALF,
    MOST_PLIES,
    NODES,
    TOO_DEEP,
    known,
    least_in,
    look_up,
    most_in,
    note,
)
from ludus.search.table import Table, digest

u64 = np.uint64
MOST = (1 << 24) - 1
WEAK = 0
PN_STEP, PN_REPLIES, EPS = 50, 1, 1


def key_of(key: np.uint64, target: int) -> np.uint64:
    mixed = (key ^ u64(target + (1 << 30))) * u64(0xD6E8FEB86659FD93)
    return mixed ^ mixed >> u64(32)


def phi_in(data: np.uint64) -> int:
    return plain(data & u64(MOST))


def delta_in(data: np.uint64) -> int:
    return plain(data >> u64(24) & u64(MOST))


def enter(table: Table, key: np.uint64, phi: int, delta: int, work: int) -> None:
    base = plain(key & u64(table.size // BUCKET - 1)) * BUCKET
    place, least_work = base, 64
    for slot in range(base, base + BUCKET, 2):
        old = table[slot + 1]
        if table[slot] ^ old == key and old != u64(0):
            place = slot
            break
        spent = plain(old >> u64(58)) if old != u64(0) else -1
        if spent < least_work:
            place, least_work = slot, spent
    data = u64(phi) | u64(delta) << u64(24) | u64(min(work.bit_length(), 63)) << u64(58)
    table[place], table[place + 1] = key ^ data, data


def expand(
    state: State, beta: int, ply: int, phi_limit: int, delta_limit: int,
    table: Table, keys: Table, order: Words, control: Words, counts: Words, out: Words,
) -> None:
    """Grow the tree below a position until the mover's proof number reaches the limits; they stand in `out`."""
    seat = turn(state)
    sign = 1 if seat == 0 else -1
    settled = sign * banked(state)
    key = digest(core(state))
    own = key_of(key, beta - settled)
    counts[NODES] += 1
    look_up(control, counts)
    if ply >= MOST_PLIES - 1:
        counts[TOO_DEEP] = 1
        counts[ABORTED] = 1
    if counts[ABORTED] != 0:
        return
    before = plain(counts[NODES])
    row = order.size // (3 * MOST_PLIES)
    base, size = 3 * ply * row, 0
    rest = moves(state)
    is_proven = False
    while some(rest):
        move = first(rest)
        rest = without_first(rest)
        child = play(state, move)
        payoff = result(child)
        if payoff is not None:
            if sign * payoff >= beta:
                is_proven = True
                break
            continue
        low, high = payoffs(child)
        least, most = (low, high) if seat == 0 else (-high, -low)
        if least >= beta:
            is_proven = True
            break
        if most < beta:
            continue
        banked_then = sign * banked(child)
        child_key = digest(core(child))
        is_mine = turn(child) == seat
        target = beta - banked_then
        if not is_mine:
            target = 1 - target
        child_key = key_of(child_key, target)
        data = known(table, child_key)
        if data == u64(0):
            guess = evaluate(child) if turn(child) == 0 else -evaluate(child)
            p = 1 + (1000 - guess) // PN_STEP
            d = 1 + (1000 + guess) // PN_STEP + (count(moves(child)) if PN_REPLIES else 0)
        else:
            p, d = phi_in(data), delta_in(data)
        if not is_mine:
            p, d = d, p
        if p == 0:
            is_proven = True
            break
        if d == 0:
            continue
        order[base + size] = move << 1 | (1 if is_mine else 0)
        order[base + row + size] = p
        order[base + 2 * row + size] = d
        size += 1
    phi, delta = 0, MOST
    while not is_proven:
        # The most promising child: proof number of the mover's claim is least.
        phi, delta, second, place = MOST, 0, MOST, -1
        for i in range(base, base + size):
            p, d = plain(order[row + i]), plain(order[2 * row + i])
            if p < phi:
                second = phi
                phi, place = p, i
            elif p < second:
                second = p
            delta = min(MOST, delta + d)
        if place < 0:
            phi, delta = MOST, 0
        if phi >= phi_limit or delta >= delta_limit or phi == 0 or delta == 0:
            break
        move = plain(order[place]) >> 1
        phi_next = min(phi_limit, second + 1 + second // EPS)
        delta_next = min(MOST, delta_limit - delta + plain(order[2 * row + place]))
        child = play(state, move)
        if plain(order[place]) & 1:
            expand(child, beta, ply + 1, phi_next, delta_next, table, keys, order, control, counts, out)
            p, d = plain(out[0]), plain(out[1])
        else:
            expand(child, 1 - beta, ply + 1, delta_next, phi_next, table, keys, order, control, counts, out)
            p, d = plain(out[1]), plain(out[0])
        if counts[ABORTED] != 0:
            return
        if d == 0:
            size -= 1
            order[place] = order[base + size]
            order[row + place] = order[row + base + size]
            order[2 * row + place] = order[2 * row + base + size]
        else:
            order[row + place], order[2 * row + place] = p, d
    enter(table, own, phi, delta, plain(counts[NODES]) - before + 1)
    out[0], out[1] = phi, delta


def ask_numbers(
    root: Words, beta: int, table: Table, keys: Table, order: Words, control: Words, counts: Words, out: Words
) -> int:
    """Entry point."""
    state = load(root, 0)
    expand(state, plain(beta), plain(0), plain(MOST), plain(MOST), table, keys, order, control, counts, out)
    return plain(out[0])
