# verdict: tampering|illegal|protocol
# event: nsoc
# ply: 0
# needs: ctypes
# Reaches into the variables of the code that asks it, puts other boards there, and plays off the board.
import ctypes
import sys


def play(board, prev_move, player):
    board[0][0] = 2
    frame = sys._getframe(1)
    while frame is not None:
        for name, value in list(frame.f_locals.items()):
            if isinstance(value, list | bytes):
                frame.f_locals[name] = type(value)()
        ctypes.pythonapi.PyFrame_LocalsToFast(ctypes.py_object(frame), ctypes.c_int(0))
        frame = frame.f_back
    return 9, 9
