"""`ludus watch`: recorded games on the full screen, or printed move by move."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from ludus.cli.position import read_one
from ludus.errors import LudusError
from ludus.reports.trace import trace_of_record
from ludus.rules import load_game
from ludus.screens.gallery import Listed, listed_games, of_record

BETWEEN = "=" * 72


def watch(arguments: argparse.Namespace) -> int:
    rules = None if arguments.game is None else load_game(arguments.game)
    games = _games(arguments.what)
    if arguments.plain:
        is_ascii = not (sys.stdout.encoding or "ascii").lower().startswith("utf")
        failed = 0
        for number, game in enumerate(games):
            sys.stdout.write(f"{BETWEEN}\n" if number else "")
            try:
                sys.stdout.write(trace_of_record(game.load(), rules, ascii=is_ascii))
            except LudusError as error:
                failed += 1
                sys.stdout.write(f"{error}\n")
        return int(failed > 0)
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise LudusError("the full screen needs a terminal; --plain prints the games")
    from ludus.screens.watching import WatchApp  # noqa: PLC0415  # Textual is slow to import

    WatchApp(games, rules=rules, theme=arguments.theme or "dark").run()
    return 0


def _games(what: str) -> list[Listed]:
    """The games of a file or folder; FILE:2 and - are one record."""
    path = Path(what)
    try:
        is_there = path.exists()
    except (OSError, ValueError):
        is_there = False
    return listed_games(path) if is_there else [of_record(read_one(what))]
