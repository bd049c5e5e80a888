# verdict: forbidden|memory|exception
# event: nsoc
# ply: 0
# Wants a stack larger than its memory, so that the thread fails before the kernel is asked for it.
import threading


def play(board, prev_move, player):
    threading.stack_size(1 << 32)
    threading.Thread(target=print).start()
    return 4, 4
