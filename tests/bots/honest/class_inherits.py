# verdict: win|draw
# event: cse371
# Its class builds on another one of the same file.
import abc

TARGETS = ((1, 3), (0, 2), (1, 5), (0, 6), (4,), (2, 8), (3, 7), (6, 8), (5, 7))


def legal_moves(temp_board, temp_block, old_move):
    blocks = [block for block in range(9) if temp_block[block] == "-"]
    if old_move != (-1, -1):
        sent = [block for block in TARGETS[old_move[0] % 3 * 3 + old_move[1] % 3] if block in blocks]
        blocks = sent or blocks
    return [
        (block // 3 * 3 + k // 3, block % 3 * 3 + k % 3)
        for block in blocks
        for k in range(9)
        if temp_board[block // 3 * 3 + k // 3][block % 3 * 3 + k % 3] == "-"
    ]


class Thinker(abc.ABC):
    def move(self, temp_board, temp_block, old_move, flag):
        return self.pick(legal_moves(temp_board, temp_block, old_move))

    @abc.abstractmethod
    def pick(self, moves): ...


class Player24(Thinker):
    def pick(self, moves):
        return moves[len(moves) // 2]
