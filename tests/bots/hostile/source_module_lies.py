# verdict: exception
# event: nsoc
# reason: play
# Puts another object in the place of its own module while it is loaded.
import sys


class Impostor:
    def __getattr__(self, name):
        raise AttributeError(name)


sys.modules[__name__] = Impostor()
