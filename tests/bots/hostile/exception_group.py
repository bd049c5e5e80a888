# verdict: exception
# event: nsoc
# ply: 0
# line: 7
# Raises ten thousand exceptions at once.
def play(board, prev_move, player):
    raise ExceptionGroup("a crowd", [ValueError(str(number)) for number in range(10_000)])
