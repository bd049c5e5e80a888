# verdict: win|draw
# event: extreme
# Plays the first free cell where it is sent, from the lists alone.
class Team23:
    def move(self, board, old_move, flag):
        i, j = (0, 0) if old_move == (-1, -1) else (old_move[0] % 4, old_move[1] % 4)
        blocks = [(i, j)] if board.block_status[i][j] == "-" else [(a, b) for a in range(4) for b in range(4)]
        for a, b in blocks:
            for cell in range(16):
                row, column = 4 * a + cell // 4, 4 * b + cell % 4
                if board.block_status[a][b] == "-" and board.board_status[row][column] == "-":
                    return row, column
