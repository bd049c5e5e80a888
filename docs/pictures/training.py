"""Draw how a training went, loss and Elo over its minutes, for the page on how an evaluation learns.

    python docs/pictures/training.py

reads training.json beside this file, which holds the rounds of a real run as `ludus train --json` prints them, each
with a duel of its network, and the commands; and writes training-loss.svg and training-elo.svg, each for a light and
for a dark page.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, NamedTuple
from xml.sax.saxutils import escape

from ludus.reports.plots_svg import Scale, linear

HERE = Path(__file__).parent
FONT = "Inter, 'Segoe UI', system-ui, 'Helvetica Neue', Arial, sans-serif"
THEMES = {
    "": {"INK": "#1c2333", "QUIET": "#596275", "RULE": "#d5d9e2", "FIRST": "#2563eb", "SECOND": "#c2410c"},
    "-dark": {"INK": "#e8ebf3", "QUIET": "#a3abbd", "RULE": "#3a4254", "FIRST": "#7aa7ff", "SECOND": "#fb9a5b"},
}
WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 640, 300, 56, 24, 46, 44


class Series(NamedTuple):
    """Points that a line joins, with an interval around each where there are any."""

    name: str
    colour: str
    points: list[tuple[float, float]]
    intervals: tuple[tuple[float, float], ...] = ()


def share(scale: Scale, value: float) -> float:
    return (value - scale.low) / (scale.high - scale.low)


def plot(title: str, across: Scale, up: Scale, series: list[Series]) -> str:
    """A plot over minutes as SVG, with names of colours in the place of colours."""

    def x(value: float) -> float:
        return LEFT + share(across, value) * (WIDTH - LEFT - RIGHT)

    def y(value: float) -> float:
        return HEIGHT - BOTTOM - share(up, value) * (HEIGHT - TOP - BOTTOM)

    parts = []
    for value, name in up.ticks:
        parts.append(f'<line x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{y(value):.1f}" y2="{y(value):.1f}" stroke="RULE"/>')
        parts.append(text(LEFT - 8, y(value) + 4, name, anchor="end"))
    parts += [text(x(value), HEIGHT - BOTTOM + 18, name) for value, name in across.ticks]
    parts.append(text((LEFT + WIDTH - RIGHT) / 2, HEIGHT - 8, "minutes of training"))
    for k, one in enumerate(series):
        for (minute, _), (low, high) in zip(one.points, one.intervals, strict=bool(one.intervals)):
            at = f'x1="{x(minute):.1f}" x2="{x(minute):.1f}" y1="{y(low):.1f}" y2="{y(high):.1f}"'
            parts.append(f'<line {at} stroke="{one.colour}" stroke-width="5" stroke-opacity="0.3"/>')
        path = " ".join(f"{x(minute):.1f},{y(value):.1f}" for minute, value in one.points)
        parts.append(f'<polyline points="{path}" fill="none" stroke="{one.colour}" stroke-width="2"/>')
        parts += [f'<circle cx="{x(a):.1f}" cy="{y(b):.1f}" r="3" fill="{one.colour}"/>' for a, b in one.points]
        parts.append(text(LEFT + 190 * k, 22, one.name, colour=one.colour, anchor="start", size=14))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}" '
        f'role="img" font-family="{FONT}">\n<title>{escape(title)}</title>\n' + "\n".join(parts) + "\n</svg>\n"
    )


def text(x: float, y: float, words: str, *, colour: str = "QUIET", anchor: str = "middle", size: int = 12) -> str:
    place = f'x="{x:.1f}" y="{y:.1f}" font-size="{size}" text-anchor="{anchor}" fill="{colour}"'
    return f"<text {place}>{escape(words)}</text>"


def save(name: str, svg: str) -> None:
    for ending, colours in THEMES.items():
        themed = svg
        for word, colour in colours.items():
            themed = themed.replace(f'"{word}"', f'"{colour}"')
        (HERE / f"{name}{ending}.svg").write_text(themed, encoding="utf-8")


def main() -> None:
    run: dict[str, Any] = json.loads((HERE / "training.json").read_text(encoding="utf-8"))
    rounds = run["rounds"]
    minutes = [one["seconds"] / 60 for one in rounds]
    across = linear(0, max(minutes))
    held_out = list(zip(minutes, (one["held_out_loss"] for one in rounds), strict=True))
    learnt = list(zip(minutes, (one["loss"] for one in rounds), strict=True))
    losses = [loss for _, loss in held_out + learnt]
    up = linear(min(losses) - 0.02, max(losses) + 0.02)
    series = [Series("loss, games held out", "FIRST", held_out), Series("loss, games learnt from", "SECOND", learnt)]
    save("training-loss", plot("Loss over a training of Connect Four", across, up, series))
    played = [(0.0, run["untrained"]), *zip(minutes, rounds, strict=True)]
    elo = [(minute, one["elo"]) for minute, one in played]
    bounds = tuple((one["elo_low"], one["elo_high"]) for _, one in played)
    up = linear(min(low for low, _ in bounds) - 10, max(high for _, high in bounds) + 10)
    line = Series("Elo above mcts, with 95 % intervals", "FIRST", elo, bounds)
    save("training-elo", plot("Elo over a training of Connect Four", across, up, [line]))


if __name__ == "__main__":
    main()
