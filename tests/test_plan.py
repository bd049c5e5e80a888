"""The [format], [tables] and [grades] of event files: those that ship, and every slip of the pen."""

from __future__ import annotations

import json
import subprocess
import sys
from fractions import Fraction
from itertools import product
from pathlib import Path

import pytest

from ludus.errors import EventError
from ludus.events.event import EVENTS_FOLDER, event_names, load_event, read_event
from ludus.referee.verdict import Verdict
from ludus.tournament.differences import difference
from ludus.tournament.grades import grade_sheets
from ludus.tournament.plan import READERS, Plan, plan_of
from played_formats import by_chance, by_strength, play

LUDUS = Path(sys.executable).with_name("ludus")
GOOD = 'game = "ultimate"\n[time]\nmove_s = 1\n'


def planned(text: str, start: str = GOOD) -> Plan:
    return plan_of(read_event(start + text, name="mine", folder=Path(), where="mine.toml"))


@pytest.mark.parametrize(
    ("name", "teams", "games"),
    [
        ("cse371", 100, 10 * 45 + 3 * 45 + 36),
        ("extreme", 100, 2 * (10 * 45 + 3 * 45 + 36)),
        ("extreme", 30, 2 * (5 * 15 + 21 + 28 + 15)),  # 5 pools of 6; 15 go on in pools of 7 and 8; a final of 6
        ("nsoc", 20, 20 * 19),
        ("slant", 6, 6 * 5),
        ("term-project", 20, 2 * (2 * 20 - 2)),
    ],
)
def test_the_five_events_play_as_many_games_as_they_should(name: str, teams: int, games: int) -> None:
    plan = plan_of(load_event(name))
    assert plan.games(teams) == games
    found = play(plan.play(teams, 7), by_strength(range(teams)))
    assert abs(len(found.pairings) - games) <= (2 if name == "term-project" else 0)  # a reset of the grand final
    sheets = grade_sheets(found.outcome, plan.grades)
    assert len(sheets) == (0 if name == "slant" else teams)


@pytest.mark.parametrize("name", event_names())
def test_the_five_events_fit_any_number_of_teams(name: str) -> None:
    plan = plan_of(load_event(name))
    for teams in range(2, 41):
        found = play(plan.play(teams, teams), by_chance(teams))
        assert sorted(found.order) == list(range(teams))
        assert {pairing.stage for pairing in found.pairings} <= set(plan.parts)
        if name in ("cse371", "extreme"):
            full = 60 if name == "cse371" else 50
            totals = [sheet.total for sheet in grade_sheets(found.outcome, plan.grades)]
            assert all(0 <= total <= full for total in totals)
            assert sum(weight for _, weight in plan.grades.weights) == full


def test_cse371_flips_a_coin_and_extreme_swaps_sides() -> None:
    assert plan_of(load_event("cse371")).meeting[:2] == (1, "coin")
    assert plan_of(load_event("extreme")).meeting[:2] == (2, "balanced")
    assert plan_of(load_event("term-project")).grades.kind == "rank"


def test_what_an_event_does_not_say() -> None:
    plan = planned("")
    assert (plan.kind, plan.meeting.games, plan.difference, plan.grades.kind) == ("round-robin", 2, "blocks", "none")
    assert plan.tie_breaks == ("head-to-head", "wins", "difference", "lots")


@pytest.mark.parametrize(
    ("text", "teams", "games"),
    [
        ('[format]\nkind = "swiss"\nrounds = 3\ngames_per_pair = 1', 9, 12),
        ('[format]\nkind = "gauntlet"\nchallengers = 2', 5, 12),
        ('[format]\nkind = "ladder"\nrounds = 4\ngames_per_pair = 1', 5, 8),
        ('[format]\nkind = "single-elimination"\nthird_place = true\ndraw = "seeded"', 8, 16),
        ('[format]\nkind = "pools"\npools = [2]\nadvance = [2]\nsmallest_pool = 4', 8, 12 + 6),
        ('[format]\nkind = "pools"\npools = [4, 2, 2]\nadvance = [3, 3, 1]', 24, 4 * 15 + 2 * 15 + 15),
        ('[format]\ngames_per_pair = 5\nsides = "coin"\nseed = 3\nopening_plies = 2', 3, 15),
    ],
)
def test_formats_of_ones_own(text: str, teams: int, games: int) -> None:
    plan = planned(text)
    assert plan.games(teams) == games == len(play(plan.play(teams, 1), by_strength(range(teams))).pairings)


def test_an_endless_ladder_has_no_number_of_games() -> None:
    assert planned('[format]\nkind = "ladder"\nendless = true').games(4) is None


