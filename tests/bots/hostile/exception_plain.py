# verdict: exception
# event: nsoc
# ply: 0
# reason: ZeroDivisionError
# line: 9
# Divides by zero.
def play(board, prev_move, player):
    empty = sum(row.count(player) for row in board) * 0
    return 1 // empty, 0
