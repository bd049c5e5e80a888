"""A learned evaluation as code: the bits of a position flip rows of a first layer, and what the layer sums is weighed.

A network's numbers and what it remembers stand in one array of words, the *mind*, four 16-bit numbers to a word:

    rows      for each bit that is an input, what it adds to the hidden numbers
    outputs   for each phase of the game, what each hidden number, cut off and squared, counts
    sums      for each seat, the hidden numbers of the position that was judged last when it was to move
    seen      for each seat, that position: only rows of bits that differ from it are added or taken away
    lists     the places of those rows
    rest      for each phase, what is added to the output and what the game's own guess counts
    unit      the thousandths of a unit of margin
    memo      of a wide network, keys of positions judged lately and what was said of them

So the mind is changed by judging, and every thread has a mind of its own.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cache
from typing import Any, NamedTuple

from ludus.compile.bits import lowest, plain
from ludus.compile.digest import short_digest
from ludus.compile.vectors import CEILING, moved_and_weighed

UNIT = 256  # of the output: an atanh of the payoff, or one spread of a margin
OUTPUT_UNIT = 64  # of the weights of the output
WEIGHED = CEILING * CEILING * OUTPUT_UNIT // UNIT  # what the output is divided by
STEPS, STEP = 2048, 1  # of the table that turns outputs into payoffs: from -4 to 4 units
WORD = 63  # bits of a word that are used
REST = 2  # numbers of each phase besides its output
# A search often asks again about a position that it has judged lately. From so many hidden numbers on, remembering
# costs less than it saves.
WIDE = 256
PLACES = 2048  # of the memo, a power of two


class Shape(NamedTuple):
    """What compiled code must know of a network: its sizes, not its numbers."""

    widths: tuple[int, ...]  # of each word of a position: how many of its bits are inputs
    trade: tuple[int, ...]  # which word the second seat sees in the place of each; none: the mover is an input
    features: int  # words after those of the state that the game adds
    hidden: int
    greatest: int  # payoffs lie between minus this and this; 0: they are margins
    has_guess: bool  # whether the game's own guess is added to the output
    phases: int  # of the game, each with an output of its own

    @property
    def row(self) -> int:
        """The words of one row."""
        return self.hidden // 4

    @property
    def groups(self) -> tuple[tuple[int, ...], ...]:
        """Words whose bits are looked at together, as many as 63 bits hold: fewer words are fewer surprises.

        The inputs are the bits of all groups, one after the other; the mover, where it is an input, comes last.
        """
        return _groups(self.widths)

    @property
    def rows(self) -> int:
        """How many bits are inputs."""
        return sum(self.widths) + (0 if self.trade else 1)

    @property
    def outputs(self) -> int:
        return self.rows * self.row

    @property
    def sums(self) -> int:
        return self.outputs + self.phases * self.row

    @property
    def seen(self) -> int:
        return self.sums + 2 * self.row

    @property
    def words(self) -> int:
        """The words of a position as the network remembers it."""
        return len(self.groups) + (0 if self.trade else 1)

    @property
    def lists(self) -> int:
        """Where the rows to be added are listed; those to be taken away come after, each list with room for all."""
        return self.seen + 2 * self.words

    @property
    def rest(self) -> int:
        return self.lists + 2 * self.rows + 2

    @property
    def unit(self) -> int:
        return self.rest + REST * self.phases

    @property
    def memo(self) -> int:
        return self.unit + 1

    @property
    def has_memo(self) -> bool:
        return self.hidden >= WIDE

    @property
    def size(self) -> int:
        return self.memo + (2 * PLACES if self.has_memo else 0)


@cache
def _groups(widths: tuple[int, ...]) -> tuple[tuple[int, ...], ...]:
    groups: list[list[int]] = []
    for k, width in enumerate(widths):
        if width:
            group = next((one for one in groups if sum(widths[j] for j in one) + width <= WORD), None)
            if group is None:
                groups.append([k])
            else:
                group.append(k)
    return tuple(tuple(group) for group in groups)


def curve(greatest: int) -> tuple[int, ...]:
    """Payoffs in thousandths for all steps of the output, strictly between the losses and the wins."""
    return tuple(
        max(-1000 * greatest + 1, min(1000 * greatest - 1, round(1000 * greatest * math.tanh(STEP * k / UNIT))))
        for k in range(-STEPS // 2, STEPS // 2)
    )


def inverse(greatest: int) -> tuple[int, ...]:
    """The output that stands for each payoff in thousandths, from the least to the greatest, at most 3 units."""
    return tuple(
        round(UNIT * max(-3.0, min(3.0, math.atanh(k / (1000 * greatest)))))
        if abs(k) < 1000 * greatest
        else (3 if k > 0 else -3) * UNIT
        for k in range(-1000 * greatest, 1000 * greatest + 1)
    )


def judge_source(shape: Shape) -> str:
    """`judge(state, mind)` for a network of that shape: seat 0's payoff in thousandths, the mind brought up to date."""
    lines = [
        "def follow(mind, seen, word, first, added, taken):",
        "    before = plain(mind[seen])",
        "    mind[seen] = word",
        "    changed = word ^ before",
        "    while changed:",
        "        bit = lowest(changed)",
        "        changed &= changed - 1",
        "        is_on = word >> bit & 1",
        f"        mind[added] = mind[taken] = first + bit * {shape.row}",
        "        added += is_on",
        "        taken += 1 - is_on",
        "    return added, taken",
        f"def {'judge_anew' if shape.has_memo else 'judge'}(state, mind):",
        "    seat = turn(state)",
        f"    sums, seen = {shape.sums} + seat * {shape.row}, {shape.seen} + seat * {shape.words}",
        "    known = core(state)",
        *(["    extra = features(state)"] if shape.features else []),
        "    now = " + (f"min(max(phase(state), 0), {shape.phases - 1})" if shape.phases > 1 else "0"),
        f"    added, taken = {shape.lists}, {shape.lists + shape.rows + 1}",
    ]
    first = 0
    for k, group in enumerate(shape.groups):
        lines.append(f"    added, taken = follow(mind, seen + {k}, {_joined(shape, group)}, {first}, added, taken)")
        first += sum(shape.widths[word] for word in group) * shape.row
    if not shape.trade:
        lines.append(f"    added, taken = follow(mind, seen + {len(shape.groups)}, seat, {first}, added, taken)")
    lines += [
        f"    weighed = moved_and_weighed(mind, sums, {shape.lists}, added - {shape.lists},"
        f" {shape.lists + shape.rows + 1}, taken - {shape.lists + shape.rows + 1},"
        f" {shape.outputs} + now * {shape.row}, {shape.hidden})",
        f"    rest = {shape.rest} + {REST} * now",
        f"    total = weighed // {WEIGHED} + plain(mind[rest])",
    ]
    lines += _margin_lines(shape) if shape.greatest == 0 else _payoff_lines(shape)
    lines += [
        "    low, high = payoffs(state)",
        "    return min(max(payoff, 1000 * low + 1), 1000 * high - 1) if low < high else 1000 * low",
    ]
    if shape.has_memo:
        lines += [
            "def judge(state, mind):",
            "    key = short_digest(state)",
            f"    place = {shape.memo} + 2 * (key & {PLACES - 1})",
            "    if mind[place] != key:",
            "        mind[place + 1] = judge_anew(state, mind)",
            "        mind[place] = key",
            "    return plain(mind[place + 1])",
        ]
    return "\n".join(lines) + "\n"


