# verdict: forbidden
# event: nsoc
# ply: 0
# reason: program
# Makes a second copy of the built-in module posix, in case somebody wrapped the first one, and runs a program.
import _imp
import importlib.machinery


def play(board, prev_move, player):
    fresh = _imp.create_builtin(importlib.machinery.ModuleSpec("posix", importlib.machinery.BuiltinImporter))
    fresh.execv("/bin/true", ["true"])
    return 4, 4
