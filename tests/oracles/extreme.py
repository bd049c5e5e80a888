"""Extreme Tic-Tac-Toe: 4x4 blocks of 4x4 cells, diamonds for diagonals, and a bonus move."""

from fractions import Fraction

from .nested import NestedGame, Place, rows_and_columns

DIAMONDS = [
    [(0, 1), (1, 0), (1, 2), (2, 1)],
    [(0, 2), (1, 1), (1, 3), (2, 2)],
    [(1, 1), (2, 0), (2, 2), (3, 1)],
    [(1, 2), (2, 1), (2, 3), (3, 2)],
]

BLOCK_POINTS = [
    [6, 4, 4, 6],
    [4, 3, 3, 4],
    [4, 3, 3, 4],
    [6, 4, 4, 6],
]


class Oracle(NestedGame):
    """Winning a block gives one more move, unless the winning move was itself such a move."""

    def __init__(self, bonus: bool = True) -> None:
        super().__init__(4, rows_and_columns(4) + DIAMONDS)
        self.bonus = bonus
        self.next_is_bonus = False

    def targets(self, last_move: Place) -> list[Place]:
        """One block."""
        row, col = last_move
        return [(row % 4, col % 4)]

    def play(self, move: str) -> None:
        """Plays a move; the same seat stays to move when it has earned a bonus move."""
        block_won = self.put_mark(move)
        if self.bonus and block_won and not self.next_is_bonus:
            self.next_is_bonus = True
        else:
            self.next_is_bonus = False
            self.mover = 1 - self.mover

    def result(self) -> int | None:
        """The first player's points less the second's, None while the game goes on."""
        if not self.is_over():
            return None
        first, second = self.points()
        return int(first - second)

    def block_sum(self, mark: str) -> int:
        """The worth of the blocks held: corners 6, edges 4, centre 3."""
        total = 0
        for row in range(4):
            for col in range(4):
                if self.block_grid[row][col] == mark:
                    total += BLOCK_POINTS[row][col]
        return total

    def points(self) -> tuple[Fraction, Fraction]:
        """68-0 for a pattern of blocks; else the worth of the blocks that each side holds."""
        if self.winner() == 0:
            return Fraction(68), Fraction(0)
        if self.winner() == 1:
            return Fraction(0), Fraction(68)
        return Fraction(self.block_sum("x")), Fraction(self.block_sum("o"))
