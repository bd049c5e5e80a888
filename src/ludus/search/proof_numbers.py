"""The same question by proof numbers, compiled, for any game of few payoffs: depth-first proof-number search.

For the one to move, a position has two numbers: about how many positions still have to be looked at to prove that it
is worth at least so much (`phi`), and to disprove it (`delta`). The search always goes where the least work seems to
be left, and works below a position until its numbers pass the limits that make another one more promising. Numbers
of the children are added up only in part: ways that lead to the same positions would be counted over and over.

The numbers stand in the table of `proof.py`, under a key of position and question, in place of the bounds. Threads
that ask the same question share it; each marks where it is, near the root, and the others rather go elsewhere.
"""

from __future__ import annotations

import numpy as np

from ludus.compile.bits import fetch_soon, plain
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
from ludus.search.proof import (
    DELTA,
    MOST_PLIES,
    NO_MOVE,
    PHI,
    ROW,
    ROWS,
    SORTING,
    THREAD,
    TOO_DEEP,
    TOO_LARGE,
    bucket_of,
    enter,
    known,
    place_for,
)
from ludus.search.stopping import ABORTED, NODES, look_up
from ludus.search.table import Table

u64 = np.uint64
SOLVED = (1 << 24) - 1  # the number of what cannot be proven any more; the other one is 0 then
GREATEST, TILT, UNIT = 1500, 200, 37_500  # how a guess in thousandths becomes numbers
LEEWAY = 4  # a child is left when its number is a quarter beyond the second best: fewer ways back and forth
OVERLAP = 8  # beside the largest number of the children, only this part of the others counts
MARKS = 1 << 12  # by the last bits of the key
MARKED_PLIES = 16  # from the root; further down, threads may well meet


def question(key: np.uint64, target: int) -> np.uint64:
    """The key of a position together with what its mover wants to get from there on."""
    mixed = (key ^ u64(target + (1 << 30))) * u64(0xD6E8FEB86659FD93)
    return (mixed ^ mixed >> u64(32)) >> u64(1)  # so that it fits in an int


def first_numbers(child: State, low: int, high: int, beta: int) -> tuple[int, int]:
    """The numbers of a position that was not looked at yet, for its mover, by the game's guess and what is asked."""
    sign = 1 if turn(child) == 0 else -1
    width, middle = high - low, sign * (low + high)
    guess = (2 * sign * evaluate(child) - 1000 * middle) // width
    ahead = min(max(guess, -1000), 1000) - TILT * (2 * beta - 1 - middle) // width
    short, over = GREATEST - ahead, GREATEST + ahead
    return 1 + short * short // UNIT, 1 + over * over // UNIT + count(moves(child))


def list_children(state: State, beta: int, base: int, row: int, table: Table, room: Words) -> int:
    """Write the moves that do not decide at once to the room, with key and bounds; how many, or -1 if one wins."""
    seat, size = turn(state), 0
    sign = 1 if seat == 0 else -1
    rest = moves(state)
    while some(rest):
        move = first(rest)
        rest = without_first(rest)
        child = play(state, move)
        payoff = result(child)
        low, high = payoffs(child)
        if payoff is not None:
            low, high = payoff, payoff
        least, most = (low, high) if seat == 0 else (-high, -low)
        if least >= beta:
            return -1
        if most < beta:
            continue
        is_mine = turn(child) == seat
        target = beta - sign * banked(child)
        key = question(digest(core(child)), target if is_mine else 1 - target)
        fetch_soon(table, bucket_of(table, key))
        i = base + size
        room[i], room[row + i] = move << 1 | (1 if is_mine else 0), plain(key)
        room[2 * row + i], room[3 * row + i] = low, high
        size += 1
    return size


def number_children(state: State, beta: int, listed: int, base: int, row: int, table: Table, room: Words) -> int:
    """Put numbers as the mover sees them in place of the bounds; how many are not decided, or -1 if one is proven."""
    size = 0
    for i in range(base, base + listed):
        data = known(table, u64(room[row + i]))
        is_mine = plain(room[i]) & 1 != 0
        if data != u64(0):
            phi, delta = numbers_in(data)
        else:
            low, high = plain(room[2 * row + i]), plain(room[3 * row + i])
            phi, delta = first_numbers(play(state, plain(room[i]) >> 1), low, high, beta if is_mine else 1 - beta)
        if not is_mine:
            phi, delta = delta, phi
        if phi == 0:
            return -1
        if delta == 0:
            continue
        here = base + size
        room[here], room[row + here] = room[i], room[row + i]
        room[2 * row + here], room[3 * row + here] = phi, delta
        size += 1
    return size


