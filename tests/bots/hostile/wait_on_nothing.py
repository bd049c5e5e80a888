# verdict: timeout
# event: nsoc
# limit: 0.3
# ply: 0
# Waits for no descriptor at all.
import select


def play(board, prev_move, player):
    select.select([], [], [])
    return 0, 0
