# verdict: illegal
# event: nsoc
# ply: 0
# Answers with a text of a hundred megabytes.
def play(board, prev_move, player):
    return "4" * 100_000_000
