# verdict: illegal
# event: nsoc
# ply: 0
# Answers with a list of ten million numbers.
def play(board, prev_move, player):
    return [4] * 10_000_000
