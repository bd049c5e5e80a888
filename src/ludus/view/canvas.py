"""A sheet of characters with colours, box lines that join, and text that cannot break out of its place."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple
from unicodedata import category, combining, east_asian_width


class Box(NamedTuple):
    """Characters from (left, top) up to, but not including, (right, bottom)."""

    left: int
    top: int
    right: int
    bottom: int


class Pencil(NamedTuple):
    """The look of a character; an empty colour leaves what is there, `ascii` is written instead in ASCII."""

    colour: str = ""
    ground: str = ""
    bold: bool = False
    ascii: str = ""


LIGHT, HEAVY = 1, 2
# Joined box lines: index is the weight (0, 1, 2) of up, right, down, left as digits in base three.
_JOINTS = " ╴╸╷┐┑╻┒┓╶─╾┌┬┭┎┰┱╺╼━┍┮┯┏┲┳╵┘┙│┤┥╽┧┪└┴┵├┼┽┟╁╅┕┶┷┝┾┿┢╆╈╹┚┛╿┦┩┃┨┫┖┸┹┞╀╃┠╂╉┗┺┻┡╄╇┣╊╋"
# What pure ASCII writes instead; the halves of a diagonal become blanks around its middle.
_ASCII = str.maketrans("○╱╲●•·▸▾×−–—…✓’→▀▄█▞▚▗▘▝▖", "o/\\@*.>vx---~*'>###/\\    ")


def printable(text: str) -> str:
    """Text from anywhere, with every character that could move the cursor or colour the screen replaced."""
    return "".join("?" if category(c)[0] == "C" or c in "\u2028\u2029" else c for c in text)


def letter_width(letter: str) -> int:
    if combining(letter) or category(letter) in ("Mn", "Me"):
        return 0
    return 2 if east_asian_width(letter) in "WF" else 1


def text_width(text: str) -> int:
    """Columns that a printable text takes in a terminal."""
    return sum(map(letter_width, text))


def cut(text: str, columns: int) -> str:
    """The text, or its beginning and an ellipsis, in at most so many columns."""
    if text_width(text) <= columns:
        return text
    kept, used = "", 0
    for letter in text:
        used += letter_width(letter)
        if used > columns - 1:
            break
        kept += letter
    return kept.rstrip() + "…"


@dataclass(slots=True)
class Canvas:
    """Characters and their colours; whatever lies outside the sheet is not drawn."""

    width: int
    height: int
    ground: str
    letters: list[list[str]] = field(init=False)
    colours: list[list[str]] = field(init=False)
    grounds: list[list[str]] = field(init=False)
    bolds: list[list[bool]] = field(init=False)
    instead: list[list[str]] = field(init=False)
    joints: list[list[list[int]]] = field(init=False)  # weights of up, right, down, left

    def __post_init__(self) -> None:
        columns, rows = range(self.width), range(self.height)
        self.letters = [[" " for _ in columns] for _ in rows]
        self.colours = [["" for _ in columns] for _ in rows]
        self.grounds = [[self.ground for _ in columns] for _ in rows]
        self.bolds = [[False for _ in columns] for _ in rows]
        self.instead = [["" for _ in columns] for _ in rows]
        self.joints = [[[0, 0, 0, 0] for _ in columns] for _ in rows]

    def write(self, x: int, y: int, text: str, pencil: Pencil) -> None:
        """Text from (x, y) to the right; wide characters take two places, combining ones none."""
        for letter in printable(text):
            width = letter_width(letter)
            if width == 0:
                continue
            if 0 <= y < self.height and x >= 0 and x + width <= self.width:
                self.letters[y][x] = letter
                self.instead[y][x] = pencil.ascii
                if width == 2:
                    self.letters[y][x + 1] = ""
                for place in range(x, x + width):
                    self.colours[y][place] = pencil.colour or self.colours[y][place]
                    self.grounds[y][place] = pencil.ground or self.grounds[y][place]
                    self.bolds[y][place] = pencil.bold
            x += width

    def centre(self, box: Box, text: str, pencil: Pencil) -> None:
        """Text in the middle of a box, cut where it is too long for it."""
        shown = cut(printable(text), box.right - box.left)
        x = box.left + (box.right - box.left - text_width(shown)) // 2
        self.write(x, (box.top + box.bottom - 1) // 2, shown, pencil)

    def fill(self, box: Box, ground: str) -> None:
        for y in range(max(0, box.top), min(self.height, box.bottom)):
            for x in range(max(0, box.left), min(self.width, box.right)):
                self.grounds[y][x] = ground

    def clear(self, box: Box) -> None:
        for y in range(max(0, box.top), min(self.height, box.bottom)):
            for x in range(max(0, box.left), min(self.width, box.right)):
                self.letters[y][x] = " "

    def frame(self, box: Box, weight: int, colour: str) -> None:
        """A frame on the outermost characters of the box; it joins the frames that it meets."""
        left, top, right, bottom = box.left, box.top, box.right - 1, box.bottom - 1
        for x in range(left, right + 1):
            for y in (top, bottom):
                self._joint(x, y, (0, weight * (x < right), 0, weight * (x > left)), colour)
        for y in range(top, bottom + 1):
            for x in (left, right):
                self._joint(x, y, (weight * (y > top), 0, weight * (y < bottom), 0), colour)

    def _joint(self, x: int, y: int, weights: tuple[int, int, int, int], colour: str) -> None:
        if not (0 <= x < self.width and 0 <= y < self.height):
            return
        joined = [max(old, new) for old, new in zip(self.joints[y][x], weights, strict=True)]
        self.joints[y][x] = joined
        up, right, down, left = joined
        self.letters[y][x] = _JOINTS[27 * up + 9 * right + 3 * down + left]
        self.colours[y][x] = colour
        self.bolds[y][x] = False

    def rows(self, *, ascii: bool = False) -> list[str]:
        """The sheet as plain text, right sides trimmed; pure ASCII when asked for."""
        return ["".join(self._row(y, ascii)).rstrip() for y in range(self.height)]

    def runs(self, y: int, *, ascii: bool = False) -> Iterator[tuple[str, Pencil]]:
        """One row as pieces of text of one look each."""
        row: Sequence[str] = self._row(y, ascii)
        piece, look = "", Pencil()
        for x, letter in enumerate(row):
            this = Pencil(self.colours[y][x], self.grounds[y][x], self.bolds[y][x])
            if this != look and piece:
                yield piece, look
                piece = ""
            piece, look = piece + letter, this
        yield piece, look

    def _row(self, y: int, ascii: bool) -> list[str]:
        if not ascii:
            return self.letters[y]
        return [self._ascii(x, y) for x in range(self.width)]

    def _ascii(self, x: int, y: int) -> str:
        letter = self.letters[y][x]
        if letter.isascii():
            # The right half of a wide character needs a place of its own once "?" stands for the whole.
            return letter or " "
        if self.instead[y][x]:
            return self.instead[y][x]
        if letter in _JOINTS:
            up, right, down, left = self.joints[y][x]
            is_heavy = HEAVY in self.joints[y][x]
            if not up and not down:
                return "=" if is_heavy else "-"
            if not right and not left:
                return "#" if is_heavy else "|"
            return "#" if is_heavy else "+"
        plain = letter.translate(_ASCII)
        return plain if plain.isascii() else "?"
