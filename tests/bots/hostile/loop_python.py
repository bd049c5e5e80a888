# verdict: timeout
# event: nsoc
# limit: 0.3
# ply: 0
# Loops for ever in Python.
def play(board, prev_move, player):
    while True:
        pass
