"""Records: what is written is read and replayed; whatever else is in a file gets one sentence."""

from __future__ import annotations

import io
import json
import random

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from ludus.errors import RecordError
from ludus.records import LARGEST, Record, parse_record, read_records, record_game, replay
from ludus.rules import game_names, load_game, random_line
from rules_files import heap

GOOD = {"format": "ludus-record/1", "game": "ultimate", "options": {}, "moves": ["4,4", "3,3"]}


def read_all(content: bytes) -> list[Record | RecordError]:
    return [record for _, record in read_records(io.BytesIO(content))]


@pytest.mark.parametrize("name", game_names())
@given(seed=st.integers(0, 2**32))
@settings(max_examples=25, deadline=None)
def test_what_is_written_is_read_and_replayed(name, seed):
    game = load_game(name)
    start = game.start(**({"seed": seed} if "seed" in game.options else {}))
    states, chosen = random_line(game, start, random.Random(seed), longest=random.Random(seed).randrange(300))
    written = record_game(game, start, {}, chosen, seed=seed).to_json()
    (record,) = read_all(written.encode())
    assert isinstance(record, Record)
    assert record.more == {"seed": seed}
    seen = replay(record)
    assert seen.states == states
    assert seen.moves == chosen
    assert seen.widths == tuple(len(game.legal(state)) for state in states[:-1])
    assert seen.turns == tuple(game.turn(state) for state in states[:-1])
    assert seen.result == game.result(states[-1])


def test_the_record_of_a_full_ultimate_game_is_small():
    game = load_game("ultimate")
    states, chosen = max(
        (random_line(game, game.start(), random.Random(seed), 100) for seed in range(300)),
        key=lambda line: len(line[1]),
    )
    assert len(chosen) > 70
    assert len(record_game(game, game.start(), {}, chosen, result=game.result(states[-1])).to_json()) < 5000


def test_random_boards_are_written_out():
    for name, key in (("slant", "circles"), ("subtraction", "board")):
        game = load_game(name)
        start = game.start(seed=5)
        options = record_game(game, start, {"seed": 5}, []).options
        assert key in options
        assert "seed" not in options
        assert game.start(**options) == start


def test_a_file_of_many_and_a_file_of_one_over_many_lines():
    lines = "\n".join(json.dumps(GOOD) for _ in range(3)) + "\n\n"
    assert len(read_all(lines.encode())) == 3
    assert len(read_all(json.dumps(GOOD, indent=2).encode())) == 1
    assert len(read_all(("\r\n".join([json.dumps(GOOD)] * 2)).encode())) == 2


def test_a_bad_record_does_not_stop_the_rest():
    content = b"\n".join([json.dumps(GOOD).encode(), b"{", b"\xff\xff", b"[1]", json.dumps(GOOD).encode()])
    kinds = [type(record) for record in read_all(content)]
    assert kinds == [Record, RecordError, RecordError, RecordError, Record]


def changed(**changes: object) -> bytes:
    return json.dumps({**GOOD, **changes}).encode()


