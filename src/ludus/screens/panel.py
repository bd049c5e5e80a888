"""What stands beside the board: players and clocks, who is ahead, the best lines, the moves so far."""

from __future__ import annotations

from collections.abc import Sequence

from rich.style import Style
from rich.text import Text as RichText
from textual.theme import Theme as TextualTheme

from ludus.agents.analysis import Analysis
from ludus.picture import SEAT_TONES, Seat
from ludus.rules import Game, Line
from ludus.view.analysis import verdict
from ludus.view.canvas import cut, printable, text_width
from ludus.view.scene import Scene
from ludus.view.terminal import sign_of
from ludus.view.theme import PALETTES, Palette

LONGEST_BAR = 40
LATE = 0.8  # of the limit: from here on a clock warns


def terminal_theme(name: str) -> TextualTheme:
    """The colours of boards for everything around them."""
    palette = PALETTES[name]
    return TextualTheme(
        name=f"ludus-{name}",
        primary=palette.first,
        secondary=palette.second,
        accent=palette.first_deep,
        warning=palette.last_edge,
        error=palette.bad,
        success=palette.good,
        foreground=palette.ink,
        background=palette.page,
        surface=palette.board,
        panel=palette.tile,
        dark=name == "dark",
    )


def players_text(scene: Scene, clocks: Sequence[str], palette: Palette, width: int, *, late: int | None) -> RichText:
    """Two rows: whose turn it is, who that is, the score and the clock; the clock of seat `late` is red."""
    text = RichText(no_wrap=True, overflow="ellipsis")
    for seat, shown in enumerate(scene.view.seats):
        tone = palette[SEAT_TONES[seat]]
        sign = "" if shown.mark in ("x", "o") else f"{sign_of(shown.mark, SEAT_TONES[seat])} "
        score, clock = f"  {shown.score}" if shown.score else "", f"  {clocks[seat]}"
        marker = "▸ " if scene.mover == seat else "  "
        room = max(4, width - text_width(marker + sign + score + clock))
        name = cut(printable(scene.seat_title(seat)), room)
        text.append(f"{marker}{sign}{name}", Style(color=tone, bold=True))
        text.append(score, Style(color=palette.dim))
        blank = " " * max(0, width - text_width(marker + sign + name + score + clock))
        text.append(blank + clock, Style(color=palette.bad if late == seat else palette.ink, bold=late == seat))
        text.append("\n" if seat == 0 else "")
    return text


def clock_text(seconds: float) -> str:
    minutes, rest = divmod(int(seconds), 60)
    return f"{minutes}:{rest:02d}"


def bar_text(seats: tuple[Seat, Seat], chance: float | None, palette: Palette, width: int) -> RichText:
    """Both seats' chances as a bar, the first seat's on the left; grey while nobody knows."""
    text = RichText(no_wrap=True)
    signs = [cut(sign_of(seats[seat].mark, SEAT_TONES[seat]), 8) for seat in (0, 1)]
    shown = ["  ? %"] * 2 if chance is None else [f"{100 * share:3.0f} %" for share in (chance, 1 - chance)]
    ends = [f"{signs[0]} {shown[0]} ", f" {shown[1]} {signs[1]}"]
    length = max(4, min(LONGEST_BAR, width - sum(map(text_width, ends))))
    first = round(length * (0.5 if chance is None else chance))
    text.append(ends[0], Style(color=palette.first, bold=True))
    text.append("█" * first, Style(color=palette.track if chance is None else palette.first))
    text.append("░" * (length - first), Style(color=palette.track if chance is None else palette.second))
    text.append(ends[1], Style(color=palette.second, bold=True))
    return text


def advice_text(game: Game, seats: tuple[Seat, Seat], analysis: Analysis, palette: Palette, width: int) -> RichText:
    """Who is ahead in words, and the best moves with what comes after them."""
    words, ahead = verdict(seats, analysis)
    text = RichText(no_wrap=True, overflow="ellipsis")
    tone = palette.ink if ahead is None else palette[f"{SEAT_TONES[ahead]}_deep"]
    text.append(cut(words, width), Style(color=tone, bold=True))
    for number, line in enumerate(analysis.lines):
        names = [printable(game.move_name(move)) for move in line.line]
        row = f"\n{names[0]:<6} {100 * line.chance:3.0f} %  "
        text.append(row, Style(color=palette.good_deep if number == 0 else palette.ink, bold=number == 0))
        text.append(cut(" ".join(names[1:8]), max(2, width - text_width(row))), Style(color=palette.dim))
    return text


def move_rows(game: Game, line: Line, seconds: Sequence[float]) -> list[tuple[str, str, str, str, str]]:
    """The moves as rows of both seats: number, move and time of each; several moves of one turn share a place."""
    rows: list[list[list[tuple[str, float | None]]]] = []
    for ply, move in enumerate(line.moves):
        seat = game.turn(line.states[ply])
        is_same_turn = ply > 0 and game.turn(line.states[ply - 1]) == seat
        if not rows or (not is_same_turn and (rows[-1][seat] or rows[-1][1])):
            rows.append([[], []])
        took = seconds[ply] if ply < len(seconds) else None
        rows[-1][seat].append((printable(game.move_name(move)), took))
    return [(str(number), *_place(row[0]), *_place(row[1])) for number, row in enumerate(rows, 1)]


def _place(moves: list[tuple[str, float | None]]) -> tuple[str, str]:
    times = [took for _, took in moves if took is not None]
    return " ".join(name for name, _ in moves), f"{sum(times):.1f}" if times else ""
