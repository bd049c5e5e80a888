# verdict: win|draw
# event: subtraction
# Plays in our own interface, and writes its move as two numbers.
def choose(state, clock):
    line, amount = map(int, state["legal"][-1].split(","))
    return line, amount
