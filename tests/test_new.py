"""`ludus new`: what it writes works as it is, is named by the convention, and never takes a file away."""

from __future__ import annotations

import ast
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from ludus.cli import main
from ludus.course.conventions import CONVENTIONS
from ludus.course.starting import TEMPLATES, new_bot, new_event, new_game
from ludus.events.event import event_names, load_event, read_event
from ludus.rules import game_names, load_game
from ludus.tournament.plan import plan_of

ROOT = Path(__file__).parent.parent
SHORT = {"subtraction": ["low=3", "high=9"], "slant": ["m=4"]}
OTHER_GAMES = {"play": "ultimate-adjacent", "player-class": "ultimate"}  # that an interface can play besides its own
FILES = {
    "nsoc": ("foxes", "foxes.py"),
    "cse371": ("7", "team7.py"),
    "extreme": ("team12", "team12.py"),
    "term-project": ("20251234", "20251234.py"),
    "slant": ("foxes", "foxes.py"),
}


@pytest.fixture(autouse=True)
def in_empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def complaint(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    """The one sentence that the command ends with."""
    assert main(list(arguments)) == 1
    said = capsys.readouterr().err
    assert said.startswith("ludus: ") and said.count("\n") == 1
    return said


def played(capsys: pytest.CaptureFixture[str], event: str, player: str, game: str) -> dict:
    """A whole game of a bot against itself, so in both seats."""
    short = [f"--options={option}" for option in SHORT.get(game, [])]
    assert main(["match", event, player, player, "--json", *short]) == 0
    return json.loads(capsys.readouterr().out)


def write_event(name: str, game: str, interface: str) -> str:
    Path(name).write_text(f'game = "{game}"\n[time]\nmove_s = 5\n[bots]\ninterface = "{interface}"\n')
    return name


def is_clean(*files: str) -> None:
    """By our own rules for Python; a program may print."""
    config = ["--config", str(ROOT / "pyproject.toml")]
    for command in (["check", "--ignore", "T20"], ["format", "--check"]):
        done = subprocess.run(
            [sys.executable, "-m", "ruff", *command, *config, *files], capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stdout


# ---- bots


@pytest.mark.parametrize("event", event_names())
def test_a_new_bot_plays_a_whole_game_in_both_seats(event, capsys):
    name, file = FILES[event]
    assert main(["new", "bot", "--event", event, name]) == 0
    said = capsys.readouterr().out
    head = ast.get_docstring(ast.parse(Path(file).read_text()))
    commands = re.findall(r"^    (ludus .*)$", said, re.MULTILINE)
    assert len(commands) == 2 and all(command in head for command in commands)
    assert commands[0] == f"ludus match {event} ./{file} random"
    result = played(capsys, event, file, load_event(event).game.name)
    assert result["verdict"]["kind"] in ("win", "draw"), result
    is_clean(file)


@pytest.mark.parametrize(("interface", "game"), OTHER_GAMES.items())
def test_an_interface_with_another_game_gets_its_rule_of_sending(interface, game, capsys):
    write_event("mine.toml", game, interface)
    assert main(["new", "bot", "--event", "mine.toml"]) == 0
    capsys.readouterr()
    stem = CONVENTIONS[interface].example
    assert played(capsys, "mine.toml", f"{stem}.py", game)["verdict"]["kind"] in ("win", "draw")


@pytest.mark.parametrize("interface", ["choose", "any"])
def test_a_bot_for_a_game_of_ones_own(interface, capsys):
    main(["new", "game", "tactix"])
    write_event("mine.toml", "./tactix.py", interface)
    assert main(["new", "bot", "--event", "mine.toml", "anna"]) == 0
    capsys.readouterr()
    assert played(capsys, "mine.toml", "anna.py", "tactix")["verdict"]["kind"] in ("win", "draw")


@pytest.mark.parametrize(
    ("protocol", "event", "name"),
    [("ludus", "slant", "foxes"), ("codingame", "nsoc", "foxes"), ("codingame", "cse371", "7")],
)
def test_a_program_is_executable_and_plays(protocol, event, name, capsys):
    assert main(["new", "bot", "--event", event, name, "--protocol", protocol]) == 0
    match, _ = re.findall(r"^    (ludus .*)$", capsys.readouterr().out, re.MULTILINE)
    player = match.split()[3]
    (file,) = Path().iterdir()
    assert os.access(file, os.X_OK) and file.suffix == "" and player.endswith(f"./{file}")
    assert played(capsys, event, player, load_event(event).game.name)["verdict"]["kind"] in ("win", "draw")
    Path("as_python.py").write_text(file.read_text())
    is_clean("as_python.py")


@pytest.mark.parametrize("event", event_names())
def test_a_name_left_out_is_a_right_one(event):
    made = new_bot(load_event(event), called=event, name=None)
    interface = load_event(event).interface
    stem = made.name.removesuffix(".py")
    assert CONVENTIONS[interface].stem.fullmatch(stem)
    classes = [node.name for node in ast.parse(made.text).body if isinstance(node, ast.ClassDef)]
    assert classes == [name for name in [CONVENTIONS[interface].class_name(stem)] if name]


@pytest.mark.parametrize("event", event_names())
@pytest.mark.parametrize("name", ["a/b", "../up", "a b", "", ".", "-7", "ünder", "x" * 200, "a\nb", "7.0"])
def test_a_name_that_is_none_is_one_sentence(event, name, capsys):
    assert "is no name for a bot" in complaint(capsys, "new", "bot", f"--event={event}", "--", name)
    assert not list(Path().iterdir())


@pytest.mark.parametrize("name", ["class", "random", "json", "2fast"])
def test_words_and_modules_of_python_are_no_names(name, capsys):
    complaint(capsys, "new", "bot", "--event", "nsoc", name)
    complaint(capsys, "new", "game", name)


def test_a_file_that_is_there_stays_unless_told_otherwise(capsys, tmp_path):
    Path("foxes.py").write_text("precious")
    assert "foxes.py is already there" in complaint(capsys, "new", "bot", "--event", "nsoc", "foxes")
    assert Path("foxes.py").read_text() == "precious"
    assert main(["new", "bot", "--event", "nsoc", "foxes", "--force"]) == 0
    assert "def play" in Path("foxes.py").read_text()


def test_a_link_is_not_followed(capsys, tmp_path):
    outside = tmp_path / "outside.txt"
    outside.write_text("precious")
    Path("foxes.py").symlink_to(outside)
    complaint(capsys, "new", "bot", "--event", "nsoc", "foxes")
    assert main(["new", "bot", "--event", "nsoc", "foxes", "--force"]) == 0
    assert outside.read_text() == "precious" and not Path("foxes.py").is_symlink()


def test_a_folder_in_the_way_is_one_sentence(capsys):
    Path("foxes.py").mkdir()
    complaint(capsys, "new", "bot", "--event", "nsoc", "foxes")
    complaint(capsys, "new", "bot", "--event", "nsoc", "foxes", "--force")


@pytest.mark.parametrize(
    "title", ['""" + exit() + """', "ends in \\", "two\nlines", "x" * 190, "$head ${x}", "\x1b[2J"]
)
def test_no_title_breaks_out_of_the_head(title, capsys):
    event = write_event("odd one.toml", "ultimate", "play")
    Path(event).write_text(f"title = {json.dumps(title)}\n{Path(event).read_text()}")
    assert main(["new", "bot", "--event", "odd one.toml", "foxes"]) == 0
    source = Path("foxes.py").read_text()
    first, *others = ast.parse(source).body
    assert isinstance(first, ast.Expr) and isinstance(others[0], ast.Import)
    assert "'odd one.toml'" in ast.get_docstring(ast.parse(source))
    is_clean("foxes.py")


def test_a_protocol_that_cannot_speak_of_the_game_is_one_sentence(capsys):
    assert "codingame is for" in complaint(capsys, "new", "bot", "--event", "slant", "--protocol", "codingame")


def test_no_such_event_is_one_sentence(capsys):
    assert "there is no event" in complaint(capsys, "new", "bot", "--event", "nothing")


# ---- games and events


def test_a_new_game_is_short_and_every_promise_holds(capsys):
    assert main(["new", "game", "my_game"]) == 0
    assert "ludus check-game my_game.py" in capsys.readouterr().out
    assert main(["check-game", "my_game.py"]) == 0
    source = Path("my_game.py").read_text()
    tree = ast.parse(source)
    bodies = [part for part in tree.body if not isinstance(part, ast.Expr)]
    code = [line for part in bodies for line in ast.unparse(part).split("\n") if line.strip()]
    docstrings = source.count('"""') // 2 - 1
    assert len(code) - docstrings <= 45
    assert main(["show", "my_game.py", "--moves", "1,1 0,0"]) == 0
    assert "[O]" in capsys.readouterr().out
    is_clean("my_game.py")


@pytest.mark.parametrize("name", [*game_names(), "a/b", "my-game", ""])
def test_a_game_needs_a_name_of_its_own(name, capsys):
    complaint(capsys, "new", "game", name)
    assert new_game("tactix.py").name == "tactix.py"


@pytest.mark.parametrize("game", [*game_names(), "./tactix.py"])
def test_every_field_of_a_new_event_says_what_holds(game, capsys):
    """Taking away the "#" before any field, or before all, changes nothing: it shows what holds anyway."""
    main(["new", "game", "tactix"])
    assert main(["new", "event", "my-event", "--game", game]) == 0
    text = Path("my-event.toml").read_text()
    before = read_event(text, name="e", folder=Path(), where="e.toml")
    assert before.game.path == load_game(game).path
    fields = re.findall(r"^# (\w+ = .*)$", text, re.MULTILINE)
    assert len(fields) >= 20
    for field in fields:
        same(before, read_event(text.replace(f"# {field}", field, 1), name="e", folder=Path(), where="e.toml"))
    everything = re.sub(r"^# (\w+ = .*)$", r"\1", text, flags=re.MULTILINE)
    same(before, read_event(everything, name="e", folder=Path(), where="e.toml"))


def same(one, other):
    assert one.game.start(**one.options) == other.game.start(**other.options)
    parts = ("title", "limits", "interface", "allows_numpy", "isolation", "finished", "forfeits")
    assert [getattr(one, part) for part in parts] == [getattr(other, part) for part in parts]
    assert one.control._replace(first_limit_s=5) == other.control._replace(first_limit_s=5)
    plans = [plan_of(event) for event in (one, other)]
    for part in ("kind", "meeting", "tie_breaks", "difference", "opening_plies", "seed", "grades"):
        assert getattr(plans[0], part) == getattr(plans[1], part)


def test_a_new_event_names_every_field_of_the_reference():
    reference = (ROOT / "docs/reference/event-file.md").read_text()
    rows = re.findall(r"^\| `(?:\[[\w.]+\] ?)?([\w` ,.…-]*)` ?…? \|", reference, re.MULTILINE)
    fields = {word for row in rows for word in re.findall(r"[a-z_]{3,}", row)} - {"grades", "weights", "options"}
    template = (TEMPLATES / "event.toml.template").read_text()
    assert len(fields) > 30
    assert {field for field in fields if not re.search(rf"\b{field}\b", template)} == set()


@pytest.mark.parametrize("name", [*event_names(), "a/b", "x y", ""])
def test_an_event_needs_a_name_of_its_own(name, capsys):
    complaint(capsys, "new", "event", name)
    assert new_event("spring.toml", load_game("slant"), game_called="slant").name == "spring.toml"


def test_an_event_of_no_game_is_one_sentence(capsys):
    assert "there is no game" in complaint(capsys, "new", "event", "spring", "--game", "nothing")
