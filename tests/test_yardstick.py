"""The C++ beside which `benchmarks/speed.py` measures our searches must do the same work, or its ratios say nothing."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("numba")
BENCHMARKS = Path(__file__).parents[1] / "benchmarks"


def test_searches_in_cpp_look_at_the_same_positions_as_ours(monkeypatch, tmp_path):
    monkeypatch.syspath_prepend(str(BENCHMARKS))
    import rates  # found by the path just set
    import searches

    compiler = rates.find_compiler()
    if compiler is None:
        pytest.skip("there is no C++ compiler")
    monkeypatch.setattr(rates, "FLAGS", ["-O1" if flag == "-O3" else flag for flag in rates.FLAGS])  # quicker to build
    monkeypatch.setattr(searches, "DEPTHS", {0: 7, 20: 9})
    monkeypatch.setattr(searches, "ITERATIONS", 500)
    monkeypatch.setattr(searches, "MEGABYTES", 2)
    for contest in searches.searches_against_cpp(rates.build_yardstick(compiler, tmp_path), rounds=1):
        assert contest.ours > 0  # where a table or a tree differs by a word, the benchmark has refused it by now
