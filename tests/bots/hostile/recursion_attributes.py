# verdict: crash|exception|memory
# event: nsoc
# ply: 0
# Lifts the recursion limit and looks up an attribute that is looked up by looking it up.
import sys


class Mirror:
    def __getattr__(self, name):
        return getattr(self, name + "")


def play(board, prev_move, player):
    sys.setrecursionlimit(1 << 30)
    return Mirror().move
