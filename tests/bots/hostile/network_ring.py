# verdict: forbidden
# event: nsoc
# ply: 0
# needs: ctypes
# Sets up a ring in which the kernel makes system calls for it, past every filter.
import ctypes


def play(board, prev_move, player):
    ctypes.CDLL(None).syscall(425, 8, ctypes.create_string_buffer(120))
    return 4, 4
