"""The hand-out of an event as Markdown and pictures, made from its file, its game and the referee. For a whole course.

Nothing here is written by heart that the event file can change, so a hand-out cannot disagree with the referee.
"""

from __future__ import annotations

import ast
import inspect
import pprint
import re
import shlex
import textwrap
from collections.abc import Iterator
from pathlib import Path
from random import Random
from types import ModuleType
from typing import Any, NamedTuple

from ludus.bots import inside
from ludus.bots.interfaces import INTERFACES, Interface, question
from ludus.bots.live_board import Board
from ludus.bots.player import Turn
from ludus.course import event_words
from ludus.course.conventions import convention_of
from ludus.course.event_words import table
from ludus.course.starting import new_bot
from ludus.events.event import Event
from ludus.referee.series import drawn_options
from ludus.reports.wording import FORMATS
from ludus.rules import GAMES_FOLDER, Game, Line, random_line
from ludus.tournament.penalties import form_rules
from ludus.tournament.plan import plan_of
from ludus.view.canvas import printable
from ludus.view.scene import Scene, scene_of_line
from ludus.view.terminal import position_lines

TEXT_WIDTH = 88
MOST_PLIES = 2000  # of the game that is shown
MOST_TRIES = 20  # games, to find one that somebody wins
OPTION_TABLE = re.compile(r"^\| option +\|.*\n(?:\|.*(?:\n|\Z))*", re.MULTILINE)
OPTION_ROW = re.compile(r"^\| `(?P<name>\w+)` *\| (?P<meaning>.*?) *\| (?P<default>[^|]*?) *\|$")


class Picture(NamedTuple):
    """A position, and what there is to see."""

    scene: Scene
    caption: str


Part = str | Picture


class Example(NamedTuple):
    """A game that a hand-out shows, the board that it is played on, and the ply of the second picture."""

    line: Line
    options: dict[str, Any]
    middle: int


def handout(event: Event, *, called: str) -> list[Part]:
    """All but the title, from first to last; `called` is the event's name, or the path of its file."""
    plan = plan_of(event)
    example = _example(event)
    return [
        f"{event.game.title} · {event.control.limit_s:g} s a move · {FORMATS[plan.kind]}",
        "This hand-out is made from the event file and the rules that the referee uses.",
        "## The game",
        *_rules(event),
        *_pictures(event.game, example),
        "## Your bot",
        *_interface(event, called, example),
        "## Limits",
        event_words.limits(event),
        "`random` is seeded from the game, so that a game can be played again. What a bot keeps lasts for one game.",
        "## Points",
        event_words.points(event),
        "A bot that does one of these loses the game at once:",
        event_words.faults(event),
        "Doing it is the fault: to import a module such as `threading` is none.",
        "## Format",
        event_words.format_words(plan),
        event_words.ties(plan),
        "## Marks",
        event_words.marks(plan.grades),
        *event_words.form(form_rules(event, plan.grades)),
        "## Try it",
        _commands(event, called),
    ]


def handout_text(event: Event, *, called: str, ascii: bool = False) -> str:
    """The hand-out as plain text, which is Markdown too; boards as the terminal draws them."""
    shown = [f"# {title_of(event)}", *(_as_text(part, ascii=ascii) for part in handout(event, called=called))]
    return "\n\n".join(shown) + "\n"


def title_of(event: Event) -> str:
    """On one line, without what could move a terminal's cursor."""
    return printable(" ".join(event.title.split()))


def _as_text(part: Part, *, ascii: bool) -> str:
    if isinstance(part, str):
        return "\n".join(_wrapped(part)).rstrip("\n")
    board = "\n".join(line.rstrip() for line in position_lines(part.scene, ascii=ascii))
    return f"{textwrap.fill(part.caption, TEXT_WIDTH)}\n\n```text\n{board}\n```"


