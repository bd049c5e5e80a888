# verdict: forbidden
# event: nsoc
# ply: 0
# needs: ctypes
# reason: opponent's turn
# Sets a timer whose signal wakes a process that is stopped.
import ctypes
import os
import signal

EVERY_MS = (ctypes.c_long * 4)(0, 1_000_000, 0, 1_000_000)


def play(board, prev_move, player):
    create, start = (222, 223) if os.uname().machine == "x86_64" else (107, 110)
    signal.signal(signal.SIGCONT, lambda *_: None)
    call = ctypes.CDLL(None).syscall
    event, timer = (ctypes.c_int * 16)(0, 0, signal.SIGCONT, 0), ctypes.c_int()
    call(ctypes.c_long(create), ctypes.c_long(1), event, ctypes.byref(timer))
    call(ctypes.c_long(start), timer, ctypes.c_long(0), EVERY_MS, None)
    return 4, 4
