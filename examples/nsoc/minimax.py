"""A bot for the event nsoc that searches: minimax with alpha-beta cuts, one move deeper while there is time."""

import time
from functools import cache

SECONDS = 0.2  # for one move; the event allows 4, and a short time keeps trial games short
WIN = 100_000
LINES = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]
PLACES = [3, 2, 3, 2, 4, 2, 3, 2, 3]  # lines through each of nine places
CELLS = [4, 0, 2, 6, 8, 1, 3, 5, 7]  # in this order moves are tried: good ones first give more cuts
ANY = -1  # the target of a player who may play in any open block
DRAWN = 3  # the owner of a block that is full without a line; 0 is nobody yet, 1 and 2 are players

Move = tuple[int, int]  # block and cell, both 0 to 8, row by row


class OutOfTimeError(Exception):
    """Raised deep inside the search to get out of it."""


def play(board: list[list[int]], prev_move: tuple[int, int] | None, player: int) -> tuple[int, int]:
    """The best move of the deepest search that was finished in time."""
    deadline = time.monotonic() + SECONDS
    blocks = [[board[b // 3 * 3 + c // 3][b % 3 * 3 + c % 3] for c in range(9)] for b in range(9)]
    owners = [owner_of(tuple(cells)) for cells in blocks]
    target = ANY if prev_move is None else 3 * (prev_move[0] % 3) + prev_move[1] % 3
    moves = legal_moves(blocks, owners, target)
    depth = 1
    try:
        while depth <= 81 and len(moves) > 1:
            # One ply is quick, so it is always finished: then there is a move whatever happens later.
            values = search_root(blocks, owners, moves, player, depth, deadline if depth > 1 else float("inf"))
            moves.sort(key=lambda move: -values[move])  # the best move first makes the next search faster
            if abs(values[moves[0]]) >= WIN:
                break  # won or lost whatever the opponent does: looking deeper changes nothing
            depth += 1
    except OutOfTimeError:
        pass
    block, cell = moves[0]
    return block // 3 * 3 + cell // 3, block % 3 * 3 + cell % 3


def search_root(
    blocks: list[list[int]], owners: list[int], moves: list[Move], player: int, depth: int, deadline: float
) -> dict[Move, float]:
    """The value of every move for the player; exact for the best one, and never too low for the others."""
    # Work on copies: OutOfTimeError leaves marks behind that nobody takes back.
    blocks, owners = [cells[:] for cells in blocks], owners[:]
    values: dict[Move, float] = {}
    best = -2.0 * WIN
    for move in moves:
        # A move that is only as good as the best one must not look better: it counts as a little worse.
        value = value_of(blocks, owners, move, player, depth, best, 2 * WIN, deadline)
        values[move] = value if value > best else best - 1
        best = max(best, value)
    return values


def search(
    blocks: list[list[int]],
    owners: list[int],
    target: int,
    player: int,
    depth: int,
    alpha: float,
    beta: float,
    deadline: float,
) -> float:
    """What the position is worth to the player to move; only values between alpha and beta need be exact."""
    if time.monotonic() > deadline:
        raise OutOfTimeError
    moves = legal_moves(blocks, owners, target)
    if not moves:
        return owners.count(player) - owners.count(3 - player)  # a draw; more blocks are more points
    if depth == 0:
        return evaluate(blocks, owners, player)
    best = -2.0 * WIN
    for move in moves:
        best = max(best, value_of(blocks, owners, move, player, depth, max(alpha, best), beta, deadline))
        if best >= beta:
            break  # the opponent has something better than to let us come here
    return best


def value_of(
    blocks: list[list[int]],
    owners: list[int],
    move: Move,
    player: int,
    depth: int,
    alpha: float,
    beta: float,
    deadline: float,
) -> float:
    """Make the move, ask what the opponent can do about it, and take it back."""
    block, cell = move
    blocks[block][cell] = player
    owners[block] = owner_of(tuple(blocks[block]))
    if owners[block] == player and owner_of(tuple(owners)) == player:
        value = WIN + depth  # an early win has more depth left, and so a higher value
    else:
        value = -search(blocks, owners, cell, 3 - player, depth - 1, -beta, -alpha, deadline)
    blocks[block][cell] = 0
    owners[block] = 0
    return value


def evaluate(blocks: list[list[int]], owners: list[int], player: int) -> float:
    """A guess without looking ahead: lines that can still be finished, in the blocks and on the board of blocks."""
    value = 30 * line_score(tuple(owners))
    for block, cells in enumerate(blocks):
        if owners[block] == 0:
            value += PLACES[block] * line_score(tuple(cells))
    return value if player == 1 else -value


@cache
def line_score(cells: tuple[int, ...]) -> int:
    """For X: 1 for a line with one mark, 4 with two, as long as nobody else stands in it. For O the same, negative."""
    score = 0
    for line in LINES:
        marks = [cells[place] for place in line]
        for player, sign in ((1, 1), (2, -1)):
            if marks.count(player) + marks.count(0) == 3:
                score += sign * marks.count(player) ** 2
    return score


@cache
def owner_of(cells: tuple[int, ...]) -> int:
    """Who has a line in nine cells, or on the board of blocks; DRAWN when it is full without one; else 0."""
    for a, b, c in LINES:
        if cells[a] == cells[b] == cells[c] and cells[a] in (1, 2):
            return cells[a]
    return 0 if 0 in cells else DRAWN


def legal_moves(blocks: list[list[int]], owners: list[int], target: int) -> list[Move]:
    """The empty cells of the target, or of all open blocks where it is finished."""
    if target == ANY or owners[target] != 0:
        return [(b, c) for b in range(9) if owners[b] == 0 for c in CELLS if blocks[b][c] == 0]
    return [(target, c) for c in CELLS if blocks[target][c] == 0]
