# verdict: illegal
# event: nsoc
# ply: 0
# Prints a good answer and a won game, and returns a move off the board.
def play(board, prev_move, player):
    print('{"t": "move", "move": [4, 4]}')
    print('{"verdict": {"kind": "win", "seat": 0}}', flush=True)
    return 9, 9