def test_stages_that_have_names_of_their_own() -> None:
    plan = planned(
        '[format]\nkind = "pools"\nstages = ["heats", "last"]\npools = [3]\nadvance = [1]\nsmallest_pool = 2\n'
        '[grades]\nkind = "formula"\nformula = "heats_share * 10 + last_points"\ndecimals = 1'
    )
    found = play(plan.play(6, 0), by_strength(range(6)))
    assert {table.stage for table in found.outcome.tables} == {"heats", "last"}
    assert grade_sheets(found.outcome, plan.grades)[0].shown == "12.0"


def test_a_bye_is_worth_a_forfeit_of_the_opponent() -> None:
    swiss = '[format]\nkind = "swiss"\ngames_per_pair = 1\nrounds = 1\n'
    for points, worth in (("", 1), ("[points]\nforfeit = [3, 0]", 3), ('[points]\nfinished = "margin"', 0)):
        found = play(planned(swiss + points).play(3, 0), by_strength(range(3)))
        assert [row.points for row in found.outcome.tables[0].rows if row.byes] == [worth]
    found = play(planned(swiss + "bye_points = 0.1").play(3, 0), by_strength(range(3)))
    assert Fraction(1, 10) in [row.points for row in found.outcome.tables[0].rows]


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ('[format]\nkind = "cup"', "[format]: kind is 'cup'; expected one of round-robin, pools"),
        (
            "[format]\npools = [3]",
            "[format]: 'pools' means nothing here; expected kind, sides, games_per_pair, opening_plies",
        ),
        ('[format]\nkind = "double-elimination"\ngames_per_pair = 4', "'games_per_pair' means nothing here"),
        ('[format]\nkind = "pools"\npools = 3', "pools is 3; expected a list"),
        ('[format]\nkind = "pools"\npools = [3, "x"]', "number is 'x'; expected a whole number"),
        ('[format]\nkind = "pools"\npools = [3]\nadvance = [1, 2]', "expected 1 numbers, as pools has"),
        ('[format]\nkind = "pools"\npools = [3]\nstages = ["a"]', "expected 2 names"),
        ('[format]\nkind = "pools"\npools = [3]\nstages = ["a", "a"]', "different names"),
        ('[format]\nkind = "pools"\npools = [3]\nstages = ["a/b", "c"]', "small letters, digits and hyphens"),
        ('[format]\nkind = "pools"\nsmallest_pool = 3', "more than the 3 that advance"),
        ('[format]\nkind = "ladder"\nendless = true\nrounds = 3', "none, as the ladder is endless"),
        ('[format]\nkind = "swiss"\nbye_points = "1"', "bye_points is '1'; expected a number"),
        ('[format]\nkind = "swiss"\nbye_points = nan', "bye_points is nan; expected a number"),
        ('[format]\nkind = "swiss"\nbye_points = true', "bye_points is true; expected a number"),
        ('[format]\nsides = "both"', "expected one of balanced, coin"),
        ("[format]\ngames_per_pair = 0", "a whole number from 1"),
        ('[tables]\ntie_breaks = ["goals"]', "is 'goals'; expected one of head-to-head"),
        ('[tables]\ntie_breaks = ["wins", "wins"]', "each tie-break once"),
        ('[tables]\ntie_breaks = "wins"', "a list of at least one tie-break"),
        ('[tables]\ndifference = "goals"', "expected one of blocks, payoff"),
        ('[grades]\nkind = "relative"', "no stage has a weight"),
        ('[grades]\nkind = "relative"\nweights = {group = 40}', "'group' means nothing here"),
        ('[grades]\nkind = "relative"\nweights = {league = -1}', "league is -1; expected a number from 0"),
        ('[grades]\nkind = "formula"', "formula is missing"),
        ('[grades]\nkind = "formula"\nformula = "group_share"', "[grades]: the formula's 'group_share' means nothing"),
        ('[grades]\nkind = "formula"\nformula = "open(1)"', "[grades]: 'open(1)' is not allowed in a formula"),
        ('[grades]\nkind = "rank"\nbest = "1/0"', "best is '1/0'; expected a number"),
        ('[grades]\nkind = "rank"\nmarks = [1, "a"]', "mark is 'a'; expected a number"),
        ("[grades]\nweights = {league = 3}", "'weights' means nothing here"),
    ],
)
def test_a_slip_of_the_pen_is_one_sentence(text: str, sentence: str) -> None:
    with pytest.raises(EventError) as caught:
        planned(text)
    assert sentence in str(caught.value) and str(caught.value).startswith("mine.toml: ")
    assert "\n" not in str(caught.value)