HOSTILE = {
    "nothing": (b"", "the file is empty"),
    "blanks": (b"\n\n \n", "the file is empty"),
    "no JSON": (b"hello", "this is not JSON"),
    "truncated": (json.dumps(GOOD).encode()[:40], "this is not JSON: Unterminated string starting at character 38"),
    "a control character": (b'{"game": "\x01"}', "this is not JSON: Invalid control character at character 11"),
    "not text": (b"\xff\xfe\x00\x01", "not even text"),
    "a list": (b"[]", "a record is a JSON object, not a list"),
    "a number": (b"7", "not a number"),
    "deep nesting": (b"[" * 200_000, "nested too deeply"),
    "deep objects": (b'{"a":' * 200_000, "nested too deeply"),
    "NaN": (changed(options={"m": float("nan")}), "NaN is not JSON"),
    "Infinity": (b'{"format": Infinity}', "Infinity is not JSON"),
    "a huge float": (b'{"format": 1e999}', "is too large"),
    "a huge int": (b'{"format": ' + b"9" * 100_000 + b"}", "too long"),
    "no format": (b"{}", '"format" is null'),
    "another format": (changed(format="ludus-record/9"), '"ludus-record/1" was expected'),
    "no moves": (b'{"format": "ludus-record/1", "game": "ultimate"}', '"moves" is null'),
    "moves as text": (changed(moves="4,4"), '"moves" is "4,4"; a list was expected'),
    "a move as a number": (changed(moves=["4,4", 30]), "move 2 is 30"),
    "a long move": (changed(moves=["4" * 10_000]), "move 1 is"),
    "game as a number": (changed(game=5), '"game" is 5; a name was expected'),
    "options as a list": (changed(options=[1]), '"options" is a list'),
    "an unknown game": (changed(game="chess"), "not one of our games"),
    "a path as a game": (changed(game="/etc/passwd"), "not one of our games"),
    "a rules file as a game": (changed(game="./mygame.py"), "not one of our games"),
    "an unknown option": (changed(options={"size": 3}), "ultimate has no option 'size'"),
    "a million options": (changed(options={f"o{i}": i for i in range(100_000)}), "ultimate has no option"),
    "an absurd board": (changed(game="slant", options={"circles": [[0] * 2000] * 2000}), "circles must be"),
    "an absurd size": (changed(game="slant", options={"m": 10**9}), "m is an even number"),
    "a false result": (changed(result=1), '"result" is 1, but the game is not over'),
    "an illegal move": (changed(moves=["4,4", "0,0"]), "illegal move 0,0: the move must be in block 4"),
    "one byte too many": (b'{"format": "' + b"x" * LARGEST + b'"}', "more than 20000000 bytes"),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_files_get_one_sentence(name):
    content, sentence = HOSTILE[name]
    found = read_all(content)
    assert len(found) == 1
    with pytest.raises(RecordError) as caught:
        if isinstance(found[0], RecordError):
            raise found[0]
        replay(found[0])
    message = str(caught.value)
    assert sentence in message
    assert "\n" not in message
    assert len(message) < 250


def test_a_line_that_is_too_long_does_not_hide_the_next_one():
    content = json.dumps(GOOD).encode() + b"\n" + b"x" * (3 * LARGEST) + b"\n" + json.dumps(GOOD).encode()
    assert [type(record) for record in read_all(content)] == [Record, RecordError, Record]


def test_the_ply_of_the_first_bad_move_is_told():
    with pytest.raises(RecordError) as caught:
        replay(parse_record(changed(moves=["4,4", "3,3", "0,0", "8,8"])))
    assert caught.value.ply == 3


def test_a_game_of_ones_own_is_named_by_the_person_not_by_the_record(write):
    game = load_game(write("mygame.py", heap()))
    record = record_game(game, game.start(), {}, [0, 1])
    assert replay(record, game).turns == (0, 1)
    with pytest.raises(RecordError, match="name its rules file"):
        replay(record)
    with pytest.raises(RecordError, match='this is a record of "ultimate", not of mygame'):
        replay(parse_record(json.dumps(GOOD)), game)


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=10), inner, max_size=4),
    max_leaves=10,
)


@given(st.binary(max_size=300))
@example(b"\xef\xbb\xbf{}")
def test_random_bytes_never_raise(content):
    for record in read_all(content):
        assert isinstance(record, Record | RecordError)


@given(
    st.fixed_dictionaries(
        {
            "format": st.just("ludus-record/1") | json_values,
            "game": st.sampled_from(game_names()) | json_values,
        },
        optional={
            "options": json_values,
            "moves": st.lists(st.text(max_size=5)) | json_values,
            "result": json_values,
        },
    )
)
@settings(deadline=None)
def test_random_json_is_replayed_or_refused(data):
    try:
        replay(parse_record(json.dumps(data)))
    except RecordError as error:
        assert "\n" not in str(error)


@given(
    game=st.sampled_from(game_names()),
    options=st.dictionaries(
        st.sampled_from(["board", "circles", "m", "seed", "low", "high", "reward", "penalty", "bonus"]),
        json_values,
    ),
)
@settings(deadline=None, max_examples=300)
def test_random_options_are_taken_or_refused(game, options):
    try:
        replay(Record(game, options, ()))
    except RecordError as error:
        assert "\n" not in str(error)


OVER = {"format": "ludus-record/1", "game": "subtraction", "options": {"board": [[0, 0, 0]] * 3}}


@pytest.mark.parametrize("claimed", [False, 0.0, "0", None])
def test_a_result_is_a_whole_number(claimed):
    with pytest.raises(RecordError, match='"result" is'):
        replay(parse_record(json.dumps({**OVER, "moves": [], "result": claimed})))


def test_signs_that_steer_a_terminal_are_not_repeated():
    with pytest.raises(RecordError) as caught:
        replay(parse_record(json.dumps({**OVER, "moves": ["\x1b[31mX\nY"]})))
    assert "\x1b" not in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_record_over_two_lines_and_one_with_a_byte_order_mark():
    text = json.dumps(GOOD)
    for content in (text.replace('"game"', '\n"game"', 1), "\ufeff" + json.dumps(GOOD, indent=1), "\ufeff" + text):
        assert [type(record) for record in read_all(content.encode())] == [Record]
    (error,) = read_all(json.dumps({**GOOD, "format": "x"}, indent=1).encode())
    assert isinstance(error, RecordError)


@pytest.mark.parametrize(
    "content",
    [b"\xff\n\xfe\n\x00\n", b"hello\nworld\n", json.dumps(GOOD, indent=2).encode()[:60]],
    ids=["noise", "prose", "truncated"],
)
def test_a_file_without_any_record_gets_one_sentence_however_many_lines_it_has(content):
    assert b"\n" in content.strip()
    (error,) = read_all(content)
    assert isinstance(error, RecordError)
