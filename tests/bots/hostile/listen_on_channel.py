# verdict: forbidden|timeout
# event: nsoc
# limit: 0.3
# ply: 0
# Listens on the descriptor of its questions, for what the referee says to others.
import socket


def play(board, prev_move, player):
    return len(socket.socket(fileno=3).recv(1 << 16)) % 9, 0
