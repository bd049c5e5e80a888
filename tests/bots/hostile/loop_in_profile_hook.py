# verdict: timeout
# event: nsoc
# limit: 0.3
# Sets a profile hook that loops as soon as the code that called the bot calls anything.
import sys


def spin(frame, event, argument):
    if frame.f_code is not play.__code__:
        while True:
            pass


def play(board, prev_move, player):
    sys.setprofile(spin)
    return 0, 0
