# verdict: tampering
# event: term-project
# ply: 0
# Does its move on the board itself, as the hand-out forbids.
def make_your_move(board):
    board[0] = [number - 1 for number in board[0]]
    return 0, 1
