"""`ludus docs`: whatever an event file changes changes the hand-out, and what it shows is what the referee does."""

from __future__ import annotations

import html.parser
import json
import re
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from ludus.bots.interfaces import INTERFACES
from ludus.cli import main
from ludus.course.event_words import FAULTS, TIE_BREAKS
from ludus.course.handout import OPTION_ROW, handout_text
from ludus.course.handout_page import handout_page
from ludus.course.starting import new_bot
from ludus.events.event import Event, event_names, load_event, read_event
from ludus.events.scoring import FINISHED
from ludus.games.extreme import rules as extreme
from ludus.referee.verdict import FORFEITS
from ludus.rules import game_names, load_game
from ludus.tournament import tables
from ludus.tournament.plan import READERS

PLAIN = """\
title = "Spring"
game = "extreme"
[options]
bonus = true
[time]
move_s = 5
first_move_s = 5
grace_s = 0
bank_s = 0
strikes = 1
[bots]
interface = "team-class"
numpy = false
memory_mb = 512
output_bytes = 1048576
loading_s = 10
isolation = "full"
[points]
finished = "win"
forfeit = [1, 0]
"""
LEAGUE = '[format]\nkind = "round-robin"\ngames_per_pair = 2\nsides = "balanced"\nopening_plies = 0\nseed = 0\n'
TABLES = '[tables]\ntie_breaks = ["lots"]\ndifference = "payoff"\n'
POOLS = (
    '[format]\nkind = "pools"\npools = [10, 3]\nadvance = [3, 3]\nstages = ["group", "semi-final", "final"]\n'
    'smallest_pool = 6\ndraw = "random"\n'
    '[grades]\nkind = "relative"\nweights = {group = 40, final = 10}\ndecimals = 2\n'
)
SINGLE = '[format]\nkind = "single-elimination"\nboards = 3\nthird_place = false\ndraw = "random"\n'
SWISS = '[format]\nkind = "swiss"\nrounds = 7\nbye_points = 1\ndraw = "random"\n'
GAUNTLET = '[format]\nkind = "gauntlet"\nchallengers = 1\n'
LADDER = '[format]\nkind = "ladder"\nrounds = 4\ndraw = "seeded"\nendless = false\n'
RANK = '[grades]\nkind = "rank"\nbest = 100\nworst = 50\ndecimals = 2\n'
FORM = (
    '[grades]\nkind = "points"\n[submissions]\ndeadline = 2026-11-30T23:59:00\nname = 1\nclass = 2\nseveral = 3\n'
    "late = 4\nrandom = 5\nmost = 6\n"
)
# A file, a line of it, the same line changed, and what the hand-out must then say.
CHANGES = [
    (PLAIN, 'title = "Spring"', 'title = "Autumn"', "# Autumn"),
    (PLAIN, "bonus = true", "bonus = false", "| `bonus` | whether a won block gives one more move | false |"),
    (PLAIN, "\nmove_s = 5", "\nmove_s = 2.5", "| a move           | 2.5 s"),
    (PLAIN, "first_move_s = 5", "first_move_s = 17", "| the first move   | 17 s"),
    (PLAIN, "grace_s = 0", "grace_s = 0.25", "0.25 s"),
    (PLAIN, "bank_s = 0", "bank_s = 33", "33 s of spare time"),
    (PLAIN, "strikes = 1", "strikes = 4", "4 late moves lose"),
    (PLAIN, 'interface = "team-class"', 'interface = "choose"', "choose(state, clock)"),
    (PLAIN, 'interface = "team-class"', 'interface = "any"', "Any interface that can play the game will do"),
    (PLAIN, "numpy = false", "numpy = true", "Python's standard library, and numpy"),
    (PLAIN, "memory_mb = 512", "memory_mb = 777", "777 MB"),
    (PLAIN, "output_bytes = 1048576", "output_bytes = 4321", "4,321 bytes"),
    (PLAIN, "loading_s = 10", "loading_s = 3", "3 s, before the first move"),
    (PLAIN, 'isolation = "full"', 'isolation = "basic"', "basic: "),
    (PLAIN, 'finished = "win"', 'finished = "margin"', "(`margin`)"),
    (PLAIN, 'finished = "win"', 'finished = "extreme"', "68-0 for a pattern"),
    (PLAIN, "forfeit = [1, 0]", "forfeit = [8.5, -3]", "| 8.5             | -3     |"),
    *(
        (PLAIN, "forfeit = [1, 0]", f"forfeit = [1, 0]\n{kind} = [77, -66]", "| 77              | -66    |")
        for kind in FORFEITS
    ),
    (PLAIN + LEAGUE, "games_per_pair = 2", "games_per_pair = 6", "play 6 games"),
    (PLAIN + LEAGUE, 'sides = "balanced"', 'sides = "coin"', "a coin decides"),
    (PLAIN + LEAGUE, "opening_plies = 0", "opening_plies = 9", "9 moves at random"),
    (PLAIN + LEAGUE, "seed = 0", "seed = 4711", "seed 4711"),
    (PLAIN + TABLES, '["lots"]', '["wins", "seed"]', "1. wins: more wins\n2. seed: the better seed\n3. lots"),
    (PLAIN + '[tables]\ndifference = "payoff"\n', "payoff", "blocks", "blocks held at the end"),
    (PLAIN + POOLS, "pools = [10, 3]", "pools = [8, 3]", "Group: 8 pools at most"),
    (PLAIN + POOLS, "advance = [3, 3]", "advance = [2, 3]", "the best 2 of each"),
    (PLAIN + POOLS, '"semi-final"', '"second"', "Second: 3 pools"),
    (PLAIN + POOLS, "smallest_pool = 6", "smallest_pool = 5", "smaller than 5"),
    (PLAIN + POOLS, 'draw = "random"', 'draw = "seeded"', "The first pools are by the order of the bots."),
    (PLAIN + POOLS, "group = 40", "group = 41.5", "| group      | 41.5"),
    (PLAIN + POOLS, "decimals = 2", "decimals = 5", "5 decimals"),
    (PLAIN + SINGLE, "boards = 3", "boards = 6", "6 in all"),
    (PLAIN + SINGLE, "third_place = false", "third_place = true", "third place"),
    (PLAIN + SINGLE, 'draw = "random"', 'draw = "seeded"', "The bracket is by the order"),
    (PLAIN + SINGLE, "single-elimination", "double-elimination", "loses two matches", ("third_place = false\n",)),
    (PLAIN + SWISS, "rounds = 7", "rounds = 8", "8 rounds"),
    (PLAIN + SWISS, "bye_points = 1", "bye_points = 0.75", "worth 0.75"),
    (PLAIN + SWISS, 'draw = "random"', 'draw = "seeded"', "The first round is by the order"),
    (PLAIN + GAUNTLET, "challengers = 1", "challengers = 3", "3 challengers"),
    (PLAIN + LADDER, "rounds = 4", "rounds = 5", "5 rounds"),
    (PLAIN + LADDER, "rounds = 4", "rounds = 0", "As many rounds as teams"),
    (PLAIN + LADDER, 'draw = "seeded"', 'draw = "random"', "The rungs are drawn by lot"),
    (PLAIN + LADDER, "rounds = 4\n", "", "until somebody stops it", ("endless = false", "endless = true")),
    (PLAIN + RANK, "best = 100", "best = 90", "gets 90 marks"),
    (PLAIN + RANK, "worst = 50", "worst = 45", "the last 45"),
    (PLAIN + RANK, "best = 100\nworst = 50", "marks = [9, 7.5]", "| 2 and below | 7.5"),
    (PLAIN + RANK, "best = 100\nworst = 50\n", "", "Your final place"),
    (PLAIN, "forfeit = [1, 0]", 'forfeit = [1, 0]\n[grades]\nkind = "points"', "The points of all your games"),
    (PLAIN + FORM, "2026-11-30T23:59:00", "2027-02-03T04:05:00", "Hand in by 2027-02-03 04:05."),
    *(
        (PLAIN + FORM, f"{field} = {number}\n", f"{field} = 77.5\n", "77.5")
        for number, field in enumerate(("name", "class", "several", "late", "random", "most"), 1)
    ),
    (PLAIN, "[time]", '[grades]\nkind = "formula"\nformula = "3 * league_share"\n[time]', "3 * league_share"),
]


