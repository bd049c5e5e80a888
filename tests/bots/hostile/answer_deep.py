# verdict: illegal
# event: nsoc
# ply: 0
# Answers with a list that is nested a hundred thousand deep.
def play(board, prev_move, player):
    nested = [4, 4]
    for _ in range(100_000):
        nested = [nested, nested]
    return nested
