# verdict: illegal
# event: nsoc
# ply: 0
# Answers with the whole board.
def play(board, prev_move, player):
    return board
