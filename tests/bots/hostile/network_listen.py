# verdict: forbidden
# event: nsoc
# ply: 0
# Waits for a friend to call.
import socket


def play(board, prev_move, player):
    socket.create_server(("127.0.0.1", 0))
    return 4, 4
