"""Sections of a report that say how sure it is: ratings, what the table is worth, luck of the draw."""

from __future__ import annotations

from ludus.ratings.bootstrap import Confidence
from ludus.ratings.worth import Worth, apart
from ludus.reports.findings import Findings, Luck
from ludus.reports.markup import Markup, card, element, heading, table
from ludus.reports.plots_svg import axis, interval_row, linear
from ludus.reports.sections_tables import team_link
from ludus.reports.wording import percent, places, signed, title_of

LEAST_LUCK = 0.08  # of a chance; less may be the dice of the replays
MOST_LUCKY = 12


def ratings(found: Findings) -> Markup | None:
    known = found.confidence
    if known is None:
        return None
    strengths = known.strengths
    low, high = float(known.low.min()), float(known.high.max())
    scale = linear(low - 0.03 * (high - low), high + 0.03 * (high - low))
    rows = []
    for number, group in enumerate(known.groups):
        for team in group:
            elo, worst, best = (float(values[team]) for values in (strengths.elo, known.low, known.high))
            label = f"{signed(elo)} Elo, 95 % from {signed(worst)} to {signed(best)}"
            rows.append(
                element(
                    "tr",
                    element("th", team_link(found, team), scope="row"),
                    element("td", interval_row(scale, worst, best, elo, label=label), class_="plotted"),
                    element("td", element("b", signed(elo)), class_="right"),
                    data_team=team,
                    class_="group" if number and team == group[0] else None,
                )
            )
    rows.append(
        element("tr", element("td"), element("td", axis(scale), class_="plotted"), element("td"), class_="axis")
    )
    return card(
        heading("Ratings", id="ratings", note="Elo, 95 % intervals; a line parts those whose intervals do not overlap"),
        table(
            [
                "Bot",
                element("th", "Interval", scope="col", class_="unseen-text"),
                element("th", "Elo", scope="col", class_="right"),
            ],
            rows,
            caption="Ratings",
            class_="ratings",
        ),
        element("p", _first_move(known), class_="note"),
        _islands(known),
    )


def _first_move(known: Confidence) -> str:
    elo, low, high = known.strengths.seat_elo, known.seat_low, known.seat_high
    if low <= 0 <= high:
        return f"Whether it is better to move first cannot be told ({signed(low)} to {signed(high)} Elo at 95 %)."
    what = "an advantage" if elo > 0 else "a disadvantage"
    return f"To move first is {what} of {abs(elo):.0f} Elo ({signed(low)} to {signed(high)} at 95 %)."


def _islands(known: Confidence) -> Markup | None:
    if int(known.strengths.island.max(initial=0)) == 0:
        return None
    return element("p", "Some teams never met, not even through others: their ratings do not compare.", class_="note")


def table_worth(found: Findings) -> Markup | None:
    """The place of everybody if the event were held again, and which neighbours could change places."""
    worth, known = found.worth, found.confidence
    if worth is None or known is None:
        return None
    teams = len(found.names)
    scale = linear(1, teams, finest=1)._replace(low=0.5, high=teams + 0.5)
    rows = []
    order = [standing.team for standing in found.standings]
    for place, team in enumerate(order, 1):
        low, high = int(worth.place_low[team]), int(worth.place_high[team])
        label = f"place {place}; places {places(low, high)} at 95 %"
        rows.append(
            element(
                "tr",
                element("td", place, class_="place"),
                element("th", team_link(found, team), scope="row"),
                element("td", interval_row(scale, low, high, place, label=label), class_="plotted"),
                element("td", places(low, high), class_="right"),
                element("td", percent(float(worth.place_chance[team, 0])), class_="right"),
                element("td", _next(found, known, order, place)),
                data_team=team,
            )
        )
    rows.append(
        element(
            "tr",
            element("td"),
            element("td"),
            element("td", axis(scale), class_="plotted"),
            *[element("td")] * 3,
            class_="axis",
        )
    )
    head = [
        "#",
        "Bot",
        element("th", "Places at 95 %", scope="col"),
        "",
        element("th", "Chance to win", scope="col", class_="right"),
        "And the next one",
    ]
    note = f"the event held again {worth.replays} times, with dice for games"
    return card(
        heading("What the table is worth", id="worth", note=note),
        table(head, rows, caption="What the table is worth", class_="worth"),
    )


def _next(found: Findings, known: Confidence, order: list[int], place: int) -> Markup | None:
    """Whether a team is really better than the one below it."""
    if place == len(order):
        return None
    told = apart(known, order[place - 1], order[place])
    if told.is_clear:
        better = "stronger" if told.superiority > 0.5 else "weaker"
        return element("span", f"{better}, {percent(max(told.superiority, 1 - told.superiority))} sure")
    return element("span", told.open_question, class_="quiet")


def luck(found: Findings) -> Markup | None:
    """Who was drawn into an easy pool, and who into a hard one."""
    told = [entry for entry in found.luck if abs(entry.drawn - entry.any_draw) >= LEAST_LUCK]
    if not found.luck:
        return None
    title = heading("Luck of the draw", id="luck", note="chance to reach a stage, with these pools and over all draws")
    if not told:
        return card(title, element("p", "The draw of the pools made no difference that can be seen.", class_="note"))
    told.sort(key=lambda entry: -abs(entry.drawn - entry.any_draw))
    shown = sorted(told[:MOST_LUCKY], key=lambda entry: entry.any_draw - entry.drawn)
    rows = [_luck_row(found, entry) for entry in shown]
    head = [
        "Bot",
        "Stage",
        *(element("th", text, scope="col", class_="right") for text in ("These pools", "Any draw", "Luck")),
    ]
    return card(title, table(head, rows, caption="Luck of the draw"))


def _luck_row(found: Findings, entry: Luck) -> Markup:
    points = round(100 * (entry.drawn - entry.any_draw))
    return element(
        "tr",
        element("th", team_link(found, entry.team), scope="row"),
        element("td", title_of(entry.stage)),
        element("td", percent(entry.drawn), class_="right"),
        element("td", percent(entry.any_draw), class_="right"),
        element("td", f"{points:+d} points".replace("-", "−"), class_="right good" if points > 0 else "right bad"),
        data_team=entry.team,
    )


def worth_in_words(worth: Worth, team: int) -> str:
    low, high = int(worth.place_low[team]), int(worth.place_high[team])
    return f"place {places(low, high)} at 95 %"
