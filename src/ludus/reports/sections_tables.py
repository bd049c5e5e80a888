"""Sections of a report that say how it went: head, standings, bracket, pools, cross table."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import pairwise

from ludus.reports.bracket import bracket
from ludus.reports.findings import Findings, pair_points
from ludus.reports.frame import game_page, team_page
from ludus.reports.markup import Markup, badge, card, element, heading, joined, link, table
from ludus.reports.unfolding import pairing_match
from ludus.reports.wording import decided, format_line, places, points, seconds, signed, title_of
from ludus.tournament.outcome import Row, Table
from ludus.tournament.pairing import GameResult, Pairing

MOST_CROSSED = 40  # teams in the cross table of all; more have one for each pool
PLAIN = ("points", "", "so far", "rung", "round")  # reasons that need no tie-break


def team_link(found: Findings, team: int, *, root: str = "") -> Markup:
    return link(team_page(team, root=root), found.names[team], class_="team")


def opening(found: Findings, *, state: Markup | None = None, more: Sequence[tuple[str, str]] = ()) -> Markup:
    """Title, state, and the numbers that people ask for first; who knows more of a run that goes on may say so."""
    control, kit = found.event.control, found.tournament.kit
    about = f"{format_line(found.plan, len(found.names))} · {seconds(1000 * control.limit_s)} a move · seed {kit.seed}"
    outcome = found.unfolded.outcome
    state = state or (badge("Finished", "good") if outcome else badge("Not finished", "warn"))
    of = "" if found.planned in (None, len(found.games)) else f" / {found.planned}"
    guilty = sum(failure.team is not None for failure in found.failures)
    figures = [
        (f"{len(found.games)}{of}", "games"),
        *more,
        (str(guilty), "failure" if guilty == 1 else "failures"),
    ]
    champion = None
    if outcome is not None:
        team = outcome.placing[0].team
        name = element("span", team_link(found, team), class_="figure", data_team=team)
        champion = element("div", name, element("span", "champion", class_="unit"), class_="champion")
    title = element("div", element("h1", found.event.title), element("p", about, class_="note"), class_="titles")
    bar = None
    if outcome is None and found.planned:
        bar = element("progress", value=len(found.games), max=found.planned, aria_label="games played")
    numbers = [
        element("div", element("span", value, class_="figure"), element("span", unit, class_="unit"))
        for value, unit in figures
    ]
    return card(title, state, bar, element("div", champion, numbers, class_="figures"), class_="opening")


def standings(found: Findings) -> Markup:
    """Everybody's place, and what decided it."""
    is_final = found.unfolded.is_finished
    note = "totals of all games" if is_final else "how it stands; games are missing"
    return card(heading("Standings", id="standings", note=note), _standings_table(found))


def _standings_table(found: Findings) -> Markup:
    worth, known, ties = found.worth, found.confidence, _ties(found)
    head: list[object] = ["#", "Bot", _right("Points"), _right("Games"), _right("W"), _right("D"), _right("L")]
    has_byes = any(standing.total.byes for standing in found.standings)
    head += [_right("Byes")] if has_byes else []
    head += [_right("Forfeits"), "Ahead of the next by"]
    head += [_right("Elo")] if known else []
    head += [_right("Place at 95 %")] if worth else []

    def rows() -> Iterator[Markup]:
        for place, team, total, by in found.standings:
            cells = [
                element("td", place, class_="place"),
                element("th", team_link(found, team), scope="row"),
                element("td", points(total.points), class_="points"),
                *(_right_cell(value) for value in (total.played, total.wins, total.draws, total.losses)),
                *([_right_cell(total.byes)] if has_byes else []),
                element("td", total.forfeits or "·", class_="right bad" if total.forfeits else "right quiet"),
                ties.get(team) or element("td", _decision(by)),
            ]
            if known:
                elo, low, high = (signed(float(value[team])) for value in (known.strengths.elo, known.low, known.high))
                cells.append(element("td", joined(elo, element("small", f" {low} to {high}")), class_="right"))
            if worth:
                text = places(int(worth.place_low[team]), int(worth.place_high[team]))
                cells.append(element("td", text, class_="right"))
            yield element("tr", cells, data_team=team, class_="first" if place == 1 else None)

    return table(head, rows(), caption="Standings", class_="wide")


def _ties(found: Findings) -> dict[int, Markup]:
    """The tie-breaks with their values, where a single table is all there is."""
    tables = found.unfolded.tables
    if len(tables) != 1:
        return {}
    rows = tables[0].rows
    return {row.team: _tie_break(row, below) for row, below in pairwise(rows) if row.tie_values}


def _decision(by: str) -> object:
    if by in PLAIN:
        return element("span", decided(by), class_="quiet") if by else None
    return badge(decided(by), "tie") if by not in ("stage", "points a game") else element("span", by, class_="quiet")


def drawn_bracket(found: Findings, replays: set[str]) -> Markup | None:
    if not found.unfolded.bouts:
        return None
    first_game: dict[str, Pairing] = {}
    for result in found.results:
        if result.pairing.id in replays:
            first_game.setdefault(pairing_match(result.pairing), result.pairing)
    note = "hover a bot to follow its path; a match leads to its games"
    drawing = bracket(found.unfolded.bouts, found.names, first_game)
    return card(heading("Bracket", id="bracket", note=note), drawing)


