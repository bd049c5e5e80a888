# verdict: forbidden
# event: nsoc
# ply: 0
# Opens a raw socket.
import socket


def play(board, prev_move, player):
    socket.socket(socket.AF_INET, socket.SOCK_RAW, socket.IPPROTO_ICMP)
    return 4, 4
