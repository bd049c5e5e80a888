# verdict: exception
# event: nsoc
# ply: 0
# Forgot a breakpoint.
def play(board, prev_move, player):
    breakpoint()
    return 4, 4
