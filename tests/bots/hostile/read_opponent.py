# verdict: forbidden
# event: nsoc
# ply: 0
# Looks for the opponent's file in every folder of the machine.
import os


def play(board, prev_move, player):
    found = [os.path.join(folder, name) for folder, _, names in os.walk("/") for name in names if name.endswith(".py")]
    return len(found) % 9, 0
