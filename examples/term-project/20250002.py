"""A bot for the event term-project that looks one move ahead, and one move of the opponent."""

import random

LINES = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8)]  # three rows, three columns
DIAGONALS = [(0, 4, 8), (2, 4, 6)]
REWARD, PENALTY = 15, 7


def make_your_move(board: list[list[int]]) -> tuple[int, int]:
    """Answer with (line, k): lines 0 to 2 are the rows, 3 to 5 the columns; k is 1, 2 or 3.

    `board` holds three rows of three numbers. It must not be changed, so it is copied into one list of nine.
    """
    numbers = [number for row in board for number in row]
    # Cheap moves cost little; but no price is too high for the reward, nor for keeping it from the opponent.
    return max(
        legal_moves(numbers),
        key=lambda move: (gain(numbers, move) - best_gain(subtract(numbers, move)), random.random()),
    )


def legal_moves(numbers: list[int]) -> list[tuple[int, int]]:
    """A line with a 0 in it allows nothing, other lines up to 3 but no more than their smallest number."""
    if has_line_of_zeros(numbers):
        return []
    return [
        (line, k)
        for line, places in enumerate(LINES)
        for k in (1, 2, 3)
        if k <= min(numbers[place] for place in places)
    ]


def subtract(numbers: list[int], move: tuple[int, int]) -> list[int]:
    """The numbers after a move, in a new list."""
    line, k = move
    return [number - k if place in LINES[line] else number for place, number in enumerate(numbers)]


def gain(numbers: list[int], move: tuple[int, int]) -> int:
    """What a move brings by itself: its cost, and the reward or the penalty when it ends the game."""
    after = subtract(numbers, move)
    if has_line_of_zeros(after):
        return REWARD - move[1]
    if not legal_moves(after):
        return -PENALTY - move[1]
    return -move[1]


def best_gain(numbers: list[int]) -> int:
    """The most that the next player can gain at once; nothing when the game is over."""
    return max((gain(numbers, move) for move in legal_moves(numbers)), default=0)


def has_line_of_zeros(numbers: list[int]) -> bool:
    """Whether a row, a column or a diagonal is all 0."""
    return any(numbers[a] == numbers[b] == numbers[c] == 0 for a, b, c in LINES + DIAGONALS)
