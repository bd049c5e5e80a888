# verdict: tampering
# event: nsoc
# ply: 0
# Puts floats on the board, which are equal to what was there.
def play(board, prev_move, player):
    board[0][0] = 0.0
    return 4, 4
