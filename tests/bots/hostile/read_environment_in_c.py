# verdict: exception
# event: nsoc
# ply: 0
# needs: ctypes
# reason: nothing
# line: 21
# Looks for secrets where the C library keeps the environment, in case only Python's copy was emptied.
import ctypes

HARMLESS = {"HOME", "LANG", "LC_ALL", "LC_CTYPE", "TZ", "USER", "PATH", "PYTHONHASHSEED"}


def play(board, prev_move, player):
    environment = ctypes.POINTER(ctypes.c_char_p).in_dll(ctypes.CDLL(None), "environ")
    position = 0
    while environment and environment[position]:
        name = environment[position].split(b"=")[0].decode()
        if name not in HARMLESS and not name.endswith("_NUM_THREADS"):
            return 4, 4
        position += 1
    raise LookupError("nothing to be found")
