# verdict: memory
# event: term-project
# ply: 0
# Makes one number of eight gigabytes.
def make_your_move(board):
    return (1 << (8 << 33)) % 6, 1
