# verdict: illegal
# event: nsoc
# ply: 0
# Answers with itself.
def play(board, prev_move, player):
    return play
