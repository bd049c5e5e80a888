# verdict: forbidden|exception
# event: nsoc
# ply: 0
# needs: ctypes
# Locks all its memory, present and future.
import ctypes


def play(board, prev_move, player):
    if ctypes.CDLL(None).mlockall(3) != 0:
        raise PermissionError("it cannot be locked")
    return 4, 4
