# verdict: forbidden
# event: nsoc
# ply: 0
# needs: ctypes
# reason: thread
# Makes a thread by the bare system call.
import ctypes
import os

VM, FS, FILES, SIGHAND, THREAD, SYSVSEM = 0x100, 0x200, 0x400, 0x800, 0x10000, 0x40000


def play(board, prev_move, player):
    stack = ctypes.create_string_buffer(1 << 16)
    number = 56 if os.uname().machine == "x86_64" else 220
    flags = VM | FS | FILES | SIGHAND | THREAD | SYSVSEM
    top = ctypes.c_void_p((ctypes.addressof(stack) + len(stack)) & ~15)
    ctypes.CDLL(None).syscall(ctypes.c_long(number), ctypes.c_long(flags), top, None, None, None)
    return 4, 4
