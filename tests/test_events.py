"""Events as files: those that come with Ludus by the hand-outs' words, and every slip of the pen as one sentence."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest

from ludus.errors import EventError
from ludus.events.event import event_names, load_event, read_event
from ludus.referee.verdict import FORFEITS, Verdict, of_result

GOOD = 'game = "ultimate"\n[time]\nmove_s = 1\n'


def forfeited(event: str, kind: str, seat: int) -> tuple[float, float]:
    found = load_event(event)
    verdict = Verdict(kind, 1 - seat, "", 0, seat=seat)  # type: ignore[arg-type]
    one, other = found.points(verdict, found.game.start(**found.options))
    return float(one), float(other)


@pytest.mark.parametrize(
    ("name", "game", "limit_s", "interface"),
    [
        ("cse371", "ultimate-adjacent", 12, "player-class"),
        ("nsoc", "ultimate", 4, "play"),
        ("extreme", "extreme", 16, "team-class"),
        ("term-project", "subtraction", 60, "make-your-move"),
        ("slant", "slant", 30, "choose"),
    ],
)
def test_the_five_events(name: str, game: str, limit_s: float, interface: str) -> None:
    event = load_event(name)
    assert (event.game.name, event.control.limit_s, event.interface) == (game, limit_s, interface)
    assert name in event_names()


def test_forfeits_by_the_hand_outs() -> None:
    for kind in FORFEITS:
        assert forfeited("nsoc", kind, 0) == (0, 1)
        assert forfeited("extreme", kind, 1) == (68, 0)
        severe = kind in ("tampering", "forbidden")
        assert forfeited("cse371", kind, 0) == ((0, 3) if severe else (0, 2))
        one, other = forfeited("term-project", kind, 1)
        assert one > 300 and other < -300


def test_a_draw_of_nsoc_is_worth_quarters() -> None:
    event = load_event("nsoc")
    state = event.game.module.State(0, 0, 0, 0, 0b111000000, 0b000000011, 0, 0, 0)
    assert event.points(of_result(0, 81, ("a", "b")), state) == (Fraction(3, 4), Fraction(1, 2))


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "game is missing"),
        ('game = "go"', "there is no game 'go'"),
        ('game = "ultimate"', "move_s is missing"),
        ("game = [", "this is not TOML"),
        (GOOD.replace("= 1", '= "1"'), "move_s is '1'; expected a number from 0.001 to 1e+06"),
        (GOOD.replace("= 1", "= -1"), "move_s is -1;"),
        (GOOD.replace("= 1", "= nan"), "move_s is nan;"),
        (GOOD.replace("= 1", "= true"), "move_s is true;"),
        (GOOD + "strike = 2", "'strike' means nothing here; expected move_s, first_move_s, grace_s, bank_s, strikes"),
        ("limit = 1\n" + GOOD, "'limit' means nothing here; expected game, options, bots"),
        (GOOD + '[bots]\ninterface = "team-class"', "one that can play ultimate"),
        (GOOD + '[bots]\ninterface = "x"', "expected one of play, player-class"),
        (GOOD + "[bots]\nmemory_mb = 1.5", "a whole number from 16"),
        (GOOD + "[points]\nforfeit = 1", "the points of the innocent and of the guilty"),
        (GOOD + "[points]\nforfeit = [nan, 0]", "forfeit is [nan, 0]; expected the points of the innocent"),
        (GOOD + "[points]\ntimeout = [1, inf]", "timeout is [1, inf]; expected the points of the innocent"),
        (GOOD + "[points]\ntimeout = [true, 0]", "expected the points of the innocent"),
        (GOOD + "[points]\nforfeit = [1e300, 0]", "expected the points of the innocent"),
        (GOOD + '[points]\nfinished = "x"', "expected one of cse371"),
        (GOOD + "[options]\nbonus = true", "has no option 'bonus'"),
        (GOOD + '[points]\nfinished = "extreme"', "a rule that fits ultimate"),
        ("points = 3\n" + GOOD, "expected a table [points]"),
    ],
)
def test_a_slip_of_the_pen_is_one_sentence(text: str, sentence: str) -> None:
    with pytest.raises(EventError) as caught:
        read_event(text, name="mine", folder=Path(), where="mine.toml")
    assert sentence in str(caught.value) and str(caught.value).startswith("mine.toml: ")
    assert "\n" not in str(caught.value)


def test_an_event_of_ones_own(tmp_path: Path) -> None:
    file = tmp_path / "club.toml"
    file.write_text(GOOD + "bank_s = 3\nstrikes = 2\n[points]\nforfeit = [3, -1]\ntimeout = [1.5, 0]\n")
    event = load_event(str(file))
    assert event.control.bank_s == 3 and event.control.strikes == 2 and event.interface is None
    assert event.forfeits["timeout"] == (Fraction(3, 2), 0) and event.forfeits["crash"] == (3, -1)


def test_format_tables_and_grades_are_carried_along() -> None:
    text = GOOD + '[format]\nkind = "swiss"\n[grades.weights]\ngroup = 40\n'
    event = read_event(text, name="mine", folder=Path(), where="mine.toml")
    assert event.extra == {"format": {"kind": "swiss"}, "grades": {"weights": {"group": 40}}}
    with pytest.raises(EventError, match=r"expected a table \[format\]"):
        read_event("format = 1\n" + GOOD, name="mine", folder=Path(), where="mine.toml")


def test_an_event_that_is_not_there() -> None:
    with pytest.raises(EventError, match="there is no event 'nope'"):
        load_event("nope")
    with pytest.raises(EventError, match="cannot be read"):
        load_event("nope.toml")
