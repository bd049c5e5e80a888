# verdict: exception
# event: nsoc
# ply: 0
# line: 7
# Pretends that somebody pressed Ctrl-C.
def play(board, prev_move, player):
    raise KeyboardInterrupt
