# verdict: win|draw
# event: slant
# Plays the first legal move in our own interface, and looks at all that it is told.
def choose(state, clock):
    assert state["game"] and state["seat"] in (0, 1) and clock["move_ms"] > 0
    assert len(state["legal"]) == len(set(state["legal"])) and isinstance(state["moves"], list)
    return state["legal"][0]
