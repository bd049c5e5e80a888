# verdict: win|draw
# event: nsoc
# Imports a good part of the standard library inside its function.
LINES = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))


def cells(board, block):
    row, column = block // 3 * 3, block % 3 * 3
    return [board[row + k // 3][column + k % 3] for k in range(9)]


def is_open(board, block):
    marks = cells(board, block)
    return 0 in marks and not any(marks[a] and marks[a] == marks[b] == marks[c] for a, b, c in LINES)


def legal_moves(board, prev_move):
    blocks = [block for block in range(9) if is_open(board, block)]
    if prev_move is not None and (sent := prev_move[0] % 3 * 3 + prev_move[1] % 3) in blocks:
        blocks = [sent]
    return [
        (block // 3 * 3 + k // 3, block % 3 * 3 + k % 3)
        for block in blocks
        for k, mark in enumerate(cells(board, block))
        if not mark
    ]


def play(board, prev_move, player):
    import array
    import bisect
    import collections
    import copy
    import dataclasses
    import datetime
    import decimal
    import enum
    import fractions
    import functools
    import hashlib
    import heapq
    import itertools
    import json
    import math
    import operator
    import pprint
    import queue
    import random
    import re
    import statistics
    import string
    import textwrap
    import typing

    moves = legal_moves(board, prev_move)
    mean = statistics.fmean(row + column for row, column in moves)
    decimal.getcontext().prec = 40
    assert decimal.Decimal(2).sqrt() ** 2 - 2 < decimal.Decimal("1e-30")
    assert datetime.datetime.strptime("2024-02-29 12:30", "%Y-%m-%d %H:%M").day == 29
    assert fractions.Fraction(1, 3) * 3 == 1 and json.loads(json.dumps(moves)) == [list(move) for move in moves]
    assert re.fullmatch(r"[\d, ()]+", str(moves[0])) and string.digits in string.printable
    assert copy.deepcopy(board) == board and array.array("b", board[0]).itemsize == 1
    hashlib.sha256(repr(board).encode()).hexdigest()
    heap = [(abs(row + column - mean), (row, column)) for row, column in moves]
    heapq.heapify(heap)
    return heap[0][1]
