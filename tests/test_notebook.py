"""What a notebook shows of games, records and standings: everything escaped, nothing run, no script."""

from __future__ import annotations

import re
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path
from random import Random

import pytest

from ludus.errors import StoreError
from ludus.records import Record, parse_record, record_game
from ludus.reports.notebook import game_html, record_html
from ludus.reports.standings import standings_of
from ludus.rules import game_names, load_game, random_line
from played_folder import played_folder
from rules_files import HEAP

HOSTILE = "<script>alert(1)</script><img src=x onerror=alert(2)>\"'&"


class Seen(HTMLParser):
    """Counts what a browser would make of a text."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.attributes: set[str] = set()
        self.words = ""
        self.feed(html)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes |= {name for name, _ in attrs}

    def handle_data(self, data: str) -> None:
        self.words += data


def is_harmless(html: str) -> bool:
    seen = Seen(html)
    return not {"script", "style", "iframe"} & set(seen.tags) and not any(a.startswith("on") for a in seen.attributes)


@pytest.mark.parametrize("name", game_names())
def test_a_game_shows_its_title_options_and_start(name: str) -> None:
    game = load_game(name)
    html = game_html(game)
    seen = Seen(html)
    assert game.title in seen.words
    assert all(option in seen.words for option in game.options)
    assert seen.tags.count("img") == 1
    assert is_harmless(html)
    assert repr(game) == f"<game {name}: {game.title}>"


def test_a_game_whose_board_cannot_be_drawn_says_so(tmp_path: Path) -> None:
    rules = HEAP.format(imports=f"NAME = {HOSTILE!r}", heap=5, most=3)
    path = tmp_path / "heap.py"
    path.write_text(rules + "\n\ndef view(s):\n    raise KeyError(NAME)\n")
    html = game_html(load_game(path))
    assert is_harmless(html)
    assert "The start cannot be drawn: KeyError" in Seen(html).words


def test_a_record_shows_its_end_and_who_played() -> None:
    game = load_game("slant")
    line = random_line(game, game.start(seed=3), Random(1))
    payoff = game.result(line.states[-1])
    record = record_game(game, line.start, {"seed": 3}, list(line.moves), players=["alice", HOSTILE], result=payoff)
    html = record_html(record)
    seen = Seen(html)
    assert is_harmless(html)
    assert f"alice against {HOSTILE}"[:40] in seen.words
    assert f"{len(line.moves)} moves" in seen.words
    assert seen.tags.count("img") == 1
    assert seen.words.count(f"{len(line.moves)}. {record.moves[-1]}") == 1
    assert repr(record) == f'<record of "slant": {len(line.moves)} moves>'


@pytest.mark.parametrize(
    "text, words",
    [
        ('{"format": "ludus-record/1", "game": "GAME", "moves": []}', "is not one of our games"),
        ('{"format": "ludus-record/1", "game": "ultimate", "moves": ["4,4", "4,4"]}', "the cell is taken"),
        ('{"format": "ludus-record/1", "game": "ultimate", "options": {"x": 1}, "moves": []}', "no option"),
        ('{"format": "ludus-record/1", "game": "ultimate", "moves": [], "players": [[], 3]}', "not over"),
        ('{"format": "ludus-record/1", "game": "ultimate", "moves": [], "verdict": {"reason": "<b>"}}', "<b>"),
    ],
)
def test_a_record_of_a_stranger_is_shown_as_far_as_it_holds(text: str, words: str, tmp_path: Path) -> None:
    (tmp_path / "evil.py").write_text("raise SystemExit('run')")
    html = record_html(parse_record(text.replace("GAME", str(tmp_path / "evil.py"))))
    assert is_harmless(html)
    assert words in Seen(html).words
    assert Seen(html).tags.count("b") == 1  # the one that is ours


def test_a_record_of_very_many_moves_is_not_played_through_to_be_shown() -> None:
    html = record_html(Record("subtraction", {}, ("0,1",) * 3_000_000))
    assert len(html) < 20_000
    assert "and 2,999,600 more" in Seen(html).words


def test_standings_are_what_the_folder_says(tmp_path: Path) -> None:
    names = ["ann", "<b>bert", "=cleo"]
    played_folder(tmp_path / "cup", "nsoc", names, failing=0.2)
    found = standings_of(tmp_path / "cup")
    assert sorted(row.team for row in found) == sorted(names)
    assert [row.place for row in found] == [1, 2, 3]
    assert found.champion == found[0].team
    assert sum(row.games for row in found) == 2 * found.games
    html = found._repr_html_()
    assert is_harmless(html)
    assert Seen(html).tags.count("tr") == len(found) + 1
    assert "<b>bert" in Seen(html).words
    lines = repr(found).splitlines()
    assert len(lines) == len(found) + 2
    assert re.match(rf"\s+1\s+{re.escape(found[0].team)}\s+{found[0].games}\s+{found[0].wins}\s", lines[2])


def test_standings_of_a_tournament_that_goes_on(tmp_path: Path) -> None:
    played_folder(tmp_path / "cup", "nsoc", ["ann", "bert", "cleo"], games=2)
    found = standings_of(tmp_path / "cup")
    assert found.champion is None
    assert found.progress.startswith("2 of ")
    with pytest.raises(StoreError):
        standings_of(tmp_path)


def test_importing_ludus_in_a_notebook_is_enough() -> None:
    """A real shell of IPython, in a process of its own, as it changes the interpreter for good."""
    pytest.importorskip("IPython")
    program = (
        "from IPython.core.interactiveshell import InteractiveShell\n"
        "shell = InteractiveShell.instance()\n"
        "import sys\n"
        "from ludus.rules import load_game\n"
        "from ludus.records import Record\n"
        "assert 'ludus.view' not in sys.modules\n"
        "form = shell.display_formatter.format\n"
        "for value in (load_game('ultimate'), Record('ultimate', {}, ('4,4',))):\n"
        "    data, _ = form(value)\n"
        "    print('<img ' in data['text/html'], data['text/plain'])\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines() == [
        "True <game ultimate: Ultimate Tic-Tac-Toe>",
        'True <record of "ultimate": 1 moves>',
    ]


# ---- the board to play on


def test_a_board_plays_by_what_the_browser_says() -> None:
    pytest.importorskip("anywidget")
    from ludus.web.widget import PlayableBoard

    board = PlayableBoard("slant", circles="101 / 020 / 001")

    def says(**content: object) -> None:
        board._handle_custom_msg(content, [])

    moves = {name: move for move, _, name, _ in board.frame["moves"]}
    says(do="move", move=moves["0,1"], ply=0)
    says(do="move", move=moves["1,1"], ply=0)  # of a board that is gone
    assert board.moves == ["0,1"]
    assert (board.frame["ply"], board.frame["mover"]) == (1, 1)
    says(do="why", key="0,1")
    assert "illegal move 0,1" in board.note
    for wrong in ({}, {"do": "move"}, {"do": "move", "move": 10**9, "ply": 1}, {"do": "why", "key": "x"}, {"do": 3}):
        says(**wrong)
        assert board.moves == ["0,1"]
    says(do="move", move=moves["1,1"], ply=1)
    says(do="undo")
    assert board.moves == ["0,1"]
    assert board.note == ""
    says(do="restart")
    assert board.moves == []
    assert board.frame["moves"]


@pytest.mark.parametrize("seat", [0, 1])
def test_an_agent_answers_on_the_board(seat: int) -> None:
    pytest.importorskip("anywidget")
    from ludus.web.widget import PlayableBoard

    board = PlayableBoard("ultimate", vs="random", seat=seat)
    assert board.position.turn == seat
    assert len(board.moves) == seat
    move = board.frame["moves"][0][0]
    board._handle_custom_msg({"do": "move", "move": move, "ply": seat}, [])
    assert len(board.moves) == seat + 2
    board._handle_custom_msg({"do": "undo"}, [])
    assert len(board.moves) == seat
    assert board.position.turn == seat


def test_the_board_is_one_module_and_styles_nothing_else() -> None:
    pytest.importorskip("anywidget")
    from ludus.web.widget import script, styles

    assert "import " not in re.sub(r"//.*", "", script())
    assert script().count("export default") == 1
    assert "g.may" in styles()
    scope, depth = 0, 0
    for text, brace in re.findall(r"([^{}]*)([{}])", styles()):
        depth += 1 if brace == "{" else -1
        if brace == "{" and depth == 1:
            scope += "@scope" in text
            assert ".ludus-widget" in text
    assert (scope, depth) == (1, 0)


def test_without_the_extra_a_sentence_says_what_is_needed() -> None:
    program = (
        "import sys\nsys.modules['anywidget'] = None\n"
        "from ludus.errors import LudusError\n"
        "try:\n    import ludus.web.widget\nexcept LudusError as error:\n    print(error)\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout == "a board in a notebook needs one more package: pip install ludus[notebook]\n"
