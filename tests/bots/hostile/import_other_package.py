# verdict: forbidden|exception
# event: nsoc
# Imports a package that is installed here, but is not of the standard library.
import numba


def play(board, prev_move, player):
    return len(numba.__version__) % 9, 0
