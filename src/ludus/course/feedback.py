"""One page for each team of a tournament, which stands alone: its result, marks, games, lost positions, time, failures.

Of other teams a page tells what everybody could see: their names and their moves. What went wrong inside another bot is
not told, as it says something of its code.
"""

from __future__ import annotations

import hashlib
import re
import secrets
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from ludus.course.alone import drawn_board, figure, page_alone
from ludus.errors import RecordError, StoreError
from ludus.records import Record, Replay, parse_record, replay
from ludus.reports.drawing import move_times
from ludus.reports.findings import Findings, is_failure
from ludus.reports.markup import Markup, card, element, heading
from ludus.reports.sections_games import sheet_card
from ludus.reports.sections_strength import worth_in_words
from ludus.reports.site import team_cards
from ludus.reports.time_use import TimeUse
from ludus.reports.wording import place_of_game, points, signed
from ludus.rules import Line
from ludus.tournament.grades import Sheet
from ludus.tournament.store import Store, StoredGame
from ludus.view.scene import scene_of_line

KEY, LIST, MARK = "feedback.key", "feedback.csv", ".ludus-feedback"
MOST_LOST = 12  # lost games whose boards are drawn
MOST_TOLD, MOST_DRAWN = 400, 60  # games that are told move by move, and those with a board
LONGEST_OUTPUT = 4000  # characters of what a bot printed
LINK = re.compile(r'<a [^>]*?href="(?P<where>[^"]*)"[^>]*>(?P<text>.*?)</a>', re.DOTALL)
REPLAY = re.compile(r"\.\./replay\.html\?game=(?P<game>[^#]*)")
HIDDEN = "the opponent forfeited"
DOSSIER = {"traceback": "Traceback", "stderr": "Error output", "stdout": "Output", "calls": "Calls", "clock": "Clock"}


class Told(NamedTuple):
    """A game of a team, played through."""

    stored: StoredGame
    seat: int
    record: Record
    played: Replay

    @property
    def anchor(self) -> str:
        return f"game-{self.stored.result.pairing.id.replace('/', '.')}"

    @property
    def is_lost(self) -> bool:
        pairing = self.stored.result.pairing
        return self.stored.result.winner == (pairing.second if self.seat == 0 else pairing.first)

    @property
    def is_own_forfeit(self) -> bool:
        verdict = self.record.more.get("verdict")
        return isinstance(verdict, dict) and verdict.get("seat") == self.seat


def write_feedback(
    found: Findings, out: Path, *, tell: Callable[[float, str], None] = lambda share, text: None
) -> list[tuple[str, Path]]:
    """A page for everybody below `out`, which is new, empty, or was written by an earlier call: names and files."""
    if out.exists() and (not out.is_dir() or (any(out.iterdir()) and not (out / MARK).is_file())):
        raise StoreError(f"{out}: this is not a folder of feedback; name another one with --out")
    out.mkdir(parents=True, exist_ok=True)
    for old in out.glob("*.html"):
        old.unlink()
    (out / MARK).write_text("Written by ludus feedback; it may be written again.\n", encoding="utf-8")
    key = _key(found.tournament.folder)
    made = []
    for team, name in enumerate(found.names):
        tell(team / len(found.names), name)
        file = out / f"{_word(name)}-{_token(key, team, name)}.html"
        file.write_text(team_feedback(found, team), encoding="utf-8")
        made.append((name, file))
    return made


def _key(folder: Path) -> bytes:
    """A secret of the tournament, so that pages keep their names, and no name tells another."""
    file = folder / KEY
    if not file.is_file():
        file.write_text(secrets.token_hex(32) + "\n", encoding="ascii")
        file.chmod(0o600)
    return file.read_bytes().strip()


def _token(key: bytes, team: int, name: str) -> str:
    return hashlib.blake2b(f"{team} {name}".encode(), key=key[:64], digest_size=8).hexdigest()


