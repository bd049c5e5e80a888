# verdict: timeout|forbidden
# event: nsoc
# limit: 0.3
# ply: 0
# Arms a timer whose signal handler never returns, then answers slowly.
import signal
import time


def never_return(number, frame):
    while True:
        pass


def play(board, prev_move, player):
    signal.signal(signal.SIGALRM, never_return)
    signal.setitimer(signal.ITIMER_REAL, 0.01)
    time.sleep(0.1)
    return 0, 0
