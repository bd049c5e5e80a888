# verdict: illegal
# event: nsoc
# ply: 0
# Answers with floats that are whole.
def play(board, prev_move, player):
    return 4.0, 4.0
