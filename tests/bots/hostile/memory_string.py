# verdict: memory
# event: nsoc
# ply: 0
# Doubles a text until it has eight gigabytes.
def play(board, prev_move, player):
    text = "x"
    for _ in range(33):
        text += text
    return len(text) % 9, 0
