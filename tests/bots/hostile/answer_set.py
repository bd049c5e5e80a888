# verdict: illegal
# event: nsoc
# ply: 0
# Answers with a set.
def play(board, prev_move, player):
    return {3, 4}
