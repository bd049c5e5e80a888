"""Games that workers publish while they play them: what is heard is what was played, and nothing else is believed."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ludus.errors import StoreError
from ludus.referee.game import Mind
from ludus.referee.verdict import Verdict
from ludus.sandbox.process import Spent
from ludus.tournament.live import (
    FOLDER,
    LEAST_S,
    Begun,
    Ended,
    Heard,
    Listener,
    Moved,
    Publisher,
    publisher_at,
    publishing,
    slots_of,
)
from ludus.tournament.pairing import Pairing
from ludus.tournament.pulse import pulse_of
from ludus.tournament.store import LOCK, writing

WON = Verdict("win", 0, "<b>one</b> wins", 8)


def pairing(number: int = 1) -> Pairing:
    return Pairing(f"league/r1/0-1/g{number}", "league", "", 1, 0, 1, number)


def mind(seat: int = 0, wall_s: float = 0.25) -> Mind:
    return Mind(seat, Spent(wall_s, wall_s, 0.0), 1.0, 1.0)


@pytest.fixture
def place(tmp_path: Path) -> Path:
    (tmp_path / FOLDER).mkdir()
    return tmp_path


def publisher(place: Path, slot: str = "here-0") -> Publisher:
    found = publisher_at(str(place / FOLDER), slot, None)
    assert found is not None
    return found


def play(one: Publisher, moves: list[int], *, number: int = 1) -> None:
    watch = one.begin(pairing(number))
    for count in range(1, len(moves) + 1):
        watch((), tuple(moves[:count]), mind())
    one.end(WON)


def test_a_game_is_heard_as_it_is_played(place: Path) -> None:
    one, ear = publisher(place), Listener(place, "here-0")
    assert ear.read() == []
    watch = one.begin(pairing())
    (begun,) = ear.read()
    assert isinstance(begun, Begun) and begun.pairing == pairing() and abs(begun.began - time.time()) < 60
    watch((), (40,), mind(wall_s=0.0125))
    (moved,) = ear.read()
    assert isinstance(moved, Moved) and (moved.move, moved.wall_ms) == (40, 12.5) and moved.since_s >= 0
    assert ear.read() == []
    one.end(WON)
    assert ear.read() == [Ended("win", 0, None, "<b>one</b> wins")]
    ear.close()


@settings(max_examples=40, deadline=None)
@given(st.lists(st.tuples(st.lists(st.integers(0, 300), max_size=12), st.integers(0, 3)), min_size=1, max_size=5))
def test_whenever_one_listens_no_game_is_mixed_with_another(
    tmp_path_factory: pytest.TempPathFactory, games: list[tuple[list[int], int]]
) -> None:
    """A reader that looks now and then hears of each game that it sees a beginning of the moves, in order."""
    place = tmp_path_factory.mktemp("live")
    (place / FOLDER).mkdir()
    one, ear = publisher(place), Listener(place, "here-0")
    heard: list[Heard] = []
    for number, (moves, every) in enumerate(games):
        one.last_s = LEAST_S
        watch = one.begin(pairing(number))
        for count in range(1, len(moves) + 1):
            watch((), tuple(moves[:count]), mind())
            if every and count % every == 0:
                heard += ear.read()
        one.end(WON)
    heard += ear.read()
    ear.close()
    number = -1
    for one_heard in heard:
        if isinstance(one_heard, Begun):
            number = int(one_heard.pairing.id.rpartition("g")[2])
            played = iter(games[number][0])
        elif isinstance(one_heard, Moved):
            assert one_heard.move == next(played)
        else:
            assert next(played, None) is None
    assert number == len(games) - 1 and isinstance(heard[-1], Ended)


def test_a_game_that_is_over_at_once_is_never_written(place: Path) -> None:
    one = publisher(place)
    play(one, [1, 2, 3])  # nobody knows how long the first will take
    before = (place / FOLDER / "here-0").stat()
    for number in range(2, 6):
        play(one, [1, 2, 3], number=number)
    after = (place / FOLDER / "here-0").stat()
    assert (before.st_ino, before.st_mtime_ns) == (after.st_ino, after.st_mtime_ns)


def test_a_game_that_turns_out_to_be_long_is_written_from_its_first_move(place: Path) -> None:
    one, ear = publisher(place), Listener(place, "here-0")
    play(one, [1])
    ear.read()
    watch = one.begin(pairing(2))
    watch((), (7,), mind())
    assert ear.read() == []
    one.begun_s -= LEAST_S
    watch((), (7, 8), mind())
    begun, *moved = ear.read()
    assert isinstance(begun, Begun) and begun.pairing.id.endswith("g2")
    assert [move.move for move in moved if isinstance(move, Moved)] == [7, 8]
    ear.close()
    one.end(WON)


def test_a_game_that_is_played_again_begins_again(place: Path) -> None:
    """The machine had no core to give: the referee plays the game anew, and tells the same watch."""
    one, ear = publisher(place), Listener(place, "here-0")
    watch = one.begin(pairing())
    watch((), (4,), mind())
    watch((), (4, 5), mind())
    one.begun_s -= LEAST_S
    watch((), (6,), mind())
    heard = ear.read()
    last = max(index for index, one_heard in enumerate(heard) if isinstance(one_heard, Begun))
    assert [move.move for move in heard[last + 1 :] if isinstance(move, Moved)] == [6]
    ear.close()
    one.end(WON)


def test_whatever_fails_costs_no_game(tmp_path: Path) -> None:
    play(publisher(tmp_path / "nowhere"), [1, 2, 3])
    assert publisher_at("", "here-0", None) is None
    one = publisher(tmp_path)
    assert publisher_at(str(tmp_path / FOLDER), "here-0", one) is one
    assert publisher_at(str(tmp_path / FOLDER), "here-1", one) is not one


@pytest.mark.parametrize(
    "content",
    [
        b"[]\n",
        b"nonsense\n",
        b'{"format":"ludus-live/1"}\n',
        b'{"format":"ludus-live/1","began":1,"pairing":["a","b","",1,2,3,"4"]}\n',
        b'{"format":"ludus-live/1","began":1,"pairing":["a","b","",1,0,1,4]}\n1 2\n',
        b'{"format":"ludus-live/1","began":1,"pairing":["a","b","",1,0,1,4]}\n1 nan 2\n',
        b'{"format":"ludus-live/1","began":1,"pairing":["a","b","",1,0,1,4]}\nend {}\n',
        b"[" * 9000 + b"\n",
        b"x" * 20_000,
    ],
)
def test_what_no_worker_wrote_is_a_sentence(place: Path, content: bytes) -> None:
    (place / FOLDER / "here-0").write_bytes(content)
    ear = Listener(place, "here-0")
    with pytest.raises(StoreError):
        ear.read()
    ear.close()


def test_only_files_of_its_folder_are_read(place: Path) -> None:
    (place / "secret").write_text(json.dumps({"no": "game"}))
    (place / FOLDER / "link").symlink_to(place / "secret")
    ear = Listener(place, "link")
    assert ear.read() == []
    for name in ("../secret", ".", "..", "", "a/b", "a" * 99, "a\0"):
        with pytest.raises(StoreError):
            Listener(place, name)


def test_slots_come_and_go_with_the_run(tmp_path: Path) -> None:
    assert slots_of(tmp_path) == []
    with publishing(tmp_path) as live:
        for slot in ("b.host-1", "a-0"):
            one = publisher_at(live, slot, None)
            assert one is not None
            one.begin(pairing())
            one.end(WON)
        (Path(live) / "c.partial").touch()
        assert slots_of(tmp_path) == ["a-0", "b-host-1"]
    assert not (tmp_path / FOLDER).exists()


def test_whether_a_tournament_is_played_now_is_told_without_its_lock(tmp_path: Path) -> None:
    assert not pulse_of(tmp_path).is_running
    program = "import sys, time\nfrom pathlib import Path\nfrom ludus.tournament.store import writing\n"
    program += "with writing(Path(sys.argv[1])):\n    print('here', flush=True)\n    time.sleep(60)\n"
    driver = subprocess.Popen([sys.executable, "-c", program, str(tmp_path)], stdout=subprocess.PIPE, text=True)
    assert driver.stdout is not None and driver.stdout.readline() == "here\n"
    assert pulse_of(tmp_path).is_running
    os.kill(driver.pid, signal.SIGKILL)
    until = time.monotonic() + 10
    while pulse_of(tmp_path).is_running and time.monotonic() < until:
        time.sleep(0.01)
    assert not pulse_of(tmp_path).is_running  # and nobody has asked yet how it ended
    driver.wait()
    driver.stdout.close()
    (tmp_path / LOCK).write_text(str(os.getppid()))  # another process has that number now
    assert not pulse_of(tmp_path).is_running
    with writing(tmp_path):
        assert pulse_of(tmp_path).is_running
    assert not pulse_of(tmp_path).is_running
