"""The question behind every exact solution: is this position worth at least so much? Compiled, for any game.

Alpha-beta with a window of zero width, to the end of the game and without any guess. A table keeps what is proven
of each position, a lower and an upper bound, as two words to an entry and four entries to a bucket:

    word 0   key XOR word 1, so that an entry torn by two threads does not fit its key
    word 1   bit 0         24            48     58     64
             | least + 2^23 | most + 2^23 | move | work |      bounds are the mover's, less what is banked

An entry that took the least work gives way.
"""

from __future__ import annotations

import numpy as np

from ludus.compile.bits import plain
from ludus.compile.digest import digest
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
from ludus.search.stopping import ABORTED, NODES, OWN, look_up
from ludus.search.table import Table

u64 = np.uint64

MOST_PLIES = 700  # from the root: recursion must end before the stack does
HALF = 1 << 23  # bounds lie strictly between -HALF and HALF; these two say that nothing is known
INFINITY = 1 << 41
NO_MOVE = 1023
ROWS = 4  # of the room for each ply
BUCKET = 8  # words of a bucket
REGROWN_AT_ONCE = 1 << 16  # buckets

THREAD, ROW = OWN, OWN + 1  # of the room: which thread it is, from 1 on, and how many moves the game has
TOO_DEEP, TOO_LARGE = OWN + 2, OWN + 3  # why the search had to end, beside the limits
PHI, DELTA = OWN + 4, OWN + 5  # the numbers of the position that was looked at last
SORTING = 16  # from here on, ROWS rows for each ply to sort its moves in
SORT_FIRST = 1 << 40  # beyond what moves are sorted by
GUESS, REPLY, MOST_HISTORY = 64, 1024, 1 << 14  # what a thousandth, a reply and a cut before count in sorting


