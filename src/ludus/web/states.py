"""A State that somebody made up, field by field: whether the rules know what to do with it.

It is tried in a process of its own, which this module is the program of; so it imports little.
"""

from __future__ import annotations

import json
import resource
import signal
import subprocess
import sys
from collections.abc import Mapping
from typing import Any

from ludus.errors import LudusError, PositionError
from ludus.rules import GAMES_FOLDER, Game, State, load_game
from ludus.sandbox.trusted import bound
from ludus.view.scene import scene_of

LARGEST_FIELD = (1 << 63) - 1
LONGEST_TRY_S, LARGEST_TRY_BYTES = 5, 1 << 30  # of a processor: a busy machine is no fault of the state
PATIENCE_S = 60.0
NO_END = "the rules find no end with this state"


def safely_checked_state(game: Game, given: Mapping[str, Any]) -> State:
    """The same as `checked_state`, tried first in a process of its own: rules may take a made-up state for a board of
    any size, and never come back."""
    rules = game.name if game.path.is_relative_to(GAMES_FOLDER) else str(game.path)
    command = bound([sys.executable, "-m", "ludus.web.states", rules])
    try:
        tried = subprocess.run(  # noqa: S603  # a program of ours
            command, input=json.dumps(dict(given)), capture_output=True, text=True, timeout=PATIENCE_S, check=False
        )
    except subprocess.TimeoutExpired:
        raise PositionError(NO_END) from None
    except OSError as error:
        raise PositionError(f"the state cannot be tried: {error.strerror or error}") from None
    if tried.returncode == -signal.SIGXCPU:
        raise PositionError(NO_END)
    if tried.returncode != 0:
        raise PositionError("the rules do not know this state: they fail, or want more memory than there is")
    said = json.loads(tried.stdout)["error"]
    if said:
        raise PositionError(said)
    return checked_state(game, given)


def checked_state(game: Game, given: Mapping[str, Any]) -> State:
    """The State of these fields, if the rules know what to do with it; else a PositionError."""
    fields = game.module.State._fields
    wrong = sorted(set(fields) ^ set(given))
    if wrong:
        missing = f"lacks {wrong[0]}" if wrong[0] in fields else f"has no field {wrong[0][:30]!r}"
        raise PositionError(f"the state {missing}; its fields are {', '.join(fields)}"[:300])
    for name in fields:
        if type(given[name]) is not int or not 0 <= given[name] <= LARGEST_FIELD:
            shown = json.dumps(given[name])[:30]
            raise PositionError(f"{name} is {shown}; a whole number from 0 to 2**63 - 1 was expected")
    state: State = game.module.State(**{name: given[name] for name in fields})
    try:
        is_over = game.result(state) is not None
        legal = [] if is_over else game.legal(state)
        if not is_over and not legal:
            raise PositionError("the game is not over in this state, but there is no move")
        if not is_over and (game.turn(state) not in (0, 1) or legal[-1] >= game.move_limit):
            raise PositionError("the rules make nothing of this state: its turn or its moves are none")
        for move in legal:
            game.play(state, move)
        scene_of(game, state)
    except LudusError:
        raise
    except Exception as error:  # rules promise nothing for states that no play leads to
        raise PositionError(f"the rules do not know this state: {type(error).__name__}: {str(error)[:100]}") from None
    return state


def _try_state(rules: str) -> None:
    """The program of that process: fields as JSON in, the complaint out."""
    resource.setrlimit(resource.RLIMIT_AS, (LARGEST_TRY_BYTES, LARGEST_TRY_BYTES))
    resource.setrlimit(resource.RLIMIT_CPU, (LONGEST_TRY_S, LONGEST_TRY_S + 1))
    said = ""
    try:
        checked_state(load_game(rules), json.load(sys.stdin))
    except LudusError as error:
        said = str(error)
    sys.stdout.write(json.dumps({"error": said}))


if __name__ == "__main__":
    _try_state(sys.argv[1])
