"""A tournament's findings for other programs: one JSON object, and CSV files with exact numbers."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator
from fractions import Fraction
from typing import Any

from ludus.events.scoring import as_number
from ludus.reports.findings import Findings
from ludus.tournament.grades import exact

FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r")  # a spreadsheet would compute what begins so


def as_json(found: Findings) -> dict[str, Any]:
    """Everything but the records. Points are numbers, as no event gives thirds; marks have their exact text too."""
    kit, names = found.tournament.kit, found.names
    champion = found.unfolded.outcome.placing[0].team if found.unfolded.outcome else None
    return {
        "event": kit.event_name,
        "title": found.event.title,
        "game": found.event.game.name,
        "format": found.plan.kind,
        "seed": kit.seed,
        "is_finished": found.unfolded.is_finished,
        "games_played": len(found.games),
        "games_planned": found.planned,
        "champion": None if champion is None else names[champion],
        "standings": list(_standings(found)),
        "tables": [
            {
                "stage": table.stage,
                "pool": table.pool,
                "advance": table.advance,
                "rows": [
                    {
                        **{**row._asdict(), "team": names[row.team]},
                        "points": as_number(row.points),
                        "against": as_number(row.against),
                        "tie_values": {name: as_number(value) for name, value in row.tie_values},
                    }
                    for row in table.rows
                ],
            }
            for table in found.unfolded.tables
        ],
        "matches": list(_matches(found)),
        "games": list(_games(found)),
        "failures": list(_failures(found)),
        "ratings": list(_ratings(found)),
        "first_move": _first_move(found),
        "grades": list(_grades(found)),
        "identical": [
            {"teams": [names[team] for team in same.teams], "games": list(same.ids)} for same in found.repetitions
        ],
    }


def csv_files(found: Findings, *, has_grades: bool = True) -> dict[str, str]:
    """The content of each file by its name; points and marks as 17.25 or 52/3, never rounded."""
    files = {
        "standings.csv": _csv(_standing_rows(found)),
        "tables.csv": _csv(_table_rows(found)),
        "games.csv": _csv(_game_rows(found)),
        "failures.csv": _csv(_failure_rows(found)),
        "ratings.csv": _csv(_rating_rows(found)),
    }
    if has_grades and found.sheets:
        files["grades.csv"] = _csv(_grade_rows(found))
    return files


def _standings(found: Findings) -> Iterator[dict[str, Any]]:
    for place, team, total, decided_by in found.standings:
        record = {name: getattr(total, name) for name in ("played", "wins", "draws", "losses", "forfeits", "byes")}
        chance = {}
        if found.worth is not None:
            chance = {"place_low": int(found.worth.place_low[team]), "place_high": int(found.worth.place_high[team])}
        yield {
            "place": place,
            "team": found.names[team],
            **record,
            "points": as_number(total.points),
            "difference": total.difference,
            "decided_by": decided_by,
            **chance,
        }


def _matches(found: Findings) -> Iterator[dict[str, Any]]:
    for match, is_decided, is_known in found.unfolded.bouts:
        teams = [found.names[team] if known else None for team, known in zip(match.teams, is_known, strict=True)]
        yield {
            "id": match.id,
            "teams": teams,
            "winner": found.names[match.winner] if is_decided else None,
            "score": [as_number(part) for part in match.score] if is_decided else None,
            "boards": match.boards if is_decided else None,
            "decided_by": match.decided_by if is_decided else None,
        }


def _games(found: Findings) -> Iterator[dict[str, Any]]:
    names = found.names
    for game in found.games:
        pairing, points, winner, difference, kind, status = game.result
        yield {
            "id": pairing.id,
            "stage": pairing.stage,
            "pool": pairing.pool,
            "round": pairing.round,
            "board": pairing.board,
            "first": names[pairing.first],
            "second": names[pairing.second],
            "points": [as_number(part) for part in points],
            "winner": None if winner is None else names[winner],
            "difference": difference,
            "kind": kind,
            "status": status,
            "reason": game.reason,
            "plies": game.plies,
        }


def _failures(found: Findings) -> Iterator[dict[str, Any]]:
    for failure in found.failures:
        yield {
            "game": failure.pairing.id,
            "team": None if failure.team is None else found.names[failure.team],
            "kind": failure.kind,
            "reason": failure.reason,
            "ply": failure.ply,
            "line": failure.line,
        }


def _ratings(found: Findings) -> Iterator[dict[str, Any]]:
    known = found.confidence
    if known is None:
        return
    for number, group in enumerate(known.groups, 1):
        for team in group:
            yield {
                "team": found.names[team],
                "elo": round(float(known.strengths.elo[team]), 1),
                "low": round(float(known.low[team]), 1),
                "high": round(float(known.high[team]), 1),
                "rank_low": int(known.rank_low[team]),
                "rank_high": int(known.rank_high[team]),
                "tied_group": number,
                "island": int(known.strengths.island[team]),
            }


def _first_move(found: Findings) -> dict[str, float] | None:
    known = found.confidence
    if known is None:
        return None
    values = {"elo": known.strengths.seat_elo, "low": known.seat_low, "high": known.seat_high}
    return {name: round(float(value), 1) for name, value in values.items()}


def _grades(found: Findings) -> Iterator[dict[str, Any]]:
    for sheet in found.sheets:
        yield {
            "team": found.names[sheet.team],
            "place": sheet.place,
            "mark": sheet.shown,
            "exact": exact(sheet.total),
            "lines": [{"what": line.what, "how": line.how, "mark": exact(line.mark)} for line in sheet.lines],
        }


# ---- rows of CSV files: the first one names the columns

Row = Iterable[object]


def _standing_rows(found: Findings) -> Iterator[Row]:
    yield "place", "team", "games", "wins", "draws", "losses", "forfeits", "byes", "points", "difference", "decided by"
    for place, team, total, by in found.standings:
        record = (total.played, total.wins, total.draws, total.losses, total.forfeits, total.byes)
        yield place, found.names[team], *record, total.points, total.difference, by


def _table_rows(found: Findings) -> Iterator[Row]:
    record = ("games", "wins", "draws", "losses", "forfeits", "byes")
    yield "stage", "pool", "place", "team", *record, "points", "difference", "decided by", "advances", "tie-breaks"
    for table in found.unfolded.tables:
        for row in table.rows:
            counts = (row.played, row.wins, row.draws, row.losses, row.forfeits, row.byes)
            ties = "; ".join(f"{name} {exact(value)}" for name, value in row.tie_values)
            where = (table.stage, table.pool, row.place, found.names[row.team])
            advances = "yes" if row.place <= table.advance else "no"
            yield *where, *counts, row.points, row.difference, row.decided_by, advances, ties


def _game_rows(found: Findings) -> Iterator[Row]:
    names = found.names
    head = ("game", "stage", "pool", "round", "board", "first", "second", "points first", "points second", "winner")
    yield *head, "difference", "kind", "status", "reason", "plies"
    for game in found.games:
        pairing, points, winner, difference, kind, status = game.result
        where = (pairing.id, pairing.stage, pairing.pool, pairing.round, pairing.board)
        who = (names[pairing.first], names[pairing.second])
        won = "" if winner is None else names[winner]
        yield *where, *who, *points, won, difference, kind, status, game.reason, game.plies


def _failure_rows(found: Findings) -> Iterator[Row]:
    yield "game", "team", "kind", "reason", "ply", "line"
    for pairing, team, kind, reason, ply, line in found.failures:
        yield pairing.id, "" if team is None else found.names[team], kind, reason, ply, "" if line is None else line


def _rating_rows(found: Findings) -> Iterator[Row]:
    columns = ("team", "elo", "low", "high", "rank_low", "rank_high", "tied_group", "island")
    yield columns
    for rating in _ratings(found):
        yield [rating[column] for column in columns]


def _grade_rows(found: Findings) -> Iterator[Row]:
    parts = max(len(sheet.lines) for sheet in found.sheets)
    columns = [f"{word} {number}" for number in range(1, parts + 1) for word in ("part", "how", "mark")]
    yield "place", "team", "mark", "exact mark", *columns
    for sheet in found.sheets:
        lines = [value for line in sheet.lines for value in (line.what, line.how, line.mark)]
        yield sheet.place, found.names[sheet.team], sheet.shown, sheet.total, *lines


def _csv(rows: Iterable[Row]) -> str:
    out = io.StringIO()
    csv.writer(out, lineterminator="\r\n").writerows([_cell(value) for value in row] for row in rows)
    return out.getvalue()


def _cell(value: object) -> object:
    """Fractions exactly; a text of a stranger that a spreadsheet would take for a formula begins with an apostrophe."""
    if isinstance(value, Fraction):
        return exact(value)
    if isinstance(value, str):
        text = " ".join(value.split()) if not value.isprintable() else value
        return f"'{text}" if text.startswith(FORMULA_STARTS) else text
    return value
