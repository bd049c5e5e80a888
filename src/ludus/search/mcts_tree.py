"""The memory of Monte Carlo tree search: nodes as words in two arrays, made once and never enlarged.

Node i is two words of `nodes`, its link and its stats, next to each other because selection reads both, and one
of `proofs`, its bounds, which few nodes need. The children of a node stand side by side. Node 0 is the root.

    link    | first child, 32 bits | width, 16 | move + 1, 16 |          0: not written yet
    stats   | look at the bounds, 1 bit | visits, 27 | gains, 36 |       gains of the seat that moved here
    bounds  | 2**30 + least payoff, 32 bits | 2**30 - greatest, 32 |     0: nothing is known of seat 0's payoff

Threads share the tree without locks. A word is read and written whole, a link that is 0 counts as absent, and
memory that is not in use holds zeros: whoever comes too early finds nothing, never something wrong. Each
thread takes new nodes from a region of its own. Two that add to one word at once may lose one of the
additions; nothing is ever subtracted, so what is lost shifts a mean by a hair.
"""

from __future__ import annotations

from ludus.compile.bits import lowest, plain
from ludus.compile.interface import (
    MoveSet,
    Words,
    count,
    first,
    play,
    store,
    without_first,
)
from ludus.rules import State

WORDS_A_NODE = 3
HUGE = 1 << 30  # payoffs of this size or more are never proven
LOW_HALF = (1 << 32) - 1
UNIT = 256  # gains of a sure win
VISIT = 1 << 36  # one visit, in the stats
GAINS = VISIT - 1
COUNTED = (1 << 63) - 1
LOOK_AT_BOUNDS = -1 << 63
MOST_VISITS = (1 << 27) - (1 << 20)  # the root gets no more than this
MOST_NODES = 1 << 31
MOST_PLIES = 1024  # of a path through the tree
SHARE = 32  # nodes that share a word of marks


def first_child(link: int) -> int:
    return link >> 32 & MOST_NODES - 1  # so the compiler knows that it is not negative, and does not ask


def width_of(link: int) -> int:
    return link >> 16 & 0xFFFF


def move_of(link: int) -> int:
    return (link & 0xFFFF) - 1


def visits_of(stats: int) -> int:
    return (stats & COUNTED) >> 36


def least(bounds: int) -> int:
    """What seat 0 gets at least."""
    return (bounds >> 32) - HUGE


def greatest(bounds: int) -> int:
    """What seat 0 gets at most."""
    return HUGE - (bounds & LOW_HALF)


def bounds_of(low: int, high: int) -> int:
    return low + HUGE << 32 | HUGE - high


def is_proven(bounds: int) -> bool:
    return least(bounds) == greatest(bounds)


def expand(nodes: Words, node: int, base: int, legal: MoveSet, turned_by: int) -> None:
    """Give a node its children, from `base` on; the order of moves is turned, so that none is always first.

    Only links are written: what is free holds zeros, which is right for all else.
    The link of the parent comes last: with it the children can be seen, unless another thread was faster.
    """
    width = count(legal)
    slot = base + turned_by
    for _ in range(width):
        nodes[2 * slot] = first(legal) + 1
        legal = without_first(legal)
        slot += 1
        if slot == base + width:
            slot = base
    link = plain(nodes[2 * node])
    if width_of(link) == 0:
        nodes[2 * node] = base << 32 | width << 16 | link


def seek(state: State, node: int, plies: int, nodes: Words, target: Words, room: Words) -> int:
    """The node below this one where the target stands after exactly so many plies, -1 if there is none."""
    if plies == 0:
        store(room, 0, state)
        for k in range(target.size):
            if room[k] != target[k]:
                return -1
        return node
    link = plain(nodes[2 * node])
    base = first_child(link)
    for child in range(base, base + width_of(link)):
        move = move_of(plain(nodes[2 * child]))
        if move >= 0:
            found = seek(play(state, move), child, plies - 1, nodes, target, room)
            if found >= 0:
                return found
    return -1


def locate(root: State, target: Words, plies: int, nodes: Words, room: Words) -> int:
    """The node of a position at most so many plies below the root, -1 if the tree has none."""
    for ahead in range(plies + 1):
        found = seek(root, plain(0), plain(ahead), nodes, target, room)
        if found >= 0:
            return found
    return -1


def mark(nodes: Words, top: int, marks: Words, stack: Words) -> None:
    """Mark all nodes below one."""
    depth = 0
    link = plain(nodes[2 * top])
    stack[0], stack[1] = first_child(link), first_child(link) + width_of(link)
    while depth >= 0:
        node = plain(stack[2 * depth])
        if node == stack[2 * depth + 1]:
            depth -= 1
            continue
        stack[2 * depth] = node + 1
        marks[node // SHARE] |= 1 << node % SHARE
        link = plain(nodes[2 * node])
        if width_of(link) > 0:
            depth += 1
            stack[2 * depth], stack[2 * depth + 1] = first_child(link), first_child(link) + width_of(link)


def moved(link: int, marks: Words, ranks: Words) -> int:
    """The link with its children at their new place: after the root and all marked nodes before them.

    Those are the ones before their word of marks, which `ranks` knows, and those before them in the word.
    """
    if width_of(link) == 0:
        return link
    base = first_child(link)
    before = plain(marks[base // SHARE]) & (1 << base % SHARE) - 1
    return 1 + plain(ranks[base // SHARE]) + before.bit_count() << 32 | link & LOW_HALF


def regrow(nodes: Words, proofs: Words, top: int, used: int, marks: Words, ranks: Words, stack: Words) -> int:
    """Entry point: make `top` the root and forget all that is not below it; how many nodes are left.

    What stays slides down, in place and in order: a node never moves up, as the old root makes room for the new.
    """
    words = (used + SHARE - 1) // SHARE
    for w in range(words):
        marks[w] = 0
    mark(nodes, top, marks, stack)
    total = 0
    for w in range(words):
        ranks[w] = total
        total += plain(marks[w]).bit_count()
    nodes[0], proofs[0] = moved(plain(nodes[2 * top]), marks, ranks), proofs[top]
    nodes[1] = nodes[2 * top + 1]
    slot = 1
    for w in range(words):
        left = plain(marks[w])
        while left != 0:
            node = SHARE * w + lowest(left)
            left &= left - 1
            nodes[2 * slot], proofs[slot] = moved(plain(nodes[2 * node]), marks, ranks), proofs[node]
            nodes[2 * slot + 1] = nodes[2 * node + 1]
            slot += 1
    nodes[2 * slot : 2 * used] = 0
    proofs[slot:used] = 0
    return slot