def _word(name: str) -> str:
    return re.sub(r"[^A-Za-z0-9_-]+", "_", name)[:40] or "team"


def team_feedback(found: Findings, team: int) -> str:
    """The page of one team."""
    stored = [_redacted(game, team) for game in found.games if _has(game, team)]
    told = list(_told(found, stored, team))
    use = TimeUse(1000 * found.event.control.limit_s)
    for one in told:
        use.add((team, team), [(seat, ms) for seat, ms in move_times(one.record, one.played) if seat == one.seat])
    drawn = {one.stored.result.pairing.id for one in told}
    _, times_card, failures, games = team_cards(found, team, stored, use, drawn)
    sheet = next((sheet for sheet in found.sheets if sheet.team == team), None)
    marks = sheet_card(found, sheet, title="Mark") if sheet is not None else None
    lost = [one for one in told if one.is_lost]
    anchors = {one.anchor.removeprefix("game-"): f"#{one.anchor}" for one in told}
    parts = [marks, failures, _dossiers(told), _lost(found, lost, team), times_card, games]
    content = [_opening(found, team, sheet), *(_at_home(part, anchors) for part in parts if part is not None)]
    title = f"{found.names[team]} – {found.event.title}"
    return page_alone(title, *content, _moves(found, told), brand=found.event.title)


def _opening(found: Findings, team: int, sheet: Sheet | None) -> Markup:
    """Who it is, and the result in figures."""
    member = found.tournament.kit.teams[team]
    standing = next((standing for standing in found.standings if standing.team == team), None)
    figures = [figure(sheet.shown, "mark")] if sheet is not None else []
    record = "no game was played"
    if standing is not None:
        total = standing.total
        record = f"{total.played} games: {total.wins} won, {total.draws} drawn, {total.losses} lost"
        figures.append(figure(f"{standing.place} of {len(found.names)}", "place"))
        figures.append(figure(points(total.points), "points"))
    if found.confidence is not None:
        known = found.confidence
        elo, low, high = (signed(float(values[team])) for values in (known.strengths.elo, known.low, known.high))
        figures.append(figure(elo, f"Elo; 95 %: {low} to {high}"))
    sure = "" if found.worth is None else f" · {worth_in_words(found.worth, team)}"
    code = element("code", f"sha {member.sha256[:12]}") if member.sha256 else None
    told = element("p", f"{member.file} · {record}{sure} · ", code, class_="quiet")
    titles = element("div", element("h1", member.name), told, class_="titles")
    return card(element("div", titles, element("div", figures, class_="figures"), class_="opening"))


def _has(game: StoredGame, team: int) -> bool:
    return team in (game.result.pairing.first, game.result.pairing.second)


def _redacted(game: StoredGame, team: int) -> StoredGame:
    """Without what an opponent's failure says of its code."""
    is_others = is_failure(game.result) and game.result.status == "played" and game.result.winner == team
    return game._replace(reason=HIDDEN) if is_others else game


def _told(found: Findings, games: list[StoredGame], team: int) -> Iterator[Told]:
    with Store(found.tournament.folder) as store:
        for game in games:
            content = store.record(game.result.pairing.id) if game.result.status == "played" else None
            if content is None:
                continue
            try:
                record = parse_record(content)
                played = replay(record, found.event.game)
            except RecordError:
                continue  # it stays in the lists
            yield Told(game, 0 if game.result.pairing.first == team else 1, record, played)


def _at_home(part: Markup, anchors: dict[str, str]) -> Markup:
    """A section of the report without its ways to other pages; a replay is told further down."""

    def found(link: re.Match[str]) -> str:
        replayed = REPLAY.match(link["where"])
        where = anchors.get(replayed["game"]) if replayed else None
        return f'<a href="{where}">Moves</a>' if where else link["text"]

    return Markup(LINK.sub(found, part))


