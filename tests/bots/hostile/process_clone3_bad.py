# verdict: forbidden
# event: nsoc
# ply: 0
# needs: ctypes
# Points clone3 at memory that is not there, to confuse whoever reads its flags.
import ctypes


def play(board, prev_move, player):
    ctypes.CDLL(None).syscall(435, ctypes.c_void_p(1), 88)
    return 4, 4
