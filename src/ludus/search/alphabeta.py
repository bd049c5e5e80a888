"""Alpha-beta for any game: margins as well as wins, turns that need not alternate, one source compiled or plain.

Principal-variation search with iterative deepening and aspiration windows, a transposition table, killer moves,
moves sorted by what the evaluation or history says of them, late-move reductions, and two shortcuts that follow from
the rules alone: a move that ends the game well enough is found before anything is searched, and a forced move costs
no depth. What each selective part gains is measured in docs/decisions/0006-search.md.
"""

from __future__ import annotations

from ludus.compile.bits import now_ns, plain
from ludus.compile.digest import digest
from ludus.compile.interface import (
    MoveSet,
    Words,
    banked,
    core,
    count,
    first,
    has,
    judge,
    load,
    moves,
    play,
    result,
    some,
    turn,
    without,
    without_first,
)
from ludus.rules import State
from ludus.search.finding import SCALE
from ludus.search.table import (
    AT_LEAST,
    AT_MOST,
    EXACT,
    NO_MOVE,
    TO_THE_END,
    Table,
    bound_in,
    depth_in,
    move_in,
    probe,
    put,
    score_in,
)

INFINITY = 1 << 36
DEEPEST = 250  # plies that a search looks ahead; below TO_THE_END
MOST_PLIES = 512  # from the root, forced moves included

# Of the control array: when to stop, the table's age, and how selective to be.
STOP, DEADLINE, NODE_LIMIT, LOOK_EVERY, AGE, SELECTIVE, MARGIN, JUDGED_DEPTH = 0, 1, 2, 3, 4, 5, 6, 7
SORTED_DEPTH = 8  # from here up, moves are sorted
ROOT_MOVE = 9  # to try first at the root: that of the iteration before, whatever has become of it in the table
BANNED = 10  # and from there on, how many moves the root may not make, and which
MOST_BANNED = 32
NODES, NEXT_LOOK, ABORTED, GUESSES, HITS, CUTS, FIRST_CUTS, BEST = 0, 1, 2, 3, 4, 5, 6, 7  # of the counts
EARLY = 2  # moves of a position that are never searched less deep
STATIC_DEPTH = 3  # up to here, a guess far above beta is believed


def ends_well(state: State, sign: int, beta: int) -> int:
    """A move that ends the game with at least `beta` for the mover, NO_MOVE if there is none."""
    rest = moves(state)
    while some(rest):
        move = first(rest)
        rest = without_first(rest)
        payoff = result(play(state, move))
        if payoff is not None and sign * SCALE * payoff >= beta:
            return move
    return NO_MOVE


def write_down(
    state: State,
    sign: int,
    rest: MoveSet,
    is_judged: bool,
    memory: Words,
    history: int,
    order: Words,
    base: int,
    mind: Words,
) -> int:
    """Put moves into the order array from `base` on, each below what it promises; how many they are.

    What a move promises is what the evaluation says of the position after it, or else its history.
    """
    size = 0
    while some(rest):
        move = first(rest)
        rest = without_first(rest)
        promise = plain(memory[history + move])
        if is_judged:
            child = play(state, move)
            payoff = result(child)
            promise = sign * (judge(child, mind) if payoff is None else SCALE * payoff)
        order[base + size] = promise << 10 | move
        size += 1
    return size


def take_best(order: Words, base: int, size: int) -> tuple[int, int]:
    """Take the move that promises most out of the order array, with its promise; the last one fills its place."""
    place = base
    for i in range(base + 1, base + size):
        if order[i] > order[place]:
            place = i
    best = plain(order[place])
    order[place] = order[base + size - 1]
    return best & 1023, best >> 10


def remember_cut(memory: Words, ply: int, history: int, move: int, depth: int) -> None:
    """Note a move that refuted the one before it: as a killer of this ply, and in the history."""
    if memory[2 * ply] != move:
        memory[2 * ply + 1] = memory[2 * ply]
        memory[2 * ply] = move
    memory[history + move] += depth * depth


