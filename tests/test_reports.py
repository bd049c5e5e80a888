"""Reports of tournaments: pages that hold together and cannot be broken by a name, exact numbers, honest half-times."""

from __future__ import annotations

import csv
import io
import json
import re
import shutil
import sqlite3
import subprocess
import sys
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from urllib.parse import parse_qs, unquote, urlsplit

import pytest

from ludus.cli import main
from ludus.errors import StoreError
from ludus.records import parse_record, replay
from ludus.reports.drawing import DRAWN_LAYERS, Artist
from ludus.reports.export import as_json, csv_files
from ludus.reports.findings import findings_of
from ludus.reports.markup import element, joined
from ludus.reports.site import write_site
from ludus.reports.text import text_report
from ludus.reports.wording import signed
from ludus.rules import follow
from ludus.sandbox.levels import why_not_full
from ludus.tournament.pairing import Pairing
from ludus.tournament.store import RESULTS, Store
from ludus.view.scene import scene_of_line
from ludus.view.svg import fragments
from played_folder import played_folder

EVIL = [
    "<script>alert(1)<script>",
    "\"><img src=x onerror='alert(2)'>",
    "&amp; & co",
    "=HYPERLINK(1)",
    "Ünïcödé 名前",
    "a'b",
]
NAMES = [*EVIL, *(f"team{number}" for number in range(1, 11))]
EVENT = """
title = "An <b>event</b> & more"
game = "{game}"
[time]
move_s = 12
[bots]
interface = "choose"
[format]
{format}
[grades]
{grades}
"""


def event(folder: Path, *, format: str, grades: str = 'kind = "none"', game: str = "subtraction") -> str:
    file = folder / "mine.toml"
    options = "" if game != "subtraction" else "\n[options]\nlow = 1\nhigh = 5\n"
    file.write_text(EVENT.format(format=format, grades=grades, game=game) + options)
    return str(file)


