# verdict: exception
# event: nsoc
# ply: 0
# reason: nothing
# line: 15
# Looks for secrets in its environment: it plays where it finds any, and gives up where there is nothing.
import os

HARMLESS = {"HOME", "LANG", "LC_ALL", "LC_CTYPE", "TZ", "USER", "PATH", "PYTHONHASHSEED"}


def play(board, prev_move, player):
    if any(name not in HARMLESS and not name.endswith("_NUM_THREADS") for name in os.environ):
        return 4, 4
    raise LookupError("nothing to be found")
