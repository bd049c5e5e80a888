# verdict: exception
# event: nsoc
# reason: play
# Has a function, but under another name.
def plays(board, prev_move, player):
    return 0, 0
