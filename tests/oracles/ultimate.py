"""Standard Ultimate Tic-Tac-Toe."""

from fractions import Fraction

from .nested import NestedGame, Place, lines_of_three


class Oracle(NestedGame):
    """A move sends to the local board that lies where the cell lies in its own local board."""

    def __init__(self) -> None:
        super().__init__(3, lines_of_three())

    def targets(self, last_move: Place) -> list[Place]:
        """One local board."""
        row, col = last_move
        return [(row % 3, col % 3)]

    def result(self) -> int | None:
        """1 when x wins, -1 when o wins, 0 for a draw, None while the game goes on."""
        if not self.is_over():
            return None
        if self.winner() is None:
            return 0
        return 1 if self.winner() == 0 else -1

    def points(self) -> tuple[Fraction, Fraction]:
        """1 for a win; in a draw a quarter for each local board held."""
        if self.winner() == 0:
            return Fraction(1), Fraction(0)
        if self.winner() == 1:
            return Fraction(0), Fraction(1)
        return Fraction(self.blocks().count("x"), 4), Fraction(self.blocks().count("o"), 4)
