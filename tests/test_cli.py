"""The command `ludus`, as a person uses it: in a process of its own."""

from __future__ import annotations

import json
import math
import os
import signal
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree as Xml

import pytest

from ludus.cli import main, parser
from rules_files import heap

LUDUS = Path(sys.executable).with_name("ludus")


def run(*arguments: object, stdin: str = "", expect: int = 0, cwd: Path | None = None, **environment: str):
    done = subprocess.run(
        [LUDUS, *map(str, arguments)],
        input=stdin,
        capture_output=True,
        text=True,
        cwd=cwd,
        env={**os.environ, **environment},
        check=False,
    )
    assert done.returncode == expect, (done.stdout, done.stderr)
    assert "Traceback" not in done.stderr
    return done


def test_help_lists_commands_by_what_a_person_wants_to_do():
    text = run("--help").stdout
    assert text == run().stdout
    for group in ("Look at a game", "Invent a game", "Keep games"):
        assert group in text
    for command in ("games", "show", "random", "check-game", "stats", "perft", "replay"):
        assert f"\n  {command} " in text
        assert f"usage: ludus {command}" in run(command, "--help").stdout


def test_help_and_rules_load_nothing_heavy(python):
    script = """
    import sys
    {}
    heavy = {{"numpy", "numba", "llvmlite", "rich", "textual"}} & set(sys.modules)
    print(sorted(heavy))
    """
    for action in (
        "import ludus.cli.parser; ludus.cli.parser.build_parser().format_help()",
        "from ludus.rules import load_game; game = load_game('ultimate'); game.legal(game.start())",
        "import ludus.records, ludus.events.scoring, ludus.view.scene, ludus.view.svg, ludus.contract",
        "import ludus.cli.checks, ludus.cli.look",
    ):
        assert python(script.format(action)) == "[]"


def test_perft():
    assert "perft 3 of ultimate: 6,336 " in run("perft", "ultimate", 3).stdout
    report = json.loads(run("perft", "extreme", 3, "--options", "bonus=false", "--json").stdout)
    assert (report["game"], report["depth"], report["nodes"]) == ("extreme", 3, 64800)
    divided = json.loads(run("perft", "ultimate", 3, "--moves", "4,4", "--divide", "--json").stdout)
    assert sum(divided["divide"].values()) == divided["nodes"]
    assert len(divided["divide"]) == 8
    plain = json.loads(run("perft", "ultimate", 2, "--plain", "--json").stdout)
    assert (plain["nodes"], plain["compiled"]) == (720, False)


def test_options_may_be_words_json_or_files(tmp_path):
    board = tmp_path / "board.txt"
    board.write_text("1 0 1\n0 2 0\n0 0 1\n")
    expected = run("show", "slant", "--options", "circles=101/020/001").stdout
    for words in (
        [f"circles={board}"],
        [f"circles=@{board}"],
        ["circles=[[1,0,1],[0,2,0],[0,0,1]]"],
        ['{"circles": [[1,0,1],[0,2,0],[0,0,1]]}'],
        ["circles=1 0 1/0 2 0/0 0 1", "m=2"],
    ):
        assert run("show", "slant", "--options", *words).stdout == expected


def test_a_game_may_stand_behind_the_options():
    expected = run("show", "slant", "--options", "m=4", "seed=7").stdout
    assert run("show", "--options", "m=4", "seed=7", "slant").stdout == expected
    assert run("show", "--options", "m=4", "--options", "seed=7", "slant").stdout == expected
    assert json.loads(run("perft", "--options", "bonus=false", "extreme", 2, "--json").stdout)["nodes"] == 4080


def test_stats_says_whether_a_game_is_fair():
    text = run("stats", "ultimate", "--games", 20_000).stdout
    for words in (
        "The first player",
        "wins",
        "draws",
        "loses",
        "advantage for the first player",
        "Length",
        "Legal moves",
    ):
        assert words in text
    assert max(map(len, text.splitlines())) <= 80
    report = json.loads(run("stats", "ultimate", "--games", 5000, "--json", "--seed", 3).stdout)
    first = report["first_player"]
    assert first["wins"] + first["draws"] + first["losses"] == report["games"] == 5000
    assert first["win_interval"][0] < first["wins"] / 5000 < first["win_interval"][1]
    again = json.loads(run("stats", "ultimate", "--games", 5000, "--json", "--seed", 3, "--threads", 1).stdout)
    assert again["length"] == report["length"]


