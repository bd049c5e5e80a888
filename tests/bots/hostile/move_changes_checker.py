# verdict: illegal|tampering
# event: extreme
# ply: 0
# Teaches the board that everything is allowed, and plays off it.
class Team7:
    def move(self, board, old_move, flag):
        type(board).check_valid_move = lambda *_: True
        type(board).find_valid_move_cells = lambda *_: [(16, 16)]
        return 16, 16
