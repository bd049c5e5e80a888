"""The search of the bot "Filthy Pijuns" for `extreme`: its scores, one board with make and unmake, alpha-beta.

All numbers are whole: the scores of blocks are tenths of the bot's own, the scores of boards thousandths.

    board array    0 .. 15  marks of X in each block      64 .. 79  the bot's score of each block, or DEAD
                  16 .. 31  marks of O in each block      80 .. 95  the opponent's score of each block, or DEAD
                  32 .. 47  key of each block             96 ..     the single numbers below
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ludus.compile.bits import lowest, plain
from ludus.compile.interface import Words
from ludus.games.extreme.rules import CENTRES, CORNERS, EDGES, FULL, IS_BONUS, MAY_EARN, PATTERNS, State, has_pattern
from ludus.search.stopping import ABORTED, NODES, OWN, look_up

BLOCK_KEYS, OUR_SCORES, THEIR_SCORES = 32, 64, 80
KEY, X_WON, O_WON, OPEN, TARGETS, MOVER, BONUS = 96, 97, 98, 99, 100, 101, 102
SEAT, COUNTS_BOTH = 103, 104  # the bot's own seat; whether the opponent's score is taken off
BOARD_SIZE = 105

PLACES = tuple(place for pattern in PATTERNS for place in range(16) if pattern >> place & 1)  # four to a pattern
WEIGHTS = (2, 3, 3, 2, 3, 4, 4, 3, 3, 4, 4, 3, 2, 3, 3, 2)  # patterns through each place
HALF_FULL, THREE_QUARTERS_FULL, OURS, DEAD = 30, 110, 300, -1  # tenths
TIMES_TWO_WON, TIMES_THREE_WON, TIMES_ONE = 110, 230, 100  # hundredths

WIN = 1 << 40  # more than any score
GUESSES, BEST, ROOM = OWN, OWN + 1, OWN + 2  # of the room, and its size
UNDO = 7  # numbers to take one move back
MOST_PLIES = 257


def block_score(own: int, other: int) -> int:
    """The score, in tenths, of a block that is neither won nor full, for the marks of one side."""
    score = 2 * (own & CORNERS).bit_count() + 3 * (own & EDGES).bit_count() + 4 * (own & CENTRES).bit_count()
    for pattern in PATTERNS:
        if other & pattern == 0:
            marks = (own & pattern).bit_count()
            score += HALF_FULL if marks == 2 else THREE_QUARTERS_FULL if marks == 3 else 0
    return score


def board_score(board: Words, scores: int, won: int) -> int:
    """The score of the whole board in thousandths, from the scores of blocks that stand from `scores` on."""
    total = 0
    for place in range(16):
        score = plain(board[scores + place])
        if score != DEAD:
            total += 2 * WEIGHTS[place] * score
    for k in range(12):
        first = plain(board[scores + PLACES[4 * k]])
        second = plain(board[scores + PLACES[4 * k + 1]])
        third = plain(board[scores + PLACES[4 * k + 2]])
        fourth = plain(board[scores + PLACES[4 * k + 3]])
        if first | second | third | fourth != DEAD:  # no other score is negative
            held = (won & PATTERNS[k]).bit_count()
            times = TIMES_TWO_WON if held == 2 else TIMES_THREE_WON if held == 3 else TIMES_ONE
            total += times * (first + second + third + fourth)
    return total


def known_block_score(board: Words, block: int, seat: int, table: Words) -> int:
    """The score of an open block for one seat: out of the table, or worked out and entered."""
    key = plain(board[BLOCK_KEYS + block]) ^ seat
    slot = 2 * (key & table.size // 2 - 1)
    if table[slot] != key:
        table[slot] = key
        table[slot + 1] = block_score(plain(board[16 * seat + block]), plain(board[16 - 16 * seat + block]))
    return plain(table[slot + 1])


def known_board_score(board: Words, table: Words) -> int:
    """What the bot thinks of a position: out of the table, or worked out and entered."""
    seat = plain(board[SEAT])
    key = plain(board[KEY]) ^ seat
    slot = 2 * (key & table.size // 2 - 1)
    if table[slot] != key:
        score = board_score(board, OUR_SCORES, plain(board[X_WON + seat]))
        if board[COUNTS_BOTH] != 0:
            score -= board_score(board, THEIR_SCORES, plain(board[O_WON - seat]))
        table[slot] = key
        table[slot + 1] = score
    return plain(table[slot + 1])


def score_block(board: Words, block: int, blocks: Words) -> None:
    """Write down the score of a block as it is now, and the opponent's where that counts."""
    seat, is_open = plain(board[SEAT]), plain(board[OPEN]) >> block & 1
    for side in range(2 if board[COUNTS_BOTH] != 0 else 1):
        owner = seat if side == 0 else 1 - seat
        if is_open:
            score = known_block_score(board, block, owner, blocks)
        else:
            score = OURS if plain(board[X_WON + owner]) >> block & 1 else DEAD
        board[OUR_SCORES + 16 * side + block] = score