def pools(found: Findings) -> list[Markup]:
    """The tables of every stage, the last one first; none where one table is all, as the standings are that."""
    known = found.unfolded.tables
    if len(known) == 1:
        return []
    made = []
    for stage in reversed(dict.fromkeys(pool.stage for pool in known)):
        here = [pool for pool in known if pool.stage == stage]
        has_ties = any(row.tie_values for pool in here for row in pool.rows)
        width = "one" if len(here) == 1 else "" if has_ties else "narrow"
        drawn = element("div", [_pool(found, pool) for pool in here], class_=f"pools {width}".strip())
        made.append(card(heading(title_of(stage), id=f"stage-{stage}", note=_advancing(here)), drawn))
    return made


def _advancing(tables: Sequence[Table]) -> str:
    first = tables[0].advance
    return f"the first {first} of each pool go on" if first > 1 else "the first of each pool goes on" if first else ""


def _pool(found: Findings, pool: Table) -> Markup:
    title = element("h3", title_of(pool.pool)) if pool.pool else None
    head = ["", "Bot", _right("Pts"), _right("W"), _right("D"), _right("L"), "Tie-break"]
    has_ties = any(row.tie_values for row in pool.rows)
    below = (*pool.rows[1:], None)
    rows = [
        _pool_row(found, row, _tie_break(row, other) if has_ties else None, is_in=row.place <= pool.advance)
        for row, other in zip(pool.rows, below, strict=True)
    ]
    caption = f"{title_of(pool.stage)} {title_of(pool.pool)}".strip()
    return element("div", title, table(head if has_ties else head[:-1], rows, caption=caption))


def _tie_break(row: Row, below: Row | None) -> Markup:
    """What put a team above the next one, with the values of both."""
    by = row.decided_by
    if by in PLAIN or below is None:
        return element("td", _decision(by) if below is not None else None)
    mine, others = dict(row.tie_values).get(by), dict(below.tie_values).get(by)
    values = "" if mine is None or others is None else f" {points(mine)} : {points(others)}"
    return element("td", badge(f"{decided(by)}{values}", "tie"))


def _pool_row(found: Findings, row: Row, tie: Markup | None, *, is_in: bool) -> Markup:
    return element(
        "tr",
        element("td", row.place, class_="place"),
        element("th", team_link(found, row.team), scope="row"),
        element("td", points(row.points), class_="points"),
        *(_right_cell(value) for value in (row.wins, row.draws, row.losses)),
        tie,
        class_="advances" if is_in else None,
        data_team=row.team,
    )


def cross_tables(found: Findings, replays: set[str]) -> list[Markup]:
    """Points of row against column: of everybody, or of each pool where everybody is too many."""
    if len(found.names) <= MOST_CROSSED:
        order = [standing.team for standing in found.standings]
        return [
            card(
                heading("Cross table", id="cross-table", note="points of row against column"),
                _crossed(found, order, replays),
            )
        ]
    drawn = [
        element(
            "div",
            element("h3", f"{title_of(pool.stage)} {title_of(pool.pool).lower()}".strip()),
            _crossed(found, [row.team for row in pool.rows], replays, stage=pool.stage),
        )
        for pool in found.unfolded.tables
        if 2 < len(pool.rows) <= MOST_CROSSED
    ]
    note = "points of row against column, pool by pool"
    return [card(heading("Cross tables", id="cross-table", note=note), drawn)] if drawn else []


def _crossed(found: Findings, order: Sequence[int], replays: set[str], *, stage: str | None = None) -> Markup:
    places = {team: number for number, team in enumerate(order, 1)}
    head = [
        "",
        "Bot",
        *(element("th", places[team], scope="col", title=found.names[team], data_column=team) for team in order),
    ]
    rows = []
    for team in order:
        cells, total = [], Fraction(0)
        for other in order:
            games = [game for game in found.pairs.get((team, other), ()) if stage in (None, game.pairing.stage)]
            total += pair_points(games, team)[0]
            cells.append(_crossing(found, team, other, games, replays))
        name = element("th", team_link(found, team), scope="row")
        rows.append(
            element(
                "tr",
                element("td", places[team], class_="place"),
                name,
                cells,
                element("td", points(total), class_="points"),
                data_team=team,
            )
        )
    return table([*head, _right("Pts")], rows, caption="Cross table", class_="cross")


def _crossing(found: Findings, team: int, other: int, games: Sequence[GameResult], replays: set[str]) -> Markup:
    if team == other:
        return element("td", class_="self")
    made, share = pair_points(games, team)
    if share is None:
        return element("td", class_="none")
    tone = "s" + str(min(4, int(share * 5)))
    against = f"{found.names[team]} against {found.names[other]}: {points(made)} in {len(games)} games"
    is_one = len(games) == 1 and games[0].pairing.id in replays
    where = game_page(games[0].pairing) if is_one else f"{team_page(team)}#against-{other + 1}"
    return element("td", link(where, points(made), title=against, aria_label=against), class_=tone, data_column=other)


def _right(text: str) -> Markup:
    return element("th", text, scope="col", class_="right")


def _right_cell(value: object) -> Markup:
    return element("td", value, class_="right")
