# verdict: forbidden
# event: nsoc
# ply: 0
# reason: /proc
# Reads how the referee was started.
import os


def play(board, prev_move, player):
    with open(f"/proc/{os.getppid()}/cmdline") as file:
        return len(file.read()) % 9, 0
