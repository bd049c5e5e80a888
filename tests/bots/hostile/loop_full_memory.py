# verdict: timeout|memory
# event: nsoc
# limit: 1.0
# ply: 0
# Fills nearly all its memory page by page before it loops, so that it takes long to die.
def play(board, prev_move, player):
    kept = bytearray(b"\x01") * (440 << 20)
    while True:
        kept[0] ^= 1
