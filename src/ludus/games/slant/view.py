"""What Loopless Slant looks like: diagonals in cells, circles where cells meet."""

from __future__ import annotations

from ludus.games.slant.rules import State, closer_at, moves, number_at, result, wanted_at
from ludus.picture import SEAT_TONES, Area, Item, Mark, Seat, View, coordinates

RIM, FAR = 0.9, 0.5
NAMES = ("Slash", "Backslash")
MARKS = ("slash", "backslash")


def view(s: State) -> View:
    m = s.size
    side = RIM + m + FAR
    items: list[Item] = [Area("board", 0, 0, side, side, 0.5, "board")]
    for row in range(m):
        for column in range(m):
            items += _cell(s, row, column)
    for row in range(m + 1):
        for column in range(m + 1):
            if number_at(s, row, column):
                items.append(_circle(s, row, column))
    middles = [RIM + index + 0.5 for index in range(m)]
    items += coordinates(middles, middles)
    lead = s.first_gain - s.second_gain
    seats = (Seat(NAMES[0], MARKS[0], _signed(lead)), Seat(NAMES[1], MARKS[1], _signed(-lead)))
    return View((side, side), tuple(items), seats, _status(s))


def _signed(points: int) -> str:
    return f"{points:+d}" if points else "0"


def _is_free(s: State, row: int, column: int) -> bool:
    inside = 0 <= row < s.size and 0 <= column < s.size
    return inside and bool(moves(s)[row // 4] >> 12 * (row % 4) + column & 1)


def _cell(s: State, row: int, column: int) -> list[Item]:
    key, x, y = f"{row},{column}", RIM + column, RIM + row
    label = f"row {row} column {column}"
    if _is_free(s, row, column):
        return [Area(key, x + 0.035, y + 0.035, 0.93, 0.93, 0.1, label=f"{label}, empty")]
    slashes = (s.slash0, s.slash1, s.slash2)[row // 4]
    seat = 0 if slashes >> 12 * (row % 4) + column & 1 else 1
    return [
        Area(key, x + 0.035, y + 0.035, 0.93, 0.93, 0.1, label=f"{label}, {MARKS[seat]}"),
        Mark(f"diagonal {key}", MARKS[seat], (x + 0.5, y + 0.5), 0.94, SEAT_TONES[seat]),
    ]


def _circle(s: State, row: int, column: int) -> Mark:
    """Closed: in the closer's tone. Open: with its progress. Muted: too few cells are left to close it."""
    key, at = f"circle {row},{column}", (RIM + column, RIM + row)
    number, wanted = number_at(s, row, column), wanted_at(s, row, column)
    closer = closer_at(s, row, column)
    if closer is not None:
        return Mark(key, "disc", at, 0.5, SEAT_TONES[closer], str(number))
    around = ((row - 1, column - 1), (row - 1, column), (row, column - 1), (row, column))
    if wanted > sum(_is_free(s, *cell) for cell in around):
        return Mark(key, "disc", at, 0.5, "muted", str(number))
    return Mark(key, "disc", at, 0.5, "", str(number), fill=(number - wanted) / number)


def _status(s: State) -> str:
    payoff = result(s)
    if payoff is None:
        return f"{NAMES[s.mover]} to move"
    return "Draw" if payoff == 0 else f"{NAMES[payoff < 0]} wins by {abs(payoff)}"
