# verdict: forbidden
# event: nsoc
# ply: 0
# needs: ctypes
# Writes nothing at all into the memory of the process that made it, to see whether it could.
import ctypes
import os


def play(board, prev_move, player):
    ctypes.CDLL(None).process_vm_writev(os.getppid(), None, 0, None, 0, 0)
    return 4, 4
