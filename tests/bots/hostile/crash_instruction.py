# verdict: crash
# event: nsoc
# ply: 0
# needs: ctypes x86_64
# Writes machine code of its own into memory and runs an instruction that no processor knows.
import ctypes
import mmap


def play(board, prev_move, player):
    page = mmap.mmap(-1, 4096, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
    page.write(b"\x0f\x0b")
    address = ctypes.addressof(ctypes.c_char.from_buffer(page))
    ctypes.CFUNCTYPE(ctypes.c_int)(address)()
