"""Small games that networks are tried on: seats that trade places, seats that cannot, margins with a part settled."""

# Each takes 1 to 3 from a heap and gets so many points, and twice as many for an even number left. Margins: the payoff
# is the difference. What was taken before is settled.
MARGINS = """
from typing import NamedTuple

MOVES = 3


class State(NamedTuple):
    heap: int
    first: int
    second: int
    mover: int


def start(heap: int = 12) -> State:
    return State(heap, 0, 0, 0)


def turn(s):
    return s.mover


def moves(s):
    return (1 << min(s.heap, 3)) - 1


def play(s, m):
    gain = (m + 1) * (2 if (s.heap - m - 1) % 2 == 0 else 1)
    first, second = (s.first + gain, s.second) if s.mover == 0 else (s.first, s.second + gain)
    return State(s.heap - m - 1, first, second, 1 - s.mover)


def result(s):
    return None if s.heap else 10 * (s.first - s.second)


def banked(s):
    return 10 * (s.first - s.second)


def core(s):
    return State(s.heap, 0, 0, s.mover)
"""

MARGINS_WITH_A_GUESS = (
    MARGINS
    + """

def evaluate(s):
    return 1000 * banked(s) + (7000 if s.mover == 0 else -7000)
"""
)

# Noughts and crosses whose words belong to the seats, so that the second sees them the other way round.
SEATS = """
from typing import NamedTuple

MOVES = 9
LINES = (0o007, 0o070, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124)


class State(NamedTuple):
    crosses: int
    noughts: int
    mover: int


def start():
    return State(0, 0, 0)


def turn(s):
    return s.mover


def moves(s):
    return 0o777 & ~(s.crosses | s.noughts)


def play(s, m):
    if s.mover == 0:
        return State(s.crosses | 1 << m, s.noughts, 1)
    return State(s.crosses, s.noughts | 1 << m, 0)


def has_line(nine):
    for line in LINES:
        if nine & line == line:
            return True
    return False


def result(s):
    if has_line(s.crosses):
        return 1
    if has_line(s.noughts):
        return -1
    return 0 if s.crosses | s.noughts == 0o777 else None


def payoffs(s):
    return -1, 1


def turned(nine):
    return (
        (nine >> 6 & 1) | (nine >> 3 & 1) << 1 | (nine & 1) << 2
        | (nine >> 7 & 1) << 3 | (nine >> 4 & 1) << 4 | (nine >> 1 & 1) << 5
        | (nine >> 8 & 1) << 6 | (nine >> 5 & 1) << 7 | (nine >> 2 & 1) << 8
    )


def symmetries(s):
    found = [s]
    for _ in range(3):
        s = State(turned(s.crosses), turned(s.noughts), s.mover)
        found.append(s)
    return tuple(found)


def evaluate(s):
    return 100 * ((s.crosses >> 4 & 1) - (s.noughts >> 4 & 1))
"""

# The same with what follows from other fields in a field of its own, and a phase for each cell of a lone cross.
PHASED = (
    SEATS.replace("    mover: int\n", "    mover: int\n    filled: int\n")
    .replace("State(0, 0, 0)", "State(0, 0, 0, 0)")
    .replace("turned(s.noughts), s.mover)", "turned(s.noughts), s.mover, turned(s.filled))")
    .replace("s.noughts, 1)", "s.noughts, 1, s.filled | 1 << m)")
    .replace("s.noughts | 1 << m, 0)", "s.noughts | 1 << m, 0, s.filled | 1 << m)")
    + """

UNSEEN = ("filled",)
PHASES = 10


def phase(s):
    return s.crosses.bit_length() - 1 if s.crosses.bit_count() == 1 else 9
"""
)
