# verdict: memory|exception
# event: nsoc
# ply: 0
# Maps eight gigabytes without Python's allocator; the refusal is an OSError.
import mmap


def play(board, prev_move, player):
    with mmap.mmap(-1, 8 << 30) as area:
        area.write(b"x")
    return 4, 4
