"""The process in which rules that are still being written are run: a line of JSON in, a line with the position out.

They may be wrong in every way. Whatever they raise becomes a sentence with file and line; what never comes back is
interrupted where it stands, and if it does not care about that, `Rehearsal` on the other side ends the process.
"""

from __future__ import annotations

import ast
import json
import os
import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import fields
from pathlib import Path
from random import Random
from typing import Any, TextIO

from ludus.contract import check_rules
from ludus.contract.time_limit import time_limit
from ludus.errors import GameNotFoundError, LudusError, MoveError, OptionsError, RulesError
from ludus.loading import last_line_in
from ludus.rules import Game, Line, State, load_game
from ludus.screens.picking import pick
from ludus.view.scene import Scene, scene_of_line
from ludus.view.svg import svg_document
from ludus.view.terminal import position_canvas
from ludus.view.theme import Palette, Theme
from ludus.web.frames import Picture, changes, picture_of

ANSWER_S = 5.0  # for one question, before the rules are interrupted
LONGEST = 10_000  # moves of a game
SVG_WIDTH = 440
THEMES: tuple[Theme, ...] = ("light", "dark")
MEMORY_BYTES = 2 << 30
BESIDE = ("view", "evaluation", "solving", "guessing", "table")  # that belong to a rules.py
# Colours by name, as the page knows what each looks like; small letters need the deep tones to be read.
DEEP = {tone: f"{tone}_deep" for tone in ("first", "second", "good", "bad")}
NAMES = Palette(**{field.name: DEEP.get(field.name, field.name) for field in fields(Palette)})
Answer = dict[str, Any]
Seen = dict[str, list[int] | None]  # files, and what they were like