KEYS = {
    "time": "move_s first_move_s grace_s bank_s strikes",
    "bots": "interface numpy memory_mb output_bytes loading_s isolation",
    "points": "finished forfeit timeout",
    "format": "kind games_per_pair sides draw pools advance stages smallest_pool boards third_place rounds bye_points "
    "challengers endless opening_plies seed",
    "tables": "tie_breaks difference",
    "grades": "kind weights best worst marks formula decimals",
}
ODD = (
    *(
        '""',
        '"x"',
        '"\\u001b[31m"',
        '"1/0"',
        '"place"',
        '"9**9**9"',
        "0",
        "-1",
        "7",
        "9" * 30,
        "1.5",
        "nan",
        "-inf",
        "1e300",
    ),
    *("true", "[]", "[1]", "[1, 2]", "[nan, 0]", "[true, false]", "[[1]]", '["x", "x"]', '["a\\n", "b", "c"]'),
    *(
        "{}",
        "{a = 1}",
        "{league = nan}",
        "{league = -1}",
        "1979-05-27",
        "07:32:00",
        "1979-05-27T07:32:00Z",
        "[{a = 1}]",
    ),
)


@pytest.mark.parametrize("kind", READERS)
def test_whatever_stands_in_a_file_is_read_or_refused_in_one_sentence(kind: str) -> None:
    grades = ("none", "relative", "rank", "points", "formula")
    for table, words in KEYS.items():
        for key, value, marks in product(words.split(), ODD, grades if table == "grades" else ("none",)):
            tables = {"time": {"move_s": "1"}, "format": {"kind": f'"{kind}"'}, "grades": {"kind": f'"{marks}"'}}
            tables.setdefault(table, {})[key] = value
            lines = [f"[{name}]\n" + "".join(f"{k} = {v}\n" for k, v in held.items()) for name, held in tables.items()]
            try:
                planned("".join(lines), start='game = "ultimate"\n').play(5, 1)
            except EventError as error:
                assert str(error).isprintable() and len(str(error)) < 500


def test_too_few_teams() -> None:
    with pytest.raises(EventError, match="at least two teams, and there is one"):
        planned("").play(1, 0)
    with pytest.raises(EventError, match="2 challengers needs more than 2 teams"):
        planned('[format]\nkind = "gauntlet"\nchallengers = 2').play(2, 0)


def test_a_difference_of_blocks_never_counts_for_who_forfeits() -> None:
    game = load_event("nsoc").game
    state = game.module.State(0, 0, 0, 0, 0b111000000, 0b000000011, 0, 0, 0)  # three blocks to two
    extreme = load_event("extreme").game
    held = extreme.start(bonus=True)._replace(x_won=0b1, o_won=0b1110)
    for seat, nine, sixteen in ((None, 1, -2), (0, 0, -2), (1, 1, 0)):
        winner = None if seat is None else 1 - seat
        verdict = Verdict("draw" if seat is None else "timeout", winner, "", 0, seat=seat)
        assert difference("blocks", game, verdict, state) == nine
        assert difference("blocks", extreme, verdict, held) == sixteen
    subtraction = load_event("term-project").game
    assert difference("payoff", subtraction, Verdict("draw", None, "", 0), subtraction.start()) == 0


def test_the_command_lists_events_and_shows_their_files(tmp_path: Path) -> None:
    def run(*arguments: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run([LUDUS, "events", *arguments], capture_output=True, text=True, check=False)

    listed = json.loads(run("--json").stdout)
    assert [event["name"] for event in listed] == event_names()
    text = run().stdout
    assert all(event["title"] in text and event["format"] in text for event in listed)
    for name in event_names():
        shown = run("show", name).stdout
        assert shown == (EVENTS_FOLDER / f"{name}.toml").read_text()
        (tmp_path / "mine.toml").write_text(shown)
        mine, ours = plan_of(load_event(tmp_path / "mine.toml")), plan_of(load_event(name))
        assert (mine.grades, mine.meeting, mine.kind) == (ours.grades, ours.meeting, ours.kind)
    for wrong in (("show",), ("show", "chess"), ("chess",)):
        done = run(*wrong)
        assert done.returncode and not done.stdout and done.stderr.count("\n") == 1


def test_the_command_checks_a_file_of_ones_own(tmp_path: Path) -> None:
    def run(*arguments: str) -> subprocess.CompletedProcess[str]:
        command = [LUDUS, "events", "check", *arguments]
        return subprocess.run(command, capture_output=True, text=True, check=False, cwd=tmp_path)

    (tmp_path / "mine.toml").write_text((EVENTS_FOLDER / "cse371.toml").read_text())
    assert (
        "10 pools of 6; semi-final 3 pools of 10; final a league of 9; 321 games"
        in run("mine.toml", "--teams", "60").stdout
    )
    found = json.loads(run("mine.toml", "--teams", "17", "--json").stdout)
    assert found["stages"] == {"group": [9, 8], "final": [6]} and found["games"] == 36 + 28 + 15
    assert "10 teams: at least 36 games" in run("term-project", "--teams", "10").stdout
    (tmp_path / "mine.toml").write_text(GOOD + "[format]\nrounds = 3\n")
    for wrong in (("mine.toml",), ("nsoc", "--teams", "1"), ("none.toml",), ()):
        done = run(*wrong)
        assert done.returncode and not done.stdout and done.stderr.count("\n") == 1
