# verdict: illegal
# event: slant
# ply: 0
# Names a move of another game.
def choose(state, clock):
    return "e2e4"
