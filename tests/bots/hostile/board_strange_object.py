# verdict: tampering
# event: nsoc
# ply: 0
# Puts something on the board that no file format knows.
def play(board, prev_move, player):
    board[0][0] = object()
    return 4, 4