def test_stats_from_a_position():
    report = json.loads(
        run(
            "stats",
            "slant",
            "--options",
            "circles=101/020/001",
            "--moves",
            "0,1 1,1 0,0",
            "--games",
            10,
            "--json",
        ).stdout
    )
    assert report["length"]["counts"] == {"1": 10}


def test_show_draws_an_svg(tmp_path):
    for theme in ("light", "dark"):
        file = tmp_path / f"{theme}.svg"
        run("show", "ultimate", "--moves", "4,4 3,3", "--svg", file, "--theme", theme)
        assert Xml.parse(file).getroot().tag.endswith("svg")
    assert run("show", "ultimate", "--svg", "-").stdout.startswith("<svg")


def test_show_is_plain_in_a_pipe_and_coloured_when_asked():
    plain = run("show", "ultimate", "--moves", "4,4 3,3").stdout
    assert "\x1b" not in plain
    assert "X to move in block 0" in plain
    assert run("show", "ultimate", "--ascii").stdout.isascii()
    assert "\x1b[" in run("show", "ultimate", "--theme", "dark").stdout


def test_random_games_are_recorded_and_replayed(tmp_path):
    file = tmp_path / "games.jsonl"
    text = run("random", "extreme", "--games", 3, "--seed", 4, "--out", file).stdout
    assert "3 random games" in text
    assert run("replay", file).stdout.endswith("3 good, 0 bad\n")
    reports = [json.loads(line) for line in run("replay", file, "--json").stdout.splitlines()]
    assert all(report["ok"] and report["over"] for report in reports)
    for report in reports:
        assert set(report) == {"ok", "game", "plies", "turns", "widths", "over", "result", "points"}
        assert len(report["turns"]) == len(report["widths"]) == report["plies"]
        first, second = report["points"]["extreme"]
        assert first - second == report["result"]
    assert run("random", "extreme", "--games", 3, "--seed", 4, "--out", "-").stdout == file.read_text()


def test_replay_goes_on_after_a_bad_record_and_fails_in_the_end():
    good = '{"format":"ludus-record/1","game":"ultimate","options":{},"moves":["4,4"]}'
    bad = '{"format":"ludus-record/1","game":"ultimate","options":{},"moves":["4,4","0,0"]}'
    reports = [
        json.loads(line)
        for line in run(
            "replay", "-", "--json", stdin=f"{good}\n{bad}\nnonsense\n{good}\n", expect=1
        ).stdout.splitlines()
    ]
    assert [report["ok"] for report in reports] == [True, False, False, True]
    assert (reports[0]["over"], reports[0]["result"], reports[0]["points"]) == (False, None, {})
    assert (reports[1]["ply"], reports[2]["ply"]) == (1, None)
    assert reports[1]["error"].startswith("illegal move 0,0: the move must be in block 4")


def test_points_of_every_event(tmp_path):
    for game, event in {
        "ultimate": "nsoc",
        "ultimate-adjacent": "cse371",
        "extreme": "extreme",
        "subtraction": "term-project",
        "slant": "slant",
    }.items():
        records = run("random", game, "--out", "-").stdout
        report = json.loads(run("replay", "-", "--json", stdin=records).stdout)
        assert list(report["points"]) == [event]
        if event in ("term-project", "slant"):
            assert report["points"][event] == [report["result"], -report["result"]]


def test_a_position_may_come_from_a_record(tmp_path):
    file = tmp_path / "one.json"
    file.write_text('{"format":"ludus-record/1","game":"ultimate","options":{},"moves":["4,4","3,3"]}')
    shown = run("show", "ultimate", "--record", file).stdout
    assert shown == run("show", "ultimate", "--moves", "4,4 3,3").stdout
    assert (
        run("show", "ultimate", "--record", file, "--moves", "0,0").stdout
        == run("show", "ultimate", "--moves", "4,4 3,3 0,0").stdout
    )
    counts = [
        json.loads(run("perft", "ultimate", 3, *how, "--json").stdout)["nodes"]
        for how in (["--record", file], ["--moves", "4,4 3,3"])
    ]
    assert counts[0] == counts[1]
    assert run("show", "ultimate", "--record", "-", stdin=file.read_text()).stdout == shown
    many = tmp_path / "many.jsonl"
    many.write_text((file.read_text() + "\n") * 2)
    assert run("show", "ultimate", "--record", f"{many}:2").stdout == shown
    assert "pick one" in run("show", "ultimate", "--record", many, expect=1).stderr


