# verdict: protocol
# event: nsoc
# Reports that the sandbox could not be started, before it is even loaded.
import os

os.write(3, b"Fno space left on the device")


def play(board, prev_move, player):
    return 4, 4
