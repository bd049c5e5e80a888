# verdict: illegal
# event: nsoc
# ply: 2
# Plays wherever there is room, and never where it is sent.
def play(board, prev_move, player):
    for row in range(9):
        for column in range(9):
            sent_there = prev_move is not None and (row // 3, column // 3) == (prev_move[0] % 3, prev_move[1] % 3)
            if board[row][column] == 0 and not sent_there:
                return row, column
    return 0, 0
