"""The cost game on a 3x3 board of numbers, from whose rows and columns the players subtract."""

from fractions import Fraction

Place = tuple[int, int]

ROWS = [[(row, col) for col in range(3)] for row in range(3)]
COLUMNS = [[(row, col) for row in range(3)] for col in range(3)]
DIAGONALS = [[(0, 0), (1, 1), (2, 2)], [(0, 2), (1, 1), (2, 0)]]
LINES = ROWS + COLUMNS


class Oracle:
    """The lowest cost wins, so the payoff is the other player's cost less one's own."""

    def __init__(self, board: list[list[int]], reward: int = 15, penalty: int = 7) -> None:
        self.board = [list(row) for row in board]
        self.reward = reward
        self.penalty = penalty
        self.costs = [0, 0]
        self.mover = 0

    def numbers(self, line: list[Place]) -> list[int]:
        """The three numbers of a line."""
        return [self.board[row][col] for row, col in line]

    def has_line_of_zeros(self) -> bool:
        """A row, a column or a diagonal is all 0."""
        return any(self.numbers(line) == [0, 0, 0] for line in LINES + DIAGONALS)

    def is_blocked(self) -> bool:
        """Every row and every column contains a 0."""
        return all(0 in self.numbers(line) for line in LINES)

    def is_over(self) -> bool:
        """Either ending has come about."""
        return self.has_line_of_zeros() or self.is_blocked()

    def legal(self) -> set[str]:
        """1, 2 or 3 from a line without a 0, no more than the smallest number of the line."""
        if self.is_over():
            return set()
        moves = set()
        for index, line in enumerate(LINES):
            numbers = self.numbers(line)
            for amount in (1, 2, 3):
                if 0 not in numbers and amount <= min(numbers):
                    moves.add(f"{index},{amount}")
        return moves

    def turn(self) -> int:
        """The seat to move."""
        return self.mover

    def play(self, move: str) -> None:
        """Subtracts, adds to the mover's cost, and settles the reward or penalty at the end."""
        if move not in self.legal():
            raise ValueError(f"illegal move: {move}")
        index, amount = (int(number) for number in move.split(","))
        for row, col in LINES[index]:
            self.board[row][col] -= amount
        self.costs[self.mover] += amount
        if self.has_line_of_zeros():
            self.costs[self.mover] -= self.reward
        elif self.is_blocked():
            self.costs[self.mover] += self.penalty
        self.mover = 1 - self.mover

    def result(self) -> int | None:
        """The second player's cost less the first's, None while the game goes on."""
        if not self.is_over():
            return None
        return self.costs[1] - self.costs[0]

    def points(self) -> tuple[Fraction, Fraction]:
        """The payoffs of a finished game."""
        payoff = self.costs[1] - self.costs[0]
        return Fraction(payoff), Fraction(-payoff)