def _lost(found: Findings, lost: list[Told], team: int) -> Markup | None:
    """The end of each lost game, and the last position in which the team could choose."""
    if not lost:
        return None
    shown = sorted(lost, key=lambda one: not one.is_own_forfeit)[:MOST_LOST]
    figures = [figure for one in shown for figure in _figures(found, one)]
    more = f"; {len(shown)} of {len(lost)} are shown" if len(shown) < len(lost) else ""
    note = f"its last choice in each, and how it ended{more}"
    return card(heading("Lost positions", id="lost", note=note), element("div", figures, class_="lost"))


def _figures(found: Findings, one: Told) -> Iterator[Markup]:
    played, game = one.played, found.event.game
    pairing = one.stored.result.pairing
    names = (found.names[pairing.first], found.names[pairing.second])
    line, end = Line(played.states, played.moves), len(played.moves)
    own = [ply for ply, seat in enumerate(played.turns) if seat == one.seat]
    where = f"{place_of_game(pairing)}, against {names[1 - one.seat]}"
    if own and not one.is_own_forfeit:
        said = f"{where}: before move {own[-1] + 1}, {game.move_name(played.moves[own[-1]])}"
        yield _figure(drawn_board(scene_of_line(game, line, ply=own[-1], players=names)), said)
    said = f"{where}: where it failed" if one.is_own_forfeit else f"{where}: the end"
    yield _figure(drawn_board(scene_of_line(game, line, ply=end, players=names)), said)


def _end(found: Findings, one: Told) -> Markup:
    pairing = one.stored.result.pairing
    names = (found.names[pairing.first], found.names[pairing.second])
    line = Line(one.played.states, one.played.moves)
    return _figure(drawn_board(scene_of_line(found.event.game, line, players=names)), "the end")


def _figure(board: Markup, said: str) -> Markup:
    return element("figure", board, element("figcaption", said, class_="quiet"))


def _dossiers(told: list[Told]) -> Markup | None:
    """What the referee kept of the team's own failures."""
    parts: list[Markup] = []
    for one in told:
        dossier = one.record.more.get("dossier")
        if one.is_own_forfeit and isinstance(dossier, dict):
            head = f"{place_of_game(one.stored.result.pairing)}: {one.stored.reason}"
            rows = [(title, _text(dossier.get(key))) for key, title in DOSSIER.items()]
            shown = [[element("h4", title), element("pre", text)] for title, text in rows if text]
            parts.append(element("details", element("summary", head), shown, open=len(parts) == 0))
    note = "what the referee kept; the same board, clock and dice can be played again with ludus rerun"
    return card(heading("Dossiers", id="dossiers", note=note), parts) if parts else None


def _text(value: Any) -> str:
    if isinstance(value, dict):
        value = ", ".join(f"{key.removesuffix('_ms').replace('_', ' ')} {part} ms" for key, part in value.items())
    elif isinstance(value, list):
        value = "\n".join(map(str, value))
    text = str(value or "").strip()
    return text if len(text) <= LONGEST_OUTPUT else f"… {text[-LONGEST_OUTPUT:]}"


def _moves(found: Findings, told: list[Told]) -> Markup | None:
    """Every game move by move, as `ludus show --moves` takes them."""
    if not told:
        return None
    parts: list[Markup] = []
    for one in told[:MOST_TOLD]:
        pairing, made = one.stored.result.pairing, one.stored.result.points
        names = f"{found.names[pairing.first]} {points(made[0])} : {points(made[1])} {found.names[pairing.second]}"
        moves = " ".join(one.record.moves) or "no move was made"
        summary = element("summary", f"{place_of_game(pairing)}: {names} – {one.stored.reason}")
        # The place to go to lies inside, so that going there opens it.
        told_moves = element("p", moves, class_="movelist", id=one.anchor)
        parts.append(element("details", summary, told_moves, _end(found, one) if len(parts) < MOST_DRAWN else None))
    note = "open one for its moves and its end"
    return card(heading("Move by move", id="moves", note=note), parts)
