# verdict: protocol|crash
# event: nsoc
# ply: 2
# Shuts the half of the channel on which it is asked, answers well, and cannot be asked again.
import socket


def play(board, prev_move, player):
    channel = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET, 0, fileno=3)
    channel.shutdown(socket.SHUT_RD)
    channel.detach()
    return 4, 4
