# verdict: tampering
# event: extreme
# ply: 0
# Tries its move on the living board and forgets to take it back.
class Team10:
    def move(self, board, old_move, flag):
        move = board.find_valid_move_cells(old_move)[0]
        board.update(old_move, move, flag)
        return move
