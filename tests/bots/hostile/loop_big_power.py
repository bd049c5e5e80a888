# verdict: timeout
# event: nsoc
# limit: 0.3
# ply: 0
# One multiplication after the other in a single C call that no signal interrupts.
def play(board, prev_move, player):
    return (3 ** (3**19)) % 9, 0
