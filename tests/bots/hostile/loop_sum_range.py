# verdict: timeout
# event: nsoc
# limit: 0.3
# ply: 0
# Sums a million million numbers in C.
def play(board, prev_move, player):
    return sum(range(10**12)) % 9, 0
