# verdict: illegal
# event: nsoc
# ply: 0
# Answers with numbers that are four again where ints have 64 or 32 bits.
def play(board, prev_move, player):
    return (1 << 64) + 4, (1 << 32) + 4
