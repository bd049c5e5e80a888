"""The folder of a tournament: what is written is read again, by anybody, at any time."""

from __future__ import annotations

import json
import os
import sqlite3
import subprocess
import sys
import zlib
from contextlib import closing
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ludus.errors import BotError, EventError, StoreError
from ludus.tournament.folder import (
    bot_texts,
    changed_bots,
    content_of,
    differences,
    is_tournament,
    make_tournament,
    open_tournament,
    prepare_tournament,
    require_ours,
)
from ludus.tournament.kit import entrant_of, kit_of_bytes
from ludus.tournament.pairing import GameResult, Pairing
from ludus.tournament.store import WAVE, Store, StoredGame, is_on_network, writing

PLAY = "def play(board, prev_move, player):\n    return (0, 0)\n"


def game(wave: int, number: int, **changes: object) -> StoredGame:
    pairing = Pairing(f"stage/{wave}/{number}", "stage", "pool-1", 1, 0, 1, number)
    result = GameResult(pairing, (Fraction(3, 4), Fraction(1, 2)), None, -2, "draw")
    made = StoredGame(wave * WAVE + number, result, "a draw", 40, 0.5, "here:1", b"12345678", zlib.compress(b'{"a":1}'))
    return made._replace(**changes)  # type: ignore[arg-type]


@given(
    points=st.tuples(st.fractions(), st.fractions()),
    winner=st.none() | st.integers(0, 10**6),
    difference=st.integers(-(2**40), 2**40),
    texts=st.tuples(*[st.text(st.characters(exclude_categories=["Cs"]), max_size=20)] * 3),
    number=st.integers(0, WAVE - 1),
)
def test_a_result_is_read_as_it_was_written(
    tmp_path_factory: pytest.TempPathFactory,
    points: tuple[Fraction, Fraction],
    winner: int | None,
    difference: int,
    texts: tuple[str, str, str],
    number: int,
) -> None:
    name, pool, reason = texts
    result = GameResult(Pairing(name, "s", pool, 3, 5, 7, 9), points, winner, difference, "win", "played")
    folder = tmp_path_factory.mktemp("store")
    with writing(folder) as store:
        store.write([game(2, number, result=result, reason=reason)])
        assert list(store.played(2)) == [(number, result)]
        assert list(store.played(1)) == list(store.played(3)) == []


def test_rounds_are_read_in_order_whatever_the_order_of_writing(tmp_path: Path) -> None:
    games = [game(wave, number) for wave in (1, 0, 2) for number in reversed(range(2500))]
    with writing(tmp_path) as store:
        for start in range(0, len(games), 700):
            store.write(games[start : start + 700])
    with Store(tmp_path) as store:
        assert [number for number, _ in store.played(1)] == list(range(2500))
        assert [result.pairing.id for result in store.all_results()] == [
            f"stage/{wave}/{number}" for wave in range(3) for number in range(2500)
        ]


def test_the_first_result_of_a_game_stays(tmp_path: Path) -> None:
    with writing(tmp_path) as store:
        store.write([game(0, 0)])
        second = game(0, 0, reason="another", record=zlib.compress(b"{}"))
        moved = game(0, 1)._replace(result=second.result)
        store.write([second, moved, game(0, 2)])
        assert store.count() == 2 and store.record("stage/0/0") == b'{"a":1}'


def test_readers_do_not_disturb_the_writer(tmp_path: Path) -> None:
    with writing(tmp_path) as store:
        store.write([game(0, number) for number in range(3000)])
        with Store(tmp_path) as reader:
            rows = reader.all_results()
            next(rows)
            store.write([game(1, 0)])
            assert sum(1 for _ in rows) == 3000  # pages: the new row is seen as well
            with pytest.raises(sqlite3.OperationalError):
                reader.write([game(1, 1)])


def test_a_writer_leaves_one_plain_file(tmp_path: Path) -> None:
    with writing(tmp_path) as store:
        store.write([game(0, 0)])
        assert (tmp_path / "results.sqlite-wal").exists()
    assert not (tmp_path / "results.sqlite-wal").exists()
    with closing(sqlite3.connect(tmp_path / "results.sqlite")) as database:
        assert database.execute("pragma journal_mode").fetchone() == ("delete",)
    with Store(tmp_path) as reader:
        rows = reader.database.execute("select * from game")
        rows.fetchone()
        with writing(tmp_path) as store:
            store.write([game(0, 1)])
        assert reader.count() == 2


