# verdict: crash|forbidden
# event: nsoc
# Answers well, and has set an alarm that kills it while the opponent is to move.
import signal


def play(board, prev_move, player):
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    signal.setitimer(signal.ITIMER_REAL, 0.0005)
    return 4, 4
