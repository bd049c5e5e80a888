# verdict: illegal
# event: nsoc
# ply: 0
# Counts from the end, as Python's lists allow.
def play(board, prev_move, player):
    return -1, -1
