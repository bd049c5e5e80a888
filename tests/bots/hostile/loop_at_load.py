# verdict: timeout
# event: nsoc
# loading: 0.5
# Never finishes loading.
while True:
    pass


def play(board, prev_move, player):
    return 0, 0
