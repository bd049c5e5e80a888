"""The first file of a bot, a game or an event, from a template that already works. For whoever begins one."""

from __future__ import annotations

import json
import keyword
import re
import shlex
import sys
import textwrap
from pathlib import Path
from string import Template
from typing import Any, NamedTuple

from ludus.agents.protocols import CODINGAME_GAMES
from ludus.bots.interfaces import INTERFACES
from ludus.course.conventions import WORD, Convention, convention_of
from ludus.errors import BotError, EventError, LudusError
from ludus.events.event import Event, event_names, read_event
from ludus.events.scoring import FINISHED
from ludus.rules import Game, game_names
from ludus.tournament.differences import differences_of
from ludus.tournament.plan import plan_of

TEMPLATES = Path(__file__).parent / "templates"
EVENT_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_-]{0,59}")
HEAD_WIDTH = 110


class NewFile(NamedTuple):
    """A file to write, and the two commands to try next."""

    name: str
    text: str
    commands: tuple[str, str]
    is_program: bool = False  # to be made executable
    note: str = ""  # for whoever gave no name, where the event has a convention


def new_bot(event: Event, *, called: str, name: str | None, protocol: str | None = None) -> NewFile:
    """A bot in the event's interface that plays legally; `called` is the event's name, or the path of its file.

    With a protocol it is a program that speaks it. A name that is against the event's convention is a BotError.
    """
    interface = event.interface or "choose"
    convention = convention_of(event.interface)
    stem = _stem(name, convention, event)
    number = convention.stem.fullmatch(stem)
    if protocol == "codingame" and event.game.name not in CODINGAME_GAMES:
        known = " and ".join(CODINGAME_GAMES)
        raise BotError(f"the protocol codingame is for {known}; for {event.game.name} a program speaks ludus")
    file = stem if protocol else f"{stem}.py"
    player = f"{'codingame:' if protocol == 'codingame' else ''}./{file}"
    by = shlex.quote(called)
    commands = (f"ludus match {by} {player} random", f"ludus check {player} --event {by}")
    text = _filled(
        f"{protocol}.program" if protocol else f"{interface}.py",
        head=_head(event, commands, by),
        number=number["number"] if number and convention.is_numbered else "",
        sends_to=_sends_to(event.game) if interface in ("play", "player-class") else "",
        stem=stem,
    )
    kind = convention.file.removesuffix(".py") if protocol else convention.file
    note = f"Files of this event are called {kind}: {convention.meaning}" if name is None else ""
    return NewFile(file, text, commands, is_program=protocol is not None, note=note)


def new_game(name: str) -> NewFile:
    """Rules of a small game that every check accepts, with a view; no such name is a LudusError."""
    stem = _identifier(name.removesuffix(".py"), what="game")
    if stem in game_names():
        raise LudusError(f"{stem} is a game of Ludus; choose another name for yours")
    commands = (f"ludus check-game {stem}.py", f"ludus play {stem}.py")
    title = stem.replace("_", " ").strip().capitalize() or stem
    text = _filled("game.py", title=title, command_1=commands[0], command_2=commands[1])
    return NewFile(f"{stem}.py", text, commands)


def new_event(name: str, game: Game, *, game_called: str) -> NewFile:
    """An event file with every field; `game_called` is its game as seen from the file: a name, or a path."""
    stem = name.removesuffix(".toml")
    if not EVENT_NAME.fullmatch(stem):
        raise EventError(f"{name[:60]!r} is no name for an event; expected letters, digits, - and _, such as spring")
    if stem in event_names():
        raise EventError(f"{stem} is an event of Ludus; choose another name for yours")
    file = f"{stem}.toml"
    interface = next((i for i in INTERFACES.values() if i.games[:1] == (game.name,)), INTERFACES["choose"])
    commands = (f"ludus docs {file}", f"ludus run {file} --bots random greedy")
    others = [finished for finished, rule in FINISHED.items() if finished != "win" and rule.fits(game)]
    text = _filled(
        "event.toml",
        title=_toml(stem.replace("_", " ").replace("-", " ").capitalize()),
        game=_toml(game_called),
        options="".join(
            f"# {option} = {_toml(value)}\n" for option, value in game.options.items() if value is not None
        ),
        interface=_toml(interface.name),
        usage=interface.usage,
        others=", ".join(f'"{finished}"' for finished in others),
        difference=_toml(differences_of(game)[0]),
        command_1=commands[0],
        command_2=commands[1],
    )
    plan_of(read_event(text, name=stem, folder=Path(), where=file))  # it holds what it promises
    return NewFile(file, text, commands)


def _filled(template: str, **values: str) -> str:
    source = (TEMPLATES / f"{template}.template").read_text(encoding="utf-8")
    return Template(source).substitute(values)


def _stem(name: str | None, convention: Convention, event: Event) -> str:
    """The name of the file without .py; a number alone will do where files are numbered."""
    if name is None:
        return convention.example
    stem = name.removesuffix(".py")
    if convention.is_numbered:
        stem = f"team{stem}" if stem.isascii() and stem.isdigit() else stem
        if not convention.stem.fullmatch(stem):
            raise BotError(
                f"{name[:60]!r} is no name for a bot of {event.name}, whose files are called {convention.file}; "
                "expected the number of the team, such as 7"
            )
        return stem
    if convention.stem is WORD:
        return _identifier(stem, what="bot")
    if not convention.stem.fullmatch(stem):
        raise BotError(
            f"{name[:60]!r} is no name for a bot of {event.name}, whose files are called {convention.file}; "
            f"expected letters and digits, such as {convention.example}"
        )
    return stem


def _identifier(name: str, *, what: str) -> str:
    """A name that is one in Python too, and not that of a module or a word of Python, which would get in the way."""
    if not WORD.fullmatch(name) or keyword.iskeyword(name):
        raise LudusError(f"{name[:60]!r} is no name for a {what}; expected letters, digits and _, such as my_{what}")
    if name in sys.stdlib_module_names:
        raise LudusError(f"{name!r} is the name of a module of Python; choose another one for your {what}")
    return name


def _head(event: Event, commands: tuple[str, str], called: str) -> str:
    """What stands at the top of a bot's file; nothing in it can end the string that it stands in."""
    intro = f"A bot for {event.title}. A move may take {event.control.limit_s:g} s."
    wrapped = textwrap.fill(" ".join(_harmless(intro).split()), HEAD_WIDTH)
    return _harmless(
        f"{wrapped}\n\nIt plays legally as it is. Try it, then make it better:\n"
        f"    {commands[0]}\n    {commands[1]}\n"
        f"Rules, limits and points:\n    ludus docs {called}\n"
    )


def _harmless(text: str) -> str:
    printable = "".join(c if c.isprintable() or c == "\n" else " " for c in text)
    return printable.replace("\\", "/").replace('"', "'")


def _sends_to(game: Game) -> str:
    """For each cell of a block the blocks that it sends to, asked of the rules: on an empty board none drops out."""
    start: Any = game.start()
    after: list[Any] = [game.play(start, cell) for cell in range(9)]
    return str([[block for block in range(9) if state.targets >> block & 1] for state in after])


def _toml(value: object) -> str:
    """JSON is TOML, as far as names, numbers and lists go."""
    return json.dumps(value, ensure_ascii=False)
