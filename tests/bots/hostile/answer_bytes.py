# verdict: illegal
# event: nsoc
# ply: 0
# Answers with bytes, which are a sequence of two ints.
def play(board, prev_move, player):
    return b"\x04\x04"
