# verdict: forbidden
# event: nsoc
# ply: 0
# reason: process
# Rewrites every function that looks like a hook of Python, then forks.
import gc
import os
import types


def play(board, prev_move, player):
    def quiet(*_, **__):
        return None

    for found in gc.get_objects():
        if isinstance(found, types.FunctionType) and found.__code__.co_varnames[:2] in (("event", "args"), ("self", "event")):
            try:
                found.__code__ = quiet.__code__
            except ValueError:
                continue
    if os.fork() == 0:
        os._exit(0)
    return 4, 4
