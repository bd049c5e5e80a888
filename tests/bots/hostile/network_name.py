# verdict: forbidden
# event: nsoc
# ply: 0
# Looks up a name.
import socket


def play(board, prev_move, player):
    socket.getaddrinfo("example.invalid", 80)
    return 4, 4
