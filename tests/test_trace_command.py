"""`ludus trace`: a game at the end of a bot's file, and every change to it is noticed by playing it through."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ludus.course.traces import BEGIN, END, RECORD, trace_block, verify, with_trace, without_trace
from ludus.errors import RecordError
from ludus.records import parse_record, record_game
from ludus.referee.verdict import of_result
from ludus.rules import load_game, random_line

EXAMPLES = Path(__file__).parent.parent / "examples"
CODE = b"def play(board, prev_move, player):\n    return 0, 0\n"


def ludus(*words: object, cwd: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "ludus", *map(str, words)]
    return subprocess.run(command, capture_output=True, text=True, cwd=cwd, check=False)


def record_of(name: str, seed: int = 1, *, players: tuple[str, str] = ("anna", "b ö\n<b>"), **options: int):
    game = load_game(name)
    start = game.start(**({"seed": 3} if "seed" in game.options else {}), **options)
    line = random_line(game, start, Random(seed), 1000)
    payoff = game.result(line.states[-1])
    shown = tuple("".join(c if c.isprintable() else "?" for c in player) for player in players)
    verdict = of_result(payoff, len(line.moves), shown).to_json()
    times = [10 * at for at in range(len(line.moves))]
    more = {"players": list(shown), "times_ms": times, "verdict": verdict, "result": payoff}
    return record_game(game, start, {}, list(line.moves), **more), game


@pytest.mark.parametrize("name", ["ultimate", "ultimate-adjacent", "subtraction", "slant"])
def test_a_trace_holds_for_any_game_and_any_line_ends(name):
    record, game = record_of(name)
    content = with_trace(CODE, record, game)
    found = verify(content)
    assert found.is_of_this_code and found.record.moves == record.moves
    assert content.isascii()
    for changed in (
        content.replace(b"\n", b"\r\n"),
        content.rstrip(b"\n"),
        re.sub(rb"[ \t]+\n", b"\n", content),
        content.replace(b"\n", b"   \n"),
    ):
        assert verify(changed).is_of_this_code
    compile(content, "bot.py", "exec")


def test_writing_again_replaces_the_trace():
    first, game = record_of("ultimate", 1)
    second, _ = record_of("ultimate", 2)
    content = with_trace(with_trace(CODE.replace(b"\n", b"\r\n"), first, game), second, game)
    assert content.count(BEGIN.encode()) == 1 == content.count(END.encode())
    assert verify(content).record.moves == second.moves
    assert without_trace(content).split() == CODE.split()
    assert with_trace(content, second, game) == content


def test_other_code_above_a_trace_is_noticed():
    record, game = record_of("slant")
    content = with_trace(CODE, record, game)
    assert not verify(content.replace(b"return 0, 0", b"return 1, 0")).is_of_this_code
    assert not verify(content + b"\nx = 1\n").is_of_this_code


@given(st.data())
@settings(max_examples=80, deadline=None)
def test_no_line_of_a_trace_can_be_changed(data):
    record, game = record_of("slant", m=4)
    lines = trace_block(record, CODE, game).splitlines()
    at = data.draw(st.integers(1, len(lines) - 2))
    other = data.draw(
        st.one_of(
            st.just(None),
            st.integers(0, max(0, len(lines[at]) - 1)).map(lambda k: lines[at][:k] + "#" + lines[at][k + 1 :]),
            st.sampled_from(lines[1:-1]),
        )
    )
    if other is not None and other.rstrip() == lines[at].rstrip():
        return
    changed = lines[:at] + ([] if other is None else [other]) + lines[at + 1 :]
    with pytest.raises(RecordError):
        found = verify(CODE + b"\n" + "\n".join(changed).encode() + b"\n")
        if not found.is_of_this_code:  # the second half of the checksum
            raise RecordError("noticed")


@pytest.mark.parametrize("what", ["move", "result", "verdict", "player", "illegal"])
def test_a_clever_hand_that_mends_the_checksum_is_caught_by_the_rules(what):
    """The text and the checksum are made anew from a record that lies; only a whole other legal game can pass."""
    record, game = record_of("ultimate-adjacent")
    text = record.to_json()
    more = {**record.more}
    if what == "result":
        more["result"] = -more["result"] if more["result"] else 3
    elif what == "verdict":
        more["verdict"] = {**more["verdict"], "reason": "anna wins brilliantly"}
    elif what == "player":
        more["players"] = ["somebody else", more["players"][1]]
    moves = list(record.moves)
    if what == "move":
        moves = moves[:-1]
    elif what == "illegal":
        moves[5] = moves[4]
    lying = parse_record(record.to_json())
    lying = type(lying)(lying.game, lying.options, tuple(moves), more)
    if what in ("verdict", "player"):
        block = trace_block(lying, CODE, game)
    else:
        block = trace_block(record, CODE, game)
        pieces = [line for line in block.splitlines() if line.startswith(RECORD)]
        written = lying.to_json()
        block = block.replace(
            "\n".join(pieces), "\n".join(RECORD + written[k : k + 100] for k in range(0, len(written), 100))
        )
        assert text != written
    with pytest.raises(RecordError):
        verify(CODE + block.encode())


@pytest.mark.parametrize("content", [b"", b"x = 1\n", BEGIN.encode(), f"{BEGIN}\n{END}\n".encode(), b"\xff\x00" * 50])
def test_a_file_without_a_trace_is_one_sentence(content):
    with pytest.raises(RecordError, match="trace"):
        verify(content)


def test_the_command_writes_and_verifies_without_running_the_bot(tmp_path):
    bot = tmp_path / "team2.py"
    shutil.copy(EXAMPLES / "cse371" / "team2.py", bot)
    before = bot.read_bytes()
    printed = ludus("trace", "team2.py", "--event", "cse371", "--seed", "3", cwd=tmp_path)
    assert printed.returncode == 0, printed.stderr
    assert printed.stdout.startswith(BEGIN) and bot.read_bytes() == before
    done = ludus("trace", "team2.py", "--event", "cse371", "--second", "--write", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert bot.read_bytes().startswith(before.rstrip())
    assert "O (team2)" in bot.read_text()
    bot.write_bytes(b"import os; os.abort()\n" + bot.read_bytes())
    done = ludus("trace", "--verify", "team2.py", cwd=tmp_path)
    assert done.returncode == 0 and "the code of the file has changed" in done.stdout
    bot.write_text(re.sub(r"^# Move 3: .*$", "# Move 3: X plays better", bot.read_text(), flags=re.MULTILINE))
    done = ludus("trace", "--verify", "team2.py", cwd=tmp_path)
    assert done.returncode == 1 and "'# Move 3: X plays better'" in done.stderr


def test_a_bot_that_forfeits_has_a_trace_of_that(tmp_path):
    (tmp_path / "bad.py").write_text("def play(board, prev_move, player):\n    return 9, 9\n")
    done = ludus("trace", "bad.py", "--event", "nsoc", "--write", cwd=tmp_path)
    assert done.returncode == 0 and "the game ended early: bad forfeits" in done.stderr
    done = ludus("trace", "--verify", "bad.py", cwd=tmp_path)
    assert done.returncode == 0 and "in 0 moves" in done.stdout


@pytest.mark.parametrize(
    "words",
    [(), ("team.py",), ("--verify", "no.py"), ("random", "--event", "nsoc"), ("b.jar", "--event", "nsoc", "--write")],
)
def test_what_cannot_be_traced_is_one_sentence(tmp_path, words):
    done = ludus("trace", *words, cwd=tmp_path)
    assert done.returncode == 1 and done.stderr.startswith("ludus: ") and "Traceback" not in done.stderr