def _wrapped(markdown: str) -> Iterator[str]:
    """Paragraphs and list items anew to the width; tables and code as they are."""
    held: list[str] = []
    is_code = False
    for line in [*markdown.split("\n"), ""]:
        is_fence = line.startswith("```")
        is_item = re.match(r"(- |\d+\. )", line) is not None
        is_kept = is_code or is_fence or line.startswith(("|", "#", "    "))
        if held and (is_kept or is_item or not line.strip()):
            indent = re.match(r"(- |\d+\. )?", held[0])
            later = " " * (indent.end() if indent else 0)
            yield textwrap.fill(" ".join(held), TEXT_WIDTH, subsequent_indent=later, break_on_hyphens=False)
            held = []
        if is_kept or not line.strip():
            yield line.rstrip()
        else:
            held.append(line.strip())
        is_code = is_code != is_fence


def _rules(event: Event) -> Iterator[str]:
    """The rules' own words: rules.md beside rules.py, or the docstring; the options with the event's values."""
    game = event.game
    beside = game.path.with_name("rules.md")
    is_beside = game.path.name == "rules.py" and beside.is_file()
    words = beside.read_text(encoding="utf-8") if is_beside else inspect.cleandoc(game.module.__doc__ or "")
    yield OPTION_TABLE.sub("", words).strip() or f"The rules are those of `{game.path.name}`."
    if game.options or event.options:
        yield _options(event, words)


def _options(event: Event, words: str) -> str:
    """Every option of the game, what it means where the rules say so, and its value here."""
    known = {found["name"]: found for line in words.split("\n") if (found := OPTION_ROW.match(line))}
    rows = []
    for name, default in {**event.game.options, **event.options}.items():
        found = known.get(name)
        usual = found["default"] if found else _value(default)
        here = _value(event.options[name]) if name in event.options else usual
        rows.append((f"`{name}`", found["meaning"] if found else "", here))
    return table(("option", "what it is", "here"), rows)


def _value(value: object) -> str:
    """As an event file writes it, where it is short enough to read."""
    text = {True: "true", False: "false", None: "none"}.get(value) if isinstance(value, bool | None) else str(value)
    return text or "''"


