# verdict: output
# event: nsoc
# Prints without end while it is loaded.
while True:
    print("loading " * 1000)


def play(board, prev_move, player):
    return 4, 4
