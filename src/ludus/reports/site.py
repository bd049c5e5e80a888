"""The report of a tournament as a folder of pages: opens from disk, needs no network, can be put on a course page."""

from __future__ import annotations

import json
import shutil
from collections import defaultdict
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from ludus.errors import RecordError, StoreError
from ludus.reports.drawing import Artist
from ludus.reports.export import csv_files
from ludus.reports.findings import Findings, is_failure
from ludus.reports.frame import STATIC, board_css, game_file, page
from ludus.reports.markup import Markup, card, element, heading, joined, link, table
from ludus.reports.player import player
from ludus.reports.sections_games import MOST_ROWS, failures, files, games_table, identical, sheet_card, team_failures
from ludus.reports.sections_strength import luck, ratings, table_worth, worth_in_words
from ludus.reports.sections_tables import cross_tables, drawn_bracket, opening, pools, standings, team_link
from ludus.reports.time_use import TimeUse, team_times, time_section
from ludus.reports.wording import place_of_game, points, signed
from ludus.tournament.store import Store, StoredGame

MOST_REPLAYS = 5000  # games that are drawn unless asked for more: five kilobytes and a twentieth of a second each
MOST_BESIDE = 16  # teams whose ratings and cross table fit side by side
FOLDERS = ("assets", "games", "books", "teams", "grades")  # made anew, so that nothing of an earlier report stays
MARK = ".ludus-report"  # a folder that has this file was written by us and may be written again
Tell = Callable[[float, str], None]


def write_site(
    found: Findings, out: Path, *, has_grades: bool = True, replays: int = MOST_REPLAYS, tell: Tell = lambda *_: None
) -> Path:
    """Write all pages below `out`, which is new, empty, or an earlier report; gives the page to open."""
    if out.exists() and (not out.is_dir() or (any(out.iterdir()) and not (out / MARK).is_file())):
        raise StoreError(f"{out}: this is not the folder of a report; name another one with --html")
    for folder in FOLDERS:
        shutil.rmtree(out / folder, ignore_errors=True)
        (out / folder).mkdir(parents=True)
    (out / MARK).write_text("Written by ludus report; it may be written again.\n", encoding="utf-8")
    for file in STATIC.iterdir():
        (out / "assets" / file.name).write_bytes(file.read_bytes())
    _write(out / "assets" / "board.css", board_css())
    drawn, use = _draw_games(found, out, replays, tell)
    tell(1.0, "pages")
    sheets = csv_files(found)
    for name, content in sheets.items():
        if name != "grades.csv":
            _write(out / name, content)
    if has_grades and found.sheets:
        _write_grades(found, out, sheets["grades.csv"])
    else:
        (out / "grades").rmdir()
    _write(out / "index.html", _index(found, use, drawn, list(sheets), has_grades=has_grades))
    _write(out / "games.html", _games_page(found, drawn))
    _write(out / "replay.html", _replay_page(found))
    by_team: defaultdict[int, list[StoredGame]] = defaultdict(list)
    for game in found.games:
        by_team[game.result.pairing.first].append(game)
        by_team[game.result.pairing.second].append(game)
    for team in range(len(found.names)):
        _write(out / "teams" / f"{team + 1}.html", _team_page(found, team, by_team[team], use, drawn))
    return out / "index.html"


def _draw_games(found: Findings, out: Path, most: int, tell: Tell) -> tuple[set[str], TimeUse]:
    """A file for every game that can be replayed, failures first where not all are drawn; and what moves took."""
    wanted = [game.result for game in found.games if game.result.status == "played"]
    if len(wanted) > most:
        wanted = sorted(wanted, key=lambda result: not is_failure(result))[:most]
    artist, use = Artist(found.event.game), TimeUse(1000 * found.event.control.limit_s)
    drawn: set[str] = set()
    with Store(found.tournament.folder) as store:
        for number, result in enumerate(wanted):
            pairing = result.pairing
            tell(number / len(wanted), f"{number} of {len(wanted)} games")
            content = store.record(pairing.id)
            if content is None:
                continue
            try:
                game = artist.draw(content)
            except RecordError:
                continue  # it stays in the lists, without a replay
            use.add((pairing.first, pairing.second), game.times_ms)
            about = {
                "id": pairing.id,
                "where": place_of_game(pairing),
                "teams": [pairing.first + 1, pairing.second + 1],
                "players": [found.names[pairing.first], found.names[pairing.second]],
                "score": " : ".join(map(points, result.points)),
                "limit": 1000 * found.event.control.limit_s,
            }
            _write(out / "games" / f"{game_file(pairing)}.js", _script("ludusGame", {**about, **game.data}))
            drawn.add(pairing.id)
    for book in artist.books:
        _write(out / "books" / f"{book.number}.js", _script("ludusBook", book.as_json()))
    return drawn, use


def _index(found: Findings, use: TimeUse, drawn: set[str], names: list[str], *, has_grades: bool) -> str:
    rest = sections(found, use, drawn, names, has_grades=has_grades)
    return page(f"{found.event.title} – report", opening(found), *rest.values(), event=found.event.title)


