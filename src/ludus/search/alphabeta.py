"""Alpha-beta for any game: margins as well as wins, turns that need not alternate, one source compiled or plain.

Principal-variation search with iterative deepening and aspiration windows, a transposition table, moves sorted by what
the evaluation says of them, or by killers and history where it is not asked, late-move reductions, extensions of moves
that have no rival, and two shortcuts that follow from the rules alone: a move that ends the game well enough is found
before anything is searched, and a forced move costs no depth. What each selective part gains is measured in
docs/decisions/0006-search.md.
"""

from __future__ import annotations

from ludus.compile.bits import plain
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
from ludus.search.stopping import ABORTED, NODES, OWN, look_up
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

# Of the room: the table's age, whether late moves are searched less deep, and by how much a guess is believed.
AGE, SELECTIVE, MARGIN = OWN, OWN + 1, OWN + 2
JUDGED_DEPTH, SORTED_DEPTH = OWN + 3, OWN + 4  # from here up, moves are sorted by the evaluation; by their history
ROOT_MOVE = OWN + 5  # to try first at the root: that of the iteration before, whatever has become of it in the table
ROW = OWN + 6  # how many moves the game has
GUESSES, HITS, CUTS, FIRST_CUTS, BEST = OWN + 7, OWN + 8, OWN + 9, OWN + 10, OWN + 11  # counts, and the best move
BANNED, MOST_BANNED = OWN + 12, 32  # how many moves the root may not make, and from the next word on, which
EXCLUDED = BANNED + 1 + MOST_BANNED  # the move that the next node does without
KILLERS = 64  # two for each ply
HISTORY = KILLERS + 2 * MOST_PLIES  # a row for each seat, and after it a row for each ply to sort its moves in
EARLY = 2  # moves of a position that are never searched less deep
# From here up, the table's move is searched deeper if without it the score is less by this part of the margin a ply.
SINGULAR_DEPTH, SINGULAR_PART = 6, 37
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
    room: Words,
    history: int,
    base: int,
    mind: Words,
) -> int:
    """Put moves into the room from `base` on, each below what it promises; how many they are.

    What a move promises is what the evaluation says of the position after it, or else its history.
    """
    size = 0
    while some(rest):
        move = first(rest)
        rest = without_first(rest)
        promise = plain(room[history + move])
        if is_judged:
            child = play(state, move)
            payoff = result(child)
            promise = sign * (judge(child, mind) if payoff is None else SCALE * payoff)
        room[base + size] = promise << 10 | move
        size += 1
    return size


def take_best(room: Words, base: int, size: int) -> tuple[int, int]:
    """Take the move that promises most out of the room, with its promise; the last one fills its place."""
    place = base
    for i in range(base + 1, base + size):
        if room[i] > room[place]:
            place = i
    best = plain(room[place])
    room[place] = room[base + size - 1]
    return best & 1023, best >> 10


