"""Networks as files: a line that says what it is, a header in JSON, whole numbers. Reading one runs nothing.

    ludus network 2\n      the first line; the number is the version of the format
    <length>\n             of the header in bytes
    {"game": ..., ...}     the header
    <zlib>                 rows, begin, outputs as 16-bit numbers, little-endian, one after the other

The header holds a checksum of the numbers; a file that was cut off or changed is refused.
"""

from __future__ import annotations

import json
import zlib
from pathlib import Path
from typing import Any

import numpy as np

from ludus.compile.judging import Shape
from ludus.errors import NetworkError
from ludus.networks.inputs import MOST_BOUNDED, MOST_INPUTS, MOST_PHASES, phases_of
from ludus.networks.network import Network
from ludus.rules import Game

FIRST_LINE = b"ludus network "
VERSION = 2
LARGEST = 8 << 20  # bytes of a file
MOST_HEADER = 1 << 16
HIDDEN = range(16, 513, 16)
MOST_WORDS = 64
MOST_REST = 1 << 24


def save_network(network: Network, file: Path) -> None:
    """Write the file as a whole: whoever reads meanwhile sees the old one."""
    numbers = np.concatenate([network.rows.ravel(), network.begin, network.outputs.ravel()]).astype("<i2").tobytes()
    shape = network.shape
    header = json.dumps(
        {
            "game": network.game,
            "fields": list(network.fields),
            "shape": {**shape._asdict(), "widths": list(shape.widths), "trade": list(shape.trade)},
            "rest": network.rest,
            "unit": network.unit,
            "checksum": zlib.crc32(numbers),
            "about": network.about,
        }
    ).encode()
    first = FIRST_LINE + f"{VERSION}\n{len(header)}\n".encode()
    new = file.with_name(file.name + ".new")
    new.write_bytes(first + header + zlib.compress(numbers, 9))
    new.replace(file)


def load_network(file: Path, game: Game | None = None) -> Network:
    """The network in a file, for that game if one is given; else a NetworkError of one sentence."""
    try:
        with file.open("rb") as stream:
            content = stream.read(LARGEST + 1)
    except OSError as error:
        raise NetworkError(f"{file}: {error.strerror or error}") from None
    try:
        network = _network(content)
    except _BrokenError as error:
        raise NetworkError(f"{file}: {error}") from None
    if game is not None:
        _require_game(network, game, file)
    return network


class _BrokenError(Exception):
    """What is wrong with the content of a file."""


def _require_game(network: Network, game: Game, file: Path) -> None:
    fields = tuple(game.module.State._fields)
    if network.game != game.name:
        raise NetworkError(f"{file}: a network for {network.game[:40]!r}; one for {game.name!r} was expected")
    if network.fields != fields:
        sentence = "the rules have changed since it was trained: State has other fields"
        raise NetworkError(f"{file}: {sentence}")
    own = game.part("features", file="learning.py")
    added = 0 if own is None else len(own(game.start()))
    if len(network.shape.widths) != len(fields) + added or network.shape.features != added:
        raise NetworkError(f"{file}: trained with {network.shape.features} words of features; the game has {added}")
    if network.shape.phases != phases_of(game):
        raise NetworkError(
            f"{file}: its outputs, one for each phase: {network.shape.phases}; the game's: {phases_of(game)}"
        )
    if network.shape.has_guess and game.guess is None:
        raise NetworkError(f"{file}: trained beside an evaluation that the game no longer has")


