# verdict: illegal
# event: slant
# ply: 0
# Answers with all legal moves at once.
def choose(state, clock):
    return state["legal"]
