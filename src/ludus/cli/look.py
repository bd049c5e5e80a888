"""`ludus games`, `ludus show` and `ludus random`: a game as people see it."""

from __future__ import annotations

import argparse
import json
import random
import sys
from pathlib import Path

from ludus.cli.position import named_position
from ludus.errors import LudusError
from ludus.records import record_game
from ludus.rules import game_names, load_game, random_line
from ludus.view.scene import Scene, scene_of_line
from ludus.view.terminal import position_lines, position_text


def games(arguments: argparse.Namespace) -> int:
    known = [load_game(name) for name in game_names()]
    if arguments.json:
        report = [{"name": game.name, "title": game.title, "options": game.options} for game in known]
        sys.stdout.write(json.dumps(report) + "\n")
        return 0
    for game in known:
        options = ", ".join(f"{name}={json.dumps(default)}" for name, default in game.options.items())
        sys.stdout.write(f"{game.name:<18} {game.title}\n")
        if options:
            sys.stdout.write(f"{'':<18} options: {options}\n")
    return 0


def show(arguments: argparse.Namespace) -> int:
    named = named_position(arguments)
    scene = scene_of_line(named.game, named.line)
    if arguments.svg is None:
        show_scene(scene, theme=arguments.theme, ascii_only=arguments.ascii)
        return 0
    from ludus.view.svg import svg_document  # noqa: PLC0415  # not needed in the terminal

    write_text(arguments.svg, svg_document(scene, arguments.theme or "light", caption=True))
    return 0


def random_games(arguments: argparse.Namespace) -> int:
    named = named_position(arguments)
    rng = random.Random(arguments.seed)
    longest = arguments.longest
    records, outcomes = [], {"won": 0, "drawn": 0, "lost": 0}
    for _ in range(arguments.games):
        line = random_line(named.game, named.state, rng, longest)
        moves = [*named.line.moves, *line.moves]
        result = named.game.result(line.states[-1])
        if result is None:
            raise LudusError(
                f"a game had not ended after {longest} moves; see ludus check-game, or allow more by --longest"
            )
        outcomes["drawn" if not result else "won" if result > 0 else "lost"] += 1
        record = record_game(named.game, named.line.start, named.options, moves, result=result)
        records.append(record.to_json())
    if arguments.out is not None:
        write_text(arguments.out, "".join(record + "\n" for record in records))
    if arguments.out != "-":
        show_scene(scene_of_line(named.game, line))
        if arguments.games > 1:
            counts = ", ".join(f"{count} {word}" for word, count in outcomes.items())
            sys.stdout.write(f"\n{arguments.games} random games; the first player has {counts}.\n")
        if arguments.out is not None:
            rules = "" if named.game.name in game_names() else f" --game {arguments.game}"
            sys.stdout.write(f"Their records are in {arguments.out}: try `ludus replay {arguments.out}{rules}`.\n")
    return 0


def show_scene(scene: Scene, *, theme: str | None = None, ascii_only: bool = False) -> None:
    """The board on standard output: coloured for a terminal, plain for anything else."""
    if not sys.stdout.isatty() and theme is None:
        encoding = (sys.stdout.encoding or "ascii").lower()
        is_ascii = ascii_only or not encoding.startswith("utf")
        sys.stdout.write("\n".join(position_lines(scene, ascii=is_ascii)) + "\n")
        return
    from rich.console import Console  # noqa: PLC0415  # slow to import, and only people at a terminal need it

    shown = position_text(scene, "light" if theme == "light" else "dark", ascii=ascii_only)
    console = Console(highlight=False, force_terminal=None if theme is None else True)
    console.print(shown, soft_wrap=True)


def write_text(name: str, text: str) -> None:
    """Write a file, or to standard output for "-"."""
    if name == "-":
        sys.stdout.write(text)
        return
    try:
        Path(name).write_text(text, encoding="utf-8")
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise LudusError(f"{name[:200]}: the file cannot be written: {reason}") from None
