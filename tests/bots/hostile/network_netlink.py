# verdict: forbidden
# event: nsoc
# ply: 0
# Asks the kernel about its network.
import socket


def play(board, prev_move, player):
    socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, 0)
    return 4, 4
