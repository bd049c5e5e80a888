# verdict: crash
# event: nsoc
# ply: 0
# Lets C code recurse through two million nested iterators, which no recursion limit counts.
def play(board, prev_move, player):
    nested = iter([4])
    for _ in range(2_000_000):
        nested = filter(None, nested)
    return next(nested), 4
