# verdict: forbidden
# event: nsoc
# ply: 0
# needs: ctypes x86_64
# Forks by machine code of its own, past the C library and Python.
import ctypes
import mmap
import os

FORK = b"\xb8\x39\x00\x00\x00\x0f\x05\xc3"  # mov eax, 57; syscall; ret


def play(board, prev_move, player):
    page = mmap.mmap(-1, 4096, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
    page.write(FORK)
    if ctypes.CFUNCTYPE(ctypes.c_int)(ctypes.addressof(ctypes.c_char.from_buffer(page)))() == 0:
        os._exit(0)
    return 4, 4
