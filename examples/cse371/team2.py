"""A bot for the event cse371 that looks one move ahead: win a block, prevent one, give nothing away."""

import random

# A move in cell (row % 3, col % 3), counted row by row, sends the opponent to these blocks.
SENDS_TO = [(1, 3), (0, 2), (1, 5), (0, 6), (4,), (2, 8), (3, 7), (6, 8), (5, 7)]
LINES = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]
PLACES = [3, 2, 3, 2, 4, 2, 3, 2, 3]  # how many lines run through each of nine places


class Player2:
    """The class of team N is called PlayerN, in the file teamN.py. It is made once and asked for every move."""

    def move(
        self, temp_board: list[list[str]], temp_block: list[str], old_move: tuple[int, int], flag: str
    ) -> tuple[int, int]:
        """Answer with a tuple of two ints. You are `flag`, "x" or "o"; changing the lists you get loses the game."""
        moves = legal_moves(temp_board, temp_block, old_move)
        return max(moves, key=lambda move: (score(temp_board, temp_block, move, flag), random.random()))


def legal_moves(board: list[list[str]], blocks: list[str], old_move: tuple[int, int]) -> list[tuple[int, int]]:
    """The empty cells of the blocks to play in."""
    cells = [cell for block in blocks_to_play(blocks, old_move) for cell in cells_of(block)]
    return [(row, col) for row, col in cells if board[row][col] == "-"]


def blocks_to_play(blocks: list[str], old_move: tuple[int, int]) -> list[int]:
    """The open blocks that the last move sends to; all open blocks when there are none, and for the first move."""
    open_blocks = [block for block in range(9) if blocks[block] == "-"]
    if old_move == (-1, -1):
        return open_blocks
    row, col = old_move
    sent_to = SENDS_TO[3 * (row % 3) + col % 3]
    return [block for block in sent_to if block in open_blocks] or open_blocks


def cells_of(block: int) -> list[tuple[int, int]]:
    """The (row, col) of a block's nine cells."""
    top, left = block // 3 * 3, block % 3 * 3
    return [(top + row, left + col) for row in range(3) for col in range(3)]


def score(board: list[list[str]], blocks: list[str], move: tuple[int, int], flag: str) -> float:
    """How good a move looks: what it wins, what it prevents, and what it lets the opponent do next."""
    opponent = "o" if flag == "x" else "x"
    row, col = move
    block, cell = 3 * (row // 3) + col // 3, 3 * (row % 3) + col % 3
    cells = [board[r][c] for r, c in cells_of(block)]
    value = PLACES[cell] / 10
    blocks_after = blocks
    after = put(cells, cell, flag)
    if has_line(after, flag):
        blocks_after = put(blocks, block, flag)
        if has_line(blocks_after, flag):
            return 1000  # this wins the game
        value += 3 * PLACES[block]
    else:
        if "-" not in after:
            blocks_after = put(blocks, block, "D")
        if has_line(put(cells, cell, opponent), opponent):
            value += 2 * PLACES[block]  # the opponent would have won this block here
    threats = [0]
    for target in blocks_to_play(blocks_after, move):
        target_cells = after if target == block else [board[r][c] for r, c in cells_of(target)]
        if can_win(target_cells, opponent):
            wins_game = has_line(put(blocks_after, target, opponent), opponent)
            threats.append(500 if wins_game else 3 * PLACES[target])
    return value - max(threats)


def put(places: list[str], place: int, mark: str) -> list[str]:
    """A copy with one more mark: what the referee handed over stays as it is."""
    copy = places[:]
    copy[place] = mark
    return copy


def has_line(places: list[str], mark: str) -> bool:
    """Whether three of nine places in a line hold this mark; for cells and for blocks."""
    return any(places[a] == places[b] == places[c] == mark for a, b, c in LINES)


def can_win(cells: list[str], mark: str) -> bool:
    """Whether one more mark makes a line."""
    return any(cells[cell] == "-" and has_line(put(cells, cell, mark), mark) for cell in range(9))
