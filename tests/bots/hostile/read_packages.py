# verdict: forbidden|exception
# event: nsoc
# ply: 0
# Reads the source of a package that is installed beside the standard library.
import os


def play(board, prev_move, player):
    folder = os.path.join(os.path.dirname(os.__file__), "site-packages")
    return len(os.listdir(folder)) % 9, 0
