"""The smallest bot for the event slant: it plays any legal move. Copy it and begin here."""

import random


def choose(state: dict, clock: dict) -> str:
    """The referee calls this for every move; the answer is the name of a cell, such as "2,3" for row 2, column 3.

    `state["legal"]` lists the empty cells. `state["seat"]` is 0 when your diagonal is "/", 1 when it is "\\".
    `state["options"]["circles"]` holds the numbers at the corner points, row by row, 0 where there is no circle.
    """
    return random.choice(state["legal"])
