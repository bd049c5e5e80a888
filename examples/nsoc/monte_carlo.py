"""A bot for the event nsoc that knows nothing of strategy: it plays random games and sees which move wins most."""

import math
import random
import time

SECONDS = 0.2  # for one move; the event allows 4, and a short time keeps trial games short
LINES = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]
LINES_THROUGH = [[line for line in LINES if place in line] for place in range(9)]
DRAWN = 3  # the owner of a block that is full without a line; 0 is nobody yet, 1 and 2 are players


def play(board: list[list[int]], prev_move: tuple[int, int] | None, player: int) -> tuple[int, int]:
    """Random games after every legal move; the move that was tried most often was the best."""
    deadline = time.monotonic() + SECONDS
    blocks = [[board[b // 3 * 3 + c // 3][b % 3 * 3 + c % 3] for c in range(9)] for b in range(9)]
    owners = [owner_of(cells) for cells in blocks]
    target = None if prev_move is None else 3 * (prev_move[0] % 3) + prev_move[1] % 3
    moves = legal_moves(blocks, owners, target)
    tries = [0] * len(moves)
    wins = [0.0] * len(moves)
    while sum(tries) < len(moves) or time.monotonic() < deadline:
        i = most_interesting(tries, wins)
        wins[i] += random_game([cells[:] for cells in blocks], owners[:], moves[i], player)
        tries[i] += 1
    block, cell = moves[max(range(len(moves)), key=lambda i: tries[i])]
    return block // 3 * 3 + cell // 3, block % 3 * 3 + cell % 3


def most_interesting(tries: list[int], wins: list[float]) -> int:
    """The move to try next: one that wins often, or one of which we know little (the rule is called UCB1)."""
    if 0 in tries:
        return tries.index(0)
    log_total = math.log(sum(tries))
    return max(range(len(tries)), key=lambda i: wins[i] / tries[i] + math.sqrt(log_total / tries[i]))


def random_game(blocks: list[list[int]], owners: list[int], move: tuple[int, int], player: int) -> float:
    """Play the move and then at random to the end: 1 when `player` wins, 0.5 for a draw, 0 for a loss."""
    mover = player
    while True:
        block, cell = move
        blocks[block][cell] = mover
        if has_line_through(blocks[block], cell):
            owners[block] = mover
            if has_line_through(owners, block):
                return 1.0 if mover == player else 0.0
        elif 0 not in blocks[block]:
            owners[block] = DRAWN
        if owners[cell] == 0:
            target = cell
        elif 0 in owners:
            target = random.choice([b for b in range(9) if owners[b] == 0])
        else:
            return 0.5
        move = target, random.choice([c for c in range(9) if blocks[target][c] == 0])
        mover = 3 - mover


def has_line_through(cells: list[int], place: int) -> bool:
    """Whether the mark at this place is part of a line: only a new mark can have made one."""
    return any(cells[a] == cells[b] == cells[c] for a, b, c in LINES_THROUGH[place])


def owner_of(cells: list[int]) -> int:
    """Who has a line in these nine cells; DRAWN when they are full without one; else 0."""
    for a, b, c in LINES:
        if cells[a] == cells[b] == cells[c] != 0:
            return cells[a]
    return 0 if 0 in cells else DRAWN


def legal_moves(blocks: list[list[int]], owners: list[int], target: int | None) -> list[tuple[int, int]]:
    """Block and cell of every move: in the target, or in all open blocks where it is finished."""
    is_sent = target is not None and owners[target] == 0
    open_blocks = [target] if is_sent else [b for b in range(9) if owners[b] == 0]
    return [(b, c) for b in open_blocks for c in range(9) if blocks[b][c] == 0]
