# verdict: forbidden
# event: nsoc
# ply: 0
# Shares memory by name.
from multiprocessing import shared_memory


def play(board, prev_move, player):
    area = shared_memory.SharedMemory("ludus-hostile", create=True, size=4096)
    area.close()
    area.unlink()
    return 4, 4