@pytest.fixture(scope="module")
def pools(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Pools with forfeits, crashed games and names that mean ill."""
    folder = tmp_path_factory.mktemp("pools")
    crashed: list[str] = []

    def is_crashed(pairing: Pairing) -> bool:
        if pairing.id.startswith("group/pool-2/r3/") and not crashed:
            crashed.append(pairing.id)
        return pairing.id in crashed

    return played_folder(folder / "t", "cse371", NAMES, failing=0.004, crashed=is_crashed).folder


@pytest.fixture(scope="module")
def bracket(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("bracket")
    name = event(folder, format='kind = "double-elimination"', grades='kind = "rank"\nbest = 100\nworst = 51')
    return played_folder(folder / "t", name, NAMES[:11], failing=0.001).folder


@pytest.fixture(scope="module")
def site(pools: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_site(findings_of(pools), tmp_path_factory.mktemp("site") / "report").parent


@pytest.fixture(scope="module")
def bracket_site(bracket: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_site(findings_of(bracket), tmp_path_factory.mktemp("site") / "report").parent


def elements(page: Path) -> list[ET.Element]:
    """The page is XML but for its first line, so a parser that forgives nothing can read it."""
    text = page.read_text(encoding="utf-8")
    assert text.startswith("<!doctype html>\n")
    return list(ET.fromstring(text.partition("\n")[2]).iter())


def links(page: Path) -> Iterator[str]:
    for found in elements(page):
        yield from (value for name in ("href", "src") if (value := found.get(name)))


def frames_of(site: Path, game: str) -> list[list[int]]:
    text = (site / "games" / f"{game}.js").read_text()
    data = json.loads(text.removeprefix("ludusGame(").removesuffix(");\n"))
    frames: list[list[int]] = data["frames"]
    return frames


@pytest.mark.parametrize("which", ["site", "bracket_site"])
def test_every_link_leads_somewhere(which: str, request: pytest.FixtureRequest) -> None:
    site: Path = request.getfixturevalue(which)
    pages = sorted(site.rglob("*.html"))
    assert len(pages) > 20
    anchors = {page: {found.get("id") for found in elements(page)} for page in pages}
    for page in pages:
        for where in links(page):
            parts = urlsplit(where)
            assert not parts.scheme and not parts.netloc, f"{page.name} leaves the report: {where}"
            target = (page.parent / unquote(parts.path)).resolve() if parts.path else page
            assert target.is_file(), f"{page.name}: {where}"
            if target.name == "replay.html" and target != page:
                frames = frames_of(site, parse_qs(parts.query)["game"][0])
                ply = re.fullmatch(r"ply=(\d+)", parts.fragment)
                assert not parts.fragment or (ply and int(ply[1]) < len(frames)), where
            elif parts.fragment:
                assert parts.fragment in anchors[target], f"{page.name}: {where}"


@pytest.mark.parametrize("which", ["site", "bracket_site"])
def test_nothing_from_a_bot_becomes_markup(which: str, request: pytest.FixtureRequest) -> None:
    site: Path = request.getfixturevalue(which)
    for page in site.rglob("*.html"):
        for found in elements(page):
            assert found.tag not in ("img", "iframe", "object", "style", "b2")
            assert not any(name.startswith("on") or name == "style" for name in found.attrib), page
            if found.tag == "script":
                assert found.get("src", "").removeprefix("../").startswith("assets/") and not found.text
    shown = "".join(text for found in elements(site / "index.html") for text in found.itertext())
    for name in EVIL:
        assert name in shown
    assert "An <b>event</b> & more" in shown or which == "site"


def test_pages_allow_nothing_from_outside(site: Path) -> None:
    policy = next(found for found in elements(site / "index.html") if found.get("http-equiv"))
    assert policy.get("content", "").startswith("default-src 'none'; script-src 'self' file:; style-src 'self' file:")
    for file in site.rglob("*"):
        if file.suffix in (".js", ".css", ".html"):
            text = file.read_text(encoding="utf-8").replace("http://www.w3.org/2000/svg", "")
            assert "http://" not in text and "https://" not in text, file


def test_frames_are_what_the_board_looks_like(pools: Path, bracket: Path) -> None:
    """Differential: a game's frames, followed ply by ply, against the SVG of every position."""
    for folder in (pools, bracket):
        found = findings_of(folder)
        artist = Artist(found.event.game)
        with Store(folder) as store:
            contents = [content for _, content in store.records()][::9]
        for content in contents:
            drawn = artist.draw(content)
            book = artist.books[drawn.data["book"] - 1]
            slots = {number: key for key, number in book.slots.items()}
            played = replay(parse_record(content))
            line = follow(played.game, played.states[0], parse_record(content).moves)
            shown: dict[int, int] = {}
            for ply, frame in enumerate(drawn.data["frames"]):
                for change in frame:
                    if change < 0:
                        del shown[-1 - change]
                    else:
                        shown[book.looks[change][0]] = change
                scene = scene_of_line(played.game, line, ply=ply)
                expected = fragments(scene)
                for layer in DRAWN_LAYERS:
                    here = {
                        slots[slot][1]: book.looks[look][1] for slot, look in shown.items() if slots[slot][0] == layer
                    }
                    assert here == expected[layer]
                assert drawn.data["statuses"][ply] == scene.status


def test_json_has_what_programs_ask_for(pools: Path) -> None:
    found = findings_of(pools)
    told = json.loads(json.dumps(as_json(found)))
    assert {"standings", "games", "failures", "ratings", "grades"} <= set(told)
    assert [row["place"] for row in told["standings"]] == list(range(1, len(NAMES) + 1))
    assert {row["team"] for row in told["standings"]} == set(NAMES) == {row["team"] for row in told["ratings"]}
    assert told["is_finished"] and told["champion"] == told["standings"][0]["team"]
    assert len(told["games"]) == told["games_played"] == len(found.games)
    assert all(row["place_low"] <= row["place_high"] for row in told["standings"])
    for rating in told["ratings"]:
        assert rating["low"] <= rating["elo"] <= rating["high"]
    crashed = [failure for failure in told["failures"] if failure["team"] is None]
    assert len(crashed) == 1 and crashed[0]["kind"] == "crashed"
    guilty = {game["id"]: game for game in told["games"] if game["kind"] not in ("win", "draw")}
    assert set(guilty) == {failure["game"] for failure in told["failures"]}
    for failure in told["failures"]:
        assert failure["team"] is None or failure["team"] != guilty[failure["game"]]["winner"]
    for grade in told["grades"]:
        assert sum(Fraction(line["mark"]) for line in grade["lines"]) == Fraction(grade["exact"])


def rows_of(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text)))


def test_csv_is_exact(pools: Path, bracket: Path) -> None:
    for folder in (pools, bracket):
        found = findings_of(folder)
        files = {name: rows_of(content) for name, content in csv_files(found).items()}
        assert set(files) >= {"standings.csv", "games.csv", "grades.csv", "ratings.csv"}
        totals: dict[str, Fraction] = dict.fromkeys((row["team"] for row in files["standings.csv"]), Fraction(0))
        for game in files["games.csv"]:
            for seat in ("first", "second"):
                totals[game[seat]] += Fraction(game[f"points {seat}"])
        assert totals == {row["team"]: Fraction(row["points"]) for row in files["standings.csv"]}
        marks = {row["team"].removeprefix("'"): Fraction(row["exact mark"]) for row in files["grades.csv"]}
        assert marks == {found.names[sheet.team]: sheet.total for sheet in found.sheets}
        assert not any(cell.startswith(("=", "@")) for rows in files.values() for row in rows for cell in row.values())


