# verdict: win|draw
# event: ultimate
# Plays at random in our own interface, which serves every game.
import random


def choose(state, clock):
    return random.choice(state["legal"])