def look_up(control: Words, counts: Words) -> None:
    """Now and then, see whether to stop: the flag, the clock, the node limit."""
    if counts[NODES] >= counts[NEXT_LOOK]:
        counts[NEXT_LOOK] = min(counts[NODES] + control[LOOK_EVERY], control[NODE_LIMIT])
        if control[STOP] != 0 or now_ns() > control[DEADLINE] or counts[NODES] > control[NODE_LIMIT]:
            counts[ABORTED] = 1


def reduced_depth(below: int, depth: int, searched: int, gap: int, margin: int) -> int:
    """The depth for a first look at a move that comes late: the later and the deeper, the less.

    `gap` is how far its promise falls short of alpha, 0 where there is no promise. Half a margin costs a ply, two
    margins another, and a promise above alpha gives one back.
    """
    if searched <= EARLY or depth < 3:
        return below
    less = 1 + (searched > 3) + (searched > 5) + (depth >= 7) + (depth >= 11)
    if margin > 0:
        less += (2 * gap > margin) + (gap > 2 * margin) - (gap < 0)
    return max(1, below - less)


def negamax(  # noqa: PLR0912, PLR0915  # one loop, and a call per part would cost more than it explains
    state: State,
    depth: int,
    alpha: int,
    beta: int,
    ply: int,
    table: Table,
    memory: Words,
    order: Words,
    control: Words,
    counts: Words,
    mind: Words,
) -> int:
    """The mover's score: exact inside (alpha, beta), else a bound on that side; 0 when the search was stopped.

    Not selective and without a margin, it gives what plain minimax gives at this depth; selective, forced moves are
    searched deeper and late ones less deep, and a guess above beta by the margin of each ply left is believed.
    `memory` holds two killer moves for each ply, then the history of each seat's moves. `order` is room to sort the
    moves of each ply.
    """
    seat = turn(state)
    sign = 1 if seat == 0 else -1
    settled = sign * SCALE * banked(state)
    key = digest(core(state))
    data = probe(table, key)
    bound, table_move = bound_in(data), NO_MOVE
    if bound != 0:
        table_move = move_in(data)
        score = score_in(data) + settled
        is_enough = bound == EXACT or (bound == AT_LEAST and score >= beta) or (bound == AT_MOST and score <= alpha)
        if ply > 0 and depth_in(data) >= depth and is_enough:
            counts[HITS] += 1
            counts[GUESSES] += 0 if depth_in(data) == TO_THE_END else 1
            return score

    guesses_before, age = counts[GUESSES], plain(control[AGE])
    if depth <= STATIC_DEPTH and control[MARGIN] > 0 and ply > 0:
        guess = sign * judge(state, mind)
        if guess - control[MARGIN] * depth >= beta:
            counts[GUESSES] += 1
            return guess
    if depth >= 2 and (ply > 0 or control[BANNED] == 0):
        move = ends_well(state, sign, beta)
        if move != NO_MOVE:
            counts[NODES] += 1
            counts[CUTS] += 1
            counts[FIRST_CUTS] += 1
            if ply == 0:
                counts[BEST] = move
            put(table, key, beta - settled, move, TO_THE_END, AT_LEAST, age)
            return beta

    rest = moves(state)
    if ply == 0:
        table_move = plain(control[ROOT_MOVE]) if control[ROOT_MOVE] != NO_MOVE else table_move
        for i in range(control[BANNED]):
            rest = without(rest, plain(control[BANNED + 1 + i]))
    width = count(rest)
    is_forced = width == 1 and ply > 0 and control[SELECTIVE] != 0
    row = order.size // MOST_PLIES
    history, base = 2 * MOST_PLIES + seat * row, ply * row
    best, best_move, low, searched, stage, left = -INFINITY, NO_MOVE, alpha, 0, 0, 0
    is_judged = depth >= control[JUDGED_DEPTH]
    while searched < width:
        gap = 0
        # The next move: of the table, the killers, then by history where that pays, else as they come.
        if stage < 3:
            move = table_move if stage == 0 else plain(memory[2 * ply + stage - 1])
            stage += 1
            if move < 0 or move >= NO_MOVE or not has(rest, move):
                continue
        elif stage == 3:
            if depth >= control[SORTED_DEPTH]:
                left = write_down(state, sign, rest, is_judged, memory, history, order, base, mind)
            stage = 4
            continue
        elif left > 0:
            move, promise = take_best(order, base, left)
            left -= 1
            gap = alpha - promise if is_judged else 0
        else:
            move = first(rest)
        rest = without(rest, move)
        searched += 1

        child = play(state, move)
        counts[NODES] += 1
        payoff = result(child)
        if payoff is not None:
            score = sign * SCALE * payoff
        elif (depth <= 1 and not is_forced) or ply >= MOST_PLIES - 2:
            counts[GUESSES] += 1
            score = sign * judge(child, mind)
        else:
            below = depth if is_forced else depth - 1
            side = 1 if turn(child) == seat else -1
            score = alpha + 1
            if searched > 1:  # a window of zero width first
                depth_now = below
                if control[SELECTIVE] != 0:
                    depth_now = reduced_depth(below, depth, searched, gap, plain(control[MARGIN]))
                edge = alpha if side == 1 else -alpha - 1
                score = side * negamax(
                    child, depth_now, edge, edge + 1, ply + 1, table, memory, order, control, counts, mind
                )
                if score > alpha and depth_now < below and counts[ABORTED] == 0:
                    score = side * negamax(
                        child, below, edge, edge + 1, ply + 1, table, memory, order, control, counts, mind
                    )
            if score > alpha and (searched == 1 or score < beta) and counts[ABORTED] == 0:
                lower, upper = (alpha, beta) if side == 1 else (-beta, -alpha)
                score = side * negamax(child, below, lower, upper, ply + 1, table, memory, order, control, counts, mind)
            look_up(control, counts)
            if counts[ABORTED] != 0:
                return 0

        if score > best:
            best, best_move = score, move
            if ply == 0 and (score > alpha or searched == 1):
                counts[BEST] = move
            alpha = max(alpha, score)
            if score >= beta:
                counts[CUTS] += 1
                counts[FIRST_CUTS] += 1 if searched == 1 else 0
                remember_cut(memory, ply, history, move, depth)
                break

    bound = AT_LEAST if best >= beta else EXACT if best > low else AT_MOST
    known_depth = TO_THE_END if counts[GUESSES] == guesses_before else depth
    if ply > 0 or control[BANNED] == 0:
        put(table, key, best - settled, best_move, known_depth, bound, age)
    return best


def search_once(
    root: Words,
    depth: int,
    alpha: int,
    beta: int,
    table: Table,
    memory: Words,
    order: Words,
    control: Words,
    counts: Words,
    mind: Words,
) -> int:
    """Entry point: one iteration from a root that is not over; the mover's score, the move in counts[BEST]."""
    counts[GUESSES] = 0
    return negamax(
        load(root, 0), plain(depth), plain(alpha), plain(beta), plain(0), table, memory, order, control, counts, mind
    )


def known_move(state: State, table: Table) -> int:
    """The move that the table holds for a position, NO_MOVE if there is none or another position has its place."""
    data = probe(table, digest(core(state)))
    move = move_in(data)
    return move if bound_in(data) != 0 and move != NO_MOVE and has(moves(state), move) else NO_MOVE


def best_line(root: Words, table: Table, line: Words) -> int:
    """Entry point: follow the moves in the table from the root; how many were found."""
    state = load(root, 0)
    length = 0
    while length < line.size and result(state) is None:
        move = known_move(state, table)
        if move == NO_MOVE:
            break
        line[length] = move
        length += 1
        state = play(state, move)
    return length