def event_of(text: str, name: str = "spring") -> Event:
    return read_event(text, name=name, folder=Path(), where=f"{name}.toml")


def said(text: str) -> str:
    return handout_text(event_of(text), called="spring.toml")


@pytest.mark.parametrize("change", CHANGES, ids=lambda change: change[2].replace("\n", " ")[-40:])
def test_every_field_of_the_file_is_in_the_hand_out(change):
    before, old, new, words, *also = change
    assert before.count(old) == 1
    after = before.replace(old, new)
    for more in also:
        after = after.replace(*more) if len(more) == 2 else after.replace(more[0], "")
    one, other = said(before), said(after)
    assert one != other
    assert words in other and words not in one


def test_the_game_of_the_file_is_in_the_hand_out():
    texts = {game: said(f'game = "{game}"\n[time]\nmove_s = 5\n') for game in game_names()}
    for game, text in texts.items():
        assert load_game(game).title in text and f"ludus play {game}" in text
    assert len(set(texts.values())) == len(texts)


def test_every_word_of_an_event_file_has_words_for_people():
    assert set(FAULTS) == set(FORFEITS)
    assert set(TIE_BREAKS) | {"difference"} == set(tables.TIE_BREAKS)
    assert all(rule.score.__doc__ for rule in FINISHED.values())
    for kind in READERS:
        said(f'{PLAIN}[format]\nkind = "{kind}"\n')


