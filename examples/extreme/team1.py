"""The smallest bot for the event extreme: it plays any legal move, which the board lists. Copy it and begin here."""

import random


class Team1:
    """The class of team N is called TeamN, in the file teamN.py. It is made once and asked for every move."""

    def move(self, board, old_move: tuple[int, int], flag: str) -> tuple[int, int]:
        """Answer with a (row, col). You are `flag`, "x" or "o".

        `board.board_status[row][col]` is "-", "x" or "o"; `board.block_status[row][col]` may be "d" as well, for drawn.
        `old_move` is the last move of the game: (-1, -1) when there is none, and your own when this is a bonus move.
        """
        return random.choice(board.find_valid_move_cells(old_move))
