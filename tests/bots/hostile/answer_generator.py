# verdict: illegal
# event: nsoc
# ply: 0
# Answers with a generator of the right numbers.
def play(board, prev_move, player):
    return (number for number in (4, 4))