def test_text_is_short_and_cannot_move_the_cursor(pools: Path) -> None:
    found = findings_of(pools)
    lines = list(text_report(found))
    assert len(lines) < len(NAMES) + 20
    marks = {sheet.team: sheet.shown for sheet in found.sheets}
    known = found.confidence
    assert known is not None
    for line, (place, team, *_) in zip(lines[3:], found.standings, strict=False):  # intervals as they are, not halved
        low, high = signed(float(known.low[team])), signed(float(known.high[team]))
        assert line.split()[0] == str(place) and f" {low} to {high} " in line and f" {marks[team]} " in f"{line} "
    assert any(line.startswith("champion: ") for line in lines)
    assert any(line.startswith("failures: ") for line in lines)
    assert all(line.isprintable() for line in lines)


def shortened(folder: Path, out: Path, games: int) -> Path:
    """The same tournament, stopped after so many games."""
    shutil.copytree(folder, out)
    database = sqlite3.connect(out / RESULTS, isolation_level=None)
    (key,) = database.execute("select key from game order by key limit 1 offset ?", (games,)).fetchone()
    for table in ("game", "record"):
        database.execute(f"delete from {table} where key >= ?", (key,))
    database.close()
    return out


def test_at_any_moment_a_bracket_tells_only_what_is_true(bracket: Path, tmp_path: Path) -> None:
    whole = findings_of(bracket)
    final = {bout.match.id: bout.match for bout in whole.unfolded.bouts}
    everybody = set(range(len(whole.names)))
    for games in range(0, len(whole.games), 3):
        found = findings_of(shortened(bracket, tmp_path / str(games), games))
        assert not found.unfolded.is_finished and found.sheets == ()
        assert {place.team for place in found.unfolded.placing} == everybody
        for match, is_decided, is_known in found.unfolded.bouts:
            if is_decided:
                assert match == final[match.id]
            known = [team for team, is_sure in zip(match.teams, is_known, strict=True) if is_sure]
            assert not known or set(known) <= set(final[match.id].teams)
        decided = sum(bout.is_decided and len(bout.match.teams) == 2 for bout in found.unfolded.bouts)
        assert decided <= games // 2
        assert "not finished: this is how it stands" in list(text_report(found))


@pytest.mark.parametrize("games", [0, 1, 37, 60])
def test_half_finished_pools_have_a_report(pools: Path, tmp_path: Path, games: int) -> None:
    folder = shortened(pools, tmp_path / "t", games)
    found = findings_of(folder)
    told = as_json(found)
    assert not told["is_finished"] and told["champion"] is None and told["grades"] == []
    assert told["games_played"] == games < told["games_planned"]
    assert {row["team"] for row in told["standings"]} == set(NAMES)
    page = write_site(found, tmp_path / "out")
    assert "Not finished" in page.read_text()
    for file in (tmp_path / "out").rglob("*.html"):
        elements(file)


FORMATS = {
    "round-robin": 'kind = "round-robin"\ngames_per_pair = 4',
    "single": 'kind = "single-elimination"\nthird_place = true',
    "swiss": 'kind = "swiss"\nrounds = 3',
    "gauntlet": 'kind = "gauntlet"',
    "ladder": 'kind = "ladder"\nendless = true',
}


@pytest.mark.parametrize("teams", [2, 5])
@pytest.mark.parametrize("name", FORMATS)
def test_every_format_has_a_report(name: str, teams: int, tmp_path: Path) -> None:
    file = event(tmp_path, format=FORMATS[name], game="ultimate" if name == "round-robin" else "subtraction")
    for games in (1, 13 if name == "ladder" else None):
        folder = tmp_path / f"t{games}"
        played_folder(folder, file, NAMES[:teams], games=games, is_deterministic=True)
        found = findings_of(folder)
        assert found.unfolded.is_finished == (games is None)
        told = as_json(found)
        assert {row["team"] for row in told["standings"]} == set(NAMES[:teams])
        (table,) = told["tables"]
        assert [row["points"] for row in table["rows"]] == [row["points"] for row in told["standings"]]
        out = write_site(found, tmp_path / f"out{games}").parent
        for page in out.rglob("*.html"):
            elements(page)
    if name == "swiss" and teams % 2:
        assert "byes" in "\n".join(text_report(found)) and "Byes" in (out / "index.html").read_text()
    if name == "round-robin":
        assert told["identical"] and "Identical games" in (out / "index.html").read_text()


