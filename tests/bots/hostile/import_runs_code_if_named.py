# verdict: forbidden|exception
# event: nsoc
# ply: 0
# Names a module that does things when imported, in case somebody imports what it names before the doors are shut.
def play(board, prev_move, player):
    import idlelib.idle

    return 4, 4
