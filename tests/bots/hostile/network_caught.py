# verdict: forbidden
# event: cse371
# ply: 0
# Opens a socket, catches the refusal, and plays on.
import socket


class Player5:
    def move(self, temp_board, temp_block, old_move, flag):
        try:
            socket.socket()
        except OSError:
            pass
        return 4, 4
