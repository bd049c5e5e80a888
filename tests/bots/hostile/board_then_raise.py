# verdict: exception|tampering
# event: nsoc
# ply: 0
# Changes the board and raises, so that both are true.
def play(board, prev_move, player):
    board[0][0] = 2
    raise ValueError("changed my mind")
