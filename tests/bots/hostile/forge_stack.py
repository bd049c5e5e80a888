# verdict: crash
# event: nsoc
# ply: 0
# Writes a stack as the referee reads it, at a line whose number is too long for a number, and ends.
import os


def play(board, prev_move, player):
    line = "1" * 5000
    text = f'Fatal\nStack (most recent call first):\n  File "{__file__}", line {line} in play\n'
    os.write(2, text.encode())
    os._exit(1)
