# verdict: forbidden|exception
# event: nsoc
# Imports a module of the standard library that runs something when it is imported.
import unittest.__main__


def play(board, prev_move, player):
    return 4, 4
