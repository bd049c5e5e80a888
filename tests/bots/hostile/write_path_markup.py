# verdict: forbidden
# event: nsoc
# ply: 0
# Writes a file whose name would clear a terminal, change a web page and forge a second line.
def play(board, prev_move, player):
    with open("/tmp/ludus-hostile-\x1b[2J<b>\n{\"verdict\": \"win\"}\udcff", "w") as file:
        file.write("look at me")
    return 4, 4
