# verdict: illegal
# event: nsoc
# ply: 0
# Counts from one.
def play(board, prev_move, player):
    return 9, 9