@pytest.mark.parametrize("game", game_names())
def test_rules_in_words_know_every_option_and_its_default(game):
    loaded = load_game(game)
    words = loaded.path.with_name("rules.md").read_text()
    known = {found["name"]: found["default"] for line in words.split("\n") if (found := OPTION_ROW.match(line))}
    assert set(known) == set(loaded.options)
    for name, default in loaded.options.items():
        if default is None:
            assert loaded.start() == loaded.start(**({name: int(known[name])} if known[name].isdigit() else {}))
        elif name != "seed":  # which a tournament draws
            assert known[name] == json.dumps(default)


def test_words_about_sending_agree_with_the_rules():
    game = load_game("ultimate-adjacent")
    words = game.path.with_name("rules.md").read_text()
    rows = re.findall(r"^\| \*\*\w+\*\* +\|(.*)\|$", words, re.M)
    told = [{int(block) for block in cell.split("or")} for row in rows for cell in row.split("|")]
    after = [game.play(game.start(), cell) for cell in range(9)]
    assert told == [{block for block in range(9) if state.targets >> block & 1} for state in after]


def test_words_about_patterns_and_worth_agree_with_the_rules():
    words = load_game("extreme").path.with_name("rules.md").read_text()
    lines = re.search(r"```text\n(.*?)```", words, re.S)[1].splitlines()
    drawn = [[line.split("    ")[diamond].split() for line in lines] for diamond in range(4)]
    told = {
        sum(1 << 4 * r + c for r, row in enumerate(rows) for c, sign in enumerate(row) if sign == "#") for rows in drawn
    }
    assert told == set(extreme.PATTERNS[8:])
    corner, edge, centre = map(
        int, re.search(r"corner block is worth (\d), an edge\s+block (\d), a centre block (\d)", words).groups()
    )
    worth = [extreme.worth(1 << block) for block in range(16)]
    assert [worth[0], worth[1], worth[5]] == [corner, edge, centre]


# ---- the example call


@pytest.mark.parametrize("event", event_names())
def test_the_example_call_is_one_that_the_new_bot_answers(event):
    loaded = load_event(event)
    text = handout_text(loaded, called=event)
    call = re.search(
        r"after the second picture:\n\n```python\n(.*?)\n# one of (\d+) legal answers: (.*?)\n```", text, re.S
    )
    names: dict[str, Any] = {"board": SimpleNamespace(), "state": {}, "clock": {}}
    exec(call[1], names)
    bot: dict[str, Any] = {}
    exec(new_bot(loaded, called=event, name=None).text, bot)
    if loaded.interface == "team-class":
        from ludus.bots.live_board import Board

        names["board"] = Board(names["board"].board_status, names["board"].block_status)
        cells = names["board"].find_valid_move_cells(names["old_move"])
        assert len(cells) == int(call[2]) and eval(call[3]) in cells
    usage = INTERFACES[loaded.interface].usage
    function = re.search(r"(\w+)\(", usage)[1]
    arguments = [names[name] for name in re.findall(r"\w+(?=[,)])", usage) if name != "self"]
    called = bot[function] if function in bot else getattr(bot["Player1" if "Player1" in bot else "Team1"](), function)
    answer = called(*arguments)
    assert type(answer) is type(eval(call[3]))
    if loaded.interface == "choose":
        assert eval(call[3]) in names["state"]["legal"] and len(names["state"]["legal"]) == int(call[2])


