"""Perfect matchings of a graph that follow a wish: who can still be paired, and with whom one likes best."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence

Allowed = Callable[[int, int], bool]
Wishes = Callable[[int, Sequence[int]], Sequence[int]]


def wished_matching(order: Sequence[int], allowed: Allowed, wishes: Wishes) -> list[tuple[int, int]] | None:
    """Everybody paired by allowed pairs alone, or None where that cannot be.

    The first in order gets the best of its wishes that leaves the others a matching, then the next, and so on.
    """
    graph = {one: [other for other in order if other != one and allowed(one, other)] for one in order}
    mate: dict[int, int] = {}
    for one in order:
        if one not in mate and not _augmented(one, mate, graph):
            return None
    pairs = []
    for one in order:
        if one in graph:
            other = _best(one, mate, graph, wishes(one, graph[one]))
            pairs.append((one, other))
            _remove(graph, one, other)
    return pairs


def _best(one: int, mate: dict[int, int], graph: dict[int, list[int]], wished: Sequence[int]) -> int:
    """The first wish that can be had; `mate` stays a perfect matching of the rest."""
    for other in wished:
        if mate[one] == other:
            break
        left, right = mate[one], mate[other]
        rest = {team: near for team, near in graph.items() if team not in (one, other)}
        found = {team: partner for team, partner in mate.items() if team not in (one, other, left, right)}
        if _augmented(left, found, rest):
            mate.clear()
            mate |= found | {one: other, other: one}
            break
    other = mate.pop(one)
    del mate[other]
    return other


def _remove(graph: dict[int, list[int]], *teams: int) -> None:
    for team in teams:
        for near in graph.pop(team):
            if near in graph:
                graph[near].remove(team)


def _augmented(root: int, mate: dict[int, int], graph: dict[int, list[int]]) -> bool:
    """Pairs one more, by the blossom algorithm: a path from the root that is out of and in the matching in turns."""
    before: dict[int, int] = {}
    base = {team: team for team in graph}
    reached, queue = {root}, deque([root])
    while queue:
        one = queue.popleft()
        for other in graph[one]:
            if other not in base or base[one] == base[other] or mate.get(one) == other:
                continue
            if other == root or (other in mate and mate[other] in before):
                _shrink(one, other, (mate, before, base, reached, queue))
            elif other not in before:
                before[other] = one
                if other not in mate:
                    _flip(other, mate, before)
                    return True
                reached.add(mate[other])
                queue.append(mate[other])
    return False


_Search = tuple[dict[int, int], dict[int, int], dict[int, int], set[int], deque[int]]


def _shrink(one: int, other: int, search: _Search) -> None:
    """Two even ends meet: the odd cycle behind them becomes one node, and all of it can be gone on from."""
    mate, before, base, reached, queue = search
    stem = _common(one, other, mate, before, base)
    inside: set[int] = set()
    for start, child in ((one, other), (other, one)):
        at, towards = start, child
        while base[at] != stem:
            inside |= {base[at], base[mate[at]]}
            before[at] = towards
            towards = mate[at]
            at = before[mate[at]]
    for team, found in base.items():
        if found in inside:
            base[team] = stem
            if team not in reached:
                reached.add(team)
                queue.append(team)


def _common(one: int, other: int, mate: dict[int, int], before: dict[int, int], base: dict[int, int]) -> int:
    """Where the ways back to the root meet."""
    passed: set[int] = set()
    at = base[one]
    while True:
        passed.add(at)
        if at not in mate:
            break
        at = base[before[mate[at]]]
    at = base[other]
    while at not in passed:
        at = base[before[mate[at]]]
    return at


def _flip(end: int, mate: dict[int, int], before: dict[int, int]) -> None:
    at: int | None = end
    while at is not None:
        one = before[at]
        onward = mate.get(one)
        mate[at], mate[one] = one, at
        at = onward
