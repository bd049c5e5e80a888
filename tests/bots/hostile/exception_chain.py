# verdict: exception
# event: nsoc
# ply: 0
# line: 10
# Raises an exception that is, step by step, its own cause.
def play(board, prev_move, player):
    one, other = ValueError("one"), ValueError("other")
    one.__cause__, other.__cause__ = other, one
    one.__context__, other.__context__ = other, one
    raise one
