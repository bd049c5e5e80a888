"""The smallest bot for any game, in our own interface: it plays any legal move. Copy it and begin here."""

import random


def choose(state: dict, clock: dict) -> str:
    """The referee calls this for every move; the answer is the name of a legal move.

    `state` holds plain data:
        "game"     the name of the game, such as "slant"
        "options"  the instance: the circles of slant, the numbers of subtraction
        "seat"     0 or 1: you
        "moves"    the names of all moves so far, by both seats
        "legal"    the names of the moves that you may choose from
        "state"    the fields of the position by name, each an int

    `clock` says how long you may think: "move_ms" for this move, and "bank_ms" of spare time for the whole game.
    """
    return random.choice(state["legal"])
