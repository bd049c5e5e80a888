"""A bot for the event extreme that searches on the board it is handed, and puts everything back."""

import time
from functools import lru_cache

SECONDS = 0.1  # for one move; the event allows 16, and a short time keeps trial games short
WIN = 1_000_000
DIAMONDS = [(1, 4, 6, 9), (2, 5, 7, 10), (5, 8, 10, 13), (6, 9, 11, 14)]
PATTERNS = [
    *[(i, i + 1, i + 2, i + 3) for i in (0, 4, 8, 12)],  # rows of sixteen cells, or of sixteen blocks
    *[(i, i + 4, i + 8, i + 12) for i in range(4)],  # columns
    *DIAMONDS,
]
WORTH = [0, 1, 4, 12, 40]  # of a pattern that only one side has marks in, by the number of marks
OTHER = {"x": "o", "o": "x"}


class OutOfTimeError(Exception):
    """Raised deep inside the search to get out of it."""


class Team3:
    """Alpha-beta, one move deeper while there is time."""

    def __init__(self) -> None:
        self.deadline = 0.0

    def move(self, board, old_move: tuple[int, int], flag: str) -> tuple[int, int]:
        """The best move of the deepest search that was finished in time."""
        stop = time.monotonic() + SECONDS
        moves = board.find_valid_move_cells(old_move)
        # When the last move was our own we have won a block with it, and this is the bonus move.
        is_bonus = old_move != (-1, -1) and board.board_status[old_move[0]][old_move[1]] == flag
        best = moves[len(moves) // 2]
        if len(moves) == 256:
            return best  # an empty board: any move is as good as another
        for depth in range(1, 30):
            self.deadline = stop if depth > 1 else float("inf")  # the first ply is quick and always finished
            moves.sort(key=lambda move: move != best)  # what was best before comes first: more cuts
            try:
                value, best = self.best_of(board, old_move, moves, flag, is_bonus, depth)
            except OutOfTimeError:
                break
            if abs(value) >= WIN:
                break
        return best

    def best_of(self, board, old_move, moves, flag: str, is_bonus: bool, depth: int):
        """The best of these moves and its value for `flag`."""
        best_value, best = float("-inf"), moves[0]
        for move in moves:
            value = self.value_of(board, old_move, move, flag, is_bonus, depth, best_value, float("inf"))
            if value > best_value:
                best_value, best = value, move
        return best_value, best

    def search(self, board, old_move, flag: str, is_bonus: bool, depth: int, alpha: float, beta: float) -> float:
        """What the position is worth to `flag`, who is to move; only values between alpha and beta need be exact."""
        if time.monotonic() > self.deadline:
            raise OutOfTimeError
        if depth == 0:
            return evaluate(board, flag)
        for move in board.find_valid_move_cells(old_move):
            alpha = max(alpha, self.value_of(board, old_move, move, flag, is_bonus, depth, alpha, beta))
            if alpha >= beta:
                break
        return alpha

    def value_of(
        self, board, old_move, move, flag: str, is_bonus: bool, depth: int, alpha: float, beta: float
    ) -> float:
        """Make a move on the board, look what can follow, and undo it."""
        row, col = move
        _, has_won_block = board.update(old_move, move, flag)
        # `finally` undoes the move in every case, also when OutOfTimeError passes through here. After the
        # search the board must look as before: the referee compares, and a difference loses the game.
        try:
            if has_won_block or board.block_status[row // 4][col // 4] != "-":
                winner, state = board.find_terminal_state()
                if state == "WON":
                    return WIN + depth if winner == flag else -WIN - depth
                if state == "DRAW":
                    return evaluate(board, flag)
            if has_won_block and not is_bonus:
                return self.search(board, move, flag, True, depth - 1, alpha, beta)  # we move once more
            return -self.search(board, move, OTHER[flag], False, depth - 1, -beta, -alpha)
        finally:
            board.board_status[row][col] = "-"
            board.block_status[row // 4][col // 4] = "-"  # a block that we could play in was open


def evaluate(board, flag: str) -> float:
    """A guess without looking ahead: patterns that can still be finished, in blocks and of blocks."""
    rows = ["".join(row) for row in board.board_status]
    blocks = "".join("".join(row) for row in board.block_status)
    value = 10 * pattern_score(blocks)
    for block, status in enumerate(blocks):
        if status == "-":
            top, left = block // 4 * 4, block % 4 * 4
            value += pattern_score("".join(row[left : left + 4] for row in rows[top : top + 4]))
    return value if flag == "x" else -value


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
