"""A bot for the event cse371 that searches: alpha-beta, one move deeper while there is time."""

import time
from functools import cache

SECONDS = 0.2  # for one move; the event allows 12, and a short time keeps trial games short
LINE_OF_BLOCKS = 100_000
# A move in cell (row % 3, col % 3), counted row by row, sends the opponent to these blocks.
SENDS_TO = [(1, 3), (0, 2), (1, 5), (0, 6), (4,), (2, 8), (3, 7), (6, 8), (5, 7)]
LINES = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]
PLACES = [3, 2, 3, 2, 4, 2, 3, 2, 3]  # lines through each of nine places
OTHER = {"x": "o", "o": "x"}

Move = tuple[int, int]  # in the search: block and cell, both 0 to 8


class OutOfTimeError(Exception):
    """Raised deep inside the search to get out of it."""


class Player3:
    """The class of team N is called PlayerN. What it keeps in `self` lives as long as the game."""

    def __init__(self) -> None:
        self.cells: list[list[str]] = []  # nine blocks of nine cells
        self.blocks: list[str] = []  # "-", "x", "o" or "D" for each block
        self.deadline = 0.0

    def move(
        self, temp_board: list[list[str]], temp_block: list[str], old_move: tuple[int, int], flag: str
    ) -> tuple[int, int]:
        """The best move of the deepest search that was finished in time."""
        stop = time.monotonic() + SECONDS
        sent_to = None if old_move == (-1, -1) else 3 * (old_move[0] % 3) + old_move[1] % 3
        best = None
        for depth in range(1, 82):
            # Search on copies: the lists you are handed must not change, and giving up half-way leaves marks behind.
            self.cells = [[temp_board[b // 3 * 3 + c // 3][b % 3 * 3 + c % 3] for c in range(9)] for b in range(9)]
            self.blocks = list(temp_block)
            self.deadline = stop if best else float("inf")  # the first ply is quick and always finished
            try:
                value, best = self.best_move(sent_to, flag, depth, first=best)
            except OutOfTimeError:
                break
            if abs(value) >= LINE_OF_BLOCKS:
                break  # decided: looking deeper changes nothing
        block, cell = best
        return block // 3 * 3 + cell // 3, block % 3 * 3 + cell % 3

    def best_move(self, sent_to: int | None, flag: str, depth: int, *, first: Move | None) -> tuple[float, Move]:
        """The best move and its value for `flag`. The move that was best before is tried first, for more cuts."""
        moves = sorted(self.legal_moves(sent_to), key=lambda move: move != first)
        best_value, best = float("-inf"), moves[0]
        for move in moves:
            value = self.value_of(move, flag, depth, best_value, float("inf"))
            if value > best_value:
                best_value, best = value, move
        return best_value, best

    def search(self, sent_to: int, flag: str, depth: int, alpha: float, beta: float) -> float:
        """What the position is worth to `flag`, who is to move; only values between alpha and beta need be exact."""
        if time.monotonic() > self.deadline:
            raise OutOfTimeError
        if "-" not in self.blocks:
            return 1000 * self.lead(flag)
        if depth == 0:
            return self.evaluate(flag)
        for move in self.legal_moves(sent_to):
            alpha = max(alpha, self.value_of(move, flag, depth, alpha, beta))
            if alpha >= beta:
                break
        return alpha

    def value_of(self, move: Move, flag: str, depth: int, alpha: float, beta: float) -> float:
        """Make the move, ask what the opponent can do about it, and take it back."""
        block, cell = move
        self.cells[block][cell] = flag
        if has_line(tuple(self.cells[block]), flag):
            self.blocks[block] = flag
        elif "-" not in self.cells[block]:
            self.blocks[block] = "D"
        if self.blocks[block] == flag and has_line(tuple(self.blocks), flag):
            value = LINE_OF_BLOCKS + depth  # an early win has more depth left, and so a higher value
        else:
            value = -self.search(cell, OTHER[flag], depth - 1, -beta, -alpha)
        self.cells[block][cell] = "-"
        self.blocks[block] = "-"
        return value

    def legal_moves(self, sent_to: int | None) -> list[Move]:
        """The empty cells of the blocks sent to; of all open blocks where those are finished."""
        targets = [] if sent_to is None else [b for b in SENDS_TO[sent_to] if self.blocks[b] == "-"]
        targets = targets or [b for b in range(9) if self.blocks[b] == "-"]
        return [(b, c) for b in targets for c in range(9) if self.cells[b][c] == "-"]

    def lead(self, flag: str) -> int:
        """Who is ahead when no line was made: 1, 0 or -1 by blocks, then by the centre cells."""
        other = OTHER[flag]
        centres = [cells[4] for cells in self.cells]
        mine = (self.blocks.count(flag), centres.count(flag))
        theirs = (self.blocks.count(other), centres.count(other))
        return (mine > theirs) - (mine < theirs)

    def evaluate(self, flag: str) -> float:
        """A guess without looking ahead: lines that can still be finished, in blocks and of blocks."""
        value = 30 * line_score(tuple(self.blocks))
        for block, cells in enumerate(self.cells):
            if self.blocks[block] == "-":
                value += PLACES[block] * line_score(tuple(cells))
        value += 5 * (self.blocks.count("x") - self.blocks.count("o"))
        return value if flag == "x" else -value


@cache
def has_line(places: tuple[str, ...], mark: str) -> bool:
    """Whether three of nine places in a line hold this mark; for cells and for blocks."""
    return any(places[a] == places[b] == places[c] == mark for a, b, c in LINES)


@cache
def line_score(places: tuple[str, ...]) -> int:
    """For x: 1 for a line with one mark, 4 with two, as long as nothing else stands in it. For o the same, negative."""
    score = 0
    for line in LINES:
        marks = [places[place] for place in line]
        for flag, sign in (("x", 1), ("o", -1)):
            if marks.count(flag) + marks.count("-") == 3:
                score += sign * marks.count(flag) ** 2
    return score