def remember_cut(room: Words, ply: int, history: int, move: int, depth: int) -> None:
    """Note a move that refuted the one before it: as a killer of this ply, and in the history."""
    killer = KILLERS + 2 * ply
    if room[killer] != move:
        room[killer + 1] = room[killer]
        room[killer] = move
    room[history + move] += depth * depth


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
    room: Words,
    mind: Words,
) -> int:
    """The mover's score: exact inside (alpha, beta), else a bound on that side; 0 when the search was stopped.

    Not selective and without a margin, it gives what plain minimax gives at this depth; selective, forced moves are
    searched deeper and late ones less deep, and a guess above beta by the margin of each ply left is believed; so is
    a look half as deep that finds beta without the table's move. Without the move room[EXCLUDED], nothing is noted.
    """
    seat = turn(state)
    sign = 1 if seat == 0 else -1
    settled = sign * SCALE * banked(state)
    key = digest(core(state))
    excluded = plain(room[EXCLUDED])
    room[EXCLUDED] = NO_MOVE
    is_whole = excluded == NO_MOVE and (ply > 0 or room[BANNED] == 0)
    data = probe(table, key)
    bound, table_move = bound_in(data), NO_MOVE
    if bound != 0 and excluded == NO_MOVE:
        table_move = move_in(data)
        score = score_in(data) + settled
        is_enough = bound == EXACT or (bound == AT_LEAST and score >= beta) or (bound == AT_MOST and score <= alpha)
        if ply > 0 and depth_in(data) >= depth and is_enough:
            room[HITS] += 1
            room[GUESSES] += 0 if depth_in(data) == TO_THE_END else 1
            return score

    guesses_before, age = room[GUESSES], plain(room[AGE])
    if depth <= STATIC_DEPTH and room[MARGIN] > 0 and ply > 0 and is_whole:
        guess = sign * judge(state, mind)
        if guess - room[MARGIN] * depth >= beta:
            room[GUESSES] += 1
            return guess
    if depth >= 2 and is_whole:
        move = ends_well(state, sign, beta)
        if move != NO_MOVE:
            room[NODES] += 1
            room[CUTS] += 1
            room[FIRST_CUTS] += 1
            if ply == 0:
                room[BEST] = move
            put(table, key, beta - settled, move, TO_THE_END, AT_LEAST, age)
            return beta

    rest = moves(state)
    if ply == 0:
        table_move = plain(room[ROOT_MOVE]) if room[ROOT_MOVE] != NO_MOVE else table_move
        for i in range(room[BANNED]):
            rest = without(rest, plain(room[BANNED + 1 + i]))
    if excluded != NO_MOVE:
        rest = without(rest, excluded)
    width = count(rest)
    is_forced = width == 1 and ply > 0 and room[SELECTIVE] != 0
    single = NO_MOVE  # a move that has no rival
    is_tested = is_whole and ply > 0 and width > 1 and depth >= SINGULAR_DEPTH and room[MARGIN] > 0
    is_tested = is_tested and table_move != NO_MOVE and has(rest, table_move)  # no other position's
    if is_tested and bound != AT_MOST and depth - 3 <= depth_in(data) < TO_THE_END:
        edge = score_in(data) + settled - plain(room[MARGIN]) * depth // SINGULAR_PART
        room[EXCLUDED] = table_move
        score = negamax(state, (depth - 1) // 2, edge - 1, edge, ply, table, room, mind)
        if room[ABORTED] != 0:
            return 0
        if edge <= score and beta <= edge:
            room[GUESSES] += 1
            return edge
        room[GUESSES] = guesses_before  # no part of the score
        single = table_move if score < edge else NO_MOVE
    history, base = HISTORY + seat * plain(room[ROW]), HISTORY + (2 + ply) * plain(room[ROW])
    best, best_move, low, searched, stage, left = -INFINITY, NO_MOVE, alpha, 0, 0, 0
    is_judged = depth >= room[JUDGED_DEPTH]
    while searched < width:
        gap = 0
        # The next move: of the table or the iteration before, then by the evaluation; or the killers, then by history
        # where that pays, or as it comes.
        if stage < 3:
            move = table_move if stage == 0 else plain(room[KILLERS + 2 * ply + stage - 1])
            stage = 3 if is_judged else stage + 1
            if move < 0 or move >= NO_MOVE or not has(rest, move):
                continue
        elif stage == 3:
            if depth >= room[SORTED_DEPTH]:
                left = write_down(state, sign, rest, is_judged, room, history, base, mind)
            stage = 4
            continue
        elif left > 0:
            move, promise = take_best(room, base, left)
            left -= 1
            gap = alpha - promise if is_judged else 0
        else:
            move = first(rest)
        rest = without(rest, move)
        searched += 1

        child = play(state, move)
        room[NODES] += 1
        payoff = result(child)
        if payoff is not None:
            score = sign * SCALE * payoff
        elif (depth <= 1 and not is_forced) or ply >= MOST_PLIES - 2:
            room[GUESSES] += 1
            score = sign * judge(child, mind)
        else:
            below = depth if is_forced or move == single else depth - 1
            side = 1 if turn(child) == seat else -1
            score = alpha + 1
            if searched > 1:  # a window of zero width first
                depth_now = below
                if room[SELECTIVE] != 0:
                    depth_now = reduced_depth(below, depth, searched, gap, plain(room[MARGIN]))
                edge = alpha if side == 1 else -alpha - 1
                score = side * negamax(child, depth_now, edge, edge + 1, ply + 1, table, room, mind)
                if score > alpha and depth_now < below and room[ABORTED] == 0:
                    score = side * negamax(child, below, edge, edge + 1, ply + 1, table, room, mind)
            if score > alpha and (searched == 1 or score < beta) and room[ABORTED] == 0:
                lower, upper = (alpha, beta) if side == 1 else (-beta, -alpha)
                score = side * negamax(child, below, lower, upper, ply + 1, table, room, mind)
            look_up(room)
            if room[ABORTED] != 0:
                return 0

        if score > best:
            best, best_move = score, move
            if ply == 0 and (score > alpha or searched == 1):
                room[BEST] = move
            alpha = max(alpha, score)
            if score >= beta:
                room[CUTS] += 1
                room[FIRST_CUTS] += 1 if searched == 1 else 0
                remember_cut(room, ply, history, move, depth)
                break

    bound = AT_LEAST if best >= beta else EXACT if best > low else AT_MOST
    known_depth = TO_THE_END if room[GUESSES] == guesses_before else depth
    if is_whole:
        put(table, key, best - settled, best_move, known_depth, bound, age)
    return best


def search_once(
    root: Words,
    depth: int,
    alpha: int,
    beta: int,
    table: Table,
    room: Words,
    mind: Words,
) -> int:
    """Entry point: one iteration from a root that is not over; the mover's score, the move in room[BEST]."""
    room[GUESSES], room[EXCLUDED] = 0, NO_MOVE
    return negamax(load(root, 0), plain(depth), plain(alpha), plain(beta), plain(0), table, room, mind)


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
