# verdict: illegal
# event: cse371
# ply: 2
# Plays by the standard rule, which sends to another block: from a cell in a corner never to one of these.
class Player15:
    def move(self, temp_board, temp_block, old_move, flag):
        if old_move == (-1, -1):
            return 0, 0
        row, column = old_move[0] % 3 * 3, old_move[1] % 3 * 3
        if old_move[0] % 3 == old_move[1] % 3 == 1:  # the one cell where both rules agree
            row = column = 0
        free = [(row + k // 3, column + k % 3) for k in range(9) if temp_board[row + k // 3][column + k % 3] == "-"]
        return free[0]
