"""`ludus play`: a person against an agent, a bot or another person, on the full screen or in plain text."""

from __future__ import annotations

import argparse
import sys
from random import SystemRandom

from ludus.bots.entrants import AgentName, Entrant, HumanBeing, parse_entrant
from ludus.bots.room import Room
from ludus.cli.match import open_room
from ludus.cli.position import parse_options
from ludus.errors import AgentError, GameNotFoundError, LudusError
from ludus.events.event import plain_event
from ludus.rules import Game, game_names, load_game
from ludus.sandbox.basic import Basic
from ludus.sandbox.process import Limits
from ludus.screens.saving import Files
from ludus.sittings.opponent import OpenRoom
from ludus.sittings.sitting import LIMIT_S, Agreement, Sitting, agree
from ludus.view.theme import Theme

USUAL_LEVEL = 5


def play(arguments: argparse.Namespace) -> int:
    files = Files(trace=arguments.trace, record=arguments.record)
    agreement = None if arguments.game is None else _agreed(arguments, load_game(arguments.game))
    if arguments.web:
        from ludus.cli.serve import play_in_browser  # noqa: PLC0415  # only where it is wanted

        return play_in_browser(arguments, agreement)
    if arguments.plain:
        if agreement is None:
            raise GameNotFoundError(f"--plain needs a game: {', '.join(game_names())}, or a path such as ./mygame.py")
        from ludus.screens.dialogue import Dialogue  # noqa: PLC0415  # the full screen does without

        Dialogue(
            Sitting(agreement),
            open_room=_rooms(arguments),
            read=sys.stdin,
            write=sys.stdout,
            files=files,
            echoes=not sys.stdin.isatty(),
        ).run()
        return 0
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise LudusError("the full screen needs a terminal; --plain plays in lines of text, over a pipe too")
    from ludus.screens.app import PlayApp  # noqa: PLC0415  # Textual is slow to import

    theme: Theme = "light" if arguments.theme == "light" else "dark"
    app = PlayApp(
        agreement,
        open_room=_rooms(arguments),
        theme=theme,
        seed=arguments.seed,
        limit_s=arguments.limit,
        shows_bar=not arguments.no_bar,
    )
    app.run()
    if app.sitting is not None:
        for name in files.write(app.sitting):
            sys.stdout.write(f"Written: {name}\n")
    return app.return_code or 0


def _agreed(arguments: argparse.Namespace, game: Game) -> Agreement:
    seed = SystemRandom().randrange(1 << 32) if arguments.seed is None else arguments.seed
    return agree(
        game,
        _opponent(arguments, game),
        first=arguments.first,
        options=parse_options(arguments.options),
        limit_s=arguments.limit,
        seed=seed,
    )


def _opponent(arguments: argparse.Namespace, game: Game) -> Entrant:
    if arguments.vs is None:
        return AgentName(f"level:{arguments.level or USUAL_LEVEL}")
    if arguments.level is not None:
        raise AgentError("--level is an opponent of its own; give either --level or --vs")
    return parse_entrant(arguments.vs, game)


def _rooms(arguments: argparse.Namespace) -> OpenRoom:
    """Bots are confined as well as this machine can, or as the person allows; agents of ours need no sandbox."""

    def room_for(entrant: Entrant) -> Room:
        if isinstance(entrant, AgentName | HumanBeing):
            return Room(Basic(), limits=Limits())
        game = load_game(arguments.game) if arguments.game is not None else load_game(game_names()[0])
        return open_room(plain_event(game, limit_s=LIMIT_S), level=arguments.isolation)

    return room_for
