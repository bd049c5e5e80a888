"""Traces of games as text: against golden files, and whatever stands in a stranger's record."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from ludus.records import Record, record_game
from ludus.reports.trace import trace_of, trace_of_record
from ludus.rules import follow, game_names, load_game, random_line

GOLDEN = Path(__file__).parent / "golden" / "trace-slant.txt"


def test_the_example_of_the_hand_out_as_it_should_be_read() -> None:
    game = load_game("slant")
    options = {"circles": "101/020/001"}
    line = follow(game, game.start(**options), ["0,1", "1,1", "0,0", "1,0"])
    found = trace_of(game, line, players=("human", "level:3"), options=options, seconds=[4.2, 0.05, 11, 0.1])
    assert found == GOLDEN.read_text()


@pytest.mark.parametrize("name", game_names())
def test_every_move_and_the_end_of_any_game_is_there(name: str) -> None:
    game = load_game(name)
    line = random_line(game, game.start(), Random(2), 40)
    rows = trace_of(game, line).splitlines()
    moves = [row for row in rows if row.startswith("Move ")]
    assert len(moves) == len(line.moves)
    for row, move in zip(moves, line.moves, strict=True):
        assert f"plays {game.move_name(move)}" in row
    assert rows[-1].startswith("Result: ")
    assert ("not finished" in rows[-1]) == (game.result(line.states[-1]) is None)
    assert trace_of(game, line, ascii=True).isascii()


def test_points_of_moves_add_up_to_the_payoff() -> None:
    game = load_game("slant")
    line = random_line(game, game.start(m=4, seed=3), Random(4))
    total = 0
    for row in trace_of(game, line).splitlines():
        if row.startswith("Move ") and " point" in row:
            gain = int(row.split(", ")[1].split()[0])
            total += gain if "Slash" in row.split() else -gain
    assert total == game.result(line.states[-1])


@pytest.mark.parametrize(
    "more",
    [
        {"players": [{"name": "\x1b[31mred\nline"}, {"name": 7}], "verdict": {"reason": "\x07bell", "seat": 1}},
        {"players": "nobody", "times_ms": ["x"], "verdict": []},
        {"players": [None, []], "times_ms": [[1.0], [], [True]], "verdict": {"reason": 5, "seat": 9}},
    ],
)
def test_a_strangers_record_cannot_move_the_cursor(more: dict[str, object]) -> None:
    game = load_game("slant")
    record = record_game(game, game.start(m=2), {"m": 2}, [0, 1])
    found = trace_of_record(Record(record.game, record.options, record.moves, more))
    assert not any(ord(letter) < 32 and letter != "\n" for letter in found)
