# verdict: illegal
# event: slant
# ply: 0
# Plays a cell that no board has.
def choose(state, clock):
    return "99,99"
