"""`ludus rerun --pdb`: a bot's own turn under Python's debugger, in this process and without any sandbox."""

from __future__ import annotations

import importlib
import pdb  # the debugger is the point
import random
import sys
from types import ModuleType

from ludus.bots.entrants import Entrant, PythonFile
from ludus.bots.inside import Handler
from ludus.bots.interfaces import question
from ludus.errors import BotError
from ludus.referee.recorded import Recorded

OUTSIDE = ["ludus", "ludus.*", "json", "json.*"]  # not stepped through: the first stop is in the bot's own code


def debug(game: Recorded, ply: int, entrant: Entrant) -> int:
    """Run the bot's earlier turns, and stop at the first line of its code in the turn of that ply."""
    if not isinstance(entrant, PythonFile):
        raise BotError(f"{entrant.name}: only a bot in Python can be run under the debugger")
    sys.stderr.write(
        f"ludus: NOT SANDBOXED: {entrant.path} runs in this process, with your rights and without a clock\n"
    )
    seat = game.seat_at(ply)
    try:
        handle = _loaded(entrant, seed=game.pitch.player_seed(seat))
        for earlier in range(game.opening, ply):
            if game.played.turns[earlier] == seat:
                handle(question(entrant.interface, game.turn_at(earlier))[0])
    except Exception:
        sys.stderr.write("ludus: it fails before its turn in that ply; the debugger stops where\n")
        pdb.post_mortem(sys.exc_info()[2])
        return 1
    message, _ = question(entrant.interface, game.turn_at(ply))
    debugger = pdb.Pdb(skip=OUTSIDE)
    try:
        answer = debugger.runcall(handle, message)
    except Exception:
        pdb.post_mortem(sys.exc_info()[2])
        return 1
    if answer is not None:
        sys.stdout.write(f"its answer: {answer.splitlines()[0].decode()}\n")
    return 0


def _loaded(entrant: PythonFile, *, seed: int) -> Handler:
    """The bot as a module of this process, and what calls it."""
    random.seed(seed)
    module = ModuleType("bot")
    module.__file__ = str(entrant.path)
    sys.modules["bot"] = module
    exec(compile(entrant.source, str(entrant.path), "exec"), module.__dict__)  # noqa: S102  # asked for by its author
    name, _, function = entrant.interface.entry.partition(":")
    handler: Handler = getattr(importlib.import_module(name), function)(module)
    return handler
