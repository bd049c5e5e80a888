# verdict: win|draw
# event: extreme
# Searches two plies on the living board with update, and undoes by hand.
class Team21:
    def move(self, board, old_move, flag):
        other = "o" if flag == "x" else "x"
        best, best_score = None, None
        for mine in board.find_valid_move_cells(old_move)[:6]:
            won = self.put(board, old_move, mine, flag)
            worst = 0
            if board.find_terminal_state()[0] == "CONTINUE":
                for reply in board.find_valid_move_cells(mine)[:6]:
                    lost = self.put(board, mine, reply, other)
                    worst = min(worst, -lost)
                    self.take_back(board, reply)
            self.take_back(board, mine)
            if best_score is None or won + worst > best_score:
                best, best_score = mine, won + worst
        return best

    def put(self, board, old_move, cell, mark):
        self.before = getattr(self, "before", {})
        self.before[cell] = board.block_status[cell[0] // 4][cell[1] // 4]
        status, block_won = board.update(old_move, cell, mark)
        assert status == "SUCCESSFUL"
        return int(block_won)

    def take_back(self, board, cell):
        board.board_status[cell[0]][cell[1]] = "-"
        board.block_status[cell[0] // 4][cell[1] // 4] = self.before.pop(cell)
