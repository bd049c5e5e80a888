"""`ludus collect`: whatever lies among the submissions, each trick gets a sentence and the rest goes on."""

from __future__ import annotations

import csv
import io
import json
import os
import stat
import subprocess
import sys
import zipfile
from fractions import Fraction
from pathlib import Path

import pytest

from ludus.course.archives import LONGEST_LIST, UnreadableError, list_zip
from ludus.course.submissions import read_submissions
from ludus.errors import EventError
from ludus.events.event import read_event
from ludus.reports.findings import findings_of
from ludus.tournament.folder import prepare_tournament
from ludus.tournament.penalties import form_rules, priced
from ludus.tournament.plan import plan_of
from played_folder import played_folder

EVENT = """\
game = "ultimate"
[time]
move_s = 0.5
[bots]
interface = "player-class"
[format]
games_per_pair = 2
[grades]
kind = "points"
[submissions]
deadline = 2026-11-30T23:59:00
name = 1
class = 0.5
several = 2
late = 4
most = 5
"""
BOT = """\
class Player{n}:
    def move(self, temp_board, temp_block, old_move, flag):
        sent = None if old_move == (-1, -1) else 3 * (old_move[0] % 3) + old_move[1] % 3
        blocks = [b for b in range(9) if temp_block[b] == "-"]
        blocks = [sent] if sent in blocks else blocks
        for b in blocks:
            for k in range(9):
                r, c = 3 * (b // 3) + k // 3, 3 * (b % 3) + k % 3
                if temp_board[r][c] == "-":
                    return r, c
"""


def bot(number: int, more: str = "") -> str:
    return f"# of team {number}\n{more}" + BOT.replace("{n}", str(number))


def packed(*members: tuple[str | zipfile.ZipInfo, str | bytes]) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members:
            archive.writestr(name, content)
    return stream.getvalue()


def linked(name: str) -> zipfile.ZipInfo:
    info = zipfile.ZipInfo(name)
    info.create_system, info.external_attr = 3, (stat.S_IFLNK | 0o777) << 16
    return info


def ludus(*words: object, cwd: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "ludus", *map(str, words)]
    return subprocess.run(command, capture_output=True, text=True, cwd=cwd, check=False)


def fill(folder: Path) -> None:
    """A folder with everything that people and platforms do to a course."""
    folder.mkdir()
    files: dict[str, str | bytes] = {
        "team1.py": bot(1),
        "team2 (1).py": bot(2),  # downloaded twice
        "Team_3.py": bot(3),
        "team4.py": bot(4).replace("Player4", "Mine"),
        "team5.py": "def f(:\n",
        "team6.py": "import os\n" + bot(6).replace("        sent", "        os.fork()\n        sent", 1),
        "team7.py": b"\xff\xfe\x00\x01",
        "team8.py": "",
        "team9.py": b"#" * 50_000_000,
        "team10.zip": packed(("../../team10.py", bot(10)), ("C:\\team10.py", bot(10)), ("/team10.py", "x")),
        "team11.zip": packed(("big.py", b"0" * 30_000_000), ("sub/team11.py", bot(11)), ("__MACOSX/._team11.py", "x")),
        "team12.zip": packed((linked("team12.py"), "/etc/passwd")),
        "team13.zip": b"PK\3\4 this is no archive",
        "team14.zip": packed(
            ("a.zip", packed(("b.zip", packed(("team14.py", bot(14)))))),
        ),
        "team15.zip": packed(("team15.py", bot(15)), ("board.py", "SIZE = 3\n")),
        "bellanna_LATE_77_88_team16-1.py": bot(16),
        "team17.rar": b"Rar!",
        "notes.txt": "hello",
        "zoë♞.py": bot(18).replace("Player18", "Knight"),
        "team19.py": bot(19) + "    def __init__(self):\n        1 / 0\n",
        ".hidden.py": "x",
        "Thumbs.db": "x",
    }
    for name, content in files.items():
        (folder / name).write_bytes(content.encode() if isinstance(content, str) else content)
    (folder / "team20.py").symlink_to("/etc/passwd")
    os.mkfifo(folder / "team21.py")
    (folder / "team22.py").mkdir()
    person = folder / "Anna Bell_123_assignsubmission_file_"
    person.mkdir()
    (person / "team1.py").write_text(bot(1))  # the same file once more
    other = folder / "Bob_124_assignsubmission_file_"
    other.mkdir()
    (other / "team1.py").write_text(bot(1, "# another one\n"))
    (folder / "Carl_125_assignsubmission_file_").mkdir()
    (folder / b"team23\xff.py".decode("utf-8", "surrogateescape")).write_text(bot(23))
    for file in folder.rglob("*"):
        if not file.is_symlink() and file.is_file():
            os.utime(file, (1_700_000_000, 1_700_000_000))


