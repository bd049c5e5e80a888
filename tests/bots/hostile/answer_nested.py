# verdict: illegal
# event: nsoc
# ply: 0
# Answers with a tuple in a tuple.
def play(board, prev_move, player):
    return ((4, 4),)
