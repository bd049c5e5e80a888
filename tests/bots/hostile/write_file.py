# verdict: forbidden
# event: nsoc
# ply: 0
# reason: hostile
# line: 8
# Writes a file for its next game.
def play(board, prev_move, player):
    with open("/tmp/ludus-hostile-bot-was-here", "w") as file:
        file.write("remember me")
    return 4, 4
