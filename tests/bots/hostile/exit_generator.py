# verdict: exception
# event: nsoc
# ply: 0
# line: 7
# Raises what generators use to end.
def play(board, prev_move, player):
    raise GeneratorExit
