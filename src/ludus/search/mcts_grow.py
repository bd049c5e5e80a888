"""Growing a Monte Carlo tree: selection by UCT, random or cut-off playouts, and proofs that go up the tree.

A node's gains lie between 0 and UNIT a visit and belong to the seat that moved there, so turns need not
alternate. Proofs are bounds of seat 0's payoff: finished games bring them in, and each node takes over the best
that its mover can reach. They are always true, whatever has been visited.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from ludus.compile.bits import now_ns, plain
from ludus.compile.interface import Words, count, judge, load, moves, pick, play, result, turn
from ludus.rules import State
from ludus.search.finding import SCALE
from ludus.search.mcts_tree import (
    COUNTED,
    GAINS,
    HUGE,
    LOOK_AT_BOUNDS,
    MOST_PLIES,
    MOST_VISITS,
    UNIT,
    VISIT,
    bounds_of,
    expand,
    first_child,
    greatest,
    is_proven,
    least,
    locate,
    move_of,
    visits_of,
    width_of,
)
from ludus.search.playouts import Seeds, random_below, scramble

Reals = NDArray[np.float64]

STOP, DEADLINE = 0, 1  # of the control array
# Of the orders: what is known of payoffs, how playouts end, whether others are at work.
LOWEST, HIGHEST, CENTRE, SPREAD, CUT_OFF, IS_SHARED, LOOK_EVERY, ORDERS = 0, 1, 2, 3, 4, 5, 6, 7
# Of what a thread is to do and what it has done. Then where its free nodes are: regions of one size, each so far behind
# the one before, up to the last node; the first one's beginning, the next free node, and the end of its region.
LIMIT, DONE, PLAYOUTS, PROVEN, DEEPEST = 0, 1, 2, 3, 4
BEGIN, NEXT, END, REGION, APART, LAST, REPORTS = 5, 6, 7, 8, 9, 10, 11
MOST_CHILDREN = 1023  # with less room than that, a thread goes on to its next region
# Of the table behind UCT: one over the roots of small numbers of visits, the bonuses, the urgency.
ROOTS, STEPS, DOUBLINGS = 1 << 14, 64, 27
# Each of several threads stays below a node of many visits for a share of them, but not for longer than that.
MANY, STAY_SHARE, LONGEST_STAY = 1 << 9, 32, 64
LATE = 2 * MOST_PLIES  # what is still to be added to the nodes above stands behind the path, a word for each ply
ROOM = LATE + MOST_PLIES  # of the path array


def uct_table(exploration: float, urgency: float) -> Reals:
    """The tables behind `upper_confidence` and `bonus`, and at the end the gain assumed of a move not yet tried.

    Roots, because a root and a division take longer than all else in the choice of a child. Bonuses, because
    the logarithms of two libraries may differ in the last bit: a seed then means the same compiled and plain.
    """
    roots = 1.0 / np.sqrt(np.maximum(np.arange(ROOTS), 1))
    visits = np.concatenate(
        [np.arange(STEPS)] + [np.arange(STEPS, 2 * STEPS) << doubling for doubling in range(DOUBLINGS)]
    )
    bonuses = exploration * UNIT * np.sqrt(np.log(np.maximum(visits, 1)))
    return np.concatenate([roots, bonuses, [urgency * UNIT]])


def bonus(visits: int, table: Reals) -> float:
    """UCT's c * sqrt(ln visits), for visits rounded down to six or seven leading bits."""
    doubling = max(visits.bit_length() - 7, 0)
    return table[ROOTS + STEPS * doubling + (visits >> doubling)]  # type: ignore[no-any-return]


def worth(score: int, centre: int, spread: int) -> float:
    """What seat 0 gains by a payoff in thousandths, from 0 to UNIT, in the same order as payoffs.

    Without a spread payoffs are wins, draws and losses: 1, 1/2, 0, and guesses lie in between. Else payoffs are
    margins and go through x / sqrt(x^2 + spread^2): a spread above the centre is worth 0.85, far above nearly 1.
    """
    x = float(score - centre)
    share = min(max(x / SCALE, -1.0), 1.0) if spread == 0 else x / math.sqrt(x * x + float(spread) * float(spread))
    return UNIT * (0.5 + 0.5 * share)