@pytest.fixture(scope="module")
def collected(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, dict], list[str], str]:
    folder = tmp_path_factory.mktemp("course")
    (folder / "course.toml").write_text(EVENT)
    fill(folder / "handed in")
    late = folder / "handed in" / "team2 (1).py"
    os.utime(late, (2_000_000_000, 2_000_000_000))
    done = ludus("collect", "handed in", "--event", "course.toml", "--out", "bots", "--json", cwd=folder)
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    assert told == json.loads((folder / "bots" / "collected.json").read_text())
    return folder, {one["team"]: one for one in told["submissions"]}, told["problems"], done.stdout


def everything(one: dict) -> str:
    return " | ".join([one["verdict"], *one["remarks"], *(penalty["why"] for penalty in one["penalties"])])


def kinds(one: dict) -> list[str]:
    return [penalty["kind"] for penalty in one["penalties"]]


def test_bots_that_play_are_valid_and_lie_ready(collected):
    folder, teams, _, _ = collected
    valid = {team for team, one in teams.items() if one["valid"]}
    assert valid == {
        *("team1", "team2", "team3", "team4", "team11", "team15", "team16", "team23", "zoe"),
        "team1_Bob",
    }
    files = {file.name for file in (folder / "bots").iterdir()}
    assert files == {f"{team}.py" for team in valid} | {"collected.json", "collected.csv"}
    assert (folder / "bots" / "team11.py").read_text() == bot(11)


def test_faults_of_form_cost_what_the_event_says(collected):
    _, teams, _, _ = collected
    assert kinds(teams["team2"]) == ["late"] and teams["team2"]["marks_off"] == "4"
    assert kinds(teams["team16"]) == ["late"]
    assert teams["team1"]["penalties"] == []
    assert kinds(teams["team3"]) == ["name"] and "Team_3.py" in everything(teams["team3"])
    assert kinds(teams["team4"]) == ["class"] and "Mine; Player4 was expected" in everything(teams["team4"])
    assert kinds(teams["team15"]) == ["several"] and "board.py" in everything(teams["team15"])
    assert kinds(teams["zoe"]) == ["name", "class"] and teams["zoe"]["marks_off"] == "1.5"


@pytest.mark.parametrize(
    ("team", "words"),
    [
        ("team5", "this is not Python: line 1"),
        ("team6", "it tried to start a process"),
        ("team7", "null byte"),
        ("team8", "it is empty"),
        ("team9", "more than 1000000 bytes"),
        ("team10", "leads out of the archive"),
        ("team12", "symbolic link"),
        ("team13", "no zip archive"),
        ("team14", "archives in archives"),
        ("team17", ".rar archives are not opened"),
        ("notes", "there is no bot, but notes.txt"),
        ("team19", "ZeroDivisionError"),
        ("team1_2", "the same file of the same team as Anna Bell"),
    ],
)
def test_every_fault_gets_its_sentence(collected, team, words):
    _, teams, _, _ = collected
    assert not teams[team]["valid"]
    assert words in everything(teams[team])
    assert "\n" not in everything(teams[team])


