"""Ludus: write the rules of a board game once, in plain Python; get everything else."""

from __future__ import annotations

import sys
from typing import Any

__version__ = "0.1.0"


def load_ipython_extension(shell: Any) -> None:
    """Let a notebook draw games and records; `import ludus` inside one has done it already.

    They are drawn by layers below their own, so that they cannot do it themselves.
    """
    html = shell.display_formatter.formatters["text/html"]
    html.for_type_by_name("ludus.rules", "Game", _game_html)
    html.for_type_by_name("ludus.records", "Record", _record_html)


def _game_html(game: Any) -> str:
    from ludus.reports.notebook import game_html  # noqa: PLC0415  # only once there is something to draw

    return game_html(game)


def _record_html(record: Any) -> str:
    from ludus.reports.notebook import record_html  # noqa: PLC0415

    return record_html(record)


if "IPython" in sys.modules:
    _shell = sys.modules["IPython"].get_ipython()
    if _shell is not None:
        load_ipython_extension(_shell)
