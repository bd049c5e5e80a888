# verdict: exception
# event: term-project
# ply: 0
# reason: StopIteration
# line: 8
# Finds no line to its taste.
def make_your_move(board):
    return next((line, 1) for line in range(3) if sum(board[line]) > 300)