# ---- games of one's own


def test_a_game_of_ones_own_is_explained_by_its_docstring(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    main(["new", "game", "tactix"])
    main(["new", "event", "club", "--game", "tactix.py"])
    assert main(["docs", "club.toml"]) == 0
    text = capsys.readouterr().out
    assert "Three marks of one player in a row, a column or a diagonal win." in " ".join(text.split())
    assert "ludus play tactix.py" in text
    rules = Path("tactix.py")
    rules.write_text(rules.read_text().replace("def start() -> State", "def start(size: int = 3) -> State"))
    with Path("club.toml").open() as file:
        changed = file.read().replace("[options] # of the game\n", "[options]\nsize = 4\n")
    Path("club.toml").write_text(changed)
    assert main(["docs", "club.toml"]) == 0
    assert re.search(r"\| `size` +\| +\| 4 ", capsys.readouterr().out)


def test_a_game_without_words_or_view_has_a_hand_out_too(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    main(["new", "game", "tactix"])
    source = Path("tactix.py").read_text().split('"""', 2)[2].partition("def view")[0]
    Path("tactix.py").write_text(source)
    main(["new", "event", "club", "--game", "tactix.py"])
    assert main(["docs", "club.toml"]) == 0
    assert "The rules are those of `tactix.py`." in capsys.readouterr().out
    assert main(["docs", "club.toml", "--html", "club.html"]) == 0


# ---- text and page


@pytest.mark.parametrize("event", event_names())
def test_the_text_fits_a_terminal_and_is_markdown(event):
    text = handout_text(load_event(event), called=event)
    assert max(map(len, text.split("\n"))) <= 120
    assert "\n\n\n" not in text and text.endswith("\n") and text.count("```") % 2 == 0
    assert re.findall(r"^## (.*)$", text, re.M) == [
        *("The game", "Your bot", "Limits", "Points", "Format", "Marks", "Try it"),
    ]
    assert text.count("```text") >= 4  # three boards and the commands
    assert text == handout_text(load_event(event), called=event)


class Reader(html.parser.HTMLParser):
    """The tags and the addresses of a page; a tag that is not closed in its order is a mistake."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: set[str] = set()
        self.addresses: list[str] = []
        self.feed(page)
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.addresses += [value or "" for name, value in attrs if name in ("src", "href", "data", "srcset")]
        assert not any(name.startswith("on") for name, _ in attrs)
        if tag not in ("meta", "hr", "br", "link"):
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if tag not in ("meta", "hr", "br", "link"):
            self.open.pop()

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


@pytest.mark.parametrize("event", event_names())
def test_the_page_stands_alone(event):
    page = handout_page(load_event(event), called=event)
    found = Reader(page)
    assert not found.tags & {"script", "iframe", "object", "embed", "link", "img"}
    assert found.addresses and all(address.startswith("#") for address in found.addresses)
    assert "url(" not in page and "@import" not in page
    for target in found.addresses:
        assert f'id="{target[1:]}"' in page
    assert page.count("<svg") == 6  # three boards, by day and by night


def test_nothing_in_a_file_breaks_out_of_the_page():
    title = "<script>alert(1)</script> & | `x` **b**"
    page = handout_page(event_of(PLAIN.replace('"Spring"', json.dumps(title))), called="<b>.toml")
    found = Reader(page)
    assert not found.tags & {"script", "b"}
    assert "&lt;script&gt;alert(1)&lt;/script&gt; &amp; | `x` **b**" in page


def test_a_title_cannot_move_the_cursor():
    text = said(PLAIN.replace('"Spring"', json.dumps("two\nlines\x1b[2J")))
    assert "\x1b" not in text and text.startswith("# two lines")


def test_rules_that_fail_are_one_sentence(capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    main(["new", "game", "tactix"])
    main(["new", "event", "club", "--game", "tactix.py"])
    Path("tactix.py").write_text(Path("tactix.py").read_text().replace("s.mine | 1 << m", "s.mine // 0"))
    assert main(["docs", "club.toml"]) == 1
    assert capsys.readouterr().err.startswith("ludus: tactix.py: ZeroDivisionError")


def test_docs_of_nothing_is_one_sentence(capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert main(["docs", "nothing"]) == 1
    assert main(["docs", "nsoc", "--html", "no/such/folder.html"]) == 1
    assert capsys.readouterr().err.count("\n") == 2
