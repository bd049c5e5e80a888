# verdict: forbidden
# event: nsoc
# ply: 0
# needs: ctypes
# reason: /etc/passwd
# Never meets a hook: it opens a file with the C library.
import ctypes


def play(board, prev_move, player):
    descriptor = ctypes.CDLL(None).open(b"/etc/passwd", 0)
    buffer = ctypes.create_string_buffer(64)
    ctypes.CDLL(None).read(descriptor, buffer, 64)
    return 4, 4
