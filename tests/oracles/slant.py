"""Loopless Slant: the players fill cells with diagonals and score at the numbered circles."""

from fractions import Fraction

Place = tuple[int, int]

EMPTY = "-"
DIAGONALS = ["/", "\\"]


class Oracle:
    """The first player draws '/', the second '\\'; a circle pays whoever completes its number."""

    def __init__(self, circles: list[list[int]]) -> None:
        self.circles = [list(row) for row in circles]
        self.size = len(circles) - 1
        self.cells = [[EMPTY] * self.size for _ in range(self.size)]
        self.scored: set[Place] = set()
        self.gains = [0, 0]
        self.mover = 0

    def legal(self) -> set[str]:
        """Every empty cell."""
        places = [(row, col) for row in range(self.size) for col in range(self.size)]
        return {f"{row},{col}" for row, col in places if self.cells[row][col] == EMPTY}

    def turn(self) -> int:
        """The seat to move."""
        return self.mover

    def ends(self, row: int, col: int) -> list[Place]:
        """The two points that the diagonal in a cell touches; none when the cell is empty."""
        if self.cells[row][col] == "/":
            return [(row, col + 1), (row + 1, col)]
        if self.cells[row][col] == "\\":
            return [(row, col), (row + 1, col + 1)]
        return []

    def touches(self, point: Place) -> int:
        """How many diagonals touch a point."""
        rows, cols = ([i for i in (number - 1, number) if 0 <= i < self.size] for number in point)
        return sum(point in self.ends(row, col) for row in rows for col in cols)

    def play(self, move: str) -> None:
        """Draws the mover's diagonal and scores every circle that has just got its number."""
        if move not in self.legal():
            raise ValueError(f"illegal move: {move}")
        row, col = (int(number) for number in move.split(","))
        self.cells[row][col] = DIAGONALS[self.mover]
        for point_row, numbers in enumerate(self.circles):
            for point_col, number in enumerate(numbers):
                point = (point_row, point_col)
                if number > 0 and point not in self.scored and self.touches(point) == number:
                    self.scored.add(point)
                    self.gains[self.mover] += number
        self.mover = 1 - self.mover

    def result(self) -> int | None:
        """The first player's points, gained less lost, None while the game goes on."""
        if self.legal():
            return None
        return self.gains[0] - self.gains[1]

    def points(self) -> tuple[Fraction, Fraction]:
        """The payoffs of a finished game: what one gains the other loses."""
        payoff = self.gains[0] - self.gains[1]
        return Fraction(payoff), Fraction(-payoff)
