"""A bot that had no core to run on is not to blame: its game is played again, and both games are kept."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from ludus.bots.entrants import parse_entrant
from ludus.bots.player import Player
from ludus.bots.room import Room
from ludus.referee import fair
from ludus.referee.clock import TimeControl
from ludus.referee.dossier import judged_record
from ludus.referee.fair import play_fairly
from ludus.referee.game import Pitch, play_game
from ludus.rules import load_game
from ludus.sandbox.levels import open_sandbox, why_not_full
from ludus.sandbox.process import Limits

pytestmark = pytest.mark.skipif(why_not_full() is not None, reason="needs isolation at level full")

LIMIT_S = 0.4
# Works for a quarter of its limit, as its own CPU clock says, whatever the machine does meanwhile.
WORKS = """
    import time

    def choose(state, clock):
        end = time.process_time() + 0.25 * clock["move_ms"] / 1000
        while time.process_time() < end:
            pass
        return state["legal"][0]
"""
SLEEPS = """
    import time

    def choose(state, clock):
        time.sleep(2 * clock["move_ms"] / 1000)
        return state["legal"][0]
"""


class Crowd:
    """A core on which eight others want to run as well, until they leave."""

    def __init__(self) -> None:
        self.core = max(os.sched_getaffinity(0))
        command = [sys.executable, "-c", f"import os\nos.sched_setaffinity(0, {{{self.core}}})\nwhile True: pass"]
        # In sessions of their own, as the kernel may share a core between sessions and not between processes.
        self.processes = [subprocess.Popen(command, start_new_session=True) for _ in range(8)]

    def leave(self) -> None:
        while self.processes:
            process = self.processes.pop()
            process.kill()
            process.wait()


@pytest.fixture
def crowd() -> Iterator[Crowd]:
    crowd = Crowd()
    yield crowd
    crowd.leave()


def pitch() -> Pitch:
    return Pitch(load_game("slant"), {"circles": [[1, 0, 1], [0, 2, 0], [0, 0, 1]]}, TimeControl(LIMIT_S), seed=1)


def test_a_starved_bot_is_told_from_a_slow_one(write: Callable[[str, str], Path], crowd: Crowd) -> None:
    game = load_game("slant")
    works = parse_entrant(str(write("works.py", WORKS)), game)
    sleeps = parse_entrant(str(write("sleeps.py", SLEEPS)), game)
    with Room(open_sandbox("full"), limits=Limits()) as room:

        def seat(first: object, cores: set[int] | None) -> tuple[Player, Player]:
            room.cores = cores
            one, other = (room.player(entrant, game, who=who, seed=1) for who, entrant in enumerate((first, works)))
            return one, other

        starved = play_game(pitch(), seat(works, {crowd.core}))
        assert starved.verdict.kind == "timeout" and starved.was_starved
        assert starved.minds[-1].spent.waited_s > 0.2 * LIMIT_S
        slow = play_game(pitch(), seat(sleeps, None))
        assert slow.verdict.kind == "timeout" and not slow.was_starved


def test_a_starved_game_is_played_again_and_both_are_kept(
    write: Callable[[str, str], Path], crowd: Crowd, monkeypatch: pytest.MonkeyPatch
) -> None:
    if len(os.sched_getaffinity(0)) < 2:
        pytest.skip("there is no second core to be quiet")
    game = load_game("slant")
    works = parse_entrant(str(write("works.py", WORKS)), game)
    seated: list[set[int] | None] = []
    monkeypatch.setattr(fair, "PATIENCE_S", 3.0)
    with Room(open_sandbox("full"), limits=Limits()) as room:

        def seat_players(cores: set[int] | None) -> tuple[Player, Player]:
            room.cores = {crowd.core} if not seated else cores  # the first time, the machine is unkind
            if seated:
                crowd.leave()  # it would only keep other tests waiting
            seated.append(cores)
            one, other = (room.player(works, game, who=who, seed=1) for who in (0, 1))
            return one, other

        fairly = play_fairly(pitch(), seat_players)
    assert len(fairly.starved) >= 1 and fairly.starved[0].verdict.kind == "timeout"
    record = judged_record(pitch(), fairly, (works, works))
    assert record.more["starved"][0]["verdict"]["kind"] == "timeout"
    if len(fairly.starved) == 1:  # a core was quiet, as it is unless other tests run there
        assert not fairly.judged.verdict.is_forfeit
