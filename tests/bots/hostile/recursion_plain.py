# verdict: exception
# event: nsoc
# ply: 0
# reason: RecursionError
# line: 8
# Calls itself without end.
def play(board, prev_move, player):
    return play(board, prev_move, player)
