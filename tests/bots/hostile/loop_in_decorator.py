# verdict: timeout
# event: nsoc
# loading: 0.5
# Loops while the file is loaded, in a decorator, asleep for most of the time.
import time


def patient(function):
    while True:
        time.sleep(0.01)


@patient
def play(board, prev_move, player):
    return 0, 0
