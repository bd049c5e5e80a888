# verdict: exception
# event: nsoc
# reason: SyntaxError
# line: 7
# Does not compile.
def play(board, prev_move, player):
    for row in board
        pass
    return 0, 0