def test_a_killed_writer_leaves_whole_batches(tmp_path: Path) -> None:
    script = """
import os, sys
from contextlib import closing
from pathlib import Path
sys.path.insert(0, sys.argv[2])
from test_store import game
from ludus.tournament.store import writing
with writing(Path(sys.argv[1])) as store:
    for batch in range(50):
        store.write([game(batch, number) for number in range(7)])
        print(batch, flush=True)
    os.kill(os.getpid(), 9)
"""
    done = subprocess.run(
        [sys.executable, "-c", script, str(tmp_path), str(Path(__file__).parent)], capture_output=True, check=False
    )
    assert done.returncode == -9 and done.stdout.split()[-1] == b"49", done.stderr
    with writing(tmp_path) as store:
        assert store.count() == 350 == sum(1 for _ in store.records())


def test_identical_games_are_found(tmp_path: Path) -> None:
    with writing(tmp_path) as store:
        store.write([game(0, number, line=bytes([number] * 8)) for number in range(5)])
        store.write([game(1, number, line=b"") for number in range(5)])
        assert list(store.repeated_lines()) == []
        store.write([game(2, 7, line=bytes([3] * 8))])
        assert [(pairing.id, line[0]) for pairing, line in store.repeated_lines()] == [
            ("stage/0/3", 3),
            ("stage/2/7", 3),
        ]


def test_a_folder_on_the_network(tmp_path: Path) -> None:
    mounts = f"/dev/sda / ext4 rw 0 0\nserver:/home {tmp_path} nfs4 rw 0 0\ntmpfs {tmp_path}/fast tmpfs rw 0 0\n"
    assert is_on_network(tmp_path / "t", mounts) and not is_on_network(tmp_path / "fast" / "t", mounts)
    assert not is_on_network(Path("/elsewhere"), mounts)


def test_no_store_here(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="there is no tournament here"):
        Store(tmp_path)
    with pytest.raises(StoreError, match=r"tournament.json is missing"):
        open_tournament(tmp_path)


@pytest.fixture
def bots(tmp_path: Path) -> Path:
    folder = tmp_path / "bots"
    folder.mkdir()
    for name in ("team10.py", "team2.py", "team1.py"):
        (folder / name).write_text(PLAY + f"# {name}\n")
    (folder / "notes.txt").write_text("no bot")
    (folder / ".hidden.py").write_text("")
    return folder


def test_a_tournament_is_made_and_found_again(tmp_path: Path, bots: Path) -> None:
    out = tmp_path / "out"
    made = make_tournament(out, prepare_tournament("nsoc", [str(bots), "random", "random"], seed=5))
    assert [team.name for team in made.kit.teams] == ["team1", "team2", "team10", "random", "random (2)"]
    assert is_tournament(out) and open_tournament(out) == made
    assert kit_of_bytes(made.kit.to_bytes()) == made.kit
    assert made.event.game.name == "ultimate" and made.event.name == "nsoc"
    team = made.kit.teams[1]
    assert content_of(made, team.sha256).decode().endswith("# team2.py\n")
    entrant = entrant_of(team, made.event, out / "bots")
    assert entrant.name == "team2" and entrant.path.name == "team2.py" and entrant.digest == team.sha256  # type: ignore[union-attr]


def test_a_bot_that_changes_is_noticed_and_its_old_content_kept(tmp_path: Path, bots: Path) -> None:
    made = make_tournament(tmp_path / "out", prepare_tournament("nsoc", [str(bots)], seed=0))
    assert changed_bots(made) == [] and differences(made, [str(bots)]) == []
    (bots / "team2.py").write_text(PLAY)
    (bots / "team1.py").unlink()
    (bots / "team3.py").write_text(PLAY)
    assert changed_bots(made) == ["team2"]
    assert content_of(made, made.kit.teams[1].sha256).decode() == PLAY + "# team2.py\n"
    said = differences(made, [str(bots)])
    assert len(said) == 2 and "team3.py is not in this tournament" in said[0] and "team1 stays" in said[1]


