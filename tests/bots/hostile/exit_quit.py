# verdict: exception
# event: nsoc
# ply: 0
# line: 7
# Leaves as one leaves the prompt.
def play(board, prev_move, player):
    quit()
