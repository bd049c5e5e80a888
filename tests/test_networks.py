"""Networks: bad files are one sentence, and a network says the same compiled, plain, and computed from the bits."""

from __future__ import annotations

import json
import pickle
import zlib
from itertools import pairwise
from pathlib import Path
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from learning_games import MARGINS, MARGINS_WITH_A_GUESS, PHASED, SEATS
from ludus.agents.naming import make_agent
from ludus.compile.interface import judge, load
from ludus.compile.judging import OUTPUT_UNIT, UNIT, WEIGHED, WIDE, curve, inverse
from ludus.compile.link import link, wrapping
from ludus.compile.vectors import CEILING
from ludus.errors import AgentError, NetworkError, RulesError
from ludus.networks.files import FIRST_LINE, LARGEST, VERSION, load_network, save_network
from ludus.networks.inputs import bits_of, find_shape, words_of
from ludus.networks.network import Network
from ludus.networks.symmetries import turns_of
from ludus.rules import load_game, random_line
from rules_files import TIC_TAC_TOE

GAMES = {"mine": TIC_TAC_TOE, "seats": SEATS, "phased": PHASED, "margins": MARGINS, "guess": MARGINS_WITH_A_GUESS}
TEMPLATE = """
from typing import NamedTuple

MOVES = 9


class State(NamedTuple):
    mine: int
    theirs: int


def start():
    return State(0, 0)


def turn(s):
    return (s.mine | s.theirs).bit_count() % 2


def moves(s):
    return ~(s.mine | s.theirs) & 511


def play(s, m):
    return State(s.theirs, s.mine | 1 << m)


def result(s):
    if s.theirs & 7 == 7:
        return 1 if turn(s) == 1 else -1
    return 0 if moves(s) == 0 else None
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("networks")


@pytest.fixture(scope="module")
def games(folder):
    found = {}
    for name, source in {**GAMES, "parity": TEMPLATE}.items():
        (folder / f"{name}.py").write_text(source)
        found[name] = load_game(folder / f"{name}.py")
    return found


def drawn_network(game, seed, *, with_guess=False, hidden=16):
    """A network of random numbers, some of them at the limits."""
    rng = np.random.default_rng(seed)
    shape = find_shape(game, hidden=hidden, with_guess=with_guess)
    return Network(
        game=game.name,
        fields=tuple(game.module.State._fields),
        shape=shape,
        rows=rng.integers(-200, 201, (shape.rows, hidden)).astype(np.int16),
        begin=rng.integers(-300, 301, hidden).astype(np.int16),
        outputs=rng.choice([-128, -20, 0, 5, 127], (shape.phases, hidden)).astype(np.int16),
        rest=tuple((added, guess) for added, guess in rng.integers(-300, 300, (shape.phases, 2)).tolist()),
        unit=int(rng.integers(1, 30_000)),
        about={"seed": seed},
    )


def judge_rows(rows, fields, out, mind):
    """Entry point: what the network says of positions, one after the other with one mind."""
    for k in range(out.size):
        out[k] = judge(load(rows, fields * k), mind)


def from_bits(game, network, states):
    """What the network says, computed from the bits of each position alone."""
    shape = network.shape
    words = np.array([words_of(game, state) for state in states], np.int64)
    movers = np.array([game.turn(state) for state in states], np.int64)
    hidden = bits_of(shape, words, movers).astype(np.int64) @ network.rows + network.begin
    own = getattr(game.module, "phase", lambda state: 0)
    phases = [own(state) for state in states]
    weighed = (np.clip(hidden, 0, CEILING) ** 2 * network.outputs[phases].astype(np.int64)).sum(1)
    said = []
    for state, mover, number, phase in zip(states, movers.tolist(), weighed.tolist(), phases, strict=True):
        sign = 1 - 2 * mover
        added, share = network.rest[phase]
        total = number // WEIGHED + added
        low, high = game.module.payoffs(state) if hasattr(game.module, "payoffs") else (-(1 << 40), 1 << 40)
        if shape.greatest:
            if shape.has_guess:
                told = inverse(shape.greatest)[game.evaluate(state) + 1000 * shape.greatest]
                total += share * sign * told // UNIT
            table = curve(shape.greatest)
            payoff = sign * table[min(max(total + len(table) // 2, 0), len(table) - 1)]
        else:
            settled = 1000 * game.module.banked(state)
            margin = total * network.unit // UNIT
            if shape.has_guess:
                margin += share * sign * (game.evaluate(state) - settled) // UNIT
            payoff = settled + sign * margin
        said.append(min(max(payoff, 1000 * low + 1), 1000 * high - 1))
    return said


def drawn_states(game, seed):
    """Positions of random games, in an order that jumps about as a search does."""
    random = Random(seed)
    states = [
        state
        for _ in range(6)
        for state in random_line(game, game.start(), random).states
        if game.result(state) is None
    ]
    random.shuffle(states)
    return states


@pytest.mark.parametrize(
    ("name", "hidden"),
    [
        *((name, 16) for name in ("mine", "seats", "parity", "margins", "guess", "seats beside", "phased")),
        *((name, WIDE) for name in ("seats", "margins")),  # wide ones remember what they said
    ],
)
def test_a_network_says_the_same_compiled_plain_and_from_the_bits(games, name, hidden):
    game, with_guess = games[name.split()[0]], name in ("guess", "seats beside")
    fields = len(game.module.State._fields)

    @settings(max_examples=10)
    @given(st.integers(0, 2**32 - 1))
    def agrees(seed):
        network = drawn_network(game, seed, with_guess=with_guess, hidden=hidden)
        states = drawn_states(game, seed)
        expected = from_bits(game, network, states)
        for compiled in (True, False):
            out = np.zeros(len(states), np.int64)
            wrapping(link(game, judge_rows, compiled=compiled, shape=network.shape))(
                np.array(states, np.int64).ravel(), fields, out, network.mind()
            )
            assert out.tolist() == expected

    agrees()


def test_what_networks_see_of_each_game(games):
    assert find_shape(games["seats"], hidden=16).trade == (1, 0, 2)
    assert find_shape(games["mine"], hidden=16).trade == (0, 1, 2)
    parity = find_shape(games["parity"], hidden=16)
    assert parity.trade == () and parity.rows == 19
    margins = find_shape(games["margins"], hidden=16)
    assert margins.greatest == 0 and margins.widths == (4, 0, 0, 0)


def test_a_game_says_what_need_not_be_seen(games):
    assert find_shape(games["mine"], hidden=16).widths == (9, 9, 0)
    assert find_shape(games["phased"], hidden=16).widths == (9, 9, 0, 0)
    assert find_shape(games["phased"], hidden=16).phases == 10


@pytest.mark.parametrize(
    ("more", "expected"),
    [
        ("UNSEEN = ('stones',)", "UNSEEN names 'stones'; the fields of State are crosses, noughts, mover"),
        ("UNSEEN = 'mover'", "UNSEEN is 'mover'; a tuple"),
        ("UNSEEN = 3", "UNSEEN is 3; a tuple"),
        ("UNSEEN = ('crosses',)", "UNSEEN names 'crosses', but not 'noughts'"),
        ("PHASES = 3", "phase(s), which says which, is not there"),
        ("PHASES = '3'\ndef phase(s):\n    return 0", "PHASES is '3'; a whole number from 1 to 256"),
        ("PHASES = 3\ndef phase(s):\n    return None", "phase(s) gives None; a whole number from 0 to 2"),
        ("PHASES = 3\ndef phase(s):\n    return 0.5", "phase(s) gives 0.5"),
        ("PHASES = 3\ndef phase(s):\n    return (s.crosses | s.noughts).bit_count()", "phase(s) gives 3"),
        ("PHASES = 2\ndef phase(s):\n    return s.crosses & 1", "symmetries(s)[1]"),
    ],
)
def test_what_a_game_says_wrongly_is_one_sentence(tmp_path, more, expected):
    (tmp_path / "wrong.py").write_text(f"{SEATS}\n\n{more}\n")
    game = load_game(tmp_path / "wrong.py")
    with pytest.raises(RulesError) as caught:
        turns_of(game, find_shape(game, hidden=16))
    assert expected in str(caught.value) and "\n" not in str(caught.value)


@pytest.mark.parametrize("name", ["seats", "phased"])
def test_symmetries_are_orders_of_the_inputs(games, name):
    game = games[name]
    shape = find_shape(game, hidden=16)
    turns = turns_of(game, shape)
    assert len(turns) == 4
    for state in drawn_states(game, 1):
        assert_turned(game, shape, turns, game.module.symmetries(state))


def assert_turned(game, shape, turns, positions):
    """The inputs and the phase of the first position stand where the turns say in the others."""
    words = np.array([words_of(game, position) for position in positions], np.int64)
    bits = bits_of(shape, words, np.array([game.turn(position) for position in positions]))
    for turned, turn, position in zip(bits, turns, positions, strict=True):
        assert np.array_equal(turned[turn.inputs], bits[0])
        if game.phase is not None:
            assert turn.phases[game.phase(positions[0])] == game.phase(position)


def test_inputs_that_are_seldom_on_turn_with_the_board():
    game = load_game("ultimate")
    shape = find_shape(game, hidden=16)
    turns = turns_of(game, shape)
    states = [
        state
        for k in range(40)
        for state in random_line(game, game.start(), Random(k)).states
        if game.result(state) is None
    ]
    for state in states[::3]:
        assert_turned(game, shape, turns, game.part("symmetries", file="learning.py")(state))


def test_a_network_comes_back_from_its_file_as_it_was(games, tmp_path):
    network = drawn_network(games["phased"], 3)
    save_network(network, tmp_path / "a.net")
    again = load_network(tmp_path / "a.net", games["phased"])
    assert (
        again.shape == network.shape
        and (again.rest, again.unit) == (network.rest, network.unit)
        and again.about == {"seed": 3}
    )
    assert np.array_equal(again.mind(), network.mind())


@pytest.fixture(scope="module")
def good(games, folder):
    """The content of a file that holds a network for the game of seats."""
    save_network(drawn_network(games["seats"], 1), folder / "good.net")
    return (folder / "good.net").read_bytes()


def split(content):
    """The header of a file as data, and the numbers behind it."""
    _, length, rest = content.split(b"\n", 2)
    return json.loads(rest[: int(length)]), rest[int(length) :]


def joined(header, numbers):
    text = header if isinstance(header, bytes) else json.dumps(header).encode()
    return FIRST_LINE + b"%d\n%d\n" % (VERSION, len(text)) + text + numbers


def refused(game, folder, content):
    """The one sentence with which a file is refused."""
    file = folder / "bad.net"
    file.write_bytes(content)
    with pytest.raises(NetworkError) as caught:
        load_network(file, game)
    sentence = str(caught.value)
    assert sentence.startswith(f"{file}: ") and "\n" not in sentence and len(sentence) < len(str(file)) + 160
    return sentence


class Trap:
    def __reduce__(self):
        return (Path.touch, (Path("/tmp/ludus-was-here"),))


def test_bad_files_are_refused_in_one_sentence(games, good, tmp_path):
    game = games["seats"]
    header, numbers = split(good)
    bomb = zlib.compress(bytes(1 << 26), 9)
    assert "not" in refused(game, tmp_path, b"")
    assert "not" in refused(game, tmp_path, b"PK\x03\x04" + bytes(100))
    assert "not" in refused(game, tmp_path, pickle.dumps(Trap()))
    assert "version" in refused(game, tmp_path, good.replace(b"network 2", b"network 1", 1))
    assert "large" in refused(game, tmp_path, good + bytes(LARGEST))
    assert "checksum" in refused(game, tmp_path, joined(header, bomb))
    assert "checksum" in refused(game, tmp_path, joined(header, zlib.compress(bytes(2), 9)))
    assert "unpacked" in refused(game, tmp_path, joined(header, b"numbers"))
    assert "JSON" in refused(game, tmp_path, joined(b"[" * 60_000, numbers))
    assert "JSON" in refused(game, tmp_path, joined(b"\xff\xfe", numbers))
    assert "header" in refused(game, tmp_path, joined(b"[]", numbers))
    assert "'mine'" in refused(games["mine"], tmp_path, good)
    assert "'phased'" in refused(games["phased"], tmp_path, good)
    phased = {**header, "game": "phased", "fields": ["crosses", "noughts", "mover", "filled"]}
    phased["shape"] = {**header["shape"], "widths": [9, 9, 0, 0], "trade": [1, 0, 2, 3]}
    assert "one for each phase: 1; the game's: 10" in refused(games["phased"], tmp_path, joined(phased, numbers))
    assert "fields" in refused(game, tmp_path, joined({**header, "fields": ["a", "b", "c"]}, numbers))


@pytest.mark.parametrize(
    "change",
    [
        {"hidden": 10**9},
        {"hidden": 17},
        {"hidden": True},
        {"hidden": "16"},
        {"widths": [63] * 10_000},
        {"widths": [9, 9, -1]},
        {"widths": [9, 9, 64]},
        {"widths": [True, 9, 9]},
        {"widths": "__import__('os')"},
        {"widths": 7},
        {"trade": [0, 0, 0]},
        {"trade": [0, 1, 1 << 70]},
        {"trade": ["0", "1", "2"]},
        {"features": 5},
        {"features": -1},
        {"features": "0); import os"},
        {"greatest": 10**6},
        {"greatest": 1.5},
        {"greatest": -1},
        {"has_guess": "no"},
        {"phases": 0},
        {"phases": True},
        {"phases": 10**9},
        {"phases": "1); import os"},
        {"more": 1},
    ],
    ids=str,
)
def test_hostile_shapes_are_refused(games, good, tmp_path, change):
    header, numbers = split(good)
    refused(games["seats"], tmp_path, joined({**header, "shape": {**header["shape"], **change}}, numbers))


@pytest.mark.parametrize(
    "change",
    [
        *(
            {"rest": rest}
            for rest in ([], [1, 2], [[1]], [[1, 1 << 40]], [[1, "3"]], [[1, True]], [[0.5, 1]], [[1, 2]] * 2)
        ),
        *({"unit": unit} for unit in (1 << 40, "3", True, 0.5, None)),
    ],
    ids=str,
)
def test_hostile_numbers_in_the_header_are_refused(games, good, tmp_path, change):
    header, numbers = split(good)
    refused(games["seats"], tmp_path, joined({**header, **change}, numbers))


def test_a_file_cut_off_anywhere_is_refused(games, good, tmp_path):
    for length in range(len(good)):
        refused(games["seats"], tmp_path, good[:length])


@settings(max_examples=200)
@given(st.data())
def test_a_changed_byte_is_refused_or_harmless(games, good, folder, data):
    content = bytearray(good)
    place = data.draw(st.integers(0, len(content) - 1))
    content[place] = data.draw(st.integers(0, 255))
    file = folder / "changed.net"
    file.write_bytes(content)
    try:
        network = load_network(file, games["seats"])
    except NetworkError as error:
        assert "\n" not in str(error)
    else:
        assert len(network.mind()) == network.shape.size


def test_an_agent_with_a_bad_network_is_one_sentence(games, tmp_path):
    (tmp_path / "bad.net").write_bytes(b"no network")
    for text in (f"alphabeta:net={tmp_path}/bad.net", f"mcts:net={tmp_path}/none.net", "alphabeta:net=shipped"):
        with pytest.raises(AgentError) as caught:
            make_agent(games["seats"], text)
        assert "\n" not in str(caught.value)


def test_the_curve_rises_and_never_claims_a_proof():
    for greatest in (1, 2, 8):
        steps = curve(greatest)
        assert all(one <= other for one, other in pairwise(steps))
        assert -1000 * greatest < steps[0] and steps[-1] < 1000 * greatest
        assert OUTPUT_UNIT * max(abs(number) for number in inverse(greatest)) > 0
