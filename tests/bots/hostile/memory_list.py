# verdict: memory
# event: nsoc
# ply: 0
# Keeps one megabyte after the other.
def play(board, prev_move, player):
    kept = []
    for _ in range(8192):
        kept.append(bytearray(b"x" * (1 << 20)))
    return 4, 4
