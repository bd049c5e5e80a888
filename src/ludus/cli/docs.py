"""`ludus docs`: the hand-out of an event."""

from __future__ import annotations

import argparse
import sys

from ludus.cli.look import write_text
from ludus.course.handout import handout_text
from ludus.errors import LudusError, RulesError
from ludus.events.event import Event, load_event
from ludus.rules import GAMES_FOLDER


def docs(arguments: argparse.Namespace) -> int:
    """Print it, or write it as a page."""
    event = load_event(arguments.event)
    try:
        text = _made(event, called=str(arguments.event), as_page=arguments.html is not None)
    except LudusError:
        raise
    except Exception as error:  # in somebody's rules file, of which a game is shown
        if event.game.path.is_relative_to(GAMES_FOLDER):
            raise
        what = " ".join(f"{type(error).__name__}: {error}".split())[:160]
        file = event.game.path
        raise RulesError(f"{what}; run ludus check-game {file.name}", path=file) from error
    if arguments.html is None:
        sys.stdout.write(text)
        return 0
    write_text(arguments.html, text)
    if arguments.html != "-":
        sys.stdout.write(f"The hand-out of {event.name} is in {arguments.html}.\n")
    return 0


def _made(event: Event, *, called: str, as_page: bool) -> str:
    if not as_page:
        is_ascii = not (sys.stdout.encoding or "ascii").lower().startswith("utf")
        return handout_text(event, called=called, ascii=is_ascii)
    from ludus.course.handout_page import handout_page  # noqa: PLC0415  # reads Markdown, which takes a moment

    return handout_page(event, called=called)
