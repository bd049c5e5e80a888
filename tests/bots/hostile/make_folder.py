# verdict: forbidden
# event: extreme
# ply: 0
# Makes a folder.
import os


class Team6:
    def move(self, board, old_move, flag):
        os.makedirs("/tmp/ludus-hostile-folder", exist_ok=True)
        return 5, 5