@pytest.mark.parametrize("way", ["./mygame.py", "mygame.py", "absolute"])
def test_a_game_of_ones_own(tmp_path, way):
    path = tmp_path / "mygame.py"
    path.write_text(heap())
    given = path if way == "absolute" else way
    assert "every promise holds" in run("check-game", given, cwd=tmp_path).stdout
    assert json.loads(run("perft", given, 3, "--json", cwd=tmp_path).stdout)["nodes"] == 27
    assert "advantage" in run("stats", given, "--games", 1000, cwd=tmp_path).stdout
    assert "heap" in run("show", given, "--moves", "2 1", cwd=tmp_path).stdout
    run("random", given, "--out", "games.jsonl", cwd=tmp_path)
    assert "good: mygame" in run("replay", "games.jsonl", "--game", given, cwd=tmp_path).stdout


def test_check_game_says_what_is_wrong_in_one_line(tmp_path):
    path = tmp_path / "mygame.py"
    path.write_text(heap().replace("1 - s.mover)", "s.mover + 1)"))
    done = run("check-game", path, expect=1)
    assert done.stdout == ""
    assert done.stderr.count("\n") == 1
    assert done.stderr.startswith(f"ludus: {path}:")
    report = json.loads(run("check-game", path, "--json", expect=1).stdout)
    assert (report["ok"], report["file"]) == (False, str(path))
    assert isinstance(report["line"], int)


MISUSE = {
    "no such command": (["fly"], 2),
    "no game": (["perft"], 2),
    "no depth": (["perft", "ultimate"], 2),
    "depth in words": (["perft", "ultimate", "three"], 2),
    "negative depth": (["perft", "ultimate", "-1"], 2),
    "no games to play": (["stats", "ultimate", "--games", "0"], 2),
    "unknown game": (["show", "chess"], 1),
    "unknown file": (["show", "./chess.py"], 1),
    "unknown option": (["show", "ultimate", "--options", "size=3"], 1),
    "bad option": (["show", "extreme", "--options", "bonus=maybe"], 1),
    "not an option": (["show", "extreme", "--options", "bonus"], 1),
    "broken JSON": (["show", "extreme", "--options", "{bonus"], 1),
    "JSON that is no object": (["show", "extreme", "--options", "{}x"], 1),
    "a number for no machine": (["show", "slant", "--options", '{"m": ' + "9" * 5000 + "}"], 1),
    "missing board file": (["show", "slant", "--options", "circles=@nothing.txt"], 1),
    "illegal move": (["show", "ultimate", "--moves", "4,4 4,4"], 1),
    "missing record": (["show", "ultimate", "--record", "nothing.json"], 1),
    "record and options": (["show", "extreme", "--record", "x", "--options", "bonus=true"], 1),
    "missing records": (["replay", "nothing.json"], 1),
    "a folder of records": (["replay", "/"], 1),
    "an SVG nowhere": (["show", "ultimate", "--svg", "/nowhere/board.svg"], 1),
    "records nowhere": (["random", "ultimate", "--out", "/nowhere/games"], 1),
    "a name that is too long": (["show", f"./{'a' * 300}.py"], 1),
    "a record name that is too long": (["show", "ultimate", "--record", f"{'a' * 300}:2"], 1),
    "too deep": (["perft", "ultimate", "400000"], 2),
    "NUL in a name": (["replay", "a\udcffb"], 1),
}


@pytest.mark.parametrize("misuse", MISUSE)
def test_misuse_gets_one_sentence(misuse):
    arguments, status = MISUSE[misuse]
    done = run(*arguments, expect=status)
    assert done.stdout == ""
    assert done.stderr.count("\n") == 1
    assert done.stderr.startswith("ludus")
    assert "sys." not in done.stderr


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("solve", "slant", "--nodes", "9" * 23), f"'{'9' * 23}' is not a whole number from 1 to 10^18"),
        (("solve", "slant", "--time", "1e300"), "'1e300' is not a number of seconds above 0, up to 10^6"),
        (("analyse", "slant", "--time", "1e300"), "'1e300' is not a number of seconds above 0, up to 10^6"),
        (("duel", "slant", "best", "best", "--time", "inf"), "'inf' is not a number of seconds above 0, up to 10^6"),
        (("agent", "slant", "best", "--move-ms", "1e300"), "is not a number of milliseconds above 0, up to 10^9"),
        (("serve", "--port", "65536"), "'65536' is not a whole number from 0 to 65535"),
        (("train", "slant", "--hours", "nan"), "'nan' is not a number of hours above 0, up to 10000"),
    ],
)
def test_a_number_that_is_refused_hears_both_ends(words, sentence, capsys):
    with pytest.raises(SystemExit, match="2"):
        main(list(words))
    assert sentence in capsys.readouterr().err


