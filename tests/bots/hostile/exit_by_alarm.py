# verdict: crash|forbidden
# event: nsoc
# Answers well, and has set an alarm that kills it while the opponent is to move, or soon after.
import signal
import time

armed = False


def play(board, prev_move, player):
    global armed
    if armed:  # the opponent was quicker than the alarm
        time.sleep(10)
    armed = True
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    signal.setitimer(signal.ITIMER_REAL, 0.0005)
    return 4, 4
