# verdict: forbidden
# event: extreme
# ply: 0
# Spawns a program the old way.
import os


class Team2:
    def move(self, board, old_move, flag):
        os.spawnv(os.P_NOWAIT, "/bin/true", ["true"])
        return 5, 5
