"""`ludus match`, `show-verdict` and `rerun` as people use them: real bots, real processes, every kind of bad input."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import textwrap
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from ludus.cli.match import _sentence

Write = Callable[[str, str], Path]
Run = Callable[..., "subprocess.CompletedProcess[str]"]

FIRST_LEGAL = """
    def choose(state, clock):
        return state["legal"][0]
"""
RANDOM = """
    import random

    def choose(state, clock):
        return random.choice(state["legal"])
"""
FIRST_FREE = """
    class Player1:
        def move(self, temp_board, temp_block, old_move, flag):
            targets = {(0, 0): (1, 3), (0, 1): (0, 2), (0, 2): (1, 5), (1, 0): (0, 6), (1, 1): (4,), (1, 2): (2, 8),
                       (2, 0): (3, 7), (2, 1): (6, 8), (2, 2): (5, 7)}
            blocks = range(9) if old_move == (-1, -1) else targets[old_move[0] % 3, old_move[1] % 3]
            blocks = [b for b in blocks if temp_block[b] == "-"] or [b for b in range(9) if temp_block[b] == "-"]
            for b in blocks:
                for i in range(9):
                    cell = 3 * (b // 3) + i // 3, 3 * (b % 3) + i % 3
                    if temp_board[cell[0]][cell[1]] == "-":
                        {act}
                        return cell
"""


@pytest.fixture
def ludus(tmp_path: Path) -> Run:
    def run(*words: object, **more: Any) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "ludus", *map(str, words)]
        return subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, check=False, **more)

    return run


def verdicts(done: subprocess.CompletedProcess[str]) -> list[dict[str, Any]]:
    assert done.returncode == 0, done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()]


def test_a_match_is_one_line_of_json_a_game(write: Write, ludus: Run) -> None:
    write("a.py", FIRST_LEGAL), write("b.py", RANDOM)
    done = ludus("match", "ultimate", "./a.py", "./b.py", "--games", 4, "--swap", "--json", "--record", "r.jsonl")
    games = verdicts(done)
    assert [game["seats"] for game in games] == [["a", "b"], ["b", "a"]] * 2
    assert [game["swapped"] for game in games] == [False, True] * 2
    for number, game in enumerate(games, 1):
        assert game["verdict"]["kind"] in ("win", "draw") and game["verdict"]["seat"] is None
        assert game["plies"] == game["verdict"]["ply"] + 1
        assert sum(game["points"]) == 1 and game["record"] == f"r.jsonl:{number}"
        assert game["isolation"] == ["full", "full"]
    assert "4 good, 0 bad" in ludus("replay", "r.jsonl").stdout


def test_the_same_seed_is_the_same_game(write: Write, ludus: Run, tmp_path: Path) -> None:
    write("a.py", RANDOM)
    for seed, name in ((5, "one"), (5, "same"), (6, "other")):
        ludus("match", "slant", "./a.py", "./a.py", "--seed", seed, "--options", "m=4", "--coin", "--record", name)
    one, same, other = (json.loads((tmp_path / name).read_text()) for name in ("one", "same", "other"))
    assert one["moves"] == same["moves"] and one["options"] == same["options"]
    assert one["moves"] != other["moves"] and one["options"] != other["options"]


@pytest.mark.parametrize(
    ("act", "kind", "points"),
    [
        ("pass", "win|draw", None),
        ("return 0, 0, 0", "illegal", [0, 2]),
        ("return [0, 0]", "illegal", [0, 2]),
        ("raise ValueError('no')", "exception", [0, 2]),
        ("while True: pass", "timeout", [0, 2]),
        ("temp_board[8][8] = 'x'", "tampering", [0, 3]),
        ("temp_block[8] = 'D'", "tampering", [0, 3]),
        ("import _thread; _thread.start_new_thread(print, ())", "forbidden", [0, 3]),
        ("import os; os.system('true')", "forbidden", [0, 3]),
    ],
)
def test_points_of_cse371_follow_from_the_verdict(
    write: Write, ludus: Run, act: str, kind: str, points: list[int] | None
) -> None:
    write("team1.py", FIRST_FREE.replace("{act}", act))
    write("team2.py", FIRST_FREE.replace("{act}", "pass"))
    (game,) = verdicts(ludus("match", "cse371", "./team1.py", "./team2.py", "--limit", 0.5, "--json"))
    assert game["verdict"]["kind"] in kind.split("|"), game
    assert points is None or (game["points"] == points and game["verdict"]["seat"] == 0)
    if kind == "exception":
        assert game["verdict"]["line"] == 12 and game["verdict"]["reason"] == "ValueError: no"


def test_a_forfeit_has_a_dossier_and_can_be_run_again(write: Write, ludus: Run) -> None:
    write(
        "late.py",
        """
        import sys
        turns = 0
        def choose(state, clock):
            global turns
            turns += 1
            print("thinking", turns)
            print("hard", file=sys.stderr)
            if turns == 3:
                raise RuntimeError("out of ideas")
            return state["legal"][-1]
        """,
    )
    write("a.py", FIRST_LEGAL)
    (game,) = verdicts(ludus("match", "ultimate", "./a.py", "./late.py", "--json", "--record", "r.jsonl"))
    assert game["verdict"] == {
        "kind": "exception", "seat": 1, "reason": "RuntimeError: out of ideas", "ply": 5, "winner": 0, "line": 10,
    }  # fmt: skip
    shown = ludus("show-verdict", "r.jsonl").stdout
    for text in ("exception by late (seat 1) in ply 5", "out of ideas", "thinking 3", "hard", "line       10"):
        assert text in shown
    again = json.loads(ludus("rerun", "r.jsonl", "--json").stdout)
    assert again["ply"] == 5 and again["failure"]["reason"] == "RuntimeError: out of ideas" and again["strayed"] == []
    other = json.loads(ludus("rerun", "r.jsonl", "--bot", "./a.py", "--json").stdout)
    assert other["failure"] is None and other["strayed"] == [1, 3]
    earlier = json.loads(ludus("rerun", "r.jsonl", "--ply", 3, "--json").stdout)
    assert earlier["move"] == earlier["recorded"]
    assert "there is no ply 9" in ludus("rerun", "r.jsonl", "--ply", 9).stderr
    debugged = ludus("rerun", "r.jsonl", "--bot", "./late.py", "--pdb", input="p turns\nc\nq\n")
    assert (
        "NOT SANDBOXED" in debugged.stderr
        and "choose()" in debugged.stdout.partition("(Pdb)")[0]
        and "2\n" in debugged.stdout
    )
    assert "--bot" in ludus("rerun", "r.jsonl", "--pdb").stderr


def test_agents_and_people_are_players_too(write: Write, ludus: Run) -> None:
    write("a.py", FIRST_LEGAL)
    done = ludus("match", "subtraction", "./a.py", "minimax:depth=1", "--options", "low=2", "high=4", "--json")
    assert verdicts(done)[0]["isolation"] == ["full", "trusted"]
    typed = "here\n0,0\n0,1\n1,0\n1,1\n"
    person = ludus("match", "slant", "human", "./a.py", "--options", "m=2", "--json", input=typed)
    assert verdicts(person)[0]["verdict"]["kind"] in ("win", "draw")
    assert "is not a move of slant" in person.stderr
    gone = ludus("match", "slant", "human", "./a.py", "--options", "m=2", "--json", input="")
    assert verdicts(gone)[0]["verdict"]["reason"] == "human left the game"


def test_a_bot_called_human_has_a_clock_all_the_same(write: Write, ludus: Run) -> None:
    write("human.py", "def choose(state, clock):\n    while True: pass\n")
    write("a.py", FIRST_LEGAL)
    (game,) = verdicts(ludus("match", "ultimate", "./human.py", "./a.py", "--limit", 0.2, "--json"))
    assert game["verdict"]["kind"] == "timeout"


def test_a_game_of_ones_own_is_refereed_like_any_other(write: Write, ludus: Run) -> None:
    write("nim.py", "from typing import NamedTuple\nNAME, MOVES = 'Nim', 3\n"
          "class State(NamedTuple):\n    left: int\n    mover: int\n"
          "def start(): return State(10, 0)\ndef turn(s): return s.mover\n"
          "def moves(s): return (1 << min(s.left, 3)) - 1\n"
          "def play(s, m): return State(s.left - m - 1, 1 - s.mover)\n"
          "def result(s): return None if s.left else (1 if s.mover else -1)\n")  # fmt: skip
    write("a.py", FIRST_LEGAL)
    (game,) = verdicts(ludus("match", "./nim.py", "./a.py", "random", "--json"))
    assert game["verdict"]["kind"] == "win"


def complaint(done: subprocess.CompletedProcess[str]) -> str:
    assert done.returncode in (1, 2) and done.stdout == ""
    assert "Traceback" not in done.stderr and done.stderr.count("\n") == 1, done.stderr
    return done.stderr


def test_files_that_are_no_bots_get_one_sentence(write: Write, ludus: Run, tmp_path: Path) -> None:
    write("a.py", FIRST_LEGAL)
    (tmp_path / "folder.py").mkdir()
    (tmp_path / "binary.py").write_bytes(b"\x7fELF\0\0")
    (tmp_path / "latin.py").write_bytes(b"# \xe9\xff\n")
    (tmp_path / "coding.py").write_bytes(b"# coding: klingon\n")
    (tmp_path / "puny.py").write_bytes(b"# coding: punycode\n")
    with (tmp_path / "huge.py").open("wb") as file:
        file.truncate(50_000_000)
    (tmp_path / "data.txt").write_text("hello")
    for name, sentence in (
        ("./missing.py", "there is no such file"),
        ("./folder.py", "this is a folder"),
        ("./binary.py", "this is not a Python file"),
        ("./latin.py", "this is not a Python file"),
        ("./coding.py", "unknown encoding"),
        ("./puny.py", "a bot's file is UTF-8"),
        ("./huge.py", "the file has 50000000 bytes"),
        ("./data.txt", "is not executable"),
        ("nobody", "there is no agent or file 'nobody'"),
        ("level:99", "level"),
        ("codingame:./missing", "there is no such file"),
        ("x" * 5000 + ".py", "name too long"),
    ):
        assert sentence in complaint(ludus("match", "ultimate", "./a.py", name)).replace("File n", "n"), name
    assert "there is no event or game 'chess'" in complaint(ludus("match", "chess", "./a.py", "./a.py"))
    assert "cannot be written" in complaint(ludus("match", "ultimate", "./a.py", "./a.py", "--record", "no/where"))


@pytest.mark.skipif(os.geteuid() == 0, reason="root reads everything")
def test_an_unreadable_file_gets_one_sentence(write: Write, ludus: Run) -> None:
    write("a.py", FIRST_LEGAL).chmod(0)
    assert "Permission denied" in complaint(ludus("match", "ultimate", "./a.py", "random"))


@pytest.mark.parametrize(
    ("source", "sentence", "line"),
    [
        ("def choose(state, clock:\n", "SyntaxError", 1),
        ("x = 1\n", "the file has no function play(board, prev_move, player)", None),
        ("import nonsense\n", "No module named 'nonsense'", 1),
        ("def play(board):\n    return 0, 0\n", "takes 1 positional argument but 3 were given", None),
    ],
)
def test_a_faulty_bot_forfeits_with_one_sentence(
    write: Write, ludus: Run, source: str, sentence: str, line: int | None
) -> None:
    write("bad.py", source), write("a.py", "def play(board, prev_move, player):\n    return 0, 0\n")
    (game,) = verdicts(ludus("match", "nsoc", "./bad.py", "./a.py", "--json"))
    assert game["verdict"]["kind"] == "exception" and sentence in game["verdict"]["reason"]
    assert game["verdict"]["ply"] == 0 and game["verdict"]["line"] == line
    assert game["points"] == [0, 1]


def test_odd_names_are_only_names(write: Write, ludus: Run) -> None:
    for name in ("<b>x</b>.py", "[red]1-2 3.py", "naïve \x1b[31m.py", "класс.py"):
        write(name.replace("/", "_"), FIRST_LEGAL)
        done = ludus("match", "ultimate", "./" + name.replace("/", "_"), "random")
        assert done.returncode == 0 and "\x1b" not in done.stdout, done.stderr


def test_neither_bot_can_play(write: Write, ludus: Run) -> None:
    write("bad.py", "def play(\n"), write("worse.py", "raise SystemExit(3)\n")
    (game,) = verdicts(ludus("match", "cse371", "./bad.py", "./worse.py", "--json"))
    assert game["points"] == [0, 0] and game["verdict"]["winner"] is None
    assert game["verdict"]["reason"].startswith("neither can play:")


def test_less_isolation_is_never_silent(write: Write, ludus: Run) -> None:
    write("a.py", FIRST_LEGAL)
    write("club.toml", 'game = "slant"\n[options]\nm = 2\n[time]\nmove_s = 5\n[bots]\nisolation = "basic"\n')
    usual = ludus("match", "club.toml", "./a.py", "./a.py", "--json")
    assert verdicts(usual)[0]["isolation"] == ["full", "full"] and usual.stderr == ""
    allowed = ludus("match", "club.toml", "./a.py", "./a.py", "--json", "--isolation", "basic")
    assert verdicts(allowed)[0]["isolation"] == ["basic", "basic"] and "play only bots that you trust" in allowed.stderr


def test_a_bank_is_on_the_clock_of_a_rerun(write: Write, ludus: Run, tmp_path: Path) -> None:
    write(
        "late.py",
        """
        import time
        def choose(state, clock):
            print(round(clock["bank_ms"]))
            time.sleep(0.3)
            if clock["bank_ms"] < 950:
                raise RuntimeError(round(clock["bank_ms"], -2))
            return state["legal"][0]
        """,
    )
    write("a.py", FIRST_LEGAL)
    write("club.toml", 'game = "slant"\n[options]\nm = 4\n[time]\nmove_s = 0.2\nbank_s = 1\n')
    (game,) = verdicts(ludus("match", "club.toml", "./late.py", "./a.py", "--json", "--record", "r.jsonl"))
    assert game["verdict"]["kind"] == "exception" and game["verdict"]["ply"] == 2
    again = json.loads(ludus("rerun", "r.jsonl", "--json").stdout)
    assert again["failure"]["reason"] == game["verdict"]["reason"]
    clock = json.loads((tmp_path / "r.jsonl").read_text())["dossier"]["clock"]
    assert 0 < clock["bank_ms"] < 950 and "strikes_left" not in clock
    assert f"bank       {clock['bank_ms']:.3f} ms were left" in ludus("show-verdict", "r.jsonl").stdout


def test_strikes_that_were_left_are_in_the_dossier(write: Write, ludus: Run, tmp_path: Path) -> None:
    write("late.py", "import time\ndef choose(state, clock):\n    time.sleep(0.3)\n    return state['legal'][0]\n")
    write("a.py", FIRST_LEGAL)
    write("club.toml", 'game = "slant"\n[options]\nm = 4\n[time]\nmove_s = 0.2\nstrikes = 2\n')
    (game,) = verdicts(ludus("match", "club.toml", "./late.py", "./a.py", "--json", "--record", "r.jsonl"))
    assert game["verdict"]["kind"] == "timeout"
    clock = json.loads((tmp_path / "r.jsonl").read_text())["dossier"]["clock"]
    assert clock["strikes_left"] in (1, 2) and "bank_ms" not in clock  # 2 where it came later than is waited for
    assert f"strikes    {clock['strikes_left']} left" in ludus("show-verdict", "r.jsonl").stdout


@pytest.mark.parametrize(
    ("starved", "kind", "said"),
    [
        (0, "timeout", ""),
        (2, "timeout", "; a time-out each of the 3 times it was played"),
        (2, "win", "; played 3 times, as the machine was busy"),
    ],
)
def test_a_busy_machine_is_blamed_only_where_a_replay_went_otherwise(starved: int, kind: str, said: str) -> None:
    verdict = {"kind": kind, "seat": 0 if kind == "timeout" else None, "reason": "so it ended", "ply": 3, "line": None}
    report = {"game": 1, "seats": ["a", "b"], "points": [0, 1], "plies": 4, "verdict": verdict, "starved": starved}
    assert _sentence(report).partition("so it ended")[2].removeprefix(" after 4 moves") == said


RECORD: dict[str, Any] = {
    "format": "ludus-record/1",
    "game": "ultimate",
    "options": {},
    "moves": ["4,4"],
    "players": [{"name": "a", "kind": "python", "file": "./a.py"}, {"name": "b", "kind": "agent"}],
    "seed": 1,
    "time": {"limit_s": 1.0},
    "verdict": {"kind": "crash", "seat": 1, "winner": 0, "reason": "gone", "ply": 1},
    "times_ms": [[1, 1, 0], [1, 1, 0]],
    "dossier": {"calls": [], "stdout": "\x1b[31mred"},
}


@pytest.mark.parametrize(
    "change",
    [
        {"verdict": {"kind": "crash", "seat": 1.0, "reason": "", "ply": 1}},
        {"verdict": {"kind": "crash", "seat": 1, "reason": "", "ply": "\x1b[31m"}},
        {"verdict": {"kind": "\x1b[31m", "seat": 1, "reason": "", "ply": 1}},
        {"players": [{"name": "a", "interface": ["a"]}, {}]},
        {"players": 5},
        {"time": {"limit_s": -1}},
        {"time": []},
        {"seed": "1"},
        {"times_ms": [1]},
        {"times_ms": [["a", 1, 1]]},
        {"opening": 99},
        {"dossier": {"calls": 5, "stdout": 7, "peak_memory_mb": "\x1b"}},
        {"dossier": {"calls": ["\x1b[31m"], "gone_after_ms": "x"}},
        {"points": "\x1b[31m", "isolation": {"\x1b": 1}},
    ],
)
def test_records_of_strangers_are_data(write: Write, ludus: Run, change: dict[str, Any]) -> None:
    write("a.py", FIRST_LEGAL)
    write("r.jsonl", json.dumps(RECORD | change))
    for command in (["show-verdict", "r.jsonl"], ["rerun", "r.jsonl", "--bot", "./a.py"]):
        done = ludus(*command)
        assert done.returncode in (0, 1) and "Traceback" not in done.stderr, done.stderr
        assert "\x1b" not in done.stdout + done.stderr


def test_a_record_cannot_name_what_is_run(write: Write, ludus: Run, tmp_path: Path) -> None:
    script = write("touch.sh", "#!/bin/sh\ntouch was-here\n")
    script.chmod(0o755)
    players = [{"name": "x", "kind": "program", "file": str(script), "sha256": "0"}, {"name": "y", "kind": "agent"}]
    write("r.jsonl", json.dumps(RECORD | {"players": players}))
    for isolation in ([], ["--isolation", "basic"]):
        assert "--bot" in complaint(ludus("rerun", "r.jsonl", "--ply", 0, *isolation))
    assert not (tmp_path / "was-here").exists()


def test_a_bot_named_like_a_module_is_imported_by_nobody(write: Write, ludus: Run, tmp_path: Path) -> None:
    for name in ("random", "json", "math", "subprocess"):
        write(f"{name}.py", "open('was-here', 'w').close()\n" + textwrap.dedent(FIRST_LEGAL))
    write("a.py", FIRST_LEGAL)
    assert verdicts(ludus("match", "ultimate", "./a.py", "random", "--json"))[0]["verdict"]["seat"] is None
    assert not (tmp_path / "was-here").exists()


def test_records_are_not_lost_before_there_are_new_ones(write: Write, ludus: Run, tmp_path: Path) -> None:
    bot = write("a.py", FIRST_LEGAL)
    kept = write("keep.jsonl", "precious\n")
    complaint(ludus("match", "ultimate", "./a.py", "level:99", "--record", "keep.jsonl"))
    assert kept.read_text() == "precious\n"
    assert "would be overwritten" in complaint(ludus("match", "ultimate", "./a.py", "random", "--record", "./a.py"))
    assert bot.read_text() == textwrap.dedent(FIRST_LEGAL)
    verdicts(ludus("match", "ultimate", "./a.py", "random", "--record", "keep.jsonl", "--json"))
    assert kept.read_text().startswith('{"format"')


def test_a_game_that_is_called_like_an_event(write: Write, ludus: Run) -> None:
    write("a.py", FIRST_LEGAL)
    (game,) = verdicts(ludus("match", "game:extreme", "./a.py", "./a.py", "--json"))
    assert game["verdict"]["seat"] is None and sum(game["points"]) == 1


def test_scripts_may_begin_as_scripts_do(write: Write, ludus: Run) -> None:
    program = """
        import json, sys
        for line in sys.stdin:
            request = json.loads(line)
            if request["type"] == "start":
                print(json.dumps({"type": "ready"}), flush=True)
            else:
                print(json.dumps({"type": "move", "move": request["legal"][0]}), flush=True)
    """
    if not Path("/usr/bin/python3").exists():
        pytest.skip("there is no Python of the system")
    write("b.py", FIRST_LEGAL)
    for number, first in enumerate(("#!/usr/bin/env python3", "#!/usr/bin/python3", "#!/usr/bin/python3 -I")):
        write(f"script{number}", first + "\n" + textwrap.dedent(program)).chmod(0o755)
        (game,) = verdicts(ludus("match", "ultimate", f"./script{number}", "./b.py", "--json"))
        assert game["verdict"]["seat"] is None, (first, game)


def test_a_closed_input_is_a_person_who_left(write: Write, ludus: Run) -> None:
    write("a.py", FIRST_LEGAL)
    command = f"{sys.executable} -m ludus match slant human ./a.py --options m=2 --json <&-"
    done = subprocess.run(
        ["sh", "-c", command], capture_output=True, text=True, cwd=Path(write("x", "")).parent, check=False
    )
    assert verdicts(done)[0]["verdict"]["reason"] == "human left the game"
