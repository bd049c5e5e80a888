# verdict: timeout
# event: nsoc
# limit: 0.3
# ply: 0
# Loops, and catches whatever is thrown into the loop.
def play(board, prev_move, player):
    while True:
        try:
            while True:
                pass
        except BaseException:
            continue
