"""A bot for the event term-project that grows a tree: Monte Carlo tree search with random games to the end."""

import math
import random
import time

SECONDS = 0.2  # for one move; the event allows 60, and a short time keeps trial games short
CURIOSITY = 0.4  # more of it tries more different moves, less looks deeper at the good ones
FAR = 5  # while all numbers are larger, random games say nothing about the end
MUCH = 25  # a difference of so much in cost is as good as any
LINES = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8)]  # three rows, three columns
LINES_AND_DIAGONALS = [*LINES, (0, 4, 8), (2, 4, 6)]
REWARD, PENALTY = 15, 7

Move = tuple[int, int]  # line and k


class Node:
    """A move in the tree, and what came of it for the player who made it: 0 for a loss up to 1 for a win."""

    def __init__(self, move: Move | None) -> None:
        self.move = move
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


def make_your_move(board: list[list[int]]) -> Move:
    """Grow a tree of moves until time is up; the move that was tried most often was the best."""
    deadline = time.monotonic() + SECONDS
    numbers = [number for row in board for number in row]  # a copy: `board` itself must not be changed
    if min(numbers) > FAR:
        return max(range(6), key=lambda line: min(numbers[place] for place in LINES[line])), 1
    root = Node(None)
    root.children = [Node(move) for move in legal_moves(numbers)]
    while time.monotonic() < deadline or root.visits < len(root.children):
        grow(root, numbers[:])
    return max(root.children, key=lambda node: node.visits).move


def grow(root: Node, numbers: list[int]) -> None:
    """Go down the tree to its edge, add the moves there, play at random to the end, and tell all on the way."""
    path, lead, mover = [root], 0, 1  # the lead of the player to move at the root, who is +1; the other is -1
    is_over = False
    while path[-1].children:
        path.append(path[-1].most_interesting())
        gain, is_over = play(numbers, path[-1].move)
        lead += mover * gain
        mover = -mover
    if path[-1].visits and not is_over:
        path[-1].children = [Node(move) for move in legal_moves(numbers)]
    while not is_over:
        gain, is_over = play(numbers, cheap_move(numbers))
        lead += mover * gain
        mover = -mover
    worth = 0.5 + 0.5 * max(-1.0, min(1.0, lead / MUCH))
    for depth, node in enumerate(path):
        node.visits += 1
        node.worth += worth if depth % 2 else 1 - worth  # the moves at odd depth are ours


def play(numbers: list[int], move: Move) -> tuple[int, bool]:
    """Make a move on the list: what the mover gains by it (costs are negative), and whether the game is over."""
    line, k = move
    for place in LINES[line]:
        numbers[place] -= k
    if any(numbers[a] == numbers[b] == numbers[c] == 0 for a, b, c in LINES_AND_DIAGONALS):
        return REWARD - k, True
    if all(numbers[a] == 0 or numbers[b] == 0 or numbers[c] == 0 for a, b, c in LINES):
        return -PENALTY - k, True
    return -k, False


def cheap_move(numbers: list[int]) -> Move:
    """For random games: any line, mostly by 1, since nobody who thinks pays more without a reason."""
    smallest = [min(numbers[a], numbers[b], numbers[c]) for a, b, c in LINES]
    line = random.choice([line for line in range(6) if smallest[line]])
    return line, random.choice([k for k in (1, 1, 2, 3) if k <= smallest[line]])


def legal_moves(numbers: list[int]) -> list[Move]:
    """A line with a 0 in it allows nothing, other lines up to 3 but no more than their smallest number."""
    smallest = [min(numbers[a], numbers[b], numbers[c]) for a, b, c in LINES]
    return [(line, k) for k in (1, 2, 3) for line in range(6) if k <= smallest[line]]
