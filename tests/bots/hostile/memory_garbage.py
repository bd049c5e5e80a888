# verdict: memory
# event: nsoc
# ply: 0
# Turns the collector off and makes garbage in circles.
import gc


def play(board, prev_move, player):
    gc.disable()
    for _ in range(1 << 24):
        circle = [bytes(1000)]
        circle.append(circle)
    return 4, 4
