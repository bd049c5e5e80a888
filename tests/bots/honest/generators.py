# verdict: win|draw
# event: nsoc
# Thinks in generators, coroutines and context managers that are left unfinished.
import contextlib

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


def candidates(board, prev_move):
    try:
        yield from legal_moves(board, prev_move)
    finally:
        print("closed")


@contextlib.contextmanager
def thinking():
    yield
    print("thought")


async def answer(value):
    return value


def play(board, prev_move, player):
    with thinking(), contextlib.suppress(KeyError):
        coroutine = answer(next(candidates(board, prev_move)))
        try:
            coroutine.send(None)
        except StopIteration as done:
            return done.value
