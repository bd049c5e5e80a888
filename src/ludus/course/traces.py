"""The trace of a game as comments at the end of a bot's file, and the check that it is what it says.

    # ==== ludus trace ====
    # ... the game as text, which follows from the record alone
    # record: {"format":"ludus-record/1", ... one JSON object, cut into lines
    # sha256: of all the lines between, and of the code above
    # ==== end of trace ====

What the check proves: the moves are a legal game of these rules that ended as told, and the text is that game's. It
does not prove that the bot played it, nor what a forfeit was for: whoever can write a file can write a game. The
checksum notices slips and clumsy hands, in the trace and in the code above it.
"""

from __future__ import annotations

import hashlib
import re
from textwrap import wrap
from typing import NamedTuple

from ludus.errors import RecordError
from ludus.records import Record, parse_record, record_game, replay
from ludus.referee.game import Judged, Pitch
from ludus.referee.verdict import of_result
from ludus.reports.trace import trace_of_record
from ludus.rules import Game

BEGIN, END = "# ==== ludus trace ====", "# ==== end of trace ===="
RECORD, SUM = "# record: ", "# sha256: "
WIDTH = 100
BLOCK = re.compile(
    rb"^# ==== ludus trace ====[ \t]*\r?$(?P<body>.*?)^# ==== end of trace ====[ \t]*\r?$\n?", re.DOTALL | re.MULTILINE
)


class Verified(NamedTuple):
    """A trace that holds."""

    record: Record
    is_of_this_code: bool  # else the code has changed since


def trace_record(pitch: Pitch, judged: Judged, names: tuple[str, str], *, event: str) -> Record:
    """What a trace keeps of a game: less than the referee, as it stands in a bot's file."""
    ended = {} if judged.verdict.is_forfeit else {"result": pitch.game.result(judged.final)}
    return record_game(
        pitch.game,
        judged.start,
        pitch.options,
        list(judged.moves),
        event=event,
        players=list(names),
        seed=pitch.seed,
        times_ms=[round(1000 * mind.spent.wall_s) for mind in judged.minds],
        verdict=judged.verdict.to_json(),
        **ended,
    )


def trace_block(record: Record, code: bytes, rules: Game) -> str:
    """The comment block of a game, for a file with this code."""
    lines = _lines(record, rules)
    return "\n".join([BEGIN, *(line.rstrip() for line in lines), SUM + _sum(lines, code), END]) + "\n"


def _lines(record: Record, rules: Game | None) -> list[str]:
    """All lines that follow from a record, in ASCII, as a bot's file may be in any encoding."""
    text = trace_of_record(record, rules, ascii=True).encode("ascii", "backslashreplace").decode()
    written = record.to_json()
    pieces = [written[at : at + WIDTH] for at in range(0, len(written), WIDTH)]
    return [*(f"# {line}".rstrip() for line in text.splitlines()), *(RECORD + piece for piece in pieces)]


def _sum(lines: list[str], code: bytes) -> str:
    """Over the game, then over the game and the code: so it can be told which of both has changed."""
    game = hashlib.sha256("\n".join(lines).encode()).hexdigest()
    both = hashlib.sha256(game.encode() + _plain(code)).hexdigest()
    return f"{game} {both}"


def _plain(code: bytes) -> bytes:
    """Line ends and blanks at the end do not count: platforms and editors change them."""
    lines = code.replace(b"\r\n", b"\n").replace(b"\r", b"\n").split(b"\n")
    return b"\n".join(line.rstrip() for line in lines).strip(b"\n")


def with_trace(content: bytes, record: Record, rules: Game) -> bytes:
    """The file with this trace at its end, in place of any that it has."""
    code = without_trace(content)
    newline = b"\r\n" if b"\r\n" in code else b"\n"
    block = trace_block(record, code, rules).encode("ascii").replace(b"\n", newline)
    return code.rstrip(b"\r\n") + 2 * newline + block


def without_trace(content: bytes) -> bytes:
    """The code of a file."""
    return BLOCK.sub(b"", content)


def verify(content: bytes, rules: Game | None = None) -> Verified:
    """The trace of a file, played through; the first thing that does not hold is a RecordError."""
    blocks = list(BLOCK.finditer(content))
    if not blocks:
        raise RecordError(f"there is no trace in it: no line {BEGIN!r} with {END!r} after it")
    if len(blocks) > 1:
        raise RecordError(f"there are {len(blocks)} traces in it; one was expected")
    body = blocks[0]["body"].decode("utf-8", "replace").replace("\r\n", "\n").replace("\r", "\n")
    lines = [line.rstrip() for line in body.strip("\n").split("\n")]
    sums = [line.removeprefix(SUM).split() for line in lines if line.startswith(SUM)]
    told = [line for line in lines if not line.startswith(SUM)]
    record = _record(told)
    expected = _lines(record, rules)
    _require_same(told, expected)
    _require_verdict(record, rules)
    game, both = _sum(expected, without_trace(content)).split()
    if len(sums) != 1 or sums[0][:1] != [game]:
        raise RecordError("the checksum is not that of this game: something in the trace was changed")
    return Verified(record, sums[0][1:] == [both])


def _record(lines: list[str]) -> Record:
    parts = [line.removeprefix(RECORD) for line in lines if line.startswith(RECORD)]
    if not parts:
        raise RecordError(f"the trace has no line {RECORD.strip()!r}")
    return parse_record("".join(part.ljust(WIDTH) if at < len(parts) - 1 else part for at, part in enumerate(parts)))


def _require_verdict(record: Record, rules: Game | None) -> None:
    """Of a game that was played to its end the verdict follows from the rules."""
    played = replay(record, rules)
    if played.result is None:
        return
    names = record.more.get("players")
    one, other = map(str, names) if isinstance(names, list) and len(names) == 2 else ("", "")
    right = of_result(played.result, len(played.moves), (one, other)).to_json()
    if record.more.get("verdict") != right:
        raise RecordError(f"the verdict is not that of the game, which is: {right['reason']}")


def _require_same(told: list[str], expected: list[str]) -> None:
    for number, (line, right) in enumerate(zip(told, expected, strict=False), 1):
        if line != right.rstrip():
            raise RecordError(
                f"line {number} of the trace is {_short(line)}, and by the moves of the game it is {_short(right)}"
            )
    if len(told) != len(expected):
        raise RecordError(f"the trace has {len(told)} lines, and by the moves of the game it has {len(expected)}")


def _short(line: str) -> str:
    return repr(wrap(line, 70, placeholder=" ...", max_lines=1)[0] if line else "")