def test_numbers_that_are_not_refused():
    parse = parser.build_parser().parse_args
    assert parse(["solve", "slant", "--nodes", str(10**18)]).nodes == 10**18
    assert parse(["solve", "slant", "--nodes", "0" * 5000 + "7"]).nodes == 7
    assert {parse([command, "slant", "--time", "inf"]).time for command in ("solve", "analyse")} == {math.inf}


def test_solving_without_a_limit_of_time():
    assert "value " in run("solve", "slant", "--options", "m=2", "--time", "inf").stdout


WITHOUT_NUMBA = """
import sys
class Absent:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in ("numba", "llvmlite"):
            raise ModuleNotFoundError(name)
sys.meta_path.insert(0, Absent())
import importlib.util
spec = importlib.util.find_spec
importlib.util.find_spec = lambda name, package=None: None if name == "numba" else spec(name, package)
from ludus.cli import main
raise SystemExit(main(sys.argv[1:]))
"""


def test_everything_works_without_numba(python, tmp_path):
    path = tmp_path / "mygame.py"
    path.write_text(heap())
    assert json.loads(python(WITHOUT_NUMBA, "perft", "ultimate", 3, "--json"))["nodes"] == 6336
    assert json.loads(python(WITHOUT_NUMBA, "stats", path, "--games", 100, "--json"))["games"] == 100
    assert "numba is not installed" in python(WITHOUT_NUMBA, "check-game", path)
    assert "X to move" in python(WITHOUT_NUMBA, "show", "extreme")
    python(WITHOUT_NUMBA, "random", "slant", "--out", "games.jsonl")
    assert "good: slant" in python(WITHOUT_NUMBA, "replay", "games.jsonl")


def test_a_reader_that_goes_away_is_no_error():
    command = f"{LUDUS} random ultimate --games 2000 --out - | head -c 10"
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=False)
    assert "Traceback" not in done.stderr
    assert done.stderr == ""


def test_an_interrupt_while_the_command_line_is_read(monkeypatch, capsys):
    monkeypatch.setattr(parser, "build_parser", lambda: signal.raise_signal(signal.SIGINT))
    assert main(["games"]) == 130
    assert capsys.readouterr().err == "ludus: stopped\n"


def test_version_and_module():
    from ludus import __version__

    assert run("--version").stdout == f"ludus {__version__}\n"
    done = subprocess.run([sys.executable, "-m", "ludus", "games"], capture_output=True, text=True, check=True)
    assert "ultimate-adjacent" in done.stdout
    assert json.loads(run("games", "--json").stdout)[0]["name"] == "extreme"


def test_a_long_board_is_not_taken_for_a_file_name():
    rows = ";".join(" ".join("0" * 13) for _ in range(13))
    assert "Slash to move" in run("show", "slant", "--options", f"circles={rows}").stdout


def test_a_terminal_without_our_signs():
    for arguments in (
        ["stats", "ultimate", "--games", 100],
        ["show", "ultimate"],
        ["show", "ultimate", "--theme", "dark"],
    ):
        run(*arguments, PYTHONIOENCODING="ascii")


def test_an_exception_in_somebodys_rules_is_one_sentence(tmp_path):
    path = tmp_path / "mygame.py"
    path.write_text(heap().replace("def play(s, m):", "def play(s, m):\n    1 // 0"))
    for arguments in (["show", path, "--moves", "0"], ["random", path], ["perft", path, 3, "--plain"]):
        message = run(*arguments, expect=1).stderr
        assert message.startswith("ludus: mygame.py:")
        assert "ZeroDivisionError" in message


def test_a_game_that_does_not_end_is_given_up(tmp_path):
    path = tmp_path / "mygame.py"
    path.write_text(heap().replace("State(s.heap - m - 1, 1 - s.mover)", "State(s.heap, 1 - s.mover)"))
    assert "had not ended" in run("random", path, "--longest", 100, expect=1).stderr
