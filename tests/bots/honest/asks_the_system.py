# verdict: win|draw
# event: nsoc
# Asks harmless things of the system.
import locale
import os
import platform
import sys

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
    assert (os.cpu_count() or 1) >= 1
    assert os.path.expanduser("~/book") and os.path.join("a", "b") and os.path.basename(__file__)
    assert os.getpid() > 0 and os.getppid() >= 0 and os.uname().sysname
    assert len(os.urandom(16)) == 16 and len(os.environ) >= 0 and os.environ.get("DEBUG") is None
    assert sys.getrecursionlimit() > 0 and sys.getsizeof(board) > 0 and sys.version_info >= (3, 11)
    locale.getlocale()
    locale.getpreferredencoding(False)
    sys.getfilesystemencoding()
    platform.python_version()
    platform.system()
    len(os.sched_getaffinity(0))
    os.isatty(1) or sys.stdout.isatty()
    os.path.exists("config.ini") or os.path.isfile("/no/such/file") or os.path.isdir("data")
    try:
        os.get_terminal_size()
    except OSError:
        pass
    try:
        os.getcwd()
    except OSError:
        pass
    return legal_moves(board, prev_move)[0]
