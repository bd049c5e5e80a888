# verdict: exception|crash|protocol|forbidden|timeout
# event: nsoc
# limit: 0.5
# ply: 0
# Traces the code that asks it, and raises in the middle of it.
import sys


def trace(frame, event, argument):
    raise RuntimeError("not here, there")


def play(board, prev_move, player):
    frame = sys._getframe(1)
    while frame is not None:
        frame.f_trace = trace
        frame = frame.f_back
    sys.settrace(trace)
    return 4, 4
