"""What the three games played on a board of small boards have in common."""

from fractions import Fraction

Place = tuple[int, int]
Pattern = list[Place]

EMPTY = "-"
DRAWN = "d"
MARKS = ["x", "o"]


def rows_and_columns(size: int) -> list[Pattern]:
    """Every row and every column of a square grid."""
    rows = [[(row, col) for col in range(size)] for row in range(size)]
    columns = [[(row, col) for row in range(size)] for col in range(size)]
    return rows + columns


def lines_of_three() -> list[Pattern]:
    """The eight lines of tic-tac-toe."""
    diagonals = [[(0, 0), (1, 1), (2, 2)], [(0, 2), (1, 1), (2, 0)]]
    return rows_and_columns(3) + diagonals


def has_pattern(grid: list[list[str]], mark: str, patterns: list[Pattern]) -> bool:
    """Whether every place of some pattern holds this mark."""
    for pattern in patterns:
        for row, col in pattern:
            if grid[row][col] != mark:
                break
        else:
            return True
    return False


def block_status(block: list[list[str]], patterns: list[Pattern]) -> str:
    """The winner's mark; else drawn when the block is full; else empty, for unfinished."""
    for mark in MARKS:
        if has_pattern(block, mark, patterns):
            return mark
    if any(EMPTY in row for row in block):
        return EMPTY
    return DRAWN


class NestedGame:
    """A size x size grid of blocks, each of size x size cells; a game adds sending and points."""

    def __init__(self, size: int, patterns: list[Pattern]) -> None:
        self.size = size
        self.patterns = patterns
        self.cells = [[EMPTY] * (size * size) for _ in range(size * size)]
        self.block_grid = [[EMPTY] * size for _ in range(size)]
        self.mover = 0
        self.last_move: Place | None = None

    def targets(self, last_move: Place) -> list[Place]:
        """The blocks that a move sends to, finished or not."""
        raise NotImplementedError

    def points(self) -> tuple[Fraction, Fraction]:
        """The event's points of a finished game."""
        raise NotImplementedError

    def turn(self) -> int:
        """The seat to move."""
        return self.mover

    def blocks(self) -> list[str]:
        """The status of every block, row by row."""
        return [status for row in self.block_grid for status in row]

    def winner(self) -> int | None:
        """The seat that holds a pattern of blocks, if any."""
        for seat, mark in enumerate(MARKS):
            if has_pattern(self.block_grid, mark, self.patterns):
                return seat
        return None

    def is_over(self) -> bool:
        """A pattern of blocks is won, or every block is finished."""
        return self.winner() is not None or EMPTY not in self.blocks()

    def open_blocks(self) -> list[Place]:
        """The unfinished blocks sent to; when there are none, all the unfinished blocks."""
        numbers = range(self.size)
        places = [(row, col) for row in numbers for col in numbers]
        unfinished = [(row, col) for row, col in places if self.block_grid[row][col] == EMPTY]
        if self.last_move is None:
            return unfinished
        sent_to = [block for block in self.targets(self.last_move) if block in unfinished]
        return sent_to or unfinished

    def cells_of(self, block: Place) -> list[Place]:
        """The places of a block's cells on the whole board."""
        top, left = block[0] * self.size, block[1] * self.size
        numbers = range(self.size)
        return [(top + row, left + col) for row in numbers for col in numbers]

    def legal(self) -> set[str]:
        """Every empty cell of the open blocks; nothing once the game is over."""
        if self.is_over():
            return set()
        places = [place for block in self.open_blocks() for place in self.cells_of(block)]
        return {f"{row},{col}" for row, col in places if self.cells[row][col] == EMPTY}

    def put_mark(self, move: str) -> bool:
        """Puts the mover's mark down and says whether that won a block."""
        row, col = (int(number) for number in move.split(","))
        block_row, block_col = row // self.size, col // self.size
        is_open = not self.is_over() and (block_row, block_col) in self.open_blocks()
        if not is_open or self.cells[row][col] != EMPTY:
            raise ValueError(f"illegal move: {move}")
        self.cells[row][col] = MARKS[self.mover]
        self.last_move = (row, col)
        top, left = block_row * self.size, block_col * self.size
        block = [line[left : left + self.size] for line in self.cells[top : top + self.size]]
        self.block_grid[block_row][block_col] = block_status(block, self.patterns)
        return self.block_grid[block_row][block_col] == MARKS[self.mover]

    def play(self, move: str) -> None:
        """Plays a move, after which it is the other seat's turn."""
        self.put_mark(move)
        self.mover = 1 - self.mover
