"""A bot for the event extreme that grows a tree: Monte Carlo tree search on the board that it is handed.

A random game takes two hundred moves here, too many for the little time. So where the tree ends, a guess stands in.
"""

import math
import random
import time
from functools import lru_cache

SECONDS = 0.1  # for one move; the event allows 16, and a short time keeps trial games short
CURIOSITY = 0.3  # more of it tries more different moves, less looks deeper at the good ones
TURN = 10  # what it is worth to be the next to move: without it, lines that end with our own move look too good
CERTAIN = 60  # a lead of so much in `guess_for_x` is as good as 73 % of a win
PATTERNS = [
    *[(i, i + 1, i + 2, i + 3) for i in (0, 4, 8, 12)],  # rows of sixteen cells, or of sixteen blocks
    *[(i, i + 4, i + 8, i + 12) for i in range(4)],  # columns
    *[(1, 4, 6, 9), (2, 5, 7, 10), (5, 8, 10, 13), (6, 9, 11, 14)],  # diamonds
]
WORTH = [0, 1, 4, 12, 40]  # of a pattern that only one side has marks in, by the number of marks
OTHER = {"x": "o", "o": "x"}


class Node:
    """A move in the tree, who made it, and what came of it for that player: 0 for a loss up to 1 for a win."""

    def __init__(self, cell: tuple[int, int], mover: str, is_bonus: bool) -> None:
        self.cell = cell
        self.mover = mover
        self.is_bonus = is_bonus  # it is the second move of a turn
        self.visits = 0
        self.worth = 0.0
        self.children: list[Node] = []

    def most_interesting(self) -> "Node":
        """The child that does well, or one of which we know little (the rule is called UCB1)."""
        log_visits = math.log(self.visits + 1)

        def interest(child: Node) -> float:
            if child.visits == 0:
                return 1000 + random.random()
            return child.worth + CURIOSITY * math.sqrt(log_visits / child.visits)

        return max(self.children, key=interest)


class Team4:
    """The class of team N is called TeamN."""

    def move(self, board, old_move: tuple[int, int], flag: str) -> tuple[int, int]:
        """Grow a tree of moves until time is up; the move that was tried most often was the best."""
        deadline = time.monotonic() + SECONDS
        is_bonus = old_move != (-1, -1) and board.board_status[old_move[0]][old_move[1]] == flag
        root = Node(old_move, OTHER[flag], False)
        root.children = [Node(cell, flag, is_bonus) for cell in board.find_valid_move_cells(old_move)]
        while time.monotonic() < deadline or not root.visits:
            grow(board, root)
        return max(root.children, key=lambda node: node.visits).cell


def grow(board, root: Node) -> None:
    """Go down the tree to its edge, add the moves there, guess how it ends, and tell all moves on the way."""
    path, has_won_block, is_over = [root], False, False
    while path[-1].children:
        node = path[-1].most_interesting()
        _, has_won_block = board.update(path[-1].cell, node.cell, node.mover)
        path.append(node)
    node = path[-1]
    winner, state = board.find_terminal_state()
    is_over = state != "CONTINUE"
    if node.visits and not is_over:
        moves_again = has_won_block and not node.is_bonus  # who wins a block moves once more
        mover = node.mover if moves_again else OTHER[node.mover]
        node.children = [Node(cell, mover, moves_again) for cell in board.find_valid_move_cells(node.cell)]
    worth_for_x = {"x": 1.0, "o": 0.0}[winner] if state == "WON" else guess_for_x(board, OTHER[node.mover])
    node.worth = worth_for_x if node.mover == "x" else 1 - worth_for_x
    for visited in reversed(path):
        visited.visits += 1
        tried = [child for child in visited.children if child.visits]
        if tried:
            # A mean over all replies would hide the one good reply: guesses, unlike random games, need no averaging.
            best = max(tried, key=lambda child: child.worth)
            visited.worth = best.worth if best.mover == visited.mover else 1 - best.worth
    # Undo by hand: the referee compares the board afterwards. Every block that we played in was open before.
    for visited in path[1:]:
        row, col = visited.cell
        board.board_status[row][col] = "-"
        board.block_status[row // 4][col // 4] = "-"


def guess_for_x(board, mover: str) -> float:
    """How likely x seems to win: by patterns that can still be finished, in blocks and of blocks."""
    rows = ["".join(row) for row in board.board_status]
    blocks = "".join("".join(row) for row in board.block_status)
    lead = 10 * pattern_score(blocks) + (TURN if mover == "x" else -TURN)
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
