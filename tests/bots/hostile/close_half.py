# verdict: protocol|crash
# event: nsoc
# ply: 0
# Shuts the channel in both directions, and keeps it open.
import socket
import time


def play(board, prev_move, player):
    channel = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET, 0, fileno=3)
    channel.shutdown(socket.SHUT_RDWR)
    time.sleep(0.05)
    return 4, 4