def test_no_team_gets_the_same_sentence_twice(collected, tmp_path):
    """A thousand bombs in one archive, or in archives of archives, are one sentence; so is what stops the loading."""
    _, teams, _, _ = collected
    for one in teams.values():
        told = [one["verdict"], *one["remarks"]]
        assert len(set(told)) == len(told)
    assert everything(teams["team5"]).count("line 1") == 1 and "in game" not in everything(teams["team5"])
    assert everything(teams["team13"]) == "team13.zip: it is no zip archive, or a broken one"
    bombs = packed(*((f"{number}.py", b"0" * (2_000_000 + number)) for number in range(300)))
    inner = packed(("x.py", bot(1)))
    for level in range(3):
        inner = packed(*((f"{level}-{number}.zip", inner) for number in range(12)))
    (tmp_path / "a.zip").write_bytes(bombs)
    (tmp_path / "b.zip").write_bytes(inner)
    (many, nested), _ = read_submissions(tmp_path)
    (told,) = many.problems
    assert "a.zip/0.py: it would grow" in str(told) and "299 more like it" in str(told)
    (told,) = nested.problems
    assert "archives in archives" in str(told)


def test_what_was_left_out_of_a_valid_submission_is_told(collected):
    _, teams, problems, _ = collected
    assert "zip bomb" in everything(teams["team11"])
    assert "another submission is team1 too" in everything(teams["team1_Bob"])
    told = "\n".join(problems)
    for words in (
        "team20.py: it is a symbolic link",
        "team21.py: it is no plain file",
        "team22.py: the folder is empty",
    ):
        assert words in told
    assert "Carl_125_assignsubmission_file_: the folder is empty" in told
    assert "hidden" not in told and "MACOSX" not in json.dumps(teams)


def test_the_table_is_a_csv_that_no_spreadsheet_runs(collected):
    folder, teams, _, _ = collected
    rows = list(csv.DictReader(io.StringIO((folder / "bots" / "collected.csv").read_text())))
    assert {row["team"] for row in rows} == set(teams)
    assert not any(cell.startswith(("=", "+", "-", "@")) for row in rows for cell in row.values())


def test_run_takes_the_penalties_along_to_the_marks(collected, tmp_path):
    folder, _, _, _ = collected
    prepared = prepare_tournament(str(folder / "course.toml"), [str(folder / "bots")], seed=1)
    names = ["team1", "team2"]
    made = played_folder(tmp_path / "t", str(folder / "course.toml"), names)
    plain = {names[sheet.team]: sheet for sheet in findings_of(made.folder).sheets}
    (made.folder / "penalties.json").write_bytes(prepared.files["penalties.json"])
    less = {names[sheet.team]: sheet for sheet in findings_of(made.folder).sheets}
    assert less["team1"] == plain["team1"]
    assert less["team2"].total == max(Fraction(0), plain["team2"].total - 4)
    line = less["team2"].lines[-1]
    assert "it came late" in line.what and line.how.startswith("4 off")
    assert less["team2"].total == sum(line.mark for line in less["team2"].lines)


