"""Draw the bit layouts of the five games as SVG files, for their pages in this folder.

    python docs/games/draw_layouts.py

writes pictures/layout-*.svg beside this file, each for a light and for a dark page. Plain Python; every number
is computed from the formulas that stand at the top of the rules files.
"""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple
from xml.sax.saxutils import escape

PICTURES = Path(__file__).with_name("pictures")
FONT = "Inter, 'Segoe UI', system-ui, 'Helvetica Neue', Arial, sans-serif"
TINTS = ("#3b82f6", "#f59e0b", "#10b981", "#ec4899", "#8b5cf6", "#06b6d4", "#ef4444", "#84cc16", "#a16207")


class Theme(NamedTuple):
    ink: str
    quiet: str
    rule: str
    strength: float  # opacity of tints


THEMES = {"": Theme("#1c2333", "#596275", "#8b93a5", 0.24), "-dark": Theme("#e8ebf3", "#a3abbd", "#6b7488", 0.36)}


class Drawing:
    """SVG elements that are being collected; sizes in pixels. Colours are filled in when it is saved."""

    def __init__(self, width: float, height: float, title: str) -> None:
        self.width, self.height, self.title = width, height, title
        self.parts: list[str] = []

    def box(self, x: float, y: float, w: float, h: float, *, tint: str = "", line: float = 1) -> None:
        fill = f'fill="{tint}" fill-opacity="STRENGTH"' if tint else 'fill="none"'
        place = f'x="{x:g}" y="{y:g}" width="{w:g}" height="{h:g}" rx="2"'
        self.parts.append(f'<rect {place} {fill} stroke="RULE" stroke-width="{line:g}"/>')

    def text(
        self,
        x: float,
        y: float,
        words: object,
        *,
        size: float = 12,
        anchor: str = "middle",
        bold: bool = False,
        colour: str = "INK",
    ) -> None:
        style = f'font-size="{size:g}" text-anchor="{anchor}" fill="{colour}"'
        style += ' font-weight="600"' if bold else ""
        self.parts.append(f'<text x="{x:g}" y="{y:g}" {style}>{escape(str(words))}</text>')

    def line(self, x1: float, y1: float, x2: float, y2: float, *, colour: str = "RULE", width: float = 1) -> None:
        style = f'stroke="{colour}" stroke-width="{width:g}" stroke-linecap="round"'
        self.parts.append(f'<line x1="{x1:g}" y1="{y1:g}" x2="{x2:g}" y2="{y2:g}" {style}/>')

    def dot(self, x: float, y: float, radius: float, *, tint: str) -> None:
        self.parts.append(
            f'<circle cx="{x:g}" cy="{y:g}" r="{radius:g}" fill="{tint}" fill-opacity="STRENGTH" stroke="RULE"/>'
        )

    def save(self, name: str) -> None:
        PICTURES.mkdir(exist_ok=True)
        svg = (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {self.width:g} {self.height:g}" '
            f'width="{self.width:g}" height="{self.height:g}" role="img" font-family="{FONT}">\n'
            f"<title>{escape(self.title)}</title>\n" + "\n".join(self.parts) + "\n</svg>\n"
        )
        for ending, theme in THEMES.items():
            colours = {"INK": theme.ink, "QUIET": theme.quiet, "RULE": theme.rule, "STRENGTH": f"{theme.strength}"}
            themed = svg
            for word, colour in colours.items():
                themed = themed.replace(f'"{word}"', f'"{colour}"')
            (PICTURES / f"{name}{ending}.svg").write_text(themed, encoding="utf-8")