def _joined(shape: Shape, group: tuple[int, ...]) -> str:
    """The words of a group side by side, as an expression."""
    own, parts, shift = len(shape.widths) - shape.features, [], 0
    for k in group:
        word = f"known[{k}]" if k < own else f"extra[{k - own}]"
        if k < own and shape.trade and shape.trade[k] != k:
            word = f"(known[{k}] if seat == 0 else known[{shape.trade[k]}])"
        parts.append(f"({word} & {(1 << shape.widths[k]) - 1}) << {shift}")
        shift += shape.widths[k]
    return " | ".join(parts)


def _payoff_lines(shape: Shape) -> list[str]:
    """The end of `judge` where payoffs have limits."""
    lines = []
    if shape.has_guess:
        lines += [
            f"    told = INVERSE[min(max(guess(state), {-1000 * shape.greatest}), {1000 * shape.greatest})"
            f" + {1000 * shape.greatest}]",
            f"    total += plain(mind[rest + 1]) * (told if seat == 0 else -told) // {UNIT}",
        ]
    return [
        *lines,
        f"    payoff = CURVE[min(max(total // {STEP} + {STEPS // 2}, 0), {STEPS - 1})]",
        "    payoff = payoff if seat == 0 else -payoff",
    ]


def _margin_lines(shape: Shape) -> list[str]:
    """The end of `judge` where payoffs are margins: those to come are added to what is banked."""
    lines = [f"    margin = total * plain(mind[{shape.unit}]) // {UNIT}", "    settled = 1000 * banked(state)"]
    if shape.has_guess:
        lines += [
            "    told = guess(state) - settled",
            f"    margin += plain(mind[rest + 1]) * (told if seat == 0 else -told) // {UNIT}",
        ]
    return [
        *lines,
        "    payoff = settled + (margin if seat == 0 else -margin)",
    ]


def names_for(shape: Shape) -> dict[str, Any]:
    """What the source of `judge` calls besides the game's functions."""
    tables = {"CURVE": curve(shape.greatest), "INVERSE": inverse(shape.greatest)} if shape.greatest else {}
    known: dict[str, Callable[..., Any]] = {
        "plain": plain,
        "lowest": lowest,
        "moved_and_weighed": moved_and_weighed,
        "short_digest": short_digest,
    }
    return {**tables, **known}
