"""The evaluations of extreme and slant: what the tables say, added up by slow code; symmetries."""

from __future__ import annotations

from random import Random

import pytest

from ludus.games.extreme import evaluation as extreme
from ludus.games.extreme.rules import IS_BONUS
from ludus.games.slant import evaluation as slant
from ludus.games.slant import guessing
from ludus.games.slant.rules import number_at, wanted_at
from ludus.rules import load_game, random_line

EXTREME, SLANT = load_game("extreme"), load_game("slant")
LINES = [
    *([(row, column) for column in range(4)] for row in range(4)),
    *([(row, column) for row in range(4)] for column in range(4)),
    *([(r - 1, c), (r, c - 1), (r, c + 1), (r + 1, c)] for r in (1, 2) for c in (1, 2)),
]
TURNS = (
    lambda r, c: (c, 3 - r),
    lambda r, c: (3 - r, 3 - c),
    lambda r, c: (r, 3 - c),
    lambda r, c: (c, r),
)


def extreme_states(seed, games=6, **options):
    rng = Random(seed)
    return [s for _ in range(games) for s in random_line(EXTREME, EXTREME.start(**options), rng).states[:-1]]


def slow_grade(own, other):
    alive = [line for line in LINES if not any(cell in other for cell in line)]
    missing = [sum(cell not in own for cell in line) for line in alive]
    return 15 if not alive else 5 * min(missing.count(1), 2) + min(missing.count(2), 4)