class Stage:
    """A game from the file as it stands, and the line of play that is shown."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.game: Game | None = None
        self.options: dict[str, Any] = {}
        self.line = Line((), ())
        self.picture: Picture | None = None  # that was told last

    def answer(self, request: dict[str, Any]) -> Answer:
        """What the request asks for, or {"complaint": a sentence}. The line stays as it was when it fails."""
        before = self.options, self.line
        try:
            if request["do"] == "check":  # it has limits of its own
                return self._check(request)
            with time_limit(ANSWER_S):
                return self._answers[request["do"]](self, request)
        except (Exception, SystemExit, KeyboardInterrupt) as error:
            self.options, self.line = before
            if isinstance(error, MoveError | OptionsError) and not request.get("is_lenient"):
                return {"refusal": str(error)}
            sentence = complaint(error.__cause__ or error, self.path, self.game)
            return {"complaint": sentence.replace(f"{self.path.parent}{os.sep}", "")}

    # ---- requests

    def _show(self, request: dict[str, Any]) -> Answer:
        """The position after the moves, as far as they are legal; options that no longer fit are left out."""
        game = load_game(self.path) if self.game is None else self.game
        self.game, notes = game, []
        try:
            self.options, start = request["options"], game.start(**request["options"])
        except OptionsError as error:
            if not request["is_lenient"]:
                raise
            notes.append(f"{error}; these are the defaults")
            self.options, start = {}, game.start()
        self.line, refusal = followed(game, start, request["moves"])
        if refusal:
            notes.append(f"{len(self.line.moves)} of {len(request['moves'])} moves are still legal ({refusal})")
        return self._position(". ".join(notes))

    def _play(self, request: dict[str, Any]) -> Answer:
        game, state = self._game, self.line.states[-1]
        move = request["move"]
        if move not in game.legal(state):
            raise MoveError("this move is not legal here")
        self.line = Line((*self.line.states, game.play(state, move)), (*self.line.moves, move))
        return self._position()

    def _back(self, request: dict[str, Any]) -> Answer:
        ply = max(0, min(request["ply"], len(self.line.moves)))
        self.line = Line(self.line.states[: ply + 1], self.line.moves[:ply])
        return self._position()

    def _random(self, request: dict[str, Any]) -> Answer:
        """So many random moves, or the rest of a game."""
        game, rng = self._game, Random(request["seed"])
        states, moves = list(self.line.states), list(self.line.moves)
        while len(moves) < LONGEST and len(moves) < len(self.line.moves) + request["count"]:
            if not (legal := game.legal(states[-1])):
                break
            moves.append(rng.choice(legal))
            states.append(game.play(states[-1], moves[-1]))
        self.line = Line(tuple(states), tuple(moves))
        return self._position()

    def _why(self, request: dict[str, Any]) -> Answer:
        """Why no move begins at an area."""
        scene = scene_of_line(self._game, self.line)
        if request["key"] not in scene.view.areas():
            return {"why": "there is no such place on the board"}
        complaint = pick(self._game, self.line.states[-1], scene, (), request["key"]).complaint
        return {"why": complaint or "this is where a move may begin"}

    def _check(self, request: dict[str, Any]) -> Answer:
        """Every promise of the file, tried in random games."""
        with time_limit(ANSWER_S):
            self.game = load_game(self.path)
            self.game.start(**request["options"])
        found = check_rules(self.game, options=request["options"])
        length = f"{found.shortest}" if found.shortest == found.longest else f"{found.shortest} to {found.longest}"
        sentence = f"{found.games} random games of {length} moves, up to {found.most_moves} legal moves"
        return {"checked": f"every promise holds: {sentence}"}

    _answers: dict[str, Callable[[Stage, dict[str, Any]], Answer]] = {  # noqa: RUF012  # a table, never changed
        "show": _show,
        "play": _play,
        "back": _back,
        "random": _random,
        "why": _why,
    }

    # ---- what is told

    @property
    def _game(self) -> Game:
        assert self.game is not None  # it was shown before it is played
        return self.game

    def _position(self, note: str = "") -> Answer:
        """All three drawings; the browser's board whole, and as what changed since the one before."""
        game, line = self._game, self.line
        scene = scene_of_line(game, line)
        picture = picture_of(scene, may_move=True, ply=len(line.moves))
        before, self.picture = self.picture, picture
        return {
            "title": game.title,
            "moves": [game.move_name(move) for move in line.moves],
            "turns": [game.turn(state) for state in line.states[:-1]],
            "options": [self._option(name, default) for name, default in game.options.items()],
            "given": self.options,
            "terminal": terminal_rows(scene),
            "svg": {theme: svg_document(scene, theme, SVG_WIDTH, caption=True) for theme in THEMES},
            "note": note,
            "frame": changes(None, picture),
            "change": None if before is None else changes(before, picture),
        }

    def _option(self, name: str, default: Any) -> dict[str, str]:
        value = written(self.options[name]) if name in self.options else ""
        return {"name": name, "usual": written(default), "value": value}


def followed(game: Game, start: State, names: list[str]) -> tuple[Line, str]:
    """The line that the moves make as far as they are legal, and why the next one is not."""
    states, moves, refusal = [start], [], ""
    for name in names:
        try:
            move = game.legal_move(states[-1], name)
        except MoveError as error:
            refusal = error.sentence
            break
        moves.append(move)
        states.append(game.play(states[-1], move))
    return Line(tuple(states), tuple(moves)), refusal


def terminal_rows(scene: Scene) -> list[list[tuple[str, str, str, bool]]]:
    """What a terminal shows: rows of pieces, each with the names of its colour and its ground."""
    canvas = position_canvas(scene, NAMES)
    return [
        [(piece, look.colour, look.ground, look.bold) for piece, look in canvas.runs(y)] for y in range(canvas.height)
    ]


def written(value: Any) -> str:
    """An option as a person types it; a default that only Python can write is shown, and cannot be typed."""
    try:
        return value if isinstance(value, str) else json.dumps(value)
    except (TypeError, ValueError):
        return repr(value)[:60]


