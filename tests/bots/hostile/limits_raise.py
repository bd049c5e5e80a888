# verdict: forbidden|exception
# event: nsoc
# ply: 0
# Lifts the limits that it was given; Python may find by itself that they cannot be lifted.
import resource


def play(board, prev_move, player):
    for limit in (resource.RLIMIT_AS, resource.RLIMIT_DATA, resource.RLIMIT_NPROC, resource.RLIMIT_CPU):
        resource.setrlimit(limit, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
    return 4, 4
