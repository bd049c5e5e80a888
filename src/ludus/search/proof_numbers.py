"""The same question by proof numbers, compiled, for any game of few payoffs: depth-first proof-number search.

For the one to move, a position has two numbers: about how many positions still have to be looked at to prove that it
is worth at least so much (`phi`), and to disprove it (`delta`). The search always goes where the least work seems to
be left, and works below a position until its numbers pass the limits that make another one more promising. Numbers
of the children are added up only in part: ways that lead to the same positions would be counted over and over.

The numbers stand in the table of `proof.py`, under a key of position and question, in place of the bounds.
"""

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
    MOST_PLIES,
    NO_MOVE,
    NODES,
    TOO_DEEP,
    TOO_LARGE,
    enter,
    known,
    look_up,
    place_for,
)
from ludus.search.table import Table, digest

u64 = np.uint64
SOLVED = (1 << 24) - 1  # the number of what cannot be proven any more; the other one is 0 then
UNIT = 25  # thousandths of a guess that count as one position
LEEWAY = 4  # a child is left when its number is a quarter beyond the second best: fewer ways back and forth
OVERLAP = 8  # beside the largest number of the children, only this part of the others counts


def question(key: np.uint64, target: int) -> np.uint64:
    """The key of a position together with what its mover wants to get from there on."""
    mixed = (key ^ u64(target + (1 << 30))) * u64(0xD6E8FEB86659FD93)
    return mixed ^ mixed >> u64(32)


def first_numbers(child: State, low: int, high: int) -> tuple[int, int]:
    """The numbers of a position that was not looked at yet, for its mover, by the game's guess and its width."""
    guess = (2 * evaluate(child) - 1000 * (low + high)) // (high - low)
    ahead = min(max(guess if turn(child) == 0 else -guess, -1000), 1000)
    return 1 + (1000 - ahead) // UNIT, 1 + (1000 + ahead) // UNIT + count(moves(child))


def expand(  # noqa: PLR0912, PLR0915  # one loop, and a call per part would cost more than it explains
    state: State,
    beta: int,
    ply: int,
    phi_limit: int,
    delta_limit: int,
    table: Table,
    out: Words,
    order: Words,
    control: Words,
    counts: Words,
) -> None:
    """Look below a position until a number of it reaches its limit, or it is solved; both numbers go to `out`.

    `order` has three rows for each ply: the moves that are not decided, and their numbers as the mover sees them.
    """
    seat = turn(state)
    sign = 1 if seat == 0 else -1
    own = question(digest(core(state)), beta - sign * banked(state))
    counts[NODES] += 1
    look_up(control, counts)
    if ply >= MOST_PLIES - 1:
        counts[TOO_DEEP] = 1
        counts[ABORTED] = 1
    if counts[ABORTED] != 0:
        return
    before = plain(counts[NODES])
    row = order.size // (3 * MOST_PLIES)
    base, size, is_proven = 3 * ply * row, 0, False
    rest = moves(state)
    while some(rest) and not is_proven:
        move = first(rest)
        rest = without_first(rest)
        child = play(state, move)
        payoff = result(child)
        low, high = payoffs(child)
        if payoff is not None:
            low, high = payoff, payoff
        least, most = (low, high) if seat == 0 else (-high, -low)
        if least >= beta:
            is_proven = True
        if least >= beta or most < beta:
            continue
        is_mine = turn(child) == seat
        target = beta - sign * banked(child)
        data = known(table, question(digest(core(child)), target if is_mine else 1 - target))
        phi, delta = numbers_in(data) if data != u64(0) else first_numbers(child, low, high)
        if not is_mine:
            phi, delta = delta, phi
        if phi == 0:
            is_proven = True
        if delta == 0:
            continue
        order[base + size] = move << 1 | (1 if is_mine else 0)
        order[base + row + size] = phi
        order[base + 2 * row + size] = delta
        size += 1

    phi, delta = 0, SOLVED
    while not is_proven:
        # The mover needs one move: the least number to prove counts, and the sum of the others to disprove.
        phi, delta, second, place, largest = SOLVED, 0, SOLVED, -1, 0
        for i in range(base, base + size):
            this = plain(order[row + i])
            if this < phi:
                second = phi
                phi, place = this, i
            elif this < second:
                second = this
            delta += plain(order[2 * row + i])
            largest = max(largest, plain(order[2 * row + i]))
        delta = min(largest + (delta - largest) // OVERLAP, SOLVED)
        if phi >= phi_limit or delta >= delta_limit or phi == 0 or delta == 0:
            break
        phi_next = min(phi_limit, second + 1 + second // LEEWAY)
        delta_next = min(SOLVED, delta_limit - delta + plain(order[2 * row + place]))
        child = play(state, plain(order[place]) >> 1)
        if plain(order[place]) & 1:
            expand(child, beta, ply + 1, phi_next, delta_next, table, out, order, control, counts)
            child_phi, child_delta = plain(out[0]), plain(out[1])
        else:
            expand(child, 1 - beta, ply + 1, delta_next, phi_next, table, out, order, control, counts)
            child_phi, child_delta = plain(out[1]), plain(out[0])
        if counts[ABORTED] != 0:
            return
        order[row + place], order[2 * row + place] = child_phi, child_delta
        if child_delta == 0:  # this move does not do: the last one takes its place
            size -= 1
            for r in range(3):
                order[r * row + place] = order[r * row + base + size]
    enter(table, place_for(table, own), own, phi, delta, NO_MOVE, plain(counts[NODES]) - before + 1)
    out[0], out[1] = phi, delta


def numbers_in(data: np.uint64) -> tuple[int, int]:
    return plain(data & u64(SOLVED)), plain(data >> u64(24) & u64(SOLVED))


def ask_numbers(root: Words, beta: int, table: Table, out: Words, order: Words, control: Words, counts: Words) -> int:
    """Entry point: `beta` if the mover of the position in the array, which is not over, gets that much; else less."""
    state, most = load(root, 0), plain(SOLVED)
    expand(state, plain(beta), plain(0), most, most, table, out, order, control, counts)
    if counts[ABORTED] == 0 and out[0] != 0 and out[1] != 0:  # the numbers have grown beyond all bounds
        counts[TOO_LARGE] = 1
        counts[ABORTED] = 1
    return plain(beta) if out[0] == 0 else plain(beta) - 1
