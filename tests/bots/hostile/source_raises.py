# verdict: exception
# event: nsoc
# reason: ValueError
# line: 6
# Raises while it is loaded.
SIZE = int("nine")


def play(board, prev_move, player):
    return 0, 0