def test_a_stored_bot_that_was_tampered_with(tmp_path: Path, bots: Path) -> None:
    made = make_tournament(tmp_path / "out", prepare_tournament("nsoc", [str(bots)], seed=0))
    digest = made.kit.teams[0].sha256
    (tmp_path / "out" / "bots" / f"{digest}.py").write_text("cheat")
    with pytest.raises(StoreError, match="no longer that of its name"):
        content_of(made, digest)
    (tmp_path / "out" / "event.toml").write_text("")
    with pytest.raises(StoreError, match="the event was changed"):
        open_tournament(tmp_path / "out")


def test_bots_of_the_same_name(tmp_path: Path) -> None:
    for folder in ("anna", "bert"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "bot.py").write_text(PLAY)
    made = make_tournament(
        tmp_path / "out", prepare_tournament("nsoc", [f"{tmp_path}/anna/bot.py", f"{tmp_path}/bert/bot.py"], seed=0)
    )
    assert [team.name for team in made.kit.teams] == ["anna/bot", "bert/bot"]
    assert len(list((tmp_path / "out" / "bots").iterdir())) == 1  # one content


def test_programs_are_kept_executable(tmp_path: Path, bots: Path) -> None:
    program = bots / "fast"
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    made = make_tournament(tmp_path / "out", prepare_tournament("nsoc", [str(bots), f"codingame:{program}"], seed=0))
    kinds = [(team.name, team.kind, team.protocol) for team in made.kit.teams if team.kind == "program"]
    assert kinds == [("bots/fast", "program", "ludus"), ("bots/fast (2)", "program", "codingame")]
    assert os.access(tmp_path / "out" / "bots" / made.kit.teams[0].stored_as, os.X_OK)


def test_rules_of_ones_own_travel_along(tmp_path: Path, bots: Path) -> None:
    from rules_files import TIC_TAC_TOE

    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "tic.py").write_text(TIC_TAC_TOE)
    event = tmp_path / "club.toml"
    event.write_text('title = "Club"\ngame = "mine/tic.py"  # ours\n[time]\nmove_s = 1\n')
    for bot in bots.glob("*.py"):
        bot.write_text("def choose(state, clock):\n    return state['legal'][0]\n")
    made = make_tournament(tmp_path / "out", prepare_tournament(str(event), [str(bots)], seed=0))
    (tmp_path / "mine" / "tic.py").unlink()
    event.unlink()
    found = open_tournament(tmp_path / "out")
    assert found.event.game.name == "tic" and list(found.kit.rules) == ["tic.py"] and found == made
    assert found.event.game.path == tmp_path / "out" / "rules" / "tic.py"


def test_what_cannot_be_made(tmp_path: Path, bots: Path) -> None:
    with pytest.raises(BotError, match="two bots or more; 1 found"):
        make_tournament(tmp_path / "a", prepare_tournament("nsoc", [str(bots / "team1.py")], seed=0))
    with pytest.raises(BotError, match="people cannot play"):
        make_tournament(tmp_path / "a", prepare_tournament("nsoc", [str(bots), "human"], seed=0))
    with pytest.raises(EventError):
        make_tournament(tmp_path / "a", prepare_tournament("nope", [str(bots)], seed=0))
    with pytest.raises(BotError, match="no bot in this folder"):
        make_tournament(tmp_path / "a", prepare_tournament("nsoc", [str(tmp_path)], seed=0))
    with pytest.raises(StoreError, match="not the folder of a tournament"):
        require_ours(bots)
    assert not is_tournament(tmp_path / "a")


def test_a_manifest_that_cannot_be_read(tmp_path: Path, bots: Path) -> None:
    make_tournament(tmp_path / "out", prepare_tournament("nsoc", [str(bots)], seed=0))
    manifest = tmp_path / "out" / "tournament.json"
    values = json.loads(manifest.read_text())
    for broken in ("", "[]", "{}", json.dumps({**values, "teams": 3}), json.dumps({**values, "format": "x"})):
        manifest.write_text(broken)
        with pytest.raises(StoreError):
            open_tournament(tmp_path / "out")


def test_folders_are_counted_as_people_count(bots: Path) -> None:
    assert [Path(text).name for text in bot_texts([str(bots)])] == ["team1.py", "team2.py", "team10.py"]
