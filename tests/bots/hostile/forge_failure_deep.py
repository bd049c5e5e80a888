# verdict: protocol|exception
# event: nsoc
# ply: 0
# Says that it failed, in words that are lists in lists.
import os


def play(board, prev_move, player):
    deep = b"[" * 900 + b"]" * 900
    os.write(3, b'E["\\ud800", 1, ' + deep + b", false]")
    while True:
        pass