def test_games_that_cannot_be_drawn_stay_in_the_lists(pools: Path, tmp_path: Path) -> None:
    out = write_site(findings_of(pools), tmp_path / "out", replays=5).parent
    drawn = list((out / "games").iterdir())
    assert len(drawn) == 5  # failures first
    failed = {failure.pairing.id.replace("/", ".") for failure in findings_of(pools).failures}
    assert {file.stem for file in drawn} <= failed
    assert "no replay" in (out / "games.html").read_text()


def test_marks_can_be_left_out(pools: Path, tmp_path: Path) -> None:
    found = findings_of(pools)
    out = write_site(found, tmp_path / "out", has_grades=False, replays=1).parent
    assert not (out / "grades").exists() and "grades" not in (out / "index.html").read_text()
    write_site(found, out, replays=1)
    assert (out / "grades" / "grades.csv").is_file()
    write_site(found, out, has_grades=False, replays=1)
    assert not (out / "grades").exists()


def test_a_folder_of_something_else_is_left_alone(pools: Path, tmp_path: Path) -> None:
    (tmp_path / "precious.txt").write_text("mine")
    with pytest.raises(StoreError, match="this is not the folder of a report"):
        write_site(findings_of(pools), tmp_path)
    with pytest.raises(StoreError, match="there is no tournament here"):
        findings_of(tmp_path)


def test_the_command(pools: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["report", str(pools), "--html", str(tmp_path / "out"), "--replays", "3"]) == 0
    assert capsys.readouterr().out == f"{tmp_path / 'out' / 'index.html'}\n"
    assert main(["report", str(pools), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["is_finished"] is True
    assert main(["report", str(pools), "--text"]) == 0
    assert "champion: " in capsys.readouterr().out
    assert main(["report", str(tmp_path / "nowhere")]) == 1
    assert capsys.readouterr().err.startswith("ludus: ")


def test_markup_escapes_all_but_markup() -> None:
    made = element("p", "<b>", element("b", "x"), None, ["&", 3], title='"', data_team=0, hidden=False)
    assert made == '<p title="&quot;" data-team="0">&lt;b&gt;<b>x</b>&amp;3</p>'
    assert joined("a\x1b\x00", made[:0]) == "a��"
    with pytest.raises(TypeError):
        element("p", 1.5)


@pytest.mark.skipif(why_not_full() is not None, reason=f"no isolation at level full: {why_not_full()}")
def test_a_tournament_that_was_really_run(tmp_path: Path) -> None:
    name = event(tmp_path, format='kind = "round-robin"')
    bots = tmp_path / "bots"
    bots.mkdir()
    for number, body in enumerate(("return state['legal'][0]", "raise RuntimeError('<i>no</i>')"), 1):
        (bots / f"team{number}.py").write_text(f"def choose(state, clock):\n    {body}\n")
    command = [sys.executable, "-m", "ludus", "run", name, "--bots", str(bots), "--out", str(tmp_path / "t"), "--quiet"]
    subprocess.run(command, check=True, capture_output=True, timeout=300)
    found = findings_of(tmp_path / "t")
    assert [failure.team for failure in found.failures] == [1, 1] and found.failures[0].line == 2
    page = write_site(found, tmp_path / "t" / "report")
    assert "&lt;i&gt;no&lt;/i&gt;" in page.read_text() and "Time for a move" in page.read_text()


CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")


def dom(page: str, profile: Path) -> str:
    flags = ["--headless", "--no-sandbox", "--disable-gpu", f"--user-data-dir={profile}", "--virtual-time-budget=4000"]
    command = [str(CHROMIUM), *flags, "--dump-dom", page]
    run = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert "Content Security Policy" not in run.stderr
    return run.stdout


@pytest.mark.skipif(CHROMIUM is None, reason="there is no chromium")
def test_a_browser_shows_a_game_from_disk(site: Path, tmp_path: Path) -> None:
    game = min((site / "games").iterdir(), key=lambda file: -file.stat().st_size)
    start, later = (dom(f"{(site / 'replay.html').as_uri()}?game={game.stem}#ply={ply}", tmp_path) for ply in (0, 6))
    board = re.compile(r'<svg[^>]* id="board".*?</svg>', re.DOTALL)
    pieces = [len(re.findall(r'class="ink (first|second)"', board.search(text)[0])) for text in (start, later)]  # type: ignore[index]
    assert pieces[0] == 0 and pieces[1] >= 6
    assert 'href="#ply=6"' in later and "now" in later
    assert "names no game" in dom(f"{(site / 'replay.html').as_uri()}?game=../../etc", tmp_path)
