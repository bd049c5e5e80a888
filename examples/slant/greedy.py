"""A bot for the event slant that looks one move ahead: what a move gains, less what the best reply gains."""

import random

Point = tuple[int, int]


def choose(state: dict, clock: dict) -> str:
    """The move that gains most; with time enough, less what it lets the opponent gain."""
    legal = list(state["legal"])
    random.shuffle(legal)  # `max` takes the first of equal ones
    numbers = open_circles(state["options"]["circles"], state["moves"])
    seat = state["seat"]
    if clock["move_ms"] < 200:
        return max(legal, key=lambda move: gain(numbers, move, seat))

    def gain_less_reply(move: str) -> int:
        after = {point: list(circle) for point, circle in numbers.items()}
        draw(after, move, seat)
        replies = [gain(after, reply, 1 - seat) for reply in legal if reply != move]
        return gain(numbers, move, seat) - max(replies, default=0)

    return max(legal, key=gain_less_reply)


def open_circles(circles: list[list[int]], moves: list[str]) -> dict[Point, list[int]]:
    """For each circle that can still score: its number, and how many diagonals it is short of it."""
    numbers = {
        (row, col): [number, number] for row, line in enumerate(circles) for col, number in enumerate(line) if number
    }
    for ply, move in enumerate(moves):
        draw(numbers, move, ply % 2)  # seat 0 begins, and turns alternate
    return numbers


def draw(numbers: dict[Point, list[int]], move: str, seat: int) -> None:
    """Draw a diagonal: the circles at its ends are short of one less, and those short of none are closed."""
    for point in ends(move, seat):
        if point in numbers:
            numbers[point][1] -= 1
            if numbers[point][1] == 0:
                del numbers[point]


def gain(numbers: dict[Point, list[int]], move: str, seat: int) -> int:
    """The sum of the circles that a move closes."""
    return sum(numbers[point][0] for point in ends(move, seat) if point in numbers and numbers[point][1] == 1)


def ends(move: str, seat: int) -> list[Point]:
    """The two points that a diagonal touches: seat 0 draws "/", seat 1 draws "\\"."""
    row, col = (int(number) for number in move.split(","))
    return [(row, col + 1), (row + 1, col)] if seat == 0 else [(row, col), (row + 1, col + 1)]
