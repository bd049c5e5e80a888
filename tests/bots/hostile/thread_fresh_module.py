# verdict: forbidden
# event: nsoc
# ply: 0
# reason: thread
# Makes a second copy of the built-in module _thread, in case somebody wrapped the first one.
import _imp
import importlib.machinery
import sys


def play(board, prev_move, player):
    sys.modules.pop("_thread", None)
    fresh = _imp.create_builtin(importlib.machinery.ModuleSpec("_thread", importlib.machinery.BuiltinImporter))
    _imp.exec_builtin(fresh)
    fresh.start_new_thread(print, ())
    return 4, 4
