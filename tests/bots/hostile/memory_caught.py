# verdict: timeout|memory
# event: nsoc
# limit: 0.5
# ply: 0
# Asks for too much again and again, and catches each refusal.
def play(board, prev_move, player):
    while True:
        try:
            bytearray(8 << 30)
        except MemoryError:
            continue
