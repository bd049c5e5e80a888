# verdict: memory
# event: nsoc
# line: 5
# Builds a table that no memory can hold while it is loaded.
TABLE = [0] * (1 << 31)


def play(board, prev_move, player):
    return 4, 4
