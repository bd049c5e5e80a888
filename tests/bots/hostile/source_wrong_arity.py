# verdict: exception
# event: nsoc
# reason: argument
# ply: 0
# Takes fewer arguments than it is given.
def play(board):
    return 0, 0
