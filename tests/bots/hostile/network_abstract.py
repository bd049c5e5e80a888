# verdict: forbidden
# event: nsoc
# ply: 0
# Talks to another process over a socket that is no file.
import socket


def play(board, prev_move, player):
    socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM).bind("\0ludus-hostile")
    return 4, 4
