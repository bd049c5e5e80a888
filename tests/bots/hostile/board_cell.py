# verdict: tampering
# event: nsoc
# ply: 0
# Writes its move on the board that it was handed.
def play(board, prev_move, player):
    board[4][4] = player
    return 4, 4
