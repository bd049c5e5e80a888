# verdict: win|draw
# event: nsoc
# Turns the garbage collector off and on, and counts objects.
import gc
import weakref

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


class Node:
    pass


def play(board, prev_move, player):
    gc.disable()
    nodes = [Node() for _ in range(1000)]
    for one, other in zip(nodes, nodes[1:] + nodes[:1]):
        one.next = other
    seen = weakref.ref(nodes[0])
    del nodes, one, other
    gc.enable()
    gc.collect()
    assert seen() is None and len(gc.get_objects()) > 0
    return legal_moves(board, prev_move)[0]