def complaint(error: BaseException, path: Path, game: Game | None) -> str:
    """What is wrong, in one sentence that begins with file and line wherever they can be found."""
    if isinstance(error, RulesError) and error.line is not None:
        return str(error)
    if isinstance(error, GameNotFoundError):
        return str(error)
    found = last_line_in(error, path.parent)
    if found is not None:
        return str(RulesError(_said(error), path=found[0], line=found[1]))
    if game is not None and not isinstance(error, LudusError):
        try:  # what is wrong with the file may have shown itself only in our own code
            check_rules(game, games=2)
        except LudusError as wrong:
            return str(wrong)
        except Exception as other:
            error = other
    return str(error) if isinstance(error, LudusError) else f"{path.name}: {_said(error)}"


def _said(error: BaseException) -> str:
    if isinstance(error, TimeoutError):
        return f"{error}: is this an endless loop?"
    if isinstance(error, RulesError):
        return error.sentence
    return " ".join(f"{type(error).__name__}: {error}".rstrip(": ").split())[:300]


# ---- files


def files_used(path: Path) -> list[str]:
    """The rules file and the files beside it that it imports, directly or not; also those that are not there yet.

    Imports are read, not run, so that a file that is wrong is watched as well.
    """
    found: dict[Path, None] = {}
    rest = [path, *(path.with_name(f"{name}.py") for name in BESIDE if path.name == "rules.py")]
    while rest:
        file = rest.pop()
        if file in found:
            continue
        found[file] = None
        rest += [place for name in _imports(file) for place in _places(path.parent, name)]
    return [str(file) for file in found]


def look(files: Iterable[str]) -> Seen:
    """What tells one state of each file from another; None for one that is not there."""
    seen: Seen = {}
    for file in files:
        try:
            found = Path(file).stat()
            seen[file] = [found.st_mtime_ns, found.st_size, found.st_ino]
        except OSError:
            seen[file] = None
    return seen


def _imports(file: Path) -> Iterator[str]:
    """The names that a file imports, `from . import x` as x."""
    try:
        tree = ast.parse(file.read_bytes())
    except (OSError, SyntaxError, ValueError, RecursionError, MemoryError):
        return
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            module = node.module or ""
            yield from [module] if module else []
            yield from (f"{module}.{alias.name}".lstrip(".") for alias in node.names)


def _places(folder: Path, name: str) -> Iterator[Path]:
    parts = name.split(".")
    if parts[0] in sys.stdlib_module_names or parts[0] == "ludus":
        return
    for count in range(1, len(parts) + 1):
        place = folder.joinpath(*parts[:count])
        yield place.with_name(f"{place.name}.py")
        if place.is_dir():
            yield place / "__init__.py"


# ---- the process


def serve(path: Path, questions: TextIO, answers: TextIO) -> None:
    """Answer until nobody asks any more; the files are told first, as loading them may be the end."""
    stage = Stage(path)
    for text in questions:
        _tell(answers, {"files": look(files_used(path))})
        reply = stage.answer(json.loads(text))
        try:
            _tell(answers, reply)
        except (TypeError, ValueError) as error:  # a view that holds what no text can say
            _tell(answers, {"complaint": f"{path.name}: the board cannot be written down: {error}"})


def _tell(answers: TextIO, reply: Answer) -> None:
    answers.write(json.dumps(reply, allow_nan=False) + "\n")
    answers.flush()


def main(path: str, parent: str) -> None:
    """The rules get neither our questions nor our answers: what they print is seen in the terminal."""
    if sys.platform == "linux":
        import resource  # noqa: PLC0415  # not on every system

        from ludus.sandbox.kernel import die_with  # noqa: PLC0415

        die_with(int(parent))
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    questions, answers = os.fdopen(os.dup(0), encoding="utf-8"), os.fdopen(os.dup(1), "w", encoding="utf-8")
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.dup2(2, 1)
    sys.stdout.reconfigure(line_buffering=True)  # type: ignore[union-attr]  # it ends by a kill, which loses the rest
    serve(Path(path), questions, answers)


if __name__ == "__main__":
    main(*sys.argv[1:])