def is_elsewhere(marks: Words, key: int, room: Words) -> bool:
    """Whether another thread is at work below the position of this key."""
    mark = marks[key & MARKS - 1]
    return mark != 0 and mark != room[THREAD]  # type: ignore[no-any-return]


def expand(  # noqa: PLR0912, PLR0915  # one loop, and a call per part would cost more than it explains
    state: State,
    own: np.uint64,
    beta: int,
    ply: int,
    phi_limit: int,
    delta_limit: int,
    table: Table,
    marks: Words,
    room: Words,
) -> None:
    """Look below a position until a number of it reaches its limit, or it is solved; both numbers go to the room.

    The room has four rows for each ply: the moves that are not decided, their keys, and their numbers as the mover
    sees them.
    """
    room[NODES] += 1
    look_up(room)
    if ply >= MOST_PLIES - 1:
        room[TOO_DEEP] = 1
        room[ABORTED] = 1
    if room[ABORTED] != 0:
        return
    before = plain(room[NODES])
    row = plain(room[ROW])
    base = SORTING + ROWS * ply * row
    size = list_children(state, beta, base, row, table, room)
    if size > 0:
        size = number_children(state, beta, size, base, row, table, room)

    phi, delta = 0, SOLVED
    while size >= 0:
        # The mover needs one move: the least number to prove counts, and the sum of the others to disprove.
        phi, total, largest, place, chosen, second = SOLVED, 0, 0, -1, SOLVED, SOLVED
        for i in range(base, base + size):
            this = plain(room[2 * row + i])
            phi = min(phi, this)
            if ply < MARKED_PLIES and 2 * this < phi_limit and is_elsewhere(marks, plain(room[row + i]), room):
                this *= 2
            if this < chosen:
                second = chosen
                chosen, place = this, i
            elif this < second:
                second = this
            total += plain(room[3 * row + i])
            largest = max(largest, plain(room[3 * row + i]))
        delta = min(largest + (total - largest) // OVERLAP, SOLVED)
        if phi >= phi_limit or delta >= delta_limit or phi == 0 or delta == 0:
            break
        key, is_mine = u64(room[row + place]), plain(room[place]) & 1 != 0
        old_phi, old_delta = plain(room[2 * row + place]), plain(room[3 * row + place])
        data = known(table, key)
        now_phi, now_delta = old_phi, old_delta
        if data != u64(0):
            now_phi, now_delta = numbers_in(data)
            if not is_mine:
                now_phi, now_delta = now_delta, now_phi
        if now_phi == old_phi and now_delta == old_delta:  # else another way, or another thread, came by
            child = play(state, plain(room[place]) >> 1)
            phi_next = min(phi_limit, second + 1 + second // LEEWAY)
            most = delta_limit - (total - old_delta) // OVERLAP
            delta_next = min(SOLVED, max(delta_limit - delta + old_delta, most))
            if ply < MARKED_PLIES:
                marks[plain(key) & MARKS - 1] = room[THREAD]
            if is_mine:
                expand(child, key, beta, ply + 1, phi_next, delta_next, table, marks, room)
                now_phi, now_delta = plain(room[PHI]), plain(room[DELTA])
            else:
                expand(child, key, 1 - beta, ply + 1, delta_next, phi_next, table, marks, room)
                now_phi, now_delta = plain(room[DELTA]), plain(room[PHI])
            if ply < MARKED_PLIES:
                marks[plain(key) & MARKS - 1] = 0
            if room[ABORTED] != 0:
                return
        room[2 * row + place], room[3 * row + place] = now_phi, now_delta
        if now_delta == 0:  # this move does not do: the last one takes its place
            size -= 1
            for r in range(ROWS):
                room[r * row + place] = room[r * row + base + size]
    enter(table, place_for(table, own), own, phi, delta, NO_MOVE, plain(room[NODES]) - before + 1)
    room[PHI], room[DELTA] = phi, delta


def numbers_in(data: np.uint64) -> tuple[int, int]:
    return plain(data & u64(SOLVED)), plain(data >> u64(24) & u64(SOLVED))


def ask_numbers(root: Words, beta: int, table: Table, marks: Words, room: Words) -> int:
    """Entry point: `beta` if the mover of the position in the array, which is not over, gets that much; else less."""
    state, most = load(root, 0), plain(SOLVED)
    sign = 1 if turn(state) == 0 else -1
    own = question(digest(core(state)), plain(beta) - sign * banked(state))
    expand(state, own, plain(beta), plain(0), most, most, table, marks, room)
    if room[ABORTED] == 0 and room[PHI] != 0 and room[DELTA] != 0:  # the numbers have grown beyond all bounds
        room[TOO_LARGE] = 1
        room[ABORTED] = 1
    return plain(beta) if room[PHI] == 0 else plain(beta) - 1
