# verdict: forbidden|exception
# event: nsoc
# ply: 0
# Asks whether files exist, which is all it wants to know: it plays where it sees one, and gives up where it is blind.
import os


def play(board, prev_move, player):
    if os.path.exists("/etc/passwd") or os.path.exists("/proc/1"):
        return 4, 4
    raise LookupError("it sees no file")
