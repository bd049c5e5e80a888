# verdict: illegal
# event: nsoc
# ply: 0
# Answers with no number and with infinity.
def play(board, prev_move, player):
    return float("nan"), float("inf")
