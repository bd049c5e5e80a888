"""Compile a game's searches into the cache, in a process of its own: `python -m ludus.compile.warm GAME SEARCH...`

Compiling in a thread would hold the interpreter for seconds and stop every clock. While a child compiles,
play on uncompiled (`link(..., compiled=False)`); once it has ended, linking loads from the cache.
"""

from __future__ import annotations

import importlib
import subprocess
import sys

from ludus.errors import LudusError
from ludus.rules import GAMES_FOLDER, Game, load_game


def compile_in_child(game: Game, *searches: str) -> subprocess.Popen[bytes]:
    """Start compiling searches, named by their modules (each has a `warm(game)`); poll the child for its end."""
    name = game.name if game.path.is_relative_to(GAMES_FOLDER) else str(game.path)
    command = [sys.executable, "-m", __name__, name, *searches]
    return subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)  # noqa: S603  # ourselves


def main(name: str, *searches: str) -> int:
    try:
        game = load_game(name)
        for search in searches:
            importlib.import_module(search).warm(game)
    except LudusError as error:
        sys.stderr.write(f"{error}\n")
        return 1
    return 0


if __name__ == "__main__":
    raise SystemExit(main(*sys.argv[1:]))
