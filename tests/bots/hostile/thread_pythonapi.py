# verdict: forbidden
# event: nsoc
# ply: 0
# needs: ctypes
# reason: thread
# Asks Python's C interface for the thread, which raises no event.
import ctypes


@ctypes.PYFUNCTYPE(None, ctypes.c_void_p)
def think(argument):
    return None


def play(board, prev_move, player):
    ctypes.pythonapi.PyThread_start_new_thread(think, None)
    return 4, 4
