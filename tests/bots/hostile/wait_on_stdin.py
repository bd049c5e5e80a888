# verdict: exception
# event: nsoc
# limit: 0.3
# ply: 0
# Asks a person for the move: standard input is empty, or is never answered.
def play(board, prev_move, player):
    return tuple(map(int, input("row col? ").split()))
