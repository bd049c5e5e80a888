"""Limits, grace, bank and strikes, and whose fault a late move is."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ludus.referee.clock import Clock, TimeControl, was_starved
from ludus.sandbox.process import Spent


def test_without_extras_a_limit_is_a_limit() -> None:
    clock = Clock(TimeControl(1.0))
    assert clock.patience_s == 1.0
    assert clock.charge(1.0) is None
    assert clock.charge(1.001) == "the move took 1.001 s of 1 s"


def test_the_first_move_may_have_a_limit_of_its_own() -> None:
    clock = Clock(TimeControl(0.1, first_limit_s=1.0))
    assert clock.limit_s == 1.0
    assert clock.charge(0.9) is None
    assert clock.limit_s == 0.1


def test_a_bank_pays_for_late_moves_until_it_is_empty() -> None:
    clock = Clock(TimeControl(1.0, grace_s=0.1, bank_s=2.0))
    assert clock.patience_s == pytest.approx(3.1)
    assert clock.charge(2.1) is None
    assert clock.bank_s == pytest.approx(1.0)
    assert clock.charge(2.2) is not None


def test_strikes_are_counted_and_the_last_one_loses() -> None:
    clock = Clock(TimeControl(1.0, strikes=3))
    assert clock.patience_s == 2.0
    assert [clock.charge(1.5), clock.charge(0.5), clock.charge(1.5)] == [None, None, None]
    assert clock.patience_s == 1.0
    assert clock.charge(1.5) == "the move took 1.500 s of 1 s, late for the third time"


@given(st.floats(0.01, 10), st.floats(0, 3), st.floats(0, 3), st.integers(1, 4), st.lists(st.floats(0, 30)))
def test_a_player_never_gets_more_than_the_event_grants(
    limit: float, grace: float, bank: float, strikes: int, moves: list[float]
) -> None:
    clock = Clock(TimeControl(limit, grace_s=grace, bank_s=bank, strikes=strikes))
    overtime = late = 0
    for wall in moves:
        over = max(0.0, wall - limit - grace)
        is_late = over > clock.bank_s
        before = clock.bank_s
        lost = clock.charge(wall)
        late += is_late
        overtime += 0 if is_late else over
        assert clock.bank_s <= before
        assert (lost is not None) == (is_late and late >= strikes)
        if lost:
            break
    assert overtime <= bank + 1e-6


def test_waiting_for_a_core_is_not_the_players_fault_and_sleeping_is() -> None:
    assert was_starved(Spent(wall_s=1.0, cpu_s=0.3, waited_s=0.7), 1.0)
    assert not was_starved(Spent(wall_s=1.0, cpu_s=1.0, waited_s=0.0), 1.0)
    assert not was_starved(Spent(wall_s=1.0, cpu_s=0.0, waited_s=0.0), 1.0)  # slept
    assert not was_starved(Spent(wall_s=1.0, cpu_s=0.9, waited_s=0.1), 1.0)  # would have been late anyway
