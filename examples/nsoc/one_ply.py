"""A bot for the event nsoc that looks one move ahead: it tries every move and keeps the one that looks best."""

import random

LINES = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]
PLACES = [3, 2, 3, 2, 4, 2, 3, 2, 3]  # how many lines run through each of nine places: the centre is best
DRAWN = 3  # of a block that is full without a winner; 0 is open, 1 and 2 are its winner


def play(board: list[list[int]], prev_move: tuple[int, int] | None, player: int) -> tuple[int, int]:
    """The best of all legal moves by `score`; `random` decides between equal ones."""
    # The board as nine blocks of nine cells. This is a copy: the board you are handed must stay as it is.
    blocks = [[board[row][col] for row, col in cells_of(block)] for block in range(9)]
    owners = [owner_of(cells) for cells in blocks]
    moves = []
    for block in blocks_to_play(owners, prev_move):
        for cell in range(9):
            if blocks[block][cell] == 0:
                moves.append((score(blocks, owners, block, cell, player), random.random(), (block, cell)))
    block, cell = max(moves)[2]
    return cells_of(block)[cell]


def score(blocks: list[list[int]], owners: list[int], block: int, cell: int, player: int) -> float:
    """How good a move looks: what it wins, what it prevents, and what it lets the opponent do next."""
    opponent = 3 - player
    after = with_mark(blocks[block], cell, player)
    owners_after = with_mark(owners, block, owner_of(after))
    if owner_of(owners_after) == player:
        return 1000  # this wins the game
    value = PLACES[cell] / 10
    if owner_of(after) == player:
        value += 3 * PLACES[block]
    elif owner_of(with_mark(blocks[block], cell, opponent)) == opponent:
        value += 2 * PLACES[block]  # it takes the cell that would have won this block for the opponent
    # `cell` is also the number of the block that the opponent is sent to.
    if owners_after[cell] != 0:
        value -= 4  # a finished one: the opponent may choose
    targets = [cell] if owners_after[cell] == 0 else [b for b in range(9) if owners_after[b] == 0]
    threats = [0]
    for target in targets:
        cells = after if target == block else blocks[target]
        if can_win(cells, opponent):
            wins_game = owner_of(with_mark(owners_after, target, opponent)) == opponent
            threats.append(500 if wins_game else 3 * PLACES[target])
    return value - max(threats)


def can_win(cells: list[int], player: int) -> bool:
    """Whether the player can finish a line in these nine cells with one mark."""
    return any(cells[cell] == 0 and owner_of(with_mark(cells, cell, player)) == player for cell in range(9))


def with_mark(places: list[int], place: int, mark: int) -> list[int]:
    """A copy with one more mark."""
    copy = places[:]
    copy[place] = mark
    return copy


def owner_of(cells: list[int]) -> int:
    """Who has a line in these nine cells; DRAWN when they are full without one; else 0. Works for owners too."""
    for a, b, c in LINES:
        if cells[a] == cells[b] == cells[c] and cells[a] in (1, 2):
            return cells[a]
    return 0 if 0 in cells else DRAWN


def blocks_to_play(owners: list[int], prev_move: tuple[int, int] | None) -> list[int]:
    """The block that the opponent's move names, if it is open; else all open blocks."""
    if prev_move is not None:
        target = 3 * (prev_move[0] % 3) + prev_move[1] % 3
        if owners[target] == 0:
            return [target]
    return [block for block in range(9) if owners[block] == 0]


def cells_of(block: int) -> list[tuple[int, int]]:
    """The (row, col) of a block's nine cells."""
    top, left = block // 3 * 3, block % 3 * 3
    return [(top + row, left + col) for row in range(3) for col in range(3)]
