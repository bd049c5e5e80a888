# verdict: forbidden
# event: nsoc
# ply: 0
# Appends to its own file, to be cleverer in the next game.
def play(board, prev_move, player):
    with open(__file__, "a") as file:
        file.write("# cleverer\n")
    return 4, 4
