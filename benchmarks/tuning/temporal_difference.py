"""Learning by playing: millions of quick games of the 9x9 games, each position moved towards what followed it.

TD(lambda) with a look of one or two plies ahead, as in backgammon and Connect Four programs. Rules and learning run
as one compiled loop (`ludus.compile.link`), so that a core plays thousands of games a second.
"""

from __future__ import annotations

import math

from ludus.compile.bits import plain
from ludus.compile.interface import count, first, load, moves, pick, play, result, some, turn, without_first
from ludus.games.nested.nine import FULL
from ludus.games.nested.nine_evaluation import BLOCK_STATES, DIGITS, LINE_STATES, OURS
from ludus.search.playouts import random_below, scramble

BLOCKS = 3 * BLOCK_STATES
LINES_BEGIN, TARGETS_BEGIN, FREE_BEGIN = BLOCKS, BLOCKS + 3 * LINE_STATES, 2 * BLOCKS + 3 * LINE_STATES
LEADS_BEGIN = FREE_BEGIN + 1
LEADS = 10 * 19 * 19  # open blocks, lead in blocks, lead in centre cells; only ultimate-adjacent uses them
PARAMETERS = LEADS_BEGIN + LEADS
COLUMNS = 9 + 8 + 2 + 1  # features of a position: blocks, lines, targets, lead
MOST_PLIES = 81
WITH_LEADS, SCALE, LOOK = 0, 1, 2  # of the settings


def block_of(state, b):
    """The place of a block's contents in its table."""
    if b < 7:
        mine, theirs = state.mine_lo >> 9 * b & FULL, state.theirs_lo >> 9 * b & FULL
    else:
        mine, theirs = state.mine_hi >> 9 * (b - 7) & FULL, state.theirs_hi >> 9 * (b - 7) & FULL
    return OURS[512 * b + mine] + DIGITS[512 * b + theirs]


def add_line(row, at, kind, a, b, c, twin):
    row[at] = twin[LINES_BEGIN + kind * LINE_STATES + 729 * a + 27 * b + c]


def write_features(state, row, grades, twin, with_leads):
    """The parameters that a position adds up; those that it does not have are 0 columns, given as -1."""
    for b in range(9):
        row[b] = block_of(state, b)
    a, b, c = grades[row[0] % BLOCK_STATES], grades[row[1] % BLOCK_STATES], grades[row[2] % BLOCK_STATES]
    d, e, f = grades[row[3] % BLOCK_STATES], grades[row[4] % BLOCK_STATES], grades[row[5] % BLOCK_STATES]
    g, h, i = grades[row[6] % BLOCK_STATES], grades[row[7] % BLOCK_STATES], grades[row[8] % BLOCK_STATES]
    add_line(row, 9, 0, a, b, c, twin)
    add_line(row, 10, 0, g, h, i, twin)
    add_line(row, 11, 0, a, d, g, twin)
    add_line(row, 12, 0, c, f, i, twin)
    add_line(row, 13, 1, d, e, f, twin)
    add_line(row, 14, 1, b, e, h, twin)
    add_line(row, 15, 2, a, e, i, twin)
    add_line(row, 16, 2, c, e, g, twin)
    row[17], row[18], row[19] = -1, -1, -1
    sent = plain(state.targets).bit_count()
    if sent == 1 or (sent == 2 and with_leads != 0):
        rest = state.targets
        at = 17
        while rest != 0:
            low = rest & -rest
            row[at] = twin[TARGETS_BEGIN + row[low.bit_length() - 1]]
            rest ^= low
            at += 1
    else:
        row[17] = FREE_BEGIN
    if with_leads != 0:
        lead = plain(state.mine_won).bit_count() - plain(state.theirs_won).bit_count()
        centres = 0
        for k in range(9):
            shift = 9 * k + 4 if k < 7 else 9 * (k - 7) + 4
            mine = state.mine_lo if k < 7 else state.mine_hi
            theirs = state.theirs_lo if k < 7 else state.theirs_hi
            centres += (mine >> shift & 1) - (theirs >> shift & 1)
        row[19] = LEADS_BEGIN + 361 * plain(state.open).bit_count() + 19 * (lead + 9) + centres + 9
    for k in range(9):
        row[k] = twin[row[k]]


def guess(state, row, weights, grades, twin, with_leads):
    """The mover's expected share of the payoff, 0 to 1."""
    write_features(state, row, grades, twin, with_leads)
    total = 0.0
    for k in range(COLUMNS):
        if row[k] >= 0:
            total += weights[row[k]]
    return 1.0 / (1.0 + math.exp(-total))


def worth(state, depth, alpha, beta, row, weights, grades, twin, settings):
    """The mover's share after so many plies of alpha-beta."""
    payoff = result(state)
    if payoff is not None:
        share = 0.5 + 0.5 * payoff / settings[SCALE]
        return share if turn(state) == 0 else 1.0 - share
    if depth == 0:
        return guess(state, row, weights, grades, twin, settings[WITH_LEADS])
    rest = moves(state)
    best = -1.0
    while some(rest):
        share = 1.0 - worth(
            play(state, first(rest)),
            depth - 1,
            1.0 - beta,
            1.0 - max(alpha, best),
            row,
            weights,
            grades,
            twin,
            settings,
        )
        rest = without_first(rest)
        if share > best:
            best = share
            if best >= beta:
                break
    return best


def learn(root, games, weights, squares, grades, twin, settings, rates, rng, rows, shares, targets):
    """Entry point: play so many games and learn from each. rates: step, lambda, share of random moves.

    Gives the mean squared distance between what was expected and what followed, in millionths.
    """
    x = rng[0]
    row = rows[MOST_PLIES]
    wrong, seen = 0.0, 0
    for _ in range(games):
        state = load(root, 0)
        plies = 0
        opening = random_below(x, 10)
        while result(state) is None:
            x = scramble(x)
            legal = moves(state)
            choice = pick(legal, random_below(x, count(legal)))
            x = scramble(x)
            is_random = plies < opening or random_below(x, 1000) < rates[2] * 1000.0
            shares[plies] = guess(state, rows[plies], weights, grades, twin, settings[WITH_LEADS])
            best, rest = -1.0, legal
            while some(rest):
                move = first(rest)
                rest = without_first(rest)
                share = 1.0 - worth(
                    play(state, move), plain(settings[LOOK]) - 1, -1.0, 1.0 - best, row, weights, grades, twin, settings
                )
                if share > best:
                    best = share
                    if not is_random:
                        choice = move
            targets[plies] = best
            # A random move says nothing about what came before it: its mark cuts the trace.
            if is_random:
                targets[plies] += 2.0
            state = play(state, choice)
            plies += 1
        later = 0.0
        for ply in range(plies - 1, -1, -1):
            one_step, is_cut = targets[ply], targets[ply] > 1.5
            if is_cut:
                one_step -= 2.0
            later_share = 0.0 if ply == plies - 1 or is_cut else rates[1]
            aim = (1.0 - later_share) * one_step + later_share * (1.0 - later)
            later = aim
            error = shares[ply] - aim
            wrong += error * error
            seen += 1
            for k in range(COLUMNS):
                j = rows[ply, k]
                if j >= 0:
                    squares[j] += error * error
                    weights[j] -= rates[0] * error / math.sqrt(squares[j])
    rng[0] = x
    return int(1e6 * wrong / max(seen, 1))