def new_proofs(megabytes: int) -> Table:
    """An empty table of at most so many megabytes; the number of buckets is a power of two."""
    buckets = 1 << max(10, ((megabytes << 20) // (8 * BUCKET)).bit_length() - 1)
    words = np.zeros(BUCKET * (buckets + 1), np.uint64)
    begin = -words.ctypes.data % (8 * BUCKET) // 8  # a bucket is one line of the cache
    return words[begin : begin + BUCKET * buckets]


def regrown(table: Table, megabytes: int) -> Table:
    """A larger table with the same proofs, each in the same place of the bucket that it now belongs to."""
    larger = new_proofs(megabytes)
    old, new = (one.reshape(-1, BUCKET // 2, 2) for one in (table, larger))
    for begin in range(0, len(old), REGROWN_AT_ONCE):
        part = old[begin : begin + REGROWN_AT_ONCE]
        is_used = part[:, :, 1] != 0
        entries, places = part[is_used], is_used.nonzero()[1]
        new[(entries[:, 0] ^ entries[:, 1]) & u64(len(new) - 1), places] = entries
    return larger


def bucket_of(table: Table, key: np.uint64) -> int:
    """Where the bucket of a key begins."""
    return plain(key & u64(table.size // BUCKET - 1)) * BUCKET


def known(table: Table, key: np.uint64) -> np.uint64:
    """What the table holds of this key, 0 if nothing."""
    base = bucket_of(table, key)
    for slot in range(base, base + BUCKET, 2):
        data: np.uint64 = table[slot + 1]
        if table[slot] ^ data == key and data != u64(0):
            return data
    return u64(0)


def place_for(table: Table, key: np.uint64) -> int:
    """The entry of this key, else the one in its bucket that took the least work."""
    base = bucket_of(table, key)
    place, least_work = base, 64
    for slot in range(base, base + BUCKET, 2):
        old = table[slot + 1]
        if table[slot] ^ old == key and old != u64(0):
            return slot
        spent = plain(old >> u64(58)) if old != u64(0) else -1
        if spent < least_work:
            place, least_work = slot, spent
    return place


def enter(table: Table, place: int, key: np.uint64, one: int, other: int, move: int, work: int) -> None:
    """Write an entry: two numbers of 24 bits, a move, and the work that they took."""
    data = u64(one) | u64(other) << u64(24) | u64(move) << u64(48) | u64(min(work.bit_length(), 63)) << u64(58)
    table[place], table[place + 1] = key ^ data, data


def least_in(data: np.uint64) -> int:
    return plain(data & u64((1 << 24) - 1)) - HALF


def most_in(data: np.uint64) -> int:
    return plain(data >> u64(24) & u64((1 << 24) - 1)) - HALF


def move_in(data: np.uint64) -> int:
    return plain(data >> u64(48) & u64(1023))


def note(table: Table, key: np.uint64, least: int, most: int, move: int, work: int) -> None:
    """Enter what is proven; bounds known before are kept where they are tighter."""
    place = place_for(table, key)
    old = table[place + 1]
    least, most = max(least, -HALF), min(most, HALF - 1)
    if table[place] ^ old == key and old != u64(0):
        least, most = max(least, least_in(old)), min(most, most_in(old))
    if least < HALF and most >= -HALF:
        enter(table, place, key, least + HALF, most + HALF, move, work)


def promise(child: State, seat: int, history: int) -> int:
    """How promising a move is: by the guess at the position after it, how few replies it leaves, how often it cut."""
    replies = count(moves(child)) if turn(child) != seat else -count(moves(child))
    guess = evaluate(child) if seat == 0 else -evaluate(child)
    return GUESS * guess - REPLY * replies + min(history, MOST_HISTORY)


def prove(  # noqa: PLR0912, PLR0915  # one loop, and a call per part would cost more than it explains
    state: State, beta: int, ply: int, table: Table, memory: Words, room: Words
) -> int:
    """A bound on the mover's payoff under perfect play: a lower one if it is at least `beta`, else an upper one.

    Meaningless when room[ABORTED] is set. `memory` holds the history of each seat's moves.
    """
    seat = turn(state)
    sign = 1 if seat == 0 else -1
    settled = sign * banked(state)
    key = digest(core(state))
    data = known(table, key)
    table_move = NO_MOVE
    if data != u64(0):
        table_move = move_in(data)
        if least_in(data) > -HALF and least_in(data) + settled >= beta:
            return least_in(data) + settled
        if most_in(data) < HALF - 1 and most_in(data) + settled < beta:
            return most_in(data) + settled

    room[NODES] += 1
    look_up(room)
    if ply >= MOST_PLIES - 1:
        room[TOO_DEEP] = 1
        room[ABORTED] = 1
    if room[ABORTED] != 0:
        return 0
    before = plain(room[NODES])

    # A first look at every move: what ends the game or is known decides at once, the rest is sorted.
    row = plain(room[ROW])
    history, base, size = seat * row, SORTING + ply * row, 0
    best, best_move = -INFINITY, NO_MOVE
    rest = moves(state)
    while some(rest):
        move = first(rest)
        rest = without_first(rest)
        child = play(state, move)
        payoff = result(child)
        if payoff is not None:
            score = sign * payoff
            if score >= beta:
                note(table, key, score - settled, HALF, move, 1)
                return score
            if score > best:
                best, best_move = score, move
            continue
        low, high = payoffs(child)
        least, most = (low, high) if seat == 0 else (-high, -low)
        banked_then = sign * banked(child)
        if least >= beta:
            note(table, key, least - settled, HALF, move, 1)
            return least
        if most < beta:
            if most > best:
                best, best_move = most, move
            continue
        found = known(table, digest(core(child)))
        if found != u64(0):
            is_mine = turn(child) == seat
            at_least = least_in(found) if is_mine else -most_in(found)
            at_most = most_in(found) if is_mine else -least_in(found)
            if at_least > 1 - HALF and at_least + banked_then >= beta:
                note(table, key, at_least + banked_then - settled, HALF, move, 1)
                return at_least + banked_then
            if at_most < HALF - 1 and at_most + banked_then < beta:
                if at_most + banked_then > best:
                    best, best_move = at_most + banked_then, move
                continue
        rank = promise(child, seat, plain(memory[history + move]))
        if move == table_move:
            rank = SORT_FIRST
        room[base + size] = min(max(rank, -SORT_FIRST), SORT_FIRST) + SORT_FIRST << 10 | move
        size += 1

    while size > 0:
        place = base
        for i in range(base + 1, base + size):
            if room[i] > room[place]:
                place = i
        move = plain(room[place]) & 1023
        size -= 1
        room[place] = room[base + size]
        child = play(state, move)
        if turn(child) == seat:
            score = prove(child, beta, ply + 1, table, memory, room)
        else:
            score = -prove(child, 1 - beta, ply + 1, table, memory, room)
        if room[ABORTED] != 0:
            return 0
        if score > best:
            best, best_move = score, move
            if score >= beta:
                memory[history + move] += 1
                break
    work = plain(room[NODES]) - before + 1
    if best >= beta:
        note(table, key, best - settled, HALF, best_move, work)
    else:
        note(table, key, -HALF, best - settled, best_move, work)
    return best


def ask(root: Words, beta: int, table: Table, memory: Words, room: Words) -> int:
    """Entry point: `prove` for the position in the array, which is not over."""
    return prove(load(root, 0), plain(beta), plain(0), table, memory, room)
