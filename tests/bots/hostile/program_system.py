# verdict: forbidden
# event: cse371
# ply: 0
# Runs a shell command.
import os


class Player4:
    def move(self, temp_board, temp_block, old_move, flag):
        os.system("true")
        return 4, 4
