# verdict: timeout
# event: nsoc
# limit: 0.3
# ply: 0
# Ignores and blocks every signal that can be, then loops.
import signal


def play(board, prev_move, player):
    for number in signal.valid_signals():
        if number not in (signal.SIGKILL, signal.SIGSTOP):
            try:
                signal.signal(number, signal.SIG_IGN)
            except (OSError, ValueError):
                pass
    signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())
    while True:
        pass
