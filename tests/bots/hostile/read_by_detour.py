# verdict: forbidden|exception
# event: nsoc
# ply: 0
# Goes to a file by way of the standard library and back.
import os


def play(board, prev_move, player):
    detour = os.path.join(os.path.dirname(os.__file__), *[".."] * 12, "etc", "passwd")
    with open(detour) as file:
        return len(file.read()) % 9, 0
