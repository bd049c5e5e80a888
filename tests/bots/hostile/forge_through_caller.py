# verdict: illegal|protocol|tampering|exception
# event: nsoc
# ply: 0
# Puts its own functions in the place of those that ask it: whatever they say of the board, the referee has its own.
import sys


def play(board, prev_move, player):
    frame = sys._getframe(1)
    while frame is not None:
        for name, value in list(frame.f_globals.items()):
            if callable(value) and name.startswith("_") and not name.startswith("__"):
                frame.f_globals[name] = lambda *_: b'{"tuple":[9,9]}\n' + b"[]"
        frame = frame.f_back
    return 9, 9
