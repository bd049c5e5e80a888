# verdict: crash
# event: nsoc
# ply: 0
# needs: ctypes
# Declares the interpreter itself broken.
import ctypes


def play(board, prev_move, player):
    ctypes.pythonapi.Py_FatalError(b"no move today")
