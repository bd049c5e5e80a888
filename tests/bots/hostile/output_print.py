# verdict: output
# event: nsoc
# ply: 0
# Prints without end.
def play(board, prev_move, player):
    while True:
        print("thinking " * 1000)
