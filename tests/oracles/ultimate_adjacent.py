"""Ultimate Tic-Tac-Toe in which a move sends to the blocks next to the usual one."""

from fractions import Fraction

from .nested import NestedGame, Place, lines_of_three

TARGETS = {
    (0, 0): [1, 3],
    (0, 1): [0, 2],
    (0, 2): [1, 5],
    (1, 0): [0, 6],
    (1, 1): [4],
    (1, 2): [2, 8],
    (2, 0): [3, 7],
    (2, 1): [6, 8],
    (2, 2): [5, 7],
}


class Oracle(NestedGame):
    """A move sends to one or two blocks, by the table."""

    def __init__(self) -> None:
        super().__init__(3, lines_of_three())

    def targets(self, last_move: Place) -> list[Place]:
        """The blocks of the table, whose numbers run row by row."""
        row, col = last_move
        return [(number // 3, number % 3) for number in TARGETS[(row % 3, col % 3)]]

    def result(self) -> int | None:
        """The first player's points less the second's, None while the game goes on."""
        if not self.is_over():
            return None
        first, second = self.points()
        return int(first - second)

    def centres(self, mark: str) -> int:
        """How many of the nine centre cells hold this mark."""
        cells = [self.cells[3 * row + 1][3 * col + 1] for row in range(3) for col in range(3)]
        return cells.count(mark)

    def points(self) -> tuple[Fraction, Fraction]:
        """3-0 for a line; else 2-1 by blocks, then by centre cells; else 1-1."""
        if self.winner() == 0:
            return Fraction(3), Fraction(0)
        if self.winner() == 1:
            return Fraction(0), Fraction(3)
        first, second = self.blocks().count("x"), self.blocks().count("o")
        if first == second:
            first, second = self.centres("x"), self.centres("o")
        if first > second:
            return Fraction(2), Fraction(1)
        if first < second:
            return Fraction(1), Fraction(2)
        return Fraction(1), Fraction(1)
