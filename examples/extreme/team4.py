"""A bot for the event extreme that grows a tree: Monte Carlo tree search on the board that it is handed.

A random game takes two hundred moves here, too many for the little time. So where the tree ends, a guess stands in.
"""

import math
import time
from functools import lru_cache

SECONDS = 0.1  # for one move; the event allows 16, and a short time keeps trial games short
CURIOSITY = 0.05  # more of it tries more different moves, less looks deeper at the good ones
CERTAIN = 60  # a lead of so much in `guess_for_x` is as good as 73 % of a win
PATTERNS = [
    *[(i, i + 1, i + 2, i + 3) for i in (0, 4, 8, 12)],  # rows of sixteen cells, or of sixteen blocks
    *[(i, i + 4, i + 8, i + 12) for i in range(4)],  # columns
    *[(1, 4, 6, 9), (2, 5, 7, 10), (5, 8, 10, 13), (6, 9, 11, 14)],  # diamonds
]
WORTH = [0, 1, 4, 12, 40]  # of a pattern that only one side has marks in, by the number of marks
OTHER = {"x": "o", "o": "x"}


class Node:
    """A move in the tree, who made it, and how it looks for that player: 0 is a loss, 1 a win."""

    def __init__(self, cell: tuple[int, int], mover: str, worth: float = 0.5) -> None:
        self.cell = cell
        self.mover = mover
        self.worth = worth
        self.visits = 1
        self.children: list[Node] = []

    def most_interesting(self) -> "Node":
        """The child that looks good, or one of which we know little (the rule is called UCB1)."""
        log_visits = math.log(self.visits)
        return max(self.children, key=lambda child: child.worth + CURIOSITY * math.sqrt(log_visits / child.visits))


class Team4:
    """The class of team N is called TeamN."""

    def move(self, board, old_move: tuple[int, int], flag: str) -> tuple[int, int]:
        """Grow a tree of moves until time is up, and play the move that looks best then."""
        deadline = time.monotonic() + SECONDS
        if old_move == (-1, -1):
            return 5, 5  # an empty board: any move is as good as another
        root = Node(old_move, OTHER[flag])
        # When the last move was our own we have won a block with it, and this is the bonus move.
        is_bonus = board.board_status[old_move[0]][old_move[1]] == flag
        expand(board, root, flag)
        while time.monotonic() < deadline:
            grow(board, root, is_bonus)
        return max(root.children, key=lambda child: child.worth).cell


def grow(board, root: Node, is_bonus: bool) -> None:
    """Go down the tree to its edge, add the moves there, and tell all moves on the way what they are worth now."""
    path, mover = [root], root.mover
    while path[-1].children:
        node = path[-1].most_interesting()
        _, has_won_block = board.update(path[-1].cell, node.cell, node.mover)
        is_bonus = has_won_block and not is_bonus  # who wins a block moves once more, but only once
        mover = node.mover if is_bonus else OTHER[node.mover]
        path.append(node)
    if board.find_terminal_state()[0] == "CONTINUE":
        expand(board, path[-1], mover)
    for node in reversed(path):
        node.visits += 1
        if node.children:
            # Not the mean, as with random games: one good reply is enough to refute a move.
            best = max(node.children, key=lambda child: child.worth)
            node.worth = best.worth if best.mover == node.mover else 1 - best.worth
    for node in path[1:]:
        undo(board, node.cell)


def expand(board, node: Node, mover: str) -> None:
    """Try every move that may follow, with a guess of what it is worth."""
    for cell in board.find_valid_move_cells(node.cell):
        _, has_won_block = board.update(node.cell, cell, mover)
        winner, state = board.find_terminal_state() if has_won_block else ("CONTINUE", "-")
        worth_for_x = float(winner == "x") if state == "WON" else guess_for_x(board)
        node.children.append(Node(cell, mover, worth_for_x if mover == "x" else 1 - worth_for_x))
        undo(board, cell)


def undo(board, cell: tuple[int, int]) -> None:
    """By hand: the referee compares the board afterwards. A block that could be played in was open."""
    row, col = cell
    board.board_status[row][col] = "-"
    board.block_status[row // 4][col // 4] = "-"


def guess_for_x(board) -> float:
    """How likely x seems to win: by patterns that can still be finished, in blocks and of blocks."""
    rows = ["".join(row) for row in board.board_status]
    blocks = "".join("".join(row) for row in board.block_status)
    lead = 10 * pattern_score(blocks)
    for block, status in enumerate(blocks):
        if status == "-":
            top, left = block // 4 * 4, block % 4 * 4
            lead += pattern_score("".join(row[left : left + 4] for row in rows[top : top + 4]))
    return 1 / (1 + math.exp(-max(-500, min(500, lead / CERTAIN))))


@lru_cache(maxsize=100_000)
def pattern_score(places: str) -> int:
    """For sixteen places: what x's patterns are worth less what o's are worth; a pattern with both is worth nothing."""
    score = 0
    for pattern in PATTERNS:
        marks = [places[place] for place in pattern]
        for flag, sign in (("x", 1), ("o", -1)):
            if marks.count(flag) + marks.count("-") == 4:
                score += sign * WORTH[marks.count(flag)]
    return score
