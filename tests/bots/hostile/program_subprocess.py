# verdict: forbidden
# event: nsoc
# ply: 0
# Runs a program that plays for it.
import subprocess


def play(board, prev_move, player):
    answer = subprocess.run(["/bin/echo", "4", "4"], capture_output=True, text=True)
    return tuple(map(int, answer.stdout.split()))
