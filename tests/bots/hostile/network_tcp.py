# verdict: forbidden
# event: nsoc
# ply: 0
# line: 10
# Calls a friend over TCP.
import socket


def play(board, prev_move, player):
    socket.create_connection(("127.0.0.1", 9), timeout=0.2)
    return 4, 4
