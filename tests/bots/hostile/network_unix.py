# verdict: forbidden
# event: nsoc
# ply: 0
# Talks to another process over a socket that is a file.
import socket


def play(board, prev_move, player):
    socket.socket(socket.AF_UNIX).connect("/tmp/ludus-hostile-socket")
    return 4, 4
