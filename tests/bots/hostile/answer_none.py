# verdict: illegal
# event: extreme
# ply: 0
# Forgets to return anything.
class Team8:
    def move(self, board, old_move, flag):
        self.best = board.find_valid_move_cells(old_move)[0]
