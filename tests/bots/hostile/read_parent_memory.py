# verdict: forbidden
# event: nsoc
# ply: 0
# reason: /proc
# Opens the referee's memory.
import os


def play(board, prev_move, player):
    with open(f"/proc/{os.getppid()}/mem", "rb") as file:
        return len(file.read(1)), 0
