# verdict: forbidden|crash
# event: nsoc
# ply: 0
# needs: ctypes x86_64
# Forks through the gate of 32-bit programs, where numbers mean other calls; some kernels have no such gate.
import ctypes
import mmap
import os

FORK_BY_INTERRUPT = b"\x53\xb8\x02\x00\x00\x00\xcd\x80\x5b\xc3"  # push rbx; mov eax, 2; int 0x80; pop rbx; ret


def play(board, prev_move, player):
    page = mmap.mmap(-1, 4096, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
    page.write(FORK_BY_INTERRUPT)
    if ctypes.CFUNCTYPE(ctypes.c_int)(ctypes.addressof(ctypes.c_char.from_buffer(page)))() == 0:
        os._exit(0)
    return 4, 4
