"""The collection of bots itself: large enough, and every header says something that can be tested."""

from __future__ import annotations

import pytest

from hostile_bots import (
    BY_THE_RULES,
    EVENTS,
    FORFEITS,
    GAMES,
    REFUSED,
    BotCase,
    honest,
    honest_programs,
    hostile,
    hostile_programs,
)

HOSTILE, HONEST = hostile() + hostile_programs(), honest() + honest_programs()


def test_the_collection_is_large_and_without_doubles() -> None:
    assert len(hostile()) >= 110 and len(honest()) >= 30
    assert len(hostile_programs()) >= 8 and len(honest_programs()) >= 2
    attempts = [(case.path.suffix, case.attempt) for case in HOSTILE + HONEST]
    assert {attempt for attempt in attempts if attempts.count(attempt) > 1} == set()


@pytest.mark.parametrize("case", HOSTILE + HONEST, ids=lambda case: case.name)
def test_header(case: BotCase) -> None:
    allowed = FORFEITS | {REFUSED} if case.path.parent.name.startswith("hostile") else BY_THE_RULES
    assert case.verdict and case.verdict <= allowed
    assert case.event in EVENTS or case.event in GAMES
    assert case.attempt.endswith("."), "one sentence says what it tries"
    assert case.limit is None or 0.05 <= case.limit <= 20
    lines = case.path.read_bytes().count(b"\n")
    assert case.line is None or 1 <= case.line <= lines
    assert (case.path.suffix == ".c") == bool(case.protocol)


def test_every_kind_of_forfeit_is_provoked() -> None:
    alone = {next(iter(case.verdict)) for case in HOSTILE if len(case.verdict) == 1}
    assert alone >= FORFEITS
    assert {case.game for case in HOSTILE} == {case.game for case in HONEST} == GAMES
