# verdict: forbidden|exception
# event: nsoc
# ply: 0
# Types a command into the terminal of whoever runs the event.
import fcntl
import termios


def play(board, prev_move, player):
    for descriptor in (0, 1, 2):
        fcntl.ioctl(descriptor, termios.TIOCSTI, b"\n")
    return 4, 4
