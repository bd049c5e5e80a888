"""A bot for the event slant that grows a tree: Monte Carlo tree search, with a few sensible moves at each new leaf."""

import math
import random
import time

SECONDS = 0.2  # for one move at most, and no more than a third of what the clock allows
CURIOSITY = 0.15  # more of it tries more different moves, less looks deeper at the good ones
MUCH = 10  # a lead of so many points is as good as any
AHEAD = 4  # moves beyond the tree: what is gained later has little to do with the move that we choose

Ends = tuple[tuple[int, int], tuple[int, int]]  # the two points that a cell's diagonal touches, for seat 0 and 1


class Node:
    """A move in the tree, and what came of it for the player who made it: 0 for a loss up to 1 for a win."""

    def __init__(self, cell: int, promise: int) -> None:
        self.cell = cell
        self.visits = 1  # the guess counts like one try, so that bad moves are not tried at all
        self.worth = 0.5 + promise / MUCH
        self.children: list[Node] = []

    def most_interesting(self) -> "Node":
        """The child that does well, or one of which we know little (the rule is called UCB1)."""
        log_visits = math.log(self.visits)

        def interest(child: Node) -> float:
            return child.worth / child.visits + CURIOSITY * math.sqrt(log_visits / child.visits)

        return max(self.children, key=interest)


class Board:
    """A slant board: which cells are empty, how many touches each point still wants, and who leads by how much.

    Cells and points are numbered row by row; a point without a circle has the number 0 and never pays.
    """

    def __init__(self, ends: list[Ends], numbers: list[int], wanted: list[int], free: list[int]) -> None:
        self.ends, self.numbers, self.wanted, self.free = ends, numbers, wanted, free
        self.mover = 0
        self.lead = 0  # the points of seat 0 less those of seat 1

    def copy(self) -> "Board":
        copy = Board(self.ends, self.numbers, self.wanted[:], self.free[:])
        copy.mover, copy.lead = self.mover, self.lead
        return copy

    def gain(self, cell: int) -> int:
        """The sum of the circles that want one more touch and get it."""
        a, b = self.ends[cell][self.mover]
        return (self.numbers[a] if self.wanted[a] == 1 else 0) + (self.numbers[b] if self.wanted[b] == 1 else 0)

    def promise(self, cell: int) -> int:
        """What a move gains, less the circles that it leaves wanting one touch, for the opponent to take."""
        a, b = self.ends[cell][self.mover]
        opened = (self.numbers[a] if self.wanted[a] == 2 else 0) + (self.numbers[b] if self.wanted[b] == 2 else 0)
        return self.gain(cell) - opened

    def play(self, cell: int) -> None:
        gain = self.gain(cell)
        self.lead += gain if self.mover == 0 else -gain
        for point in self.ends[cell][self.mover]:
            self.wanted[point] -= 1
        self.free.remove(cell)
        self.mover = 1 - self.mover


def choose(state: dict, clock: dict) -> str:
    """Grow a tree of moves until time is up; the move that was tried most often was the best."""
    deadline = time.monotonic() + min(SECONDS, clock["move_ms"] / 3000)
    circles = state["options"]["circles"]
    board, size = empty_board(circles), len(circles) - 1
    for move in state["moves"]:
        row, col = (int(number) for number in move.split(","))
        board.play(size * row + col)
    board.lead = 0  # what was gained before is the same whatever we do now
    root = Node(-1, 0)
    root.children = children(board)
    grow(root, board.copy())
    while time.monotonic() < deadline:
        grow(root, board.copy())
    cell = max(root.children, key=lambda node: node.visits).cell
    return f"{cell // size},{cell % size}"


def empty_board(circles: list[list[int]]) -> Board:
    size = len(circles) - 1
    ends = []
    for row in range(size):
        for col in range(size):
            corner = (size + 1) * row + col  # the upper left one
            slash, backslash = (corner + 1, corner + size + 1), (corner, corner + size + 2)
            ends.append((slash, backslash))
    numbers = [number for row in circles for number in row]
    return Board(ends, numbers, numbers[:], list(range(size * size)))


def children(board: Board) -> list[Node]:
    """All moves; of two that promise the same, either may be tried first."""
    nodes = [Node(cell, board.promise(cell)) for cell in board.free]
    random.shuffle(nodes)
    return nodes


def grow(root: Node, board: Board) -> None:
    """Go down the tree to its edge, add the moves there, play a little further, and tell all moves on the way."""
    path = [root]
    mover = 1 - board.mover  # who has "made" the root
    while path[-1].children:
        path.append(path[-1].most_interesting())
        board.play(path[-1].cell)
    if path[-1].visits > 1 and board.free:
        path[-1].children = children(board)
    for _ in range(min(AHEAD, len(board.free))):
        # The best one of four random moves: good enough to be likely, and never the same game again.
        board.play(max((random.choice(board.free) for _ in range(4)), key=board.promise))
    worth = 0.5 + 0.5 * max(-1.0, min(1.0, board.lead / MUCH))  # for seat 0
    for node in path:
        node.visits += 1
        node.worth += worth if mover == 0 else 1 - worth
        mover = 1 - mover
