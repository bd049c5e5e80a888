# verdict: exception|forbidden
# event: nsoc
# ply: 2
# Sets a timer that should wake it while the opponent thinks: it gives up when it finds that it was asleep. Timers are
# no offence; that they do not wake it is tested with the sandbox, where more time passes.
import signal
import time

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


worked = []
answered = None
OF_USE = 200  # a busy machine freezes a bot only some milliseconds after its answer


def work(number, frame):
    end = time.process_time() + 0.0005
    while time.process_time() < end:
        pass
    if answered is not None:
        worked.append(time.process_time() - answered)


def play(board, prev_move, player):
    global answered
    signal.setitimer(signal.ITIMER_REAL, 0)
    if answered is not None and len(worked) < OF_USE:
        raise TimeoutError("the opponent's time was of no use")
    signal.signal(signal.SIGALRM, work)
    answered = time.process_time()
    signal.setitimer(signal.ITIMER_REAL, 0.001, 0.001)
    return legal_moves(board, prev_move)[0]