def slow_extreme(s):
    """The sum of the tables in logits, worked out from cells in rows and columns."""
    marks = [
        {(m // 16, (m % 16 // 4, m % 4)) for m in range(256) if s[m // 48 + 6 * seat] >> m % 48 & 1} for seat in (0, 1)
    ]
    kinds = [sum(1 for x in divmod(b, 4) if x in (1, 2)) for b in range(16)]
    entries, total = [], 0
    for b in range(16):
        x, o = ({cell for block, cell in marks[seat] if block == b} for seat in (0, 1))
        if s.open >> b & 1:
            entries.append(16 * slow_grade(x, o) + slow_grade(o, x))
        else:
            entries.append(
                extreme.X_HAS if s.x_won >> b & 1 else extreme.O_HAS if s.o_won >> b & 1 else extreme.NOBODY_HAS
            )
        total += extreme.BLOCKS[259 * kinds[b] + entries[b]]
    for line in LINES:
        blocks = sorted((4 * r + c for r, c in line), key=lambda b: (kinds[b], b))
        if kinds[blocks[0]] == 0:  # corner, edge, edge, corner
            blocks = [blocks[0], blocks[2], blocks[3], blocks[1]]
            kind = 0
        else:
            is_diamond = len({b // 4 for b in blocks}) == len({b % 4 for b in blocks}) == 3
            kind = 2 if is_diamond else 1
            blocks = blocks if is_diamond else [blocks[0], blocks[2], blocks[3], blocks[1]]
        pairs = [extreme.STANDING[entries[b]] for b in blocks]
        for sign, standings in ((1, [p & 0xFFFF for p in pairs]), (-1, [p >> 16 for p in pairs])):
            index = sum(standing * 7 ** (3 - k) for k, standing in enumerate(standings))
            total += sign * extreme.LINES[2401 * kind + index]
    sign, base = (1, 16) if s.mover == 0 else (-1, 1)
    later = s.bonus == IS_BONUS
    if s.targets.bit_count() == 1:
        t = s.targets.bit_length() - 1
        seen = entries[t] if base == 16 else entries[t] % 16 * 16 + entries[t] // 16
        total += sign * extreme.TARGETS[768 * later + 256 * kinds[t] + seen]
    else:
        near = [
            sum(5 <= grade < 15 for grade in grades)
            for grades in zip(*(divmod(e, 16) for e in entries if e < 256), strict=True)
        ]
        mine, theirs = near if s.mover == 0 else near[::-1]
        total += sign * extreme.CHOICE[9 * later + 3 * min(mine, 2) + min(theirs, 2)]
    worth = [6, 4, 3]
    lead = sum(worth[kinds[b]] * ((s.x_won >> b & 1) - (s.o_won >> b & 1)) for b in range(16))
    return total + extreme.LEAD[17 * s.open.bit_count() + min(max(round(lead / 5), -8), 8) + 8]


@pytest.mark.parametrize("bonus", [True, False])
def test_extreme_adds_up_its_tables(bonus):
    for s in extreme_states(3, games=3, bonus=bonus):
        logits = min(max(slow_extreme(s), -extreme.FARTHEST), extreme.FARTHEST)
        assert extreme.evaluate(s) == extreme.POINTS[logits + extreme.FARTHEST]


def test_extreme_sees_both_sides_alike():
    for s in extreme_states(4):
        swapped = s._replace(
            **{f"x{k}": s[6 + k] for k in range(6)},
            **{f"o{k}": s[k] for k in range(6)},
            x_won=s.o_won,
            o_won=s.x_won,
            mover=1 - s.mover,
        )
        assert extreme.evaluate(swapped) == -extreme.evaluate(s)
        assert abs(extreme.evaluate(s)) < 68_000


def turned_move(move, turn):
    block, cell = ((r, c) for r, c in (divmod(move // 16, 4), divmod(move % 16, 4)))
    (block_row, block_column), (row, column) = turn(*block), turn(*cell)
    return 16 * (4 * block_row + block_column) + 4 * row + column


@pytest.mark.parametrize("turn", TURNS)
def test_a_turned_board_of_extreme_is_worth_the_same(turn):
    line = random_line(EXTREME, EXTREME.start(), Random(8))
    state = EXTREME.start()
    for move, expected in zip(line.moves, line.states, strict=False):
        assert extreme.evaluate(state) == extreme.evaluate(expected)
        state = EXTREME.play(state, turned_move(move, turn))


def test_extreme_likes_to_be_near_a_win():
    """X holds three blocks of a row and lacks one cell in the last; it is sent there."""
    cells = {16 * block + cell for block in (0, 1, 2) for cell in range(4)} | {48, 49, 50}
    words = [sum(1 << m % 48 for m in cells if m // 48 == w) for w in range(6)]
    fields = dict(zip([f"x{k}" for k in range(6)], words, strict=True))
    s = EXTREME.start()._replace(**fields, x_won=0b111, open=0xFFF8, targets=0b1000)
    assert extreme.evaluate(s) > 40_000


def slow_slant(s):
    """What is banked and the weights of the rest, point by point and cell by cell."""
    n = s.size

    def is_free(r, c):
        words = (s.free0, s.free1, s.free2)
        return 0 <= r < n and 0 <= c < n and bool(words[r // 4] >> 12 * (r % 4) + c & 1)

    def ways(seat, r, c):
        return sum(is_free(*cell) for cell in ([(r - 1, c), (r, c - 1)] if seat == 0 else [(r - 1, c - 1), (r, c)]))

    def is_hot(seat, r, c):
        wants = wanted_at(s, r, c)
        return wants == 1 or (wants == 2 and ways(1 - seat, r, c) > 0)

    me, points = s.mover, [(r, c) for r in range(n + 1) for c in range(n + 1)]
    rest = 0
    for r, c in points:
        if wants := wanted_at(s, r, c):
            table = {(1, 1): 0, (1, 2): 1, (1, 3): 2, (2, 2): 3, (2, 3): 4, (3, 3): 5}[wants, number_at(s, r, c)]
            rest += slant.CIRCLES[9 * table + 3 * ways(me, r, c) + ways(1 - me, r, c)]
    closings = [sum(wanted_at(s, r, c) == 1 and ways(seat, r, c) > 0 for r, c in points) for seat in (me, 1 - me)]
    rest += slant.CLOSINGS[4 * min(closings[0], 3) + min(closings[1], 3)]
    cells = [(r, c) for r in range(n) for c in range(n) if is_free(r, c)]
    quiet = [
        {(r, c) for r, c in cells if not is_hot(0, r, c + 1) and not is_hot(0, r + 1, c)},
        {(r, c) for r, c in cells if not is_hot(1, r, c) and not is_hot(1, r + 1, c + 1)},
    ]
    lead = min(max(len(quiet[me]) - len(quiet[1 - me]), -6), 6)
    shared = len(quiet[0] & quiet[1])
    shared = shared if shared < 8 else 6 + shared % 2
    rest += slant.TEMPI[8 * (lead + 6) + shared]
    return 1000 * (s.first_gain - s.second_gain) + (rest if me == 0 else -rest)


@pytest.mark.parametrize("m", [2, 4, 6, 8, 10, 12])
def test_slant_adds_up_its_tables(m):
    for seed in range(3):
        for s in random_line(SLANT, SLANT.start(m=m, seed=seed), Random(seed)).states[:-1]:
            assert slant.evaluate(s) == slow_slant(s)


def without_what_is_left_out(s):
    """The position of the rules with dead circles erased, and cells without effect filled but for a pass left over."""
    small = guessing.reduced(s)
    cells = {12 * (k // 7) + k % 7 for k in range(42) if small.free >> k & 1}
    cells |= {guessing.original(s, guessing.PASS)} if small.passes else set()
    words = [sum(1 << cell % 48 for cell in cells if cell // 48 == w) for w in range(2)]
    alive = small.wants_lo | small.wants_hi
    points = [13 * (k // 7) + k % 7 for k in range(49) if alive >> k & 1]
    planes = [sum(1 << point % 52 for point in points if point // 52 == w) for w in range(2)]
    wants = {f"wants_{b}{w}": s[6 + 4 * k + w] & planes[w] for k, b in enumerate(("lo", "hi")) for w in range(2)}
    return s._replace(free0=words[0], free1=words[1], **wants)


@pytest.mark.parametrize("m", [2, 4, 6])
def test_the_smaller_slant_guesses_the_same_but_for_what_is_left_out(m):
    for seed in range(6):
        for s in random_line(SLANT, SLANT.start(m=m, seed=seed), Random(seed)).states[:-1]:
            small = guessing.reduced(s)
            if guessing.result(small) is None:
                assert guessing.evaluate(small) == slant.evaluate(without_what_is_left_out(s))


@pytest.mark.parametrize("m", [2, 6, 12])
def test_a_mirrored_board_of_slant_belongs_to_the_other_seat(m):
    """Mirrored, a "/" is a "\\": with the seats swapped, all is worth as much to the other."""
    for seed in range(4):
        start = SLANT.start(m=m, seed=seed)
        rows = [row[::-1] for row in SLANT.instance(start, {})["circles"]]
        line = random_line(SLANT, start, Random(seed))
        mirrored = SLANT.start(circles=rows)._replace(mover=1)
        for move, s in zip(line.moves, line.states, strict=False):
            assert slant.evaluate(mirrored) == -slant.evaluate(s)
            mirrored = SLANT.play(mirrored, move // 12 * 12 + m - 1 - move % 12)


def test_slant_likes_a_circle_that_it_can_close():
    for mover, sign in ((0, 1), (1, -1)):
        s = SLANT.start(circles="000/010/000")._replace(mover=mover)
        assert sign * slant.evaluate(s) > 300
