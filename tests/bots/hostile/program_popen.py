# verdict: forbidden
# event: nsoc
# ply: 0
# Reads what a shell command says.
import os


def play(board, prev_move, player):
    with os.popen("echo 4 4") as answer:
        return tuple(map(int, answer.read().split()))
