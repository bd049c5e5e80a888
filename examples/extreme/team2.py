"""A bot for the event extreme that looks one move ahead: it tries every move and keeps the one that looks best."""

import random

PATTERNS = [
    *[(i, i + 1, i + 2, i + 3) for i in (0, 4, 8, 12)],  # rows of sixteen cells, or of sixteen blocks
    *[(i, i + 4, i + 8, i + 12) for i in range(4)],  # columns
    *[(1, 4, 6, 9), (2, 5, 7, 10), (5, 8, 10, 13), (6, 9, 11, 14)],  # diamonds
]
PLACES = [sum(place in pattern for pattern in PATTERNS) for place in range(16)]  # how many run through each place
OTHER = {"x": "o", "o": "x"}


class Team2:
    """Win the game; else win a block, or prevent one; and give nothing away."""

    def move(self, board, old_move: tuple[int, int], flag: str) -> tuple[int, int]:
        """The best of all legal moves by `score`; `random` decides between equal ones."""
        # When the last move was our own we have won a block with it, and this is the bonus move.
        is_bonus = old_move != (-1, -1) and board.board_status[old_move[0]][old_move[1]] == flag
        moves = board.find_valid_move_cells(old_move)
        return max(moves, key=lambda move: (score(board, old_move, move, flag, is_bonus), random.random()))


def score(board, old_move: tuple[int, int], move: tuple[int, int], flag: str, is_bonus: bool) -> float:
    """Make the move on the board, look what it did and what the next player can do, and undo it by hand."""
    row, col = move
    block, cell = 4 * (row // 4) + col // 4, 4 * (row % 4) + col % 4
    before = cells_of(board, block)
    value = PLACES[cell] / 10 + best_pattern(before, cell, flag) + best_pattern(before, cell, OTHER[flag])
    _, has_won_block = board.update(old_move, move, flag)
    if board.find_terminal_state() == (flag, "WON"):
        value = 10_000
    elif has_won_block:
        value = 20 * PLACES[block]
        if not is_bonus:
            value += 40  # we move once more, so nobody else can use where this move sends
    if not has_won_block or is_bonus:
        targets = {4 * (r // 4) + c // 4 for r, c in board.find_valid_move_cells(move)}
        value -= max((20 * PLACES[block] for block in targets if can_win(board, block, OTHER[flag])), default=0)
    # The board must look as before: the referee compares. A block that we could play in was open.
    board.board_status[row][col] = "-"
    board.block_status[row // 4][col // 4] = "-"
    return value


def best_pattern(cells: str, cell: int, flag: str) -> float:
    """The most marks that `flag` has in a pattern through this cell where nobody else stands."""
    counts = [0]
    for pattern in PATTERNS:
        marks = [cells[place] for place in pattern if place != cell]
        if cell in pattern and marks.count(flag) + marks.count("-") == 3:
            counts.append(marks.count(flag))
    return [0, 1, 3, 30][max(counts)]  # three marks: a block to win, or to keep from being won


def can_win(board, block: int, flag: str) -> bool:
    """Whether one more mark wins this block."""
    cells = cells_of(board, block)
    marks = [[cells[place] for place in pattern] for pattern in PATTERNS]
    return any(four.count(flag) == 3 and four.count("-") == 1 for four in marks)


def cells_of(board, block: int) -> str:
    """The sixteen cells of a block, row by row."""
    top, left = block // 4 * 4, block % 4 * 4
    return "".join("".join(row[left : left + 4]) for row in board.board_status[top : top + 4])
