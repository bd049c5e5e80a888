"""How reports say things: where a game stood, how it ended, numbers for people."""

from __future__ import annotations

import re
from fractions import Fraction

from ludus.tournament.grades import exact
from ludus.tournament.pairing import Pairing
from ludus.tournament.plan import Plan

KINDS = {
    "illegal": "Illegal move",
    "timeout": "Time-out",
    "exception": "Exception",
    "crash": "Crash",
    "memory": "Memory",
    "tampering": "Tampering",
    "forbidden": "Forbidden",
    "output": "Output",
    "protocol": "Protocol",
    "crashed": "Not played",
    "win": "Win",
    "draw": "Draw",
}
FORMATS = {
    "round-robin": "round robin",
    "pools": "pools to final",
    "single-elimination": "single elimination",
    "double-elimination": "double elimination",
    "swiss": "Swiss system",
    "gauntlet": "gauntlet",
    "ladder": "ladder",
}
DECIDED = {"lots": "lot", "wins": "more wins", "fewer-forfeits": "fewer forfeits", "difference": "difference"}


def kind_name(kind: str) -> str:
    return KINDS.get(kind, kind.capitalize())


def decided(by: str) -> str:
    """A tie-break as people say it: opponents-points is opponents' points."""
    return DECIDED.get(by, by.replace("opponents-", "opponents' ").replace("beaten-", "beaten opponents' "))


def title_of(word: str) -> str:
    """semi-final is Semi-final, pool-3 is Pool 3."""
    spaced = re.sub(r"-(\d+)$", r" \1", word)
    return spaced[:1].upper() + spaced[1:]


def game_number(pairing: Pairing) -> str:
    return pairing.id.rpartition("/g")[2]


def place_of_game(pairing: Pairing) -> str:
    """Group, pool 3, round 2, game 1."""
    pool = f"{title_of(pairing.pool).lower()}, " if pairing.pool else ""
    board = re.search(r"/board-(\d+)/", pairing.id)
    on = f"board {board[1]}, " if board else ""
    return f"{title_of(pairing.stage)}, {pool}round {pairing.round}, {on}game {game_number(pairing)}"


def format_line(plan: Plan, teams: int) -> str:
    return f"{teams} teams · {FORMATS.get(plan.kind, plan.kind)}"


def points(value: Fraction) -> str:
    return exact(value).replace("-", "−")


def signed(value: float) -> str:
    """A rating with its sign: +120, −35, 0."""
    whole = round(value)
    return f"+{whole}" if whole > 0 else f"−{-whole}" if whole < 0 else "0"


def seconds(value_ms: float) -> str:
    """A duration as short as it can be read: 0.4 ms, 35 ms, 1.2 s, 12 s."""
    if value_ms < 1:
        return f"{value_ms:.1f} ms"
    if value_ms < 1000:
        return f"{value_ms:.0f} ms"
    return f"{value_ms / 1000:.3g} s"


def percent(share: float) -> str:
    return "< 1 %" if 0 < share < 0.005 else "> 99 %" if 0.995 < share < 1 else f"{100 * share:.0f} %"


def places(low: int, high: int) -> str:
    return str(low) if low == high else f"{low}–{high}"
