# verdict: exception
# event: nsoc
# ply: 0
# line: 7
# Raises an exception with a text of thirty million characters.
def play(board, prev_move, player):
    raise ValueError("far too much " * 2_500_000)
