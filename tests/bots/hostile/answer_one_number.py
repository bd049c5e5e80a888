# verdict: illegal
# event: nsoc
# ply: 0
# Answers with the number of a cell.
def play(board, prev_move, player):
    return 40