def _example(event: Event) -> Example:
    """A random game that somebody wins, if one is found soon; always the same for the same event."""
    game = event.game
    for seed in range(MOST_TRIES):
        options = drawn_options(game, event.options, seed)
        line = random_line(game, game.start(**options), Random(seed), MOST_PLIES)
        if game.result(line.states[-1]):
            break
    middle = max(1, len(line.moves) * 3 // 10) if line.moves else 0
    return Example(line, game.instance(line.start, options), middle)


def _pictures(game: Game, example: Example) -> Iterator[Picture]:
    line, middle = example.line, example.middle
    start = scene_of_line(game, line, ply=0)
    areas = start.view.areas()
    has_dots = any(areas[key].role == "cell" for key in start.legal_keys)
    yield Picture(start, "**The start.** A dot marks what may be played." if has_dots else "**The start.**")
    if middle:
        after = "one move" if middle == 1 else f"{middle} moves"
        yield Picture(scene_of_line(game, line, ply=middle), f"**After {after}.** The last one is marked.")
    if game.result(line.states[-1]) is not None:
        yield Picture(scene_of_line(game, line), f"**The end**, after {len(line.moves)} moves.")


def _interface(event: Event, called: str, example: Example) -> Iterator[str]:
    interface = INTERFACES[event.interface or "choose"]
    convention = convention_of(event.interface)
    file, by = new_bot(event, called=called, name=None), shlex.quote(called)
    yield f"One Python file, `{convention.file}`, that holds `{interface.usage}`. {convention.meaning}"
    if event.interface is None:
        others = ", ".join(f"`{i.usage}`" for i in INTERFACES.values() if event.game.name in i.games)
        yield "Any interface that can play the game will do" + (f"; besides this one: {others}." if others else ".")
    name = "N" if convention.is_numbered else "NAME"
    yield f"`ludus new bot --event {by} {name}` writes one that already plays. What the referee calls:"
    yield f"```python\n{_heart(file.text)}\n```"
    if example.middle < len(example.line.moves):
        yield "A call in the middle of the game above, after the second picture:"
        yield f"```python\n{_example_call(event, interface, example)}\n```"
    yield f"A program in any language may take part as well: `ludus new bot --event {by} --protocol ludus NAME`."


def _heart(source: str) -> str:
    """The function that the referee calls, or the class, with its docstring and without its code."""
    tree = ast.parse(source)
    node = next(part for part in tree.body if isinstance(part, ast.FunctionDef | ast.ClassDef))
    lines = source.split("\n")
    inner = node.body[-1] if isinstance(node, ast.ClassDef) else node
    assert isinstance(inner, ast.FunctionDef)
    end = inner.body[0].end_lineno
    return "\n".join(lines[node.lineno - 1 : end])


class _Asked(Exception):  # noqa: N818  # no error: how the arguments get out
    """What a bot was called with."""

    def __init__(self, *arguments: Any) -> None:
        self.arguments = arguments


def _example_call(event: Event, interface: Interface, example: Example) -> str:
    """The arguments as a bot's process gets them, from the code that calls bots, and a legal answer."""
    game, limit_s = event.game, event.control.limit_s
    line, options, ply = example
    state = line.states[ply]
    turn = Turn(game, options, state, line.moves[:ply], game.turn(state), limit_s, limit_s, event.control.bank_s)
    arguments = _arguments_of(interface, question(interface, turn)[0])
    name = game.move_name(line.moves[ply])
    answer = repr(name) if interface.name == "choose" else f"({name.replace(',', ', ')})"
    shown = [_shown(key, value) for key, value in arguments.items()]
    return "\n".join([*shown, f"# one of {len(game.legal(state))} legal answers: {answer}"])


def _arguments_of(interface: Interface, message: bytes) -> dict[str, Any]:
    """By name; the parts of a live board one by one."""

    def ask(*arguments: Any) -> None:
        raise _Asked(*arguments)

    bot = ModuleType("bot")
    entry = interface.entry.partition(":")[2]
    convention = convention_of(interface.name)
    if convention.prefix is not None:
        bot.Bot = type("Bot", (), {"move": staticmethod(ask), "__module__": "bot"})  # type: ignore[attr-defined]
    else:
        setattr(bot, entry, ask)
    try:
        getattr(inside, entry)(bot)(message)
    except _Asked as asked:
        names = [name for name in re.findall(r"\w+(?=[,)])", interface.usage) if name != "self"]
        found = dict(zip(names, asked.arguments, strict=True))
    if isinstance(found.get("board"), Board):
        board = found.pop("board")
        found = {"board.board_status": board.board_status, "board.block_status": board.block_status, **found}
    return found


def _shown(name: str, value: Any) -> str:
    """A value as Python writes it: rows of a board one to a line."""
    if isinstance(value, list) and all(isinstance(row, list) for row in value):
        rows = "".join(f"    {row!r},\n" for row in value)
        return f"{name} = [\n{rows}]"
    if isinstance(value, dict):
        return "\n".join(f"{name}[{key!r}] = {_short(part)}" for key, part in value.items())
    return f"{name} = {value!r}"


def _short(value: Any) -> str:
    return pprint.pformat(value, width=TEXT_WIDTH - 4, compact=True, sort_dicts=False)


def _commands(event: Event, called: str) -> str:
    match, check = new_bot(event, called=called, name=None).commands
    return f"```text\nludus new bot --event {shlex.quote(called)}\n{match}\n{check}\nludus play {_game_of(event)}\n```"


def _game_of(event: Event) -> str:
    path = event.game.path
    if path.is_relative_to(GAMES_FOLDER):
        return event.game.name
    near = path.relative_to(Path.cwd()) if path.is_relative_to(Path.cwd()) else Path(path.name)
    return shlex.quote(str(near))
