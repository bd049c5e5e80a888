# verdict: crash|timeout|forbidden
# event: nsoc
# limit: 3.0
# ply: 0
# Gives itself one second of processor time, and uses it up.
import resource


def play(board, prev_move, player):
    resource.setrlimit(resource.RLIMIT_CPU, (1, 1))
    while True:
        pass