def test_a_second_collect_leaves_nothing_of_the_first(collected, tmp_path):
    folder, _, _, _ = collected
    few = tmp_path / "few"
    few.mkdir()
    (few / "team3.py").write_text(bot(3))
    out = tmp_path / "out"
    out.mkdir()
    (out / "mine.txt").write_text("not yours")
    refused = ludus("collect", few, "--event", folder / "course.toml", "--out", out, cwd=tmp_path)
    assert refused.returncode == 1 and "not a folder of collected bots" in refused.stderr
    assert (out / "mine.txt").read_text() == "not yours"
    again = tmp_path / "bots"
    again.mkdir()
    (again / "collected.json").write_text((folder / "bots" / "collected.json").read_text())
    (again / "team1.py").write_text("old")
    done = ludus("collect", few, "--event", folder / "course.toml", "--out", again, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert {file.name for file in again.iterdir()} == {"team3.py", "collected.json", "collected.csv"}
    assert "1 of 1 is valid" in done.stdout


def test_an_export_is_read_like_a_folder(tmp_path):
    """One archive with a folder for each person, in a folder of its own, with names that were not said to be UTF-8."""
    name = "Jörg_1_assignsubmission_file_/team1.py"
    content = bytearray(
        packed(("all/" + name, bot(1)), ("all/Eve_2_assignsubmission_file_/x.zip", packed(("team2.py", bot(2)))))
    )
    content = content.replace(b"\x00\x08\x08\x00", b"\x00\x00\x08\x00")  # the flag that says so
    file = tmp_path / "export.zip"
    file.write_bytes(content)
    found, loose = read_submissions(file)
    assert [one.owner for one in found] == ["Eve", "Jörg"]
    assert [[read.name for read in one.bots] for one in found] == [["team2.py"], ["team1.py"]]
    assert loose == []


def test_archives_lie(tmp_path):
    """A size that is not true, a member twice, a broken member, a list without end: none harms or hides the rest."""
    whole = packed(("team1.py", bot(1)), ("noise.py", os.urandom(5000)))
    broken = bytearray(whole)
    broken[broken.index(b"noise.py") + 100] ^= 0xFF
    (tmp_path / "a.zip").write_bytes(broken)
    with pytest.warns(UserWarning, match="Duplicate"):
        twice = packed(("t.py", "1"), ("t.py", "22"))
    (tmp_path / "b.zip").write_bytes(twice)
    found, _ = read_submissions(tmp_path)
    assert [bot.name for bot in found[0].bots] == ["team1.py"]
    assert "damaged" in str(found[0].problems[0])
    assert [bot.content for bot in found[1].bots] == [b"22"] and "twice" in str(found[1].problems[0])
    locked = whole.replace(b"\x14\x00\x00\x00\x08\x00", b"\x14\x00\x01\x00\x08\x00")
    (tmp_path / "a.zip").write_bytes(locked)
    assert "locked with a password" in str(read_submissions(tmp_path)[0][0].problems[0])
    long = bytearray(whole)
    at = long.rindex(b"PK\5\6")
    long[at + 12 : at + 16] = (LONGEST_LIST + 1).to_bytes(4, "little")
    with pytest.raises(UnreadableError, match="list of contents"):
        list_zip(io.BytesIO(long))


def test_many_files_that_are_each_small_enough_are_too_many_together(tmp_path):
    noise = os.urandom(900_000).hex().encode()[:900_000]
    (tmp_path / "a.zip").write_bytes(packed(*((f"bot{number}.py", noise) for number in range(60))))
    (found,), _ = read_submissions(tmp_path)
    assert len(found.bots) == 44 and "together" in str(found.problems[0])


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("name = -1", "name is -1; expected a number from 0"),
        ('deadline = "soon"', "a date and a time"),
        ("colour = 1", "means nothing here"),
    ],
)
def test_a_wrong_rule_is_one_sentence(tmp_path, text, words):
    event = read_event(
        EVENT.partition("[submissions]")[0] + f"[submissions]\n{text}\n", name="e", folder=tmp_path, where="e"
    )
    with pytest.raises(EventError, match=words):
        form_rules(event, plan_of(event).grades)


def test_penalties_need_marks_and_stop_at_the_most(tmp_path):
    event = read_event(EVENT.replace('kind = "points"', 'kind = "rank"'), name="e", folder=tmp_path, where="e")
    with pytest.raises(EventError, match="no marks to take off"):
        form_rules(event, plan_of(event).grades)
    event = read_event(EVENT, name="e", folder=tmp_path, where="e")
    rules = form_rules(event, plan_of(event).grades)
    assert [penalty.marks for penalty in priced([("late", "a"), ("several", "b"), ("name", "c")], rules)] == [4, 1, 0]


def test_penalties_of_a_folder_that_somebody_broke_are_one_sentence(tmp_path):
    made = played_folder(tmp_path / "t", "nsoc", ["a", "b"])
    (made.folder / "penalties.json").write_text('{"teams": {"a": [{"kind": "late"}]}}')
    done = ludus("report", made.folder, "--text", cwd=tmp_path)
    assert done.returncode == 1 and "penalties.json: it cannot be read" in done.stderr
