# verdict: memory
# event: nsoc
# ply: 0
# line: 7
# Wants eight gigabytes at once.
def play(board, prev_move, player):
    return len(bytearray(8 << 30)) % 9, 0
