# verdict: illegal
# event: term-project
# ply: 0
# Names a line that does not exist.
def make_your_move(board):
    return 6, 1
