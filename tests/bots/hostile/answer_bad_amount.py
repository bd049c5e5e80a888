# verdict: illegal
# event: term-project
# ply: 0
# Subtracts nothing, which would cost nothing.
def make_your_move(board):
    return 0, 0