def sections(
    found: Findings, use: TimeUse, drawn: set[str], names: Iterable[str], *, has_grades: bool
) -> dict[str, object]:
    """What stands below the head of a tournament's first page, in this order; some may be empty."""
    rated, crossed = ratings(found), cross_tables(found, drawn)
    beside = "side-by-side" if len(found.names) <= MOST_BESIDE else "stacked"
    return {
        "bracket": drawn_bracket(found, drawn),
        "standings": standings(found),
        "pools": pools(found),
        "strength": element("div", rated, crossed, class_=beside),
        "worth": table_worth(found),
        "luck": luck(found),
        "time": time_section(found, use),
        "failures": failures(found, drawn),
        "identical": identical(found, drawn),
        "files": files(found, names, has_grades=has_grades),
    }


def _games_page(found: Findings, drawn: set[str]) -> str:
    return page(f"Games – {found.event.title}", games_card(found, drawn), event=found.event.title)


def games_card(found: Findings, drawn: set[str]) -> Markup:
    """The list of all games, which a word or two make shorter."""
    search = element(
        "input",
        type="search",
        id="filter",
        placeholder="a bot, a stage, a kind of end …",
        aria_label="show only games with these words",
    )
    note = f"{len(found.games)} games; {len(drawn)} of them can be watched"
    return card(
        heading("Games", id="games", note=note, level=1),
        element("p", search),
        games_table(found, found.games, drawn, caption="Games"),
    )


def _replay_page(found: Findings) -> str:
    """Empty; replay.js fills it with the game that the address names."""
    return page(f"Replay – {found.event.title}", player(), event=found.event.title, scripts=("replay",))


def _team_page(found: Findings, team: int, games: list[StoredGame], use: TimeUse, drawn: set[str]) -> str:
    name, content = found.names[team], team_cards(found, team, games, use, drawn)
    return page(f"{name} – {found.event.title}", *content, event=found.event.title, root="../")


def team_cards(
    found: Findings, team: int, games: list[StoredGame], use: TimeUse, drawn: set[str]
) -> list[Markup | None]:
    """All that is known of one team; the page with it lies one folder below the first page."""
    standing = next((standing for standing in found.standings if standing.team == team), None)
    member = found.tournament.kit.teams[team]
    told = []
    if standing is not None:
        total = standing.total
        told.append(f"place {standing.place} of {len(found.names)}")
        record = f"{total.wins} won, {total.draws} drawn, {total.losses} lost"
        told.append(f"{points(total.points)} points from {total.played} games: {record}")
    if found.confidence is not None:
        known = found.confidence
        elo, low, high = (signed(float(values[team])) for values in (known.strengths.elo, known.low, known.high))
        told.append(f"Elo {elo} (95 %: {low} to {high})")
    if found.worth is not None:
        told.append(worth_in_words(found.worth, team))
    source = element(
        "p", f"{member.file} ", element("code", member.sha256[:12]) if member.sha256 else None, class_="note"
    )
    return [
        card(
            element("div", element("h1", member.name), source, class_="titles"),
            element("ul", [element("li", text) for text in told]),
        ),
        team_times(use, team),
        team_failures(found, team, drawn),
        _against(found, team, games, drawn),
    ]


def _against(found: Findings, team: int, games: list[StoredGame], drawn: set[str]) -> Markup:
    """All games of a team, by opponent."""
    by_other: defaultdict[int, list[StoredGame]] = defaultdict(list)
    for game in games:
        pairing = game.result.pairing
        by_other[pairing.second if pairing.first == team else pairing.first].append(game)
    parts = []
    most = max(20, MOST_ROWS // max(1, len(by_other)))
    for standing in found.standings:
        other = standing.team
        if other in by_other:
            caption = f"Games against {found.names[other]}"
            parts.append(
                element(
                    "div",
                    element("h3", "against ", team_link(found, other, root="../"), id=f"against-{other + 1}"),
                    games_table(found, by_other[other], drawn, root="../", caption=caption, most=most),
                )
            )
    return card(heading("Games", id="games", note=f"{len(games)} in all"), parts)


def _write_grades(found: Findings, out: Path, content: str) -> None:
    """In a folder of their own, so that marks can be kept from where the rest is shown."""
    folder, event = out / "grades", found.event.title
    _write(folder / "grades.csv", content)
    _write(folder / "index.html", page(f"Grades – {event}", grades_card(found), event=event, root="../"))
    for sheet in found.sheets:
        one = page(f"{found.names[sheet.team]} – {event}", sheet_card(found, sheet, level=1), event=event, root="../")
        _write(folder / f"{sheet.team + 1}.html", one)


def grades_card(found: Findings) -> Markup:
    """Everybody's mark, with links to the sheets that say how it came about."""
    rows = [
        element(
            "tr",
            element("td", sheet.place, class_="place"),
            element("th", link(f"{sheet.team + 1}.html", found.names[sheet.team]), scope="row"),
            element("td", sheet.shown, class_="points"),
            element("td", " + ".join(f"{line.what}: {line.how}" for line in sheet.lines), class_="quiet"),
        )
        for sheet in found.sheets
    ]
    return card(
        heading("Grades", id="grades", note=joined("exact numbers: ", link("grades.csv", "grades.csv")), level=1),
        table(["#", "Bot", element("th", "Mark", scope="col", class_="right"), "How"], rows, caption="Grades"),
    )


def _script(name: str, data: dict[str, Any]) -> str:
    """Data as a script that hands it over: a page that was opened from disk may load scripts, but nothing else."""
    return f"{name}({json.dumps(data, separators=(',', ':'))});\n"


def _write(file: Path, content: str) -> None:
    file.write_bytes(content.encode("utf-8"))
