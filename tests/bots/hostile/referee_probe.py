# verdict: forbidden
# event: cse371
# ply: 0
# reason: send
# Only tries whether it could signal everybody, with a signal that does nothing.
import os


class Player9:
    def move(self, temp_board, temp_block, old_move, flag):
        try:
            os.kill(-1, 0)
        except OSError:
            pass
        return 4, 4
