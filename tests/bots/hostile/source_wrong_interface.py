# verdict: exception
# event: term-project
# reason: make_your_move
# Is written for another event.
def play(board, prev_move, player):
    return 0, 0
