# verdict: win|draw
# event: cse371
# Imports what could be misused inside its method, and uses none of it.
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


class Player21:
    def move(self, temp_board, temp_block, old_move, flag):
        import asyncio
        import ctypes
        import multiprocessing
        import socket
        import subprocess
        import threading

        return legal_moves(temp_board, temp_block, old_move)[0]
