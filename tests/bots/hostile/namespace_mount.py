# verdict: forbidden
# event: nsoc
# ply: 0
# needs: ctypes
# Mounts a file system that is not there.
import ctypes


def play(board, prev_move, player):
    ctypes.CDLL(None).mount(b"none", b"/ludus-hostile", b"tmpfs", 0, None)
    return 4, 4
