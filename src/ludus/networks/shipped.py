"""Which network an agent means: a file of a person's, or the one that lies beside a game's rules."""

from __future__ import annotations

from pathlib import Path

from ludus.errors import NetworkError
from ludus.networks.files import load_network
from ludus.networks.network import Network
from ludus.rules import Game

SHIPPED = "shipped"  # instead of a path
FILE = "network.bin"  # beside rules.py


def shipped_file(game: Game) -> Path | None:
    """The file beside the rules, where there is one."""
    file = game.path.with_name(FILE)
    return file if game.path.name == "rules.py" and file.is_file() else None


def find_network(game: Game, text: str) -> Network:
    """The network in the file that the text names, or the shipped one."""
    if text != SHIPPED:
        return load_network(Path(text), game)
    file = shipped_file(game)
    if file is None:
        raise NetworkError(f"there is no network for {game.name} among those that come with ludus")
    return load_network(file, game)
