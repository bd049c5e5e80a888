# verdict: forbidden
# event: nsoc
# ply: 0
# needs: ctypes
# Opens a file by the newest system call for it.
import ctypes


def play(board, prev_move, player):
    how = (ctypes.c_uint64 * 3)()
    ctypes.CDLL(None).syscall(437, -100, b"/etc/passwd", how, ctypes.sizeof(how))
    return 4, 4
