# verdict: protocol
# event: nsoc
# ply: 0
# Hands the referee descriptors that nobody asked for, as the place where the kernel would ask.
import array
import socket


def play(board, prev_move, player):
    channel = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET, 0, fileno=3)
    rights = array.array("i", [0, 1, 2] * 4)
    channel.sendmsg([b"L"], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, rights)])
    channel.detach()
    return 9, 9
