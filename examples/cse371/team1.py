"""The smallest bot for the event cse371: it plays any legal move. Copy it and begin here."""

import random

# A move in cell (row % 3, col % 3), counted row by row, sends the opponent to these blocks.
SENDS_TO = [(1, 3), (0, 2), (1, 5), (0, 6), (4,), (2, 8), (3, 7), (6, 8), (5, 7)]


class Player1:
    """The class of team N is called PlayerN, in the file teamN.py. It is made once and asked for every move."""

    def move(
        self, temp_board: list[list[str]], temp_block: list[str], old_move: tuple[int, int], flag: str
    ) -> tuple[int, int]:
        """Answer with a tuple of two ints. You are `flag`, "x" or "o"; changing the lists you get loses the game."""
        cells = [cell for block in blocks_to_play(temp_block, old_move) for cell in cells_of(block)]
        return random.choice([(row, col) for row, col in cells if temp_board[row][col] == "-"])


def blocks_to_play(blocks: list[str], old_move: tuple[int, int]) -> list[int]:
    """The open blocks that the last move sends to; all open blocks when there are none, and for the first move."""
    open_blocks = [block for block in range(9) if blocks[block] == "-"]
    if old_move == (-1, -1):
        return open_blocks
    row, col = old_move
    sent_to = SENDS_TO[3 * (row % 3) + col % 3]
    return [block for block in sent_to if block in open_blocks] or open_blocks


def cells_of(block: int) -> list[tuple[int, int]]:
    """The (row, col) of a block's nine cells. Blocks are numbered 0 to 8, row by row."""
    top, left = block // 3 * 3, block % 3 * 3
    return [(top + row, left + col) for row in range(3) for col in range(3)]