def word_strip(d: Drawing, x: float, y: float, *, fields: list[tuple[int, str, str]], bit: float, label: str) -> None:
    """A word as a strip, its highest bit on the left; fields are (bits, name, tint) from bit 0 upwards."""
    total = sum(bits for bits, _, _ in fields)
    d.text(x - 12, y + 22, label, anchor="end", bold=True, size=13)
    low = 0
    for bits, name, tint in fields:
        left = x + bit * (total - low - bits)
        d.box(left, y, bit * bits, 34, tint=tint)
        d.text(left + bit * bits / 2, y + 22, name, size=12, bold=True)
        for b in range(1, bits):
            d.line(left + b * bit, y + 29, left + b * bit, y + 34, width=0.5)
        d.text(left + 2, y - 5, low + bits - 1, size=10, anchor="start", colour="QUIET")
        d.text(left + bit * bits - 2, y - 5, low, size=10, anchor="end", colour="QUIET")
        low += bits


def nested_board(d: Drawing, x: float, y: float, *, n: int, cell: float, tint_of: dict[int, str]) -> None:
    """The whole board; each cell shows the number of its bit in its word."""
    gap = 8
    per_word = {3: 7, 4: 3}[n]
    for block in range(n * n):
        left = x + (block % n) * (n * cell + gap)
        top = y + (block // n) * (n * cell + gap)
        for c in range(n * n):
            at_x, at_y = left + c % n * cell, top + c // n * cell
            d.box(at_x, at_y, cell, cell, tint=tint_of[block], line=0.6)
            d.text(at_x + cell / 2, at_y + cell / 2 + 4, block % per_word * n * n + c, size=cell * 0.36)
        d.box(left, top, n * cell, n * cell, line=1.8)


def draw_nine() -> None:
    d = Drawing(900, 640, "Bit layout of the 9x9 games")
    tint_of = {block: TINTS[block] for block in range(9)}
    d.text(30, 30, "Stones of one side: 81 bits in two words, nine to a block", anchor="start", bold=True, size=15)
    bit = 11.6
    word_strip(d, 100, 66, fields=[(9, f"block {b}", tint_of[b]) for b in range(7)], bit=bit, label="lo")
    word_strip(d, 100, 134, fields=[(9, f"block {b}", tint_of[b]) for b in (7, 8)], bit=bit, label="hi")
    d.text(330, 151, "bit number of cell c in block b:  9b + c in lo (b < 7),", anchor="start", size=13)
    d.text(330, 169, "9(b − 7) + c in hi (b ≥ 7); the move is 9b + c", anchor="start", size=13)

    d.text(30, 222, "Where each bit stands on the board", anchor="start", bold=True, size=15)
    nested_board(d, 36, 240, n=3, cell=38, tint_of=tint_of)

    d.text(470, 222, "The nine fields of a state", anchor="start", bold=True, size=15)
    rows = [
        ("mine_lo, mine_hi", "stones of the side to move", "63 + 18 bits"),
        ("theirs_lo, theirs_hi", "stones of the other side", "63 + 18 bits"),
        ("mine_won", "blocks that the side to move holds", "9 bits"),
        ("theirs_won", "blocks that the other side holds", "9 bits"),
        ("open", "blocks neither won nor full", "9 bits"),
        ("targets", "blocks the next move may go to", "9 bits"),
        ("mover", "the seat to move, 0 or 1", "1 bit"),
    ]
    for i, (name, meaning, bits) in enumerate(rows):
        y = 250 + 28 * i
        d.text(470, y, name, anchor="start", bold=True, size=13)
        d.text(612, y, meaning, anchor="start", size=13)
        d.text(884, y, bits, anchor="end", size=12, colour="QUIET")
        d.line(470, y + 9, 884, y + 9, width=0.5)
    d.text(470, 478, "A set of blocks, nine bits", anchor="start", bold=True, size=15)
    for b in range(9):
        d.box(478 + b % 3 * 36, 492 + b // 3 * 36, 36, 36, tint=tint_of[b])
        d.text(496 + b % 3 * 36, 514 + b // 3 * 36, b, size=13, bold=True)
    d.text(604, 516, "block b is bit b; the same order as", anchor="start", size=13)
    d.text(604, 535, "the cells inside a block, so one table", anchor="start", size=13)
    d.text(604, 554, "of 512 entries finds lines in both", anchor="start", size=13)
    d.save("layout-nine")


def draw_extreme() -> None:
    d = Drawing(900, 800, "Bit layout of Extreme Tic-Tac-Toe")
    tint_of = {block: TINTS[block // 3] for block in range(16)}
    d.text(30, 30, "Stones of one side: 256 bits in six words of three blocks", anchor="start", bold=True, size=15)
    for w in range(6):
        blocks = [b for b in range(3 * w, 3 * w + 3) if b < 16]
        fields = [(16, f"block {b}", tint_of[b]) for b in blocks]
        x, y = 90 + (w % 2) * 440, 66 + (w // 2) * 64
        word_strip(d, x, y, fields=fields, bit=7.4, label=f"x{w}, o{w}")
    d.text(662, 208, "cell c of block b is bit 16(b mod 3) + c", anchor="start", size=12)
    d.text(662, 225, "of word ⌊b / 3⌋; the move is 16b + c", anchor="start", size=12)

    d.text(30, 282, "Where each bit stands on the board", anchor="start", bold=True, size=15)
    nested_board(d, 36, 298, n=4, cell=28, tint_of=tint_of)
    d.text(560, 282, "The other fields of a state", anchor="start", bold=True, size=15)
    rows = [
        ("x_won", "blocks that X holds", "16 bits"),
        ("o_won", "blocks that O holds", "16 bits"),
        ("open", "neither won nor full", "16 bits"),
        ("targets", "where the next move may go", "16 bits"),
        ("mover", "the seat to move, 0 or 1", "1 bit"),
        ("bonus", "0 off, 1 may be earned, 2 now", "2 bits"),
    ]
    for i, (name, meaning, bits) in enumerate(rows):
        y = 310 + 28 * i
        d.text(560, y, name, anchor="start", bold=True, size=13)
        d.text(630, y, meaning, anchor="start", size=13)
        d.text(884, y, bits, anchor="end", size=12, colour="QUIET")
        d.line(560, y + 9, 884, y + 9, width=0.5)
    d.text(560, 512, "A set of blocks, sixteen bits", anchor="start", bold=True, size=15)
    for b in range(16):
        d.box(566 + b % 4 * 34, 526 + b // 4 * 34, 34, 34, tint=tint_of[b])
        d.text(583 + b % 4 * 34, 548 + b // 4 * 34, b, size=12, bold=True)
    words = ("tints show the word that", "holds a block: three blocks", "each, block 15 alone", "in the last")
    for i, line in enumerate(words):
        d.text(716, 552 + 19 * i, line, anchor="start", size=13)
    d.save("layout-extreme")


def draw_subtraction() -> None:
    d = Drawing(900, 330, "Layout of a state of Subtraction")
    d.text(30, 30, "Nine numbers, a field each", anchor="start", bold=True, size=15)
    for i, name in enumerate("abcdefghi"):
        x, y = 90 + i % 3 * 64, 76 + i // 3 * 64
        d.box(x, y, 64, 64, tint=TINTS[i // 3])
        d.text(x + 32, y + 40, name, size=22, bold=True)
    for j in range(3):
        d.text(122 + 64 * j, 66, f"line {3 + j}", size=12, colour="QUIET")
        d.text(80, 112 + 64 * j, f"line {j}", size=12, anchor="end", colour="QUIET")
    d.text(90, 292, "each from 0 to 1 000 000", anchor="start", size=12, colour="QUIET")
    d.text(340, 30, "A move: 3 × line + (k − 1), one of 18 bits", anchor="start", bold=True, size=15)
    for line in range(6):
        for k in range(3):
            move = 3 * line + k
            x = 340 + (17 - move) * 30
            d.box(x, 76, 30, 34, tint=TINTS[line])
            d.text(x + 15, 98, k + 1, size=13, bold=True)
            d.text(x + 15, 70, move, size=10, colour="QUIET")
        d.text(340 + (17 - 3 * line - 1) * 30 + 15, 128, f"line {line}", size=12)
    d.text(340, 148, "bit numbers above, k in the boxes", anchor="start", size=12, colour="QUIET")
    d.text(340, 186, "The other fields", anchor="start", bold=True, size=15)
    rows = [
        ("first_cost, second_cost", "what each seat has subtracted so far"),
        ("mover", "the seat to move, 0 or 1"),
        ("ended", "0 goes on, 1 a line of zeros, 2 no move left"),
        ("reward, penalty", "the two amounts of the instance, 15 and 7 unless said"),
    ]
    for i, (name, meaning) in enumerate(rows):
        y = 214 + 28 * i
        d.text(340, y, name, anchor="start", bold=True, size=13)
        d.text(520, y, meaning, anchor="start", size=13)
        d.line(340, y + 9, 884, y + 9, width=0.5)
    d.save("layout-subtraction")


def draw_slant() -> None:
    d = Drawing(910, 790, "Bit layout of Loopless Slant")
    d.text(30, 30, "Cells: three words of four rows, 12 bits a row", anchor="start", bold=True, size=15)
    step, x0, y0 = 33, 52, 66
    for r in range(12):
        for c in range(12):
            d.box(x0 + c * step, y0 + r * step, step, step, tint=TINTS[r // 4], line=0.6)
            d.text(x0 + c * step + step / 2, y0 + r * step + 21, 12 * (r % 4) + c, size=11)
        d.text(x0 - 8, y0 + r * step + 21, r, size=10, anchor="end", colour="QUIET")
    for c in range(12):
        d.text(x0 + c * step + step / 2, y0 - 7, c, size=10, colour="QUIET")
    for w in range(3):
        d.box(x0, y0 + 4 * w * step, 12 * step, 4 * step, line=1.8)
        d.text(x0 + 12 * step + 8, y0 + 4 * w * step + 70, f"w{w}", size=13, bold=True, anchor="start")

    d.text(490, 30, "Points: four words of four rows, 13 bits a row", anchor="start", bold=True, size=15)
    px, py, pitch = 522, 78, 28
    for r in range(13):
        for c in range(13):
            d.dot(px + c * pitch, py + r * pitch, 12, tint=TINTS[r // 4])
            d.text(px + c * pitch, py + r * pitch + 3.5, 13 * (r % 4) + c, size=10)
        d.text(px - 20, py + r * pitch + 4, r, size=10, anchor="end", colour="QUIET")
    for c in range(13):
        d.text(px + c * pitch, py - 19, c, size=10, colour="QUIET")
    for w in range(4):
        y = py + 4 * w * pitch + (45 if w < 3 else 4)
        d.text(px + 12 * pitch + 18, y, f"w{w}", size=13, bold=True, anchor="start")

    d.text(30, 500, "One word of each kind, its highest bit on the left", anchor="start", bold=True, size=15)
    for bits, y, tint, label in ((12, 536, TINTS[0], "cells"), (13, 600, TINTS[4], "points")):
        fields = [(bits, f"row 4w + {i}" if i else "row 4w", tint) for i in range(4)]
        word_strip(d, 100, y, fields=fields, bit=14.4, label=label)
    rows = [
        ("free w0–w2, slash w0–w2", "empty cells; cells with “/”; neither means “\\”"),
        ("wants_lo, wants_hi w0–w3", "touches that a circle still wants, 0 to 3, as two planes"),
        ("number_lo, number_hi w0–w3", "the number as printed, two planes; first_closed w0–w3: closed by seat 0"),
        ("first_gain, second_gain, mover, size", "numbers closed by each seat; the seat to move; m"),
    ]
    for i, (name, meaning) in enumerate(rows):
        y = 672 + 28 * i
        d.text(30, y, name, anchor="start", bold=True, size=13)
        d.text(300, y, meaning, anchor="start", size=13)
        d.line(30, y + 9, 884, y + 9, width=0.5)
    d.save("layout-slant")


if __name__ == "__main__":
    draw_nine()
    draw_extreme()
    draw_subtraction()
    draw_slant()