def upper_confidence(word: int, eagerness: float, table: Reals) -> float:
    """UCT: the mean gain of a child that was visited, and more the less it was."""
    visits = visits_of(word)
    root = table[visits] if visits < ROOTS else 1.0 / math.sqrt(float(visits))
    return (float(word & GAINS) * root + eagerness) * root


def choose(
    nodes: Words, proofs: Words, node: int, seat: int, table: Reals, centre: int, spread: int
) -> tuple[int, int]:
    """The child to look at next, for a node that has children, and the gain that is sure and better, or -1.

    A proven child that wins the contest needs no further look: the best of the others gets it, and the
    nodes above hear of what is proven. So no iteration is wasted, and proofs do not wait for good luck.
    """
    link = plain(nodes[2 * node])
    base = first_child(link)
    eagerness = bonus(visits_of(plain(nodes[2 * node + 1])), table)
    urgency = table[table.size - 1]
    best, chosen, sure, safe = -1.0, -1, -1.0, base
    for child in range(base, base + width_of(link)):
        word = plain(nodes[2 * child + 1])
        if word > 0:
            appeal = upper_confidence(word, eagerness, table)
        elif word == 0:
            appeal = urgency
            if urgency > 2 * UNIT:
                return child, -1
        else:
            bounds, own = plain(proofs[child]), plain(proofs[node])
            if is_proven(bounds):
                gain = worth(SCALE * least(bounds), centre, spread)
                gain = gain if seat == 0 else UNIT - gain
                if gain > sure:
                    sure, safe = gain, child
                continue
            if visits_of(word) == 0:
                appeal = urgency
            elif greatest(bounds) <= least(own) if seat == 0 else least(bounds) >= greatest(own):
                continue  # another child is proven to be as good as this one can become
            else:
                appeal = upper_confidence(word, eagerness, table)
        if appeal > best:
            best, chosen = appeal, child
    if chosen < 0:
        return safe, -1
    return chosen, plain((sure if seat == 0 else UNIT - sure) + 0.5) if sure >= best else -1


def is_settled(nodes: Words, proofs: Words, node: int) -> bool:
    """Whether the payoff of a node below the root is proven; where nothing is known, the bounds are not even read."""
    return plain(nodes[2 * node + 1]) < 0 and is_proven(plain(proofs[node]))


def prove(nodes: Words, proofs: Words, path: Words, depth: int, lowest: int, highest: int) -> int:
    """Carry new bounds of the last node of a path up to where nothing changes; how many nodes they prove.

    The mover takes the best: both bounds of a node are the greatest, or for seat 1 the least, of its children's.
    """
    proven = 0
    for ply in range(depth - 1, -1, -1):
        node, seat = plain(path[2 * ply]), plain(path[2 * ply + 1]) & 1
        link = plain(nodes[2 * node])
        base = first_child(link)
        low, high = (-HUGE, -HUGE) if seat == 0 else (HUGE, HUGE)
        for child in range(base, base + width_of(link)):
            bounds = plain(proofs[child])
            if seat == 0:
                low, high = max(low, least(bounds)), max(high, greatest(bounds))
            else:
                low, high = min(low, least(bounds)), min(high, greatest(bounds))
        before = plain(proofs[node])
        low, high = max(low, lowest, least(before)), min(high, highest, greatest(before))
        after = bounds_of(low, high)
        if after == before:
            if before != 0:  # a visit of another thread may have written over it
                nodes[2 * node + 1] |= LOOK_AT_BOUNDS
            break
        proofs[node] = after
        nodes[2 * node + 1] |= LOOK_AT_BOUNDS
        proven += low == high
    return proven


def playout(state: State, cut_off: int, x: np.uint64, mind: Words) -> tuple[int, int, bool, np.uint64]:
    """One random game: its score in thousandths, its plies, whether it came to an end, and the generator.

    After so many plies, or where the rules leave no move, the network's or the game's guess stands for the rest.
    """
    payoff = result(state)
    plies = 0
    while payoff is None and plies < cut_off:
        legal = moves(state)
        width = count(legal)
        if width == 0:
            break
        x = scramble(x)
        state = play(state, pick(legal, random_below(x, width)))
        payoff = result(state)
        plies += 1
    if payoff is None:
        return judge(state, mind), plies, False, x
    return SCALE * payoff, plies, True, x


