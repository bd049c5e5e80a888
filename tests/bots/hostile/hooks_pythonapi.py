# verdict: forbidden
# event: nsoc
# ply: 0
# needs: ctypes
# Clears the interpreter's list of hooks through its C interface where it has the symbol, then lists a folder.
import ctypes
import os


def play(board, prev_move, player):
    for name in ("_PySys_ClearAuditHooks", "PySys_ClearAuditHooks"):
        if hasattr(ctypes.pythonapi, name):
            getattr(ctypes.pythonapi, name)(None)
    return len(os.listdir("/")) % 9, 0
