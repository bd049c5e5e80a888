# verdict: forbidden
# event: nsoc
# ply: 0
# Writes a program into memory that is a file, to run it.
import os


def play(board, prev_move, player):
    file = os.memfd_create("engine")
    os.write(file, b"#!/bin/true\n")
    os.execve(file, ["engine"], {})