def look_at(
    state: State, node: int, is_open: bool, nodes: Words, proofs: Words, cut_off: int, x: np.uint64, mind: Words
) -> tuple[int, int, bool, np.uint64]:
    """A score in thousandths for the node of a position, plies played for it, whether it is proven, and the generator.

    One that is open is played out, and proven if the game is over there.
    """
    if not is_open:
        return SCALE * least(plain(proofs[node])), 0, True, x
    score, plies, is_over, x = playout(state, cut_off, x, mind)
    is_exact = is_over and plies == 0 and abs(score) < SCALE * HUGE
    if is_exact:
        proofs[node] = bounds_of(score // SCALE, score // SCALE)
        nodes[2 * node + 1] |= LOOK_AT_BOUNDS
    return score, plies, is_exact, x


def descend(
    state: State,
    base: int,
    nodes: Words,
    proofs: Words,
    path: Words,
    table: Reals,
    centre: int,
    spread: int,
    at_once: int,
    free: int,
    end: int,
    x: np.uint64,
) -> tuple[State, int, int, np.uint64]:
    """Go down to a node that is proven or new, making children on the way where one was visited before.

    It begins with the position at ply `base` of the path. The path holds, for every ply, the node, and
    2 * (gain that is sure + 1) + the seat. Gives the position, the depth, and what is free now.
    """
    node, depth, is_new = plain(path[2 * base]), base, False
    while True:
        if width_of(plain(nodes[2 * node])) == 0:
            is_first = depth > 0 and plain(nodes[2 * node + 1]) & COUNTED <= at_once
            if is_new or is_first or depth == MOST_PLIES - 1 or result(state) is not None:
                break
            legal = moves(state)
            width = count(legal)
            if width == 0 or free + width > end:
                break
            x = scramble(x)
            expand(nodes, node, free, legal, random_below(x, width))
            free += width
            is_new = True
        seat = turn(state)
        child, sure = choose(nodes, proofs, node, seat, table, centre, spread)
        move = move_of(plain(nodes[2 * child]))
        if move < 0:  # another thread has not finished writing it
            break
        path[2 * depth], path[2 * depth + 1] = node, 2 * (sure + 1) + seat
        depth += 1
        node = child
        if at_once != 0:
            nodes[2 * node + 1] += at_once
        state = play(state, move)
        if is_settled(nodes, proofs, node):
            break
    path[2 * depth] = node
    return state, depth, free, x


def back_up(nodes: Words, path: Words, depth: int, base: int, gain: int, at_once: int) -> None:
    """Add a visit and seat 0's gain along a path; above a node where more is sure, that is the gain.

    Down to ply `base`, if that is not the root, gains are only noted, and visits have been counted: `stay`, `leave`.
    """
    for ply in range(depth, 0, -1):
        step, node = plain(path[2 * ply - 1]), plain(path[2 * ply])
        gained = gain if step & 1 == 0 else UNIT - gain
        if ply > base:
            nodes[2 * node + 1] += VISIT - at_once + gained
        else:
            path[LATE + ply] += gained
        if step > 1:
            gain = (step >> 1) - 1
    if base == 0:
        nodes[1] += VISIT


def stay(nodes: Words, path: Words, base: int, most: int) -> int:
    """Count visits to come along a path down to ply `base`, so that other threads look elsewhere; how many they are."""
    visits = min(visits_of(plain(nodes[2 * path[2 * base] + 1])) // STAY_SHARE, LONGEST_STAY, most)
    for ply in range(base + 1):
        nodes[2 * path[2 * ply] + 1] += visits * VISIT
    return visits


def leave(nodes: Words, path: Words, base: int, left: int) -> None:
    """Add the gains of those visits; any left, because a proof or the end of the time came first, gain the mean."""
    for ply in range(base + 1):
        place = 2 * path[2 * ply] + 1
        word = plain(nodes[place])
        nodes[place] += path[LATE + ply] + left * ((word & GAINS) // max(visits_of(word), 1))
        path[LATE + ply] = 0


def busy_ply(nodes: Words, path: Words, depth: int) -> int:
    """The last ply of a path whose node has many visits, 0 if there is none."""
    ply = 0
    while ply < depth and visits_of(plain(nodes[2 * path[2 * ply + 2] + 1])) >= MANY:
        ply += 1
    return ply


def after(state: State, nodes: Words, path: Words, ply: int) -> State:
    """The position at a ply of a path that begins with this one."""
    for i in range(1, ply + 1):
        state = play(state, move_of(plain(nodes[2 * path[2 * i]])))
    return state


def grow(
    root: Words,
    nodes: Words,
    proofs: Words,
    table: Reals,
    orders: Words,
    control: Words,
    path: Words,
    report: Words,
    rng: Seeds,
    mind: Words,
) -> None:
    """Entry point: let the tree grow until the iterations are done, somebody says stop, or the root is proven.

    control[STOP] may be raised by anybody, control[DEADLINE] is a time of `now_ns`.
    Several threads may do this on one tree: all share `nodes`, `proofs` and `control`, and while one is on
    its way down, its visits already count, without gains, so that the others look elsewhere. Each stays for some
    iterations where it came to, since a word that another thread has changed takes long to read.
    """
    top = load(root, 0)
    here, base, staying = top, plain(0), 0  # where an iteration begins: the position, its ply, for how many more
    path[0] = 0
    x = rng[0]
    centre, spread, cut_off = plain(orders[CENTRE]), plain(orders[SPREAD]), plain(orders[CUT_OFF])
    at_once = VISIT if orders[IS_SHARED] != 0 else 0
    free, end, last = plain(report[NEXT]), plain(report[END]), plain(report[LAST])
    playouts, proven, deepest = plain(report[PLAYOUTS]), plain(report[PROVEN]), plain(report[DEEPEST])
    done, limit, work = plain(report[DONE]), plain(report[LIMIT]), plain(orders[LOOK_EVERY])
    while done < limit and not is_proven(plain(proofs[0])):
        if work >= orders[LOOK_EVERY]:
            work = 0
            if control[STOP] != 0 or now_ns() > control[DEADLINE] or visits_of(plain(nodes[1])) >= MOST_VISITS:
                break
        state, depth, free, x = descend(here, base, nodes, proofs, path, table, centre, spread, at_once, free, end, x)
        if end - free < MOST_CHILDREN and end < last:
            free = min(end + plain(report[APART]) - plain(report[REGION]), last)
            end = min(free + plain(report[REGION]), last)
        node = plain(path[2 * depth])
        is_open = not is_settled(nodes, proofs, node)
        score, plies, is_exact, x = look_at(state, node, is_open, nodes, proofs, cut_off, x, mind)
        playouts += is_open
        proven += is_open and is_exact
        back_up(nodes, path, depth, base, plain(worth(score, centre, spread) + 0.5), at_once)
        if is_exact:
            proven += prove(nodes, proofs, path, depth, plain(orders[LOWEST]), plain(orders[HIGHEST]))
        done += 1
        work += plies + depth + 1
        deepest = max(deepest, depth)
        if base > 0:
            staying -= 1
            if staying == 0 or is_settled(nodes, proofs, plain(path[2 * base])):
                leave(nodes, path, base, staying)
                here, base = top, plain(0)
        elif at_once != 0 and done < limit:
            base = busy_ply(nodes, path, depth)
            if base > 0:
                here, staying = after(top, nodes, path, base), stay(nodes, path, base, limit - done)
    if base > 0:
        leave(nodes, path, base, staying)
    rng[0] = x
    report[DONE], report[PLAYOUTS], report[PROVEN] = done, playouts, proven
    report[DEEPEST], report[NEXT], report[END] = deepest, free, end


def set_out(
    root: Words,
    before: Words,
    plies: int,
    nodes: Words,
    cut_off: int,
    deadline: int,
    rng: Seeds,
    mind: Words,
    scores: Words,
    room: Words,
) -> int:
    """Entry point: the node where the new root stands in a tree whose root was `before`, -1 if there is none.

    A few playouts from the new root fill `scores`, to show how far apart payoffs lie; out of time, they repeat.
    """
    x = rng[0]
    for game in range(scores.size):
        if game > 0 and now_ns() > deadline:
            scores[game] = scores[game - 1]
            continue
        score, _, _, x = playout(load(root, 0), cut_off, x, mind)
        scores[game] = score
    rng[0] = x
    return locate(load(before, 0), root, plies, nodes, room)
