# verdict: forbidden|exception
# event: nsoc
# ply: 0
# Imports from a folder where friends may have put something.
import sys


def play(board, prev_move, player):
    sys.path.insert(0, "/tmp")
    import ludus_hostile_friend

    return ludus_hostile_friend.play(board, prev_move, player)
