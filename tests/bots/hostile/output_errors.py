# verdict: output
# event: cse371
# ply: 0
# Complains without end.
import sys


class Player10:
    def move(self, temp_board, temp_block, old_move, flag):
        while True:
            sys.stderr.write("thinking " * 1000)
