"""A bot for the event slant that searches: alpha-beta on the difference of points, deeper while there is time."""

import time
from typing import NamedTuple

SECONDS = 0.2  # for one move at most, and no more than a third of what the clock allows


class Cell(NamedTuple):
    """An empty cell, and the circles that its diagonal touches, for "/" and for "\\"."""

    name: str
    circles: tuple[list[int], list[int]]


class OutOfTimeError(Exception):
    """Raised deep inside the search to get out of it."""


def choose(state: dict, clock: dict) -> str:
    """The best move of the deepest search that was finished in time."""
    stop = time.monotonic() + min(SECONDS, clock["move_ms"] / 3000)
    cells, numbers, wanted = read(state)
    best = None
    for depth in range(1, len(cells) + 1):
        # The first ply is quick and always finished. Search on a copy: giving up half-way leaves touches behind.
        search = Search(numbers, wanted[:], stop if best else float("inf"))
        try:
            best = search.best_move(cells, state["seat"], depth, first=best)
        except OutOfTimeError:
            break
    return best.name


def read(state: dict) -> tuple[list[Cell], list[int], list[int]]:
    """The empty cells, the numbers of all circles, and how many touches each circle still wants."""
    circles = state["options"]["circles"]
    points = [(row, col) for row, line in enumerate(circles) for col, number in enumerate(line) if number]
    numbers = [circles[row][col] for row, col in points]

    def cell_of(name: str) -> Cell:
        row, col = (int(number) for number in name.split(","))
        slash = [(row, col + 1), (row + 1, col)]
        backslash = [(row, col), (row + 1, col + 1)]
        slash_circles, backslash_circles = (
            [points.index(p) for p in ends if p in points] for ends in (slash, backslash)
        )
        return Cell(name, (slash_circles, backslash_circles))

    wanted = numbers[:]
    for ply, name in enumerate(state["moves"]):
        for circle in cell_of(name).circles[ply % 2]:  # seat 0 begins, and turns alternate
            wanted[circle] -= 1
    return [cell_of(name) for name in state["legal"]], numbers, wanted


class Search:
    """One search to one depth, on one list of wanted touches: a circle pays when it comes down to 0."""

    def __init__(self, numbers: list[int], wanted: list[int], deadline: float) -> None:
        self.numbers = numbers
        self.wanted = wanted
        self.deadline = deadline

    def best_move(self, cells: list[Cell], seat: int, depth: int, *, first: Cell | None) -> Cell:
        """The best cell when looking so deep. What was best before is tried first, for more cuts."""
        best_value, best = float("-inf"), first
        for cell in sorted(cells, key=lambda cell: (cell != first, -self.gain(cell, seat))):
            value = self.value_of(cells, cell, seat, depth, best_value, float("inf"))
            if value > best_value:
                best_value, best = value, cell
        return best

    def search(self, cells: list[Cell], seat: int, depth: int, alpha: float, beta: float) -> float:
        """The points that `seat`, who is to move, gains from here on, less the opponent's; exact in (alpha, beta)."""
        if time.monotonic() > self.deadline:
            raise OutOfTimeError
        if depth == 0 or not cells:
            return 0
        for cell in sorted(cells, key=lambda cell: -self.gain(cell, seat)):
            alpha = max(alpha, self.value_of(cells, cell, seat, depth, alpha, beta))
            if alpha >= beta:
                break
        return alpha

    def value_of(self, cells: list[Cell], cell: Cell, seat: int, depth: int, alpha: float, beta: float) -> float:
        """Draw the diagonal, ask what the opponent can do then, and take it back."""
        gain = self.gain(cell, seat)
        rest = [other for other in cells if other is not cell]
        for circle in cell.circles[seat]:
            self.wanted[circle] -= 1
        # The gain is ours in any case, so what follows has to be so much worse.
        value = gain - self.search(rest, 1 - seat, depth - 1, gain - beta, gain - alpha)
        for circle in cell.circles[seat]:
            self.wanted[circle] += 1
        return value

    def gain(self, cell: Cell, seat: int) -> int:
        """The sum of the circles that want one more touch and get it."""
        return sum(self.numbers[circle] for circle in cell.circles[seat] if self.wanted[circle] == 1)
