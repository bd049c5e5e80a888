# verdict: forbidden
# event: nsoc
# ply: 0
# needs: ctypes
# Wants to be told when files change.
import ctypes


def play(board, prev_move, player):
    ctypes.CDLL(None).inotify_init1(0)
    return 4, 4
