# verdict: illegal
# event: nsoc
# ply: 0
# Answers with an object whose class has a name of a megabyte, with line ends in it.
def play(board, prev_move, player):
    return type("Strange\n\x1b[2J" * 100_000, (), {})()
