# verdict: illegal
# event: nsoc
# ply: 0
# Answers with one number in a tuple.
def play(board, prev_move, player):
    return (4,)
