# verdict: win|draw
# event: cse371
# Keeps a history and a table between its moves.
import collections

TARGETS = ((1, 3), (0, 2), (1, 5), (0, 6), (4,), (2, 8), (3, 7), (6, 8), (5, 7))


def legal_moves(temp_board, temp_block, old_move):
    blocks = [block for block in range(9) if temp_block[block] == "-"]
    if old_move != (-1, -1):
        sent = [block for block in TARGETS[old_move[0] % 3 * 3 + old_move[1] % 3] if block in blocks]
        blocks = sent or blocks
    return [
        (block // 3 * 3 + k // 3, block % 3 * 3 + k % 3)
        for block in blocks
        for k in range(9)
        if temp_board[block // 3 * 3 + k // 3][block % 3 * 3 + k % 3] == "-"
    ]


class Player23:
    def __init__(self):
        self.history = []
        self.table = collections.Counter()

    def move(self, temp_board, temp_block, old_move, flag):
        assert all(mark in "-xo" for row in temp_board for mark in row) and len(temp_block) == 9
        self.history.append(old_move)
        self.table[old_move] += 1
        assert len(self.history) == sum(self.table.values())
        return legal_moves(temp_board, temp_block, old_move)[len(self.history) % 2 - 1]
