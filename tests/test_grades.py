"""Marks by hand, and formulas that are read but never run."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ludus.errors import EventError
from ludus.tournament.formula import read_formula, round_half_up
from ludus.tournament.grades import GradeRules, Sheet, exact, formula_names, grade_sheets, rounded
from ludus.tournament.outcome import Outcome, Place, Row, Table

STAGES = ("group", "semi-final", "final")
CSE371 = GradeRules("relative", weights=tuple(zip(STAGES, map(Fraction, (40, 10, 10)), strict=True)))


def a_table(stage: str, pool: str, *scores: tuple[int, str | int]) -> Table:
    rows = [
        Row(place, team, 9, 3, 2, 4, 1, 0, Fraction(points), Fraction(0), 0, "points", ())
        for place, (team, points) in enumerate(scores, 1)
    ]
    return Table(stage, pool, tuple(rows))


GROUPS = a_table("group", "pool-1", (0, 24), (1, 18), (2, 0)), a_table("group", "pool-2", (3, 21), (4, 7))
SEMI = a_table("semi-final", "pool-1", (3, 16), (0, 12), (1, 5))
FINAL = a_table("final", "", (0, "7/2"), (3, 3))
PLACES = tuple(Place(place, team, "") for place, team in enumerate((0, 3, 1, 4, 2), 1))
WHOLE = Outcome(PLACES, (*GROUPS, SEMI, FINAL))


def marks(sheets: tuple[Sheet, ...]) -> dict[int, Fraction]:
    return {sheet.team: sheet.total for sheet in sheets}


def test_cse371_by_hand() -> None:
    sheets = grade_sheets(WHOLE, CSE371)
    assert [sheet.team for sheet in sheets] == [0, 3, 1, 4, 2]
    assert marks(sheets) == {
        0: 40 + Fraction(10 * 12, 16) + 10,  # 57.5
        3: 40 + 10 + 10 * 3 / Fraction(7, 2),  # 58 4/7
        1: 40 * Fraction(18, 24) + 10 * Fraction(5, 16),  # 33.125
        4: 40 * Fraction(7, 21),
        2: 0,
    }
    best = sheets[0]
    assert [(line.what, line.how, line.mark) for line in best.lines] == [
        ("group, pool-1", "40 x 24 / 24", 40),
        ("semi-final, pool-1", "10 x 12 / 16", Fraction(15, 2)),
        ("final", "10 x 3.5 / 3.5", 10),
    ]
    assert best.lines[1].numbers == (("weight", 10), ("score", 12), ("top", 16)) and best.shown == "57.50"
    assert sheets[3].lines[1].how == "not reached" and sheets[3].shown == "13.33"


def test_extreme_gives_30_10_10() -> None:
    extreme = CSE371._replace(weights=tuple(zip(STAGES, map(Fraction, (30, 10, 10)), strict=True)))
    assert marks(grade_sheets(WHOLE, extreme))[0] == 30 + Fraction(15, 2) + 10


def test_a_stage_that_is_not_played_leaves_its_marks_to_the_next() -> None:
    outcome = Outcome(PLACES[:2], (a_table("final", "", (0, 8), (3, 6)),))
    first, second = grade_sheets(outcome, CSE371)
    assert (first.total, second.total) == (60, 45)
    assert second.lines[0].what == "final (with the marks of group and semi-final, not played)"
    assert second.lines[0].how == "60 x 6 / 8"


def test_no_points_are_no_share() -> None:
    tables = (a_table("group", "pool-1", (0, 0), (1, 0)), a_table("final", "", (0, 4), (1, -4)))
    sheets = grade_sheets(Outcome(PLACES[:2], tables)._replace(placing=(Place(1, 0, ""), Place(2, 1, ""))), CSE371)
    assert [sheet.total for sheet in sheets] == [20, 0]
    assert sheets[0].lines[0].how == "40 x 0 / 0, which is no share: 0"
    assert sheets[1].lines[1].how == "20 x -4 / 4, which is no share: 0"


def test_rank_grades() -> None:
    assert marks(grade_sheets(WHOLE, GradeRules("rank"))) == {0: 1, 3: 2, 1: 3, 4: 4, 2: 5}
    line = GradeRules("rank", best=Fraction(100), worst=Fraction(50))
    assert list(marks(grade_sheets(WHOLE, line)).values()) == [100, Fraction(175, 2), 75, Fraction(125, 2), 50]
    scale = GradeRules("rank", marks=(Fraction(10), Fraction(8)))
    assert list(marks(grade_sheets(WHOLE, scale)).values()) == [10, 8, 8, 8, 8]
    assert grade_sheets(WHOLE, GradeRules()) == ()


def test_points_are_those_of_all_tables() -> None:
    assert marks(grade_sheets(WHOLE, GradeRules("points")))[0] == 24 + 12 + Fraction(7, 2)


def test_a_formula_shows_the_numbers_that_it_used() -> None:
    formula = read_formula("40 * group_share + max(0, 10 - final_place) if wins > 0 else 0", formula_names(STAGES))
    sheets = grade_sheets(WHOLE, GradeRules("formula", formula=formula))
    assert marks(sheets) == {0: 49, 3: 48, 1: 30 + 10, 4: Fraction(40, 3) + 10, 2: 10}
    (line,) = sheets[0].lines
    assert line.numbers == (("wins", 9), ("group_share", 1), ("final_place", 1)) and line.how.startswith(formula.text)
    assert line.how.endswith(", with wins = 9, group_share = 1, final_place = 1")


def test_a_formula_can_say_what_cse371_says() -> None:
    formula = read_formula("40 * group_share + 10 * semi_final_share + 10 * final_share", formula_names(STAGES))
    assert marks(grade_sheets(WHOLE, GradeRules("formula", formula=formula))) == marks(grade_sheets(WHOLE, CSE371))


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("0.1 + 0.2", "3/10"),
        ("-x * 2 - +y", -9),
        ("x / 0", 0),
        ("round(x / 7, 2)", "0.43"),
        ("round(2.5) + round(-2.5) + floor(1.7) + ceil(1.2) + abs(-1)", 4),
        ("min(x, y) if x >= y or not x == 3 else max(x, 1, 2)", 3),
        ("1 < 2 < x", 1),
        ("(x > 1) + (x > 2 and y > 5)", 1),
    ],
)
def test_formulas_are_exact(text: str, value: int | str) -> None:
    variables = {"x": Fraction(3), "y": Fraction(3)}
    assert read_formula(text, variables).value(variables) == Fraction(value)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "is not a formula"),
        ("40 *", "is not a formula"),
        ("x; y", "is not a formula"),
        ("z + 1", "the formula's 'z' means nothing here; the names are x, y"),
        ("__import__('os')", "is not allowed in a formula"),
        ("x.real", "'x.real' is not allowed in a formula"),
        ("x ** 9 ** 9 ** 9", "is not allowed"),
        ("x // y", "is not allowed"),
        ("'a' * 9", "is not allowed"),
        ("True", "is not allowed"),
        ("1e999", "is not allowed"),
        ("[x]", "is not allowed"),
        ("(lambda: 1)()", "is not allowed"),
        ("min(*x)", "is not allowed"),
        ("max(x, key=y)", "is not allowed"),
        ("x in y", "is not allowed"),
        ("abs(x, y)", "abs() has 2 arguments; expected 1 to 1"),
        ("min()", "min() has 0 arguments"),
        ("x" * 501, "the formula has 501 characters"),
        ("(" * 240 + "x" + ")" * 240, "is not a formula"),
        ("\0", "is not a formula"),
    ],
)
def test_what_is_no_formula_is_one_sentence(text: str, sentence: str) -> None:
    with pytest.raises(EventError) as caught:
        read_formula(text, ["x", "y"])
    assert sentence in str(caught.value) and "\n" not in str(caught.value)


@given(st.text(max_size=60))
def test_any_text_is_a_formula_or_one_sentence(text: str) -> None:
    try:
        read_formula(text, ["x"]).value({"x": Fraction(2)})
    except EventError as error:
        assert "\n" not in str(error)


def test_a_formula_that_python_would_warn_of_warns_of_nothing() -> None:
    assert read_formula("1if x else 2", ["x"]).value({"x": Fraction(0)}) == 2


def test_many_signs_do_not_end_in_a_traceback() -> None:
    try:
        found = read_formula("-" * 499 + "1", [])
        assert found.value({}) == -1
    except EventError as error:
        assert "is not a formula" in str(error)


@given(st.fractions(min_value=-1000, max_value=1000), st.integers(0, 4))
def test_rounding_is_half_up_and_shown_in_full(value: Fraction, decimals: int) -> None:
    shown = rounded(value, decimals)
    assert Fraction(shown) == round_half_up(value, Fraction(decimals))
    assert abs(Fraction(shown) - value) <= Fraction(1, 2 * 10**decimals)
    assert len(shown.partition(".")[2]) == decimals
    assert Fraction(exact(value)) == value


def test_halves_go_away_from_zero() -> None:
    assert [rounded(Fraction(text), 2) for text in ("0.125", "-0.125", "0.005", "12")] == [
        *("0.13", "-0.13", "0.01", "12.00"),
    ]
    assert (rounded(Fraction(5, 2), 0), exact(Fraction(52, 3)), exact(Fraction(69, 4))) == ("3", "52/3", "17.25")
