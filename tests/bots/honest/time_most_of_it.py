# verdict: win|draw
# event: nsoc
# limit: 3
# Uses four fifths of its time with its first move, and looks at the clock.
import random
import time

LINES = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))


def cells(board, block):
    row, column = block // 3 * 3, block % 3 * 3
    return [board[row + k // 3][column + k % 3] for k in range(9)]


def is_open(board, block):
    marks = cells(board, block)
    return 0 in marks and not any(marks[a] and marks[a] == marks[b] == marks[c] for a, b, c in LINES)


def legal_moves(board, prev_move):
    blocks = [block for block in range(9) if is_open(board, block)]
    if prev_move is not None and (sent := prev_move[0] % 3 * 3 + prev_move[1] % 3) in blocks:
        blocks = [sent]
    return [
        (block // 3 * 3 + k // 3, block % 3 * 3 + k % 3)
        for block in blocks
        for k, mark in enumerate(cells(board, block))
        if not mark
    ]


def play(board, prev_move, player):
    is_first = not any(map(any, board))
    end = time.perf_counter() + (2.4 if is_first else 0.002)
    moves = legal_moves(board, prev_move)
    best = moves[0]
    while time.perf_counter() < end:
        best = random.choice(moves)
    return best
