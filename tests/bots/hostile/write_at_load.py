# verdict: forbidden
# event: nsoc
# reason: hostile
# Writes a file while it is loaded.
open("/tmp/ludus-hostile-bot-was-here", "w").close()


def play(board, prev_move, player):
    return 4, 4
