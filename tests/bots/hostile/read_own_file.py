# verdict: forbidden|exception
# event: nsoc
# ply: 0
# Reads its own file, which for it is not there.
def play(board, prev_move, player):
    with open(__file__) as file:
        return len(file.read()) % 9, 0
