# verdict: illegal
# event: nsoc
# ply: 0
# Answers with a number of a hundred thousand digits.
def play(board, prev_move, player):
    return 1 << 332_193, 0
