# verdict: forbidden
# event: nsoc
# ply: 0
# reason: thread
# Switches off every object that could be reporting, then starts a thread.
import _thread
import gc


def play(board, prev_move, player):
    for found in gc.get_objects():
        kind = type(found)
        if str(getattr(kind, "__module__", "")).startswith("ludus") and hasattr(found, "__dict__"):
            for name, value in list(vars(found).items()):
                if callable(value):
                    setattr(found, name, lambda *_: None)
                elif isinstance(value, bool):
                    setattr(found, name, False)
    _thread.start_new_thread(print, ())
    return 4, 4
