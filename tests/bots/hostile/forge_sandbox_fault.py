# verdict: protocol
# event: nsoc
# ply: 0
# Reports that the sandbox could not be started, so that nobody is to blame.
import os


def play(board, prev_move, player):
    os.write(3, b"Fno space left on the device")
    os._exit(112)
