# verdict: forbidden
# event: nsoc
# ply: 0
# Sends a datagram.
import socket


def play(board, prev_move, player):
    socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b"board", ("127.0.0.1", 9))
    return 4, 4
