# verdict: forbidden
# event: nsoc
# ply: 0
# Adds an audit hook of its own that refuses every event, so that later hooks do not hear of it, and opens a socket.
import socket
import sys


def refuse(event, arguments):
    if event.startswith("ludus"):
        raise RuntimeError(event)


def play(board, prev_move, player):
    sys.addaudithook(refuse)
    socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    return 4, 4
