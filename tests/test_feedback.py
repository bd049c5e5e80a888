"""`ludus feedback`: every team gets a page that stands alone, with all of its own and nothing of others' code."""

from __future__ import annotations

import csv
import json
import re
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path

import pytest

from ludus.course.feedback import team_feedback, write_feedback
from ludus.errors import StoreError
from ludus.reports.findings import findings_of
from ludus.tournament.grades import exact
from played_folder import FAILURES, played_folder

NAMES = ["anna", "bert <b>", "carl & co", "dora", "emil", "fritz"]


def ludus(*words: object, cwd: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "ludus", *map(str, words)]
    return subprocess.run(command, capture_output=True, text=True, cwd=cwd, check=False)


class Reader(HTMLParser):
    """What a page shows, links to and is named by."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.texts: list[str] = []
        self.links: list[str] = []
        self.ids: list[str] = []
        self.tags: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        known = dict(attributes)
        self.tags.append(tag)
        self.ids += [known["id"] or ""] if "id" in known else []
        self.links += [known[name] or "" for name in ("href", "src") if name in known]
        self.texts += [known["title"] or ""] if "title" in known else []

    def handle_data(self, data: str) -> None:
        if self.tags and self.tags[-1] != "style":
            self.texts.append(data)

    @property
    def text(self) -> str:
        return " ".join(self.texts)


@pytest.fixture(scope="module")
def found(tmp_path_factory):
    made = played_folder(tmp_path_factory.mktemp("feedback") / "t", "cse371", NAMES, failing=0.02)
    penalties = {"anna": [{"kind": "late", "marks": "3", "why": "it came late <i>"}]}
    (made.folder / "penalties.json").write_text(json.dumps({"format": "ludus-penalties/1", "teams": penalties}))
    return findings_of(made.folder)


@pytest.fixture(scope="module")
def pages(found):
    return [team_feedback(found, team) for team in range(len(NAMES))]


def test_a_page_stands_alone(pages):
    for page in pages:
        read = Reader(page)
        assert "script" not in read.tags and "link" not in read.tags and "img" not in read.tags
        assert all(link.startswith("#") and link[1:] in read.ids for link in read.links), read.links
        assert len(read.ids) == len(set(read.ids))
        assert "color-scheme" in page and "default-src" in page


def test_a_page_tells_the_result_the_marks_and_how_they_came_about(found, pages):
    for sheet in found.sheets:
        text = Reader(pages[sheet.team]).text
        assert f"place {sheet.place} of {len(NAMES)}" in text
        assert exact(sheet.total) in text
        for line in sheet.lines:
            assert line.how in text and line.what in text
    assert "it came late <i>" in Reader(pages[0]).text and "3 off" in Reader(pages[0]).text


def test_a_page_has_every_game_of_its_team(found, pages):
    for team, page in enumerate(pages):
        mine = [game for game in found.games if team in (game.result.pairing.first, game.result.pairing.second)]
        ids = {f"game-{game.result.pairing.id.replace('/', '.')}" for game in mine}
        assert ids <= set(Reader(page).ids)
        assert len(re.findall(r'class="movelist" id="game-', page)) == len(mine)
        lost = [game for game in mine if game.result.winner not in (None, team)]
        assert page.count("<figure>") >= min(12, len(lost))
        assert (("Lost positions" in page) == bool(lost)) and "Time for a move" in page


def test_own_failures_have_their_dossier_and_others_are_not_told(found, pages):
    """The reasons of failures, and what bots printed, are theirs alone."""
    reasons = {failure.reason for failure in FAILURES if failure.kind == "exception"}
    guilty_of: dict[int, set[str]] = {team: set() for team in range(len(NAMES))}
    for failure in found.failures:
        assert failure.team is not None
        guilty_of[failure.team].add(failure.reason)
    assert sum(map(bool, guilty_of.values())) >= 2
    for team, page in enumerate(pages):
        text = Reader(page).text
        for reason in (word for word in reasons if "IndexError" in word):
            told = any(reason in own for own in guilty_of[team])
            assert (reason in text) == told
        assert ("<b>what it printed</b>" in text) == bool(guilty_of[team])
    assert any("the opponent forfeited" in Reader(page).text for page in pages)


def test_no_other_source_or_hash_is_in_a_page(found, pages):
    for team, page in enumerate(pages):
        others = [member for number, member in enumerate(found.tournament.kit.teams) if number != team]
        assert not any(member.sha256[:12] in page for member in others)
        assert found.tournament.kit.teams[team].sha256[:12] in page


def test_names_of_pages_stay_and_cannot_be_guessed(found, tmp_path):
    first = write_feedback(found, tmp_path / "a")
    again = write_feedback(found, tmp_path / "a")
    assert first == again and len({file.name for _, file in first}) == len(NAMES)
    assert all(re.fullmatch(r"[A-Za-z0-9_-]+-[0-9a-f]{16}\.html", file.name) for _, file in first)
    assert {file.name for file in (tmp_path / "a").iterdir()} == {file.name for _, file in first} | {".ludus-feedback"}
    (found.tournament.folder / "feedback.key").unlink()
    other = write_feedback(found, tmp_path / "b")
    assert not {file.name for _, file in first} & {file.name for _, file in other}
    mine = tmp_path / "mine"
    mine.mkdir()
    (mine / "thesis.html").write_text("mine")
    with pytest.raises(StoreError, match="not a folder of feedback"):
        write_feedback(found, mine)
    assert (mine / "thesis.html").read_text() == "mine"


def test_the_command_says_whose_each_page_is(tmp_path):
    made = played_folder(tmp_path / "t", "term-project", ["one", "two", "three"])
    done = ludus("feedback", made.folder, "--out", "pages", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "3 pages in pages" in done.stdout
    rows = list(csv.DictReader((made.folder / "feedback.csv").read_text().splitlines()))
    assert [row["team"] for row in rows] == ["one", "two", "three"]
    for row in rows:
        assert f"<h1>{row['team']}</h1>" in (tmp_path / "pages" / row["page"]).read_text()
    assert ludus("feedback", tmp_path / "nowhere", cwd=tmp_path).stderr.startswith("ludus: ")


@pytest.mark.parametrize("games", [0, 2])
def test_a_tournament_that_goes_on_has_pages_too(tmp_path, games):
    made = played_folder(tmp_path / "t", "nsoc", ["a", "b", "c"], games=games, crashed=lambda _: games == 2)
    found = findings_of(made.folder)
    for team in range(3):
        assert Reader(team_feedback(found, team)).text
