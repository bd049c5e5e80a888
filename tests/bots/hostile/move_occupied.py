# verdict: illegal
# event: nsoc
# ply: 2
# Plays the centre every time.
def play(board, prev_move, player):
    return 4, 4