def _network(content: bytes) -> Network:
    if not content.startswith(FIRST_LINE):
        raise _BrokenError("not a network file of ludus")
    if len(content) > LARGEST:
        raise _BrokenError(f"more than {LARGEST >> 20} MB; no network of ludus is that large")
    first, _, rest = content.partition(b"\n")
    if first != FIRST_LINE + str(VERSION).encode():
        said = first[len(FIRST_LINE) :][:20].decode("ascii", "replace")
        raise _BrokenError(f"a network file of version {said!r}; version {VERSION} was expected")
    length, _, rest = rest.partition(b"\n")
    if not (length.isdigit() and len(length) < 7 and int(length) <= min(MOST_HEADER, len(rest))):
        raise _BrokenError("cut off or damaged: the header is not there")
    header = _header(rest[: int(length)])
    shape = _shape(header["shape"])
    count = (shape.rows + 1 + shape.phases) * shape.hidden
    unpacker = zlib.decompressobj()
    try:
        numbers = unpacker.decompress(rest[int(length) :], 2 * count + 1)
    except zlib.error:
        raise _BrokenError("cut off or damaged: the numbers cannot be unpacked") from None
    if len(numbers) != 2 * count or zlib.crc32(numbers) != header["checksum"]:
        raise _BrokenError("cut off or damaged: the numbers do not fit their checksum")
    if not unpacker.eof or unpacker.unused_data:
        raise _BrokenError("cut off or damaged: the numbers do not end where the file does")
    values = np.frombuffer(numbers, "<i2").astype(np.int16)
    rows, begin, outputs = np.split(values, [shape.rows * shape.hidden, (shape.rows + 1) * shape.hidden])
    if outputs.min() < -128 or outputs.max() > 127:
        raise _BrokenError("damaged: a weight of the output is not between -128 and 127")
    return Network(
        game=header["game"],
        fields=tuple(header["fields"]),
        shape=shape,
        rows=rows.reshape(shape.rows, shape.hidden),
        begin=begin,
        outputs=outputs.reshape(shape.phases, shape.hidden),
        rest=_rest(header["rest"], shape.phases),
        unit=header["unit"],
        about=header["about"],
    )


def _header(text: bytes) -> dict[str, Any]:
    try:
        header: dict[str, Any] = json.loads(text)
    except (ValueError, RecursionError):
        raise _BrokenError("damaged: the header is not JSON") from None
    expected = {"game": str, "fields": list, "shape": dict, "rest": list, "unit": int, "checksum": int, "about": dict}
    for key, kind in expected.items():
        if not isinstance(header, dict) or not isinstance(header.get(key), kind):
            raise _BrokenError(f"damaged: the header has no {key}")
    if not _is_number(header["unit"]):
        raise _BrokenError("damaged: the unit is not a small whole number")
    if not all(isinstance(name, str) for name in header["fields"]):
        raise _BrokenError("damaged: fields are not names")
    return header


def _is_number(given: Any) -> bool:
    return type(given) is int and abs(given) <= MOST_REST


def _rest(given: list[Any], phases: int) -> tuple[tuple[int, int], ...]:
    is_sound = len(given) == phases and all(isinstance(pair, list) and len(pair) == 2 for pair in given)
    if not is_sound or not all(_is_number(number) for pair in given for number in pair):
        raise _BrokenError("damaged: rest is not two whole numbers for each phase")
    return tuple((added, guess) for added, guess in given)


def _shape(given: dict[str, Any]) -> Shape:
    try:
        shape = Shape(**{**given, "widths": tuple(given["widths"]), "trade": tuple(given["trade"])})
    except (TypeError, KeyError):
        raise _BrokenError("damaged: the shape is not one") from None
    words = len(shape.widths)
    is_sound = (
        all(type(width) is int and 0 <= width <= 63 for width in shape.widths)
        and 1 <= words <= MOST_WORDS
        and 1 <= sum(shape.widths) <= MOST_INPUTS
        and type(shape.features) is int
        and 0 <= shape.features < words
        and shape.hidden in HIDDEN
        and type(shape.hidden) is int
        and type(shape.greatest) is int
        and 0 <= shape.greatest <= MOST_BOUNDED
        and type(shape.has_guess) is bool
        and type(shape.phases) is int
        and 1 <= shape.phases <= MOST_PHASES
        and (not shape.trade or sorted(map(str, shape.trade)) == sorted(map(str, range(words))))
        and all(type(k) is int for k in shape.trade)
    )
    if not is_sound:
        raise _BrokenError("damaged: the shape is not one")
    return shape
