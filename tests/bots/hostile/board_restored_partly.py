# verdict: tampering
# event: nsoc
# ply: 0
# Tries a line of moves on the board, and takes back all but one.
def play(board, prev_move, player):
    tried = [(0, 0), (1, 1), (4, 4)]
    for row, column in tried:
        board[row][column] = player
    for row, column in tried[1:]:
        board[row][column] = 0
    return 4, 4
