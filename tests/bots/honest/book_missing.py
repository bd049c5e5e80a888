# verdict: win|draw
# event: cse371
# Looks for an opening book that it left at home, beside its file and in its folder.
import os

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


class Player22:
    def __init__(self):
        self.book = {}
        here = os.path.dirname(os.path.abspath(__file__))
        for path in (os.path.join(here, "no_such_book.txt"), "no_such_book.txt", os.path.expanduser("~/no_such_book.txt")):
            try:
                if os.path.exists(path):
                    self.book = dict(enumerate(open(path)))
                open(path).close()
            except OSError:
                continue

    def move(self, temp_board, temp_block, old_move, flag):
        return legal_moves(temp_board, temp_block, old_move)[0]