def make(board: Words, move: int, zobrist: Words, blocks: Words, undo: Words, ply: int) -> None:
    """Play a legal move on the board; what `unmake` needs goes to the ply's place in `undo`."""
    block, cell = move // 16, move % 16
    seat, bonus = plain(board[MOVER]), plain(board[BONUS])
    base = UNDO * ply
    undo[base], undo[base + 1], undo[base + 2] = board[TARGETS], seat, bonus
    undo[base + 3], undo[base + 4] = board[OPEN], board[X_WON + seat]
    undo[base + 5], undo[base + 6] = board[OUR_SCORES + block], board[THEIR_SCORES + block]

    board[16 * seat + block] |= 1 << cell
    key = zobrist[256 * seat + move]
    board[KEY] ^= key
    board[BLOCK_KEYS + block] ^= key
    takes_block = has_pattern(plain(board[16 * seat + block]))
    if takes_block:
        board[X_WON + seat] |= 1 << block
    if takes_block or plain(board[block] | board[16 + block]) == FULL:
        board[OPEN] &= ~(1 << block)
    score_block(board, block, blocks)

    is_sent = plain(board[OPEN]) >> cell & 1
    board[TARGETS] = 1 << cell if is_sent else plain(board[OPEN])
    if takes_block and has_pattern(plain(board[X_WON + seat])):
        board[TARGETS] = 0
    if takes_block and bonus == MAY_EARN:
        board[BONUS] = IS_BONUS
    else:
        board[MOVER] = 1 - seat
        board[BONUS] = MAY_EARN if bonus == IS_BONUS else bonus


def unmake(board: Words, move: int, zobrist: Words, undo: Words, ply: int) -> None:
    """Take back the move that `make` played at this ply."""
    block, cell = move // 16, move % 16
    base = UNDO * ply
    seat = plain(undo[base + 1])
    board[TARGETS], board[MOVER], board[BONUS] = undo[base], seat, undo[base + 2]
    board[OPEN], board[X_WON + seat] = undo[base + 3], undo[base + 4]
    board[OUR_SCORES + block], board[THEIR_SCORES + block] = undo[base + 5], undo[base + 6]
    board[16 * seat + block] &= ~(1 << cell)
    key = zobrist[256 * seat + move]
    board[KEY] ^= key
    board[BLOCK_KEYS + block] ^= key


def value(
    board: Words,
    depth: int,
    alpha: int,
    beta: int,
    ply: int,
    zobrist: Words,
    blocks: Words,
    boards: Words,
    undo: Words,
    room: Words,
) -> int:
    """The bot's score of the position: exact inside (alpha, beta), else a bound on that side.

    At ply 0 the first of the best moves is in room[BEST]. Once room[ABORTED] is set, the score means nothing.
    """
    room[NODES] += 1
    rest_of_blocks, seat = plain(board[TARGETS]), plain(board[SEAT])
    if rest_of_blocks == 0 and has_pattern(plain(board[X_WON + seat])):
        return WIN
    if rest_of_blocks == 0 and has_pattern(plain(board[O_WON - seat])):
        return -WIN
    if rest_of_blocks == 0 or depth == 0:
        room[GUESSES] += 1 if rest_of_blocks != 0 else 0
        return known_board_score(board, boards)
    look_up(room)

    is_ours = plain(board[MOVER]) == seat
    best = -WIN - 1 if is_ours else WIN + 1
    while rest_of_blocks:
        block = lowest(rest_of_blocks)
        rest_of_blocks &= rest_of_blocks - 1
        rest = FULL & ~plain(board[block] | board[16 + block])
        while rest:
            move = 16 * block + lowest(rest)
            rest &= rest - 1
            make(board, move, zobrist, blocks, undo, ply)
            score = value(board, depth - 1, alpha, beta, ply + 1, zobrist, blocks, boards, undo, room)
            unmake(board, move, zobrist, undo, ply)
            if room[ABORTED] != 0:
                return best
            if score > best if is_ours else score < best:
                best = score
                if ply == 0:
                    room[BEST] = move
            if is_ours:
                alpha = max(alpha, best)
            else:
                beta = min(beta, best)
            if beta <= alpha:
                return best
    return best


def search_to(
    board: Words,
    depth: int,
    zobrist: Words,
    blocks: Words,
    boards: Words,
    undo: Words,
    room: Words,
) -> int:
    """Entry point: one iteration from a position that is not over; the bot's score, the move in room[BEST]."""
    for block in range(16):
        score_block(board, block, blocks)
    return value(board, plain(depth), plain(-WIN), plain(WIN), plain(0), zobrist, blocks, boards, undo, room)


def new_board(state: State, zobrist: Words, *, counts_both: bool = False) -> Words:
    """A position as the search's board; its block scores are still missing."""
    board = np.zeros(BOARD_SIZE, np.int64)
    for move in range(256):
        word, bit = divmod(move, 48)
        for seat in (0, 1):
            if state[word + 6 * seat] >> bit & 1:
                board[16 * seat + move // 16] |= 1 << move % 16
                board[KEY] ^= zobrist[256 * seat + move]
                board[BLOCK_KEYS + move // 16] ^= zobrist[256 * seat + move]
    board[X_WON], board[O_WON], board[OPEN], board[TARGETS] = state.x_won, state.o_won, state.open, state.targets
    board[MOVER], board[BONUS], board[SEAT] = state.mover, state.bonus, state.mover
    board[COUNTS_BOTH] = counts_both
    return board


def new_keys(seed: int) -> NDArray[np.int64]:
    """A random number for each mark of each seat; the lowest bit is left free to tell the seats' scores apart."""
    return np.random.default_rng(seed).integers(1, 1 << 61, 512, np.int64) << 1
