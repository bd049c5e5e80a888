"""`ludus preview`: a rules file in the browser while it is written."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from ludus.errors import GameNotFoundError
from ludus.rules import GAMES_FOLDER, game_names


def preview(arguments: argparse.Namespace) -> int:
    from ludus.web.server import serve  # noqa: PLC0415  # aiohttp is slow to import
    from ludus.web.settings import Settings  # noqa: PLC0415

    path = rules_file(arguments.game)
    settings = Settings(port=arguments.port, preview=path)

    def opened(address: str) -> None:
        sys.stdout.write(f"{path.name} is shown at {address} and followed; Ctrl-C ends it\n")
        sys.stdout.flush()

    serve(settings, opened=opened, first_page=lambda _app: "/preview")
    return 0


def rules_file(named: str) -> Path:
    """The file that a person means: a path, a folder with a rules.py, or a game of ours."""
    if named in game_names():
        return GAMES_FOLDER / named.replace("-", "_") / "rules.py"
    path = Path(named)
    file = path / "rules.py" if path.is_dir() else path
    if not file.is_file():
        raise GameNotFoundError(f"{str(file)[:200]}: there is no such rules file")
    return file.resolve()
