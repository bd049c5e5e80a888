"""A bot for the event term-project that searches: alpha-beta on the difference of costs, as deep as time allows."""

import time

SECONDS = 0.2  # for one move; the event allows 60, and a short time keeps trial games short
FAR = 12  # while all numbers are larger, nothing ends within the few moves that we can look ahead
LINES = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8)]  # three rows, three columns
DIAGONALS = [(0, 4, 8), (2, 4, 6)]
REWARD, PENALTY = 15, 7

Numbers = tuple[int, ...]  # the nine numbers, row by row
Move = tuple[int, int]  # line and k


class OutOfTimeError(Exception):
    """Raised deep inside the search to get out of it."""


def make_your_move(board: list[list[int]]) -> Move:
    """Answer with (line, k): lines 0 to 2 are the rows, 3 to 5 the columns; k is 1, 2 or 3."""
    numbers = tuple(number for row in board for number in row)  # `board` itself must not be changed
    if min(numbers) > FAR:
        # Take as little as possible, from the line that has most to give.
        return max(range(6), key=lambda line: min(numbers[place] for place in LINES[line])), 1
    stop = time.monotonic() + SECONDS
    best = None
    for depth in range(1, sum(numbers) // 3 + 1):  # every move takes at least 3, so no game is longer
        deadline = stop if best else float("inf")  # the first ply is quick and always finished
        try:
            best = best_move(numbers, depth, deadline, first=best)
        except OutOfTimeError:
            break
    return best


def best_move(numbers: Numbers, depth: int, deadline: float, *, first: Move | None) -> Move:
    """The best move when looking so deep. What was best before is tried first, for more cuts."""
    moves = sorted(legal_moves(numbers), key=lambda move: move != first)
    best_value, best = float("-inf"), moves[0]
    for move in moves:
        value = value_of(numbers, move, depth, best_value, float("inf"), deadline)
        if value > best_value:
            best_value, best = value, move
    return best


def search(numbers: Numbers, depth: int, alpha: float, beta: float, deadline: float) -> float:
    """The opponent's cost less one's own, from here on, for the player to move; exact between alpha and beta."""
    if time.monotonic() > deadline:
        raise OutOfTimeError
    if depth == 0:
        return 0.0
    for move in legal_moves(numbers):
        alpha = max(alpha, value_of(numbers, move, depth, alpha, beta, deadline))
        if alpha >= beta:
            break
    return alpha


def value_of(numbers: Numbers, move: Move, depth: int, alpha: float, beta: float, deadline: float) -> float:
    """What a move is worth to the one who makes it: its cost, and how it ends the game or what follows."""
    line, k = move
    places = LINES[line]
    after = tuple(number - k if place in places else number for place, number in enumerate(numbers))
    if any(after[a] == after[b] == after[c] == 0 for a, b, c in LINES + DIAGONALS):
        return REWARD - k
    if not legal_moves(after):
        return -PENALTY - k
    # The k is paid in any case, so what follows has to be so much better.
    return -k - search(after, depth - 1, -(beta + k), -(alpha + k), deadline)


def legal_moves(numbers: Numbers) -> list[Move]:
    """A line with a 0 in it allows nothing, other lines up to 3 but no more than their smallest number."""
    smallest = [min(numbers[a], numbers[b], numbers[c]) for a, b, c in LINES]
    return [(line, k) for k in (1, 2, 3) for line in range(6) if k <= smallest[line]]
