# verdict: illegal
# event: nsoc
# ply: 0
# Answers with a dict that looks like what crosses the border between its process and the referee's.
def play(board, prev_move, player):
    return {"tuple": [4, 4]}
