# verdict: illegal
# event: nsoc
# ply: 0
# Answers with a list that contains itself.
def play(board, prev_move, player):
    ring = [4]
    ring.append(ring)
    return ring
