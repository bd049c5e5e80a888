# verdict: win|draw
# event: extreme
# Searches on deep copies of the living board.
import copy
import random


class Team22:
    def move(self, board, old_move, flag):
        moves = board.find_valid_move_cells(old_move)
        for move in random.sample(moves, min(4, len(moves))):
            trial = copy.deepcopy(board)
            if trial.update(old_move, move, flag) == ("SUCCESSFUL", True):
                return move
        assert board.check_valid_move(old_move, moves[0]) and not board.check_valid_move(old_move, (16, 16))
        return random.choice(moves)
