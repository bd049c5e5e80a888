# verdict: tampering|timeout|exception
# event: nsoc
# limit: 0.3
# ply: 0
# Puts a row on the board that nobody finishes reading.
class Bottomless(list):
    def __iter__(self):
        while True:
            yield 0

    def __len__(self):
        return 1 << 60


def play(board, prev_move, player):
    board[0] = Bottomless()
    return 4, 4
