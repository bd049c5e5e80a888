"""`ludus compare`: a copy is found whatever its names are, and nobody is accused for what all have in common."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from course_submissions import EXAMPLES, ORIGINAL, copied, honest
from ludus.course.comparing import known_templates
from ludus.course.fingerprints import RUN, fingerprint, given_runs, likeness
from ludus.course.positions import sample
from ludus.course.same_moves import LEAST_CHOICE, agreements, choices
from ludus.events.event import load_event
from ludus.rules import load_game

NOTHING: frozenset[bytes] = frozenset()


def ludus(*words: object, cwd: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "ludus", *map(str, words)]
    return subprocess.run(command, capture_output=True, text=True, cwd=cwd, check=False)


def share(one: str, other: str, templates: tuple[str, ...] = ()) -> float:
    prints = fingerprint(one), fingerprint(other)
    return likeness(*prints, given_runs(prints, map(fingerprint, templates))).share


def test_a_copy_is_a_copy_whatever_it_calls_things():
    assert copied() != ORIGINAL
    assert share(ORIGINAL, copied()) > 0.9
    assert share(ORIGINAL, copied().replace("\n", "\r\n")) > 0.9
    assert share(ORIGINAL, re.sub(r"^( +)", r"\1\1", ORIGINAL, flags=re.MULTILINE)) > 0.9
    assert share(ORIGINAL, "import math\n" * 60 + ORIGINAL) > 0.9


def test_bots_of_different_minds_have_little_in_common():
    sources = [ORIGINAL, *(file.read_text() for file in sorted(EXAMPLES.glob("*.py")))]
    for one, source in enumerate(sources):
        for other in sources[one + 1 :]:
            if share(source, other) >= 0.4:  # the examples share their helpers, which are the course's
                assert share(source, other, tuple(sources[1:])) < 0.1


def test_what_everybody_was_given_counts_for_nobody():
    template = known_templates(load_event("cse371"))[0]
    own = ORIGINAL.replace("class Player31:", "class Mine:")
    assert share(template + own, template) == 0 or share(template + own, template, (template,)) == 0
    assert share(template + own, template + honest(4), (template,)) < 0.2
    assert share(template + own, template + copied(), (template,)) > 0.9


def test_what_very_many_have_was_given_to_them():
    prints = [fingerprint(honest(3 * team)) for team in range(1, 11)]
    common = given_runs(prints, ())
    assert likeness(prints[0], prints[1], NOTHING).share > 0.9
    assert likeness(prints[0], prints[1], common).share == 0


@given(st.text(max_size=300))
@settings(max_examples=60, deadline=None)
def test_any_text_has_a_fingerprint(source):
    found = fingerprint(source)
    assert len(found.runs) == max(0, len(found.tokens) - RUN + 1)
    assert likeness(found, found, NOTHING).share in (0.0, 1.0)


# ---- moves


@pytest.fixture(scope="module")
def asked():
    event = load_event("cse371")
    spots = choices(event.game, sample(event.game, event.options, seed=1), wanted=60, seed=1)
    return event.game, spots


def by_skill(game, spots, skill: float, rng: Random) -> tuple[int, ...]:
    """Plays the move that all good players know so often, else any; the better it is, the more it agrees."""
    return tuple(
        game.legal(spot.state)[0] if rng.random() < skill else rng.choice(game.legal(spot.state)) for spot in spots
    )


def references(asked, rng: Random) -> list[tuple[int, ...]]:
    return [by_skill(*asked, skill, rng) for skill in (0.4, 0.7, 0.9, 0.9)]


def test_positions_leave_a_choice(asked):
    game, spots = asked
    assert len(spots) == 60 == len({spot.state for spot in spots})
    assert all(len(game.legal(spot.state)) >= LEAST_CHOICE for spot in spots)


@pytest.mark.parametrize("game", ["ultimate", "subtraction", "slant", "extreme"])
def test_any_game_has_positions(game):
    rules = load_game(game)
    assert len(choices(rules, sample(rules, {}, seed=2, games=10), wanted=30, seed=2)) >= 10


def test_strong_players_agree_and_are_not_accused(asked):
    """Over 40 classes of independent players of all strengths, hardly a pair stands out."""
    accused = 0
    for seed in range(40):
        rng = Random(seed)
        moves = [by_skill(*asked, rng.choice([0.0, 0.3, 0.6, 0.9]), rng) for _ in range(14)]
        accused += sum(found.stands_out for found in agreements(*asked, moves, references(asked, rng)).values())
    assert accused <= 2


@pytest.mark.parametrize("copies", [2, 3])
def test_copies_stand_out(asked, copies):
    """Players with minds of their own, and two or three that think as one, now and then by other dice."""
    found = 0
    for seed in range(20):
        rng = Random(seed)
        moves = [by_skill(*asked, rng.choice([0.0, 0.3, 0.5]), rng) for _ in range(12)]
        mind = by_skill(*asked, 0.2, rng)
        for _ in range(copies):
            own = by_skill(*asked, 0.2, rng)
            moves.append(tuple(a if rng.random() < 0.9 else b for a, b in zip(mind, own, strict=True)))
        pairs = agreements(*asked, moves, references(asked, rng))
        out = {pair for pair, one in pairs.items() if one.stands_out}
        guilty = {(a, b) for a in range(12, 12 + copies) for b in range(a + 1, 12 + copies)}
        assert out <= guilty
        found += out == guilty
    assert found >= 18


def test_a_whole_school_of_one_lesson_does_not_stand_out(asked):
    rng = Random(1)
    lesson = by_skill(*asked, 0.2, rng)
    pupils = [
        tuple(m if rng.random() < 0.9 else o for m, o in zip(lesson, by_skill(*asked, 0.2, rng), strict=True))
        for _ in range(6)
    ]
    others = [by_skill(*asked, 0.2, rng) for _ in range(8)]
    found = agreements(*asked, pupils + others, references(asked, rng))
    assert not any(one.stands_out for one in found.values())
    assert found[0, 1].same > 40


def test_bots_that_did_not_answer_prove_nothing(asked):
    silent = (None,) * len(asked[1])
    found = agreements(*asked, [silent, silent, by_skill(*asked, 0.5, Random(1))])
    assert all(one.common == 0 and not one.stands_out and one.chance == 1 for one in found.values())


# ---- the command


def test_the_command_finds_the_copy_and_shows_both_sources(tmp_path):
    bots = tmp_path / "bots"
    bots.mkdir()
    evil = "# <script>alert(1)</script>\n"
    (bots / "team31.py").write_text(evil + ORIGINAL)
    (bots / "team32.py").write_text(copied())
    for team in (3, 4, 6):
        (bots / f"team{team}.py").write_text(honest(team))
    (bots / "team9.py").write_bytes(b"\x00")
    words = ("compare", "bots", "--event", "cse371", "--against", *EXAMPLES.glob("team[12].py"), "--positions", "24")
    done = ludus(*words, "--html", "page.html", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    first = done.stdout.splitlines()[1]
    assert first.startswith("team31, team32") and "24 of 24" in first and "code, moves" in first
    assert "1 of 10 pairs stands out. This is evidence, no verdict" in done.stdout
    assert "team9.py" in done.stderr and "it was left out" in done.stderr
    page = (tmp_path / "page.html").read_text()
    assert "<script" not in page and "&lt;script&gt;" in page
    assert page.count("<pre") == 2 and page.count("<mark>") >= 2 and "evidence, no verdict" in page
    assert "http" not in re.sub(r"http-equiv|http://www.w3.org/\S+", "", page)


def test_without_an_event_code_alone_is_compared(tmp_path):
    for name, source in (("a", ORIGINAL), ("b", copied()), ("c", honest(4))):
        (tmp_path / f"{name}.py").write_text(source)
    done = ludus("compare", ".", "--json", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    assert told["pairs"][0]["bots"] == ["a", "b"] and told["pairs"][0]["stands_out_by"] == ["code"]
    assert all(pair["moves"] is None for pair in told["pairs"])
    assert [pair["stands_out_by"] for pair in told["pairs"][1:]] == [[], []]


@pytest.mark.parametrize("words", [("compare", "nowhere"), ("compare", ".", "--against", "nothing.py")])
def test_what_is_not_there_is_one_sentence(tmp_path, words):
    (tmp_path / "a.py").write_text("x = 1\n")
    (tmp_path / "b.py").write_text("x = 1\n")
    done = ludus(*words, cwd=tmp_path)
    assert done.returncode == 1 and done.stderr.splitlines()[-1].startswith("ludus: ")
    assert "Traceback" not in done.stderr
