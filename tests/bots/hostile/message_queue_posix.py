# verdict: forbidden
# event: nsoc
# ply: 0
# needs: ctypes
# Opens a queue of messages by name.
import ctypes
import os


def play(board, prev_move, player):
    number = 240 if os.uname().machine == "x86_64" else 180
    ctypes.CDLL(None).syscall(number, b"ludus-hostile", os.O_RDONLY, 0, None)
    return 4, 4
