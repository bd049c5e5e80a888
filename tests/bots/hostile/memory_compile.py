# verdict: memory|exception|crash
# event: nsoc
# ply: 0
# Compiles an expression that is nested a million deep.
def play(board, prev_move, player):
    return eval("-" * 1_000_000 + "1"), 0
