# verdict: illegal
# event: nsoc
# ply: 0
# Yields the move rather than returning it.
def play(board, prev_move, player):
    yield 0, 0
