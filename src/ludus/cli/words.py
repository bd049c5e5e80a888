"""Words of the command line that are numbers within limits, and options that several commands share."""

from __future__ import annotations

import argparse
import math

MOST_LINES = 32  # that alpha-beta tells apart
MOST = 10**18  # where nothing else is too much: it fits in 63 bits
DEEPEST_PERFT = 500  # no count at such a depth ends, and recursion does


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--options",
        action="append",
        default=[],
        metavar="KEY=VALUE",
        help="options of the game, such as bonus=false; a value may be JSON, or the path of a file; or one JSON object",
    )


def positive(text: str) -> int:
    return whole_number(text, least=1)


def plies(text: str) -> int:
    return whole_number(text, least=0, most=1_000_000)


def seed(text: str) -> int:
    return whole_number(text, least=0)


def level(text: str) -> int:
    return whole_number(text, least=1, most=10)


def lines(text: str) -> int:
    return whole_number(text, least=1, most=MOST_LINES)


def depth(text: str) -> int:
    return whole_number(text, least=0, most=DEEPEST_PERFT)


def whole_number(text: str, *, least: int, most: int = MOST) -> int:
    digits = (text.lstrip("0") or "0") if text.isascii() and text.isdigit() else ""
    if not 0 < len(digits) <= len(str(most)) or not least <= int(digits) <= most:
        raise argparse.ArgumentTypeError(f"{text[:30]!r} is not a whole number from {least} to {shown(most)}")
    return int(digits)


def shown(most: float) -> str:
    """A limit as it can be read: large ones are powers of ten."""
    power = round(math.log10(most))
    return f"10^{power}" if most == 10**power and power >= 6 else f"{most:.0f}"


def amount(text: str, *, of: str, most: float) -> float:
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not 0 < value <= most:
        raise argparse.ArgumentTypeError(f"{text[:30]!r} is not a number of {of} above 0, up to {shown(most)}")
    return value


def seconds(text: str) -> float:
    return amount(text, of="seconds", most=1e6)


def seconds_or_endless(text: str) -> float:
    """Seconds, or infinitely many of them for what Ctrl-C ends."""
    return math.inf if text in ("inf", "infinite") else seconds(text)


def milliseconds(text: str) -> float:
    return amount(text, of="milliseconds", most=1e9)


def port(text: str) -> int:
    return whole_number(text, least=0, most=65_535)
