"""A bot for the event cse371 that knows nothing of strategy: Monte Carlo tree search, random games to the end."""

import math
import random
import time

SECONDS = 0.2  # for one move; the event allows 12, and a short time keeps trial games short
CURIOSITY = 0.7  # more of it tries more different moves, less looks deeper at the good ones
# A move in cell (row % 3, col % 3), counted row by row, sends the opponent to these blocks.
SENDS_TO = [(1, 3), (0, 2), (1, 5), (0, 6), (4,), (2, 8), (3, 7), (6, 8), (5, 7)]
LINES = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]
LINES_THROUGH = [[line for line in LINES if place in line] for place in range(9)]
OTHER = {"x": "o", "o": "x"}


class Player4:
    """The class of team N is called PlayerN."""

    def move(
        self, temp_board: list[list[str]], temp_block: list[str], old_move: tuple[int, int], flag: str
    ) -> tuple[int, int]:
        """Grow a tree of moves until time is up; the move that was tried most often was the best."""
        deadline = time.monotonic() + SECONDS
        start = Position(
            [[temp_board[b // 3 * 3 + c // 3][b % 3 * 3 + c % 3] for c in range(9)] for b in range(9)],
            list(temp_block),
            None if old_move == (-1, -1) else 3 * (old_move[0] % 3) + old_move[1] % 3,
            flag,
        )
        root = Node(None, OTHER[flag])
        root.children = [Node(move, flag) for move in start.moves()]
        while time.monotonic() < deadline or root.visits < len(root.children):
            grow(root, start.copy())
        block, cell = max(root.children, key=lambda node: node.visits).move
        return block // 3 * 3 + cell // 3, block % 3 * 3 + cell % 3


class Node:
    """A move in the tree, who made it, and what the games through it were worth to that player."""

    def __init__(self, move: tuple[int, int] | None, mover: str) -> None:
        self.move = move
        self.mover = mover
        self.visits = 0
        self.worth = 0.0
        self.children: list[Node] = []

    def most_interesting(self) -> "Node":
        """The child that does well, or one of which we know little (the rule is called UCB1)."""
        log_visits = math.log(self.visits + 1)

        def interest(child: Node) -> float:
            if child.visits == 0:
                return 1000 + random.random()
            return child.worth / child.visits + CURIOSITY * math.sqrt(log_visits / child.visits)

        return max(self.children, key=interest)


def grow(root: Node, position: "Position") -> None:
    """Go down the tree to its edge, add the moves there, play at random to the end, and tell all on the way."""
    path = [root]
    while path[-1].children:
        path.append(path[-1].most_interesting())
        position.play(path[-1].move)
    if path[-1].visits and not position.is_over:
        path[-1].children = [Node(move, position.mover) for move in position.moves()]
    while not position.is_over:
        position.play(position.random_move())
    worth_for_x = position.worth_for_x()
    for node in path:
        node.visits += 1
        node.worth += worth_for_x if node.mover == "x" else 1 - worth_for_x


class Position:
    """Nine blocks of nine cells, who has won which block, where the last move sends, and who moves."""

    def __init__(self, cells: list[list[str]], blocks: list[str], sent_by: int | None, mover: str) -> None:
        self.cells = cells
        self.blocks = blocks
        self.sent_by = sent_by
        self.mover = mover
        self.winner: str | None = None
        self.is_over = False

    def copy(self) -> "Position":
        return Position([cells[:] for cells in self.cells], self.blocks[:], self.sent_by, self.mover)

    def open_blocks(self) -> list[int]:
        """The blocks where the mover may play."""
        sent_to = [] if self.sent_by is None else [b for b in SENDS_TO[self.sent_by] if self.blocks[b] == "-"]
        return sent_to or [b for b in range(9) if self.blocks[b] == "-"]

    def moves(self) -> list[tuple[int, int]]:
        return [(b, c) for b in self.open_blocks() for c in range(9) if self.cells[b][c] == "-"]

    def random_move(self) -> tuple[int, int]:
        """Any block, then any cell of it: quicker than a list of all moves."""
        block = random.choice(self.open_blocks())
        return block, random.choice([c for c in range(9) if self.cells[block][c] == "-"])

    def play(self, move: tuple[int, int]) -> None:
        block, cell = move
        self.cells[block][cell] = self.mover
        if has_line_through(self.cells[block], cell):
            self.blocks[block] = self.mover
            if has_line_through(self.blocks, block):
                self.winner = self.mover
        elif "-" not in self.cells[block]:
            self.blocks[block] = "D"
        self.is_over = self.winner is not None or "-" not in self.blocks
        self.sent_by = cell
        self.mover = OTHER[self.mover]

    def worth_for_x(self) -> float:
        """The share of the event's three points: all for a line, two for more blocks or else more centres."""
        if self.winner:
            return 1.0 if self.winner == "x" else 0.0
        centres = [cells[4] for cells in self.cells]
        x = self.blocks.count("x"), centres.count("x")
        o = self.blocks.count("o"), centres.count("o")
        return 2 / 3 if x > o else 1 / 3 if x < o else 1 / 2


def has_line_through(places: list[str], place: int) -> bool:
    """Whether the mark at this place is part of a line: only a new mark can have made one."""
    return any(places[a] == places[b] == places[c] for a, b, c in LINES_THROUGH[place])
