"""Monte Carlo tree search for any game: a tree that outlives a search, in memory of a fixed size, on any threads."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple

import numpy as np

from ludus.compile.interface import Words
from ludus.compile.link import link
from ludus.networks.network import Network, new_mind, shape_of
from ludus.rules import Game, State
from ludus.search import mcts_grow as grow
from ludus.search import mcts_tree as tree
from ludus.search.finding import SCALE, Finding, require_a_move
from ludus.search.playouts import Seeds
from ludus.search.seeds import seed_of
from ludus.search.stopping import FOREVER, deadline_in

LONGEST_PLAYOUT = 10_000  # plies, where no cut-off is asked for: no playout may hold up the clock
LONGEST_LINE = 64
PLIES_BETWEEN_MOVES = 4  # that the next position is looked for in the tree: two turns of two moves
SAMPLE = 64  # playouts that show how far apart payoffs lie
EXPLORATION = 0.4  # the constant of UCT
LOOK_EVERY = 4096  # plies between two looks at the clock, compiled
KEEPING_NS = 30  # that it takes to keep or drop a node of the tree before
LARGE = 1 << 16  # nodes: memory for more is asked for afresh, which takes no time to clear
REGION = 1 << 16  # nodes that one of several threads takes at a time
SLICE_S = 0.2  # between two reports of progress


class Choice(NamedTuple):
    """One move at the root and what is known of it."""

    move: int
    visits: int
    score: int  # seat 0's payoff in thousandths
    is_exact: bool
    line: tuple[int, ...]


class Room(NamedTuple):
    """What one thread works in: its way through the tree, its counts and free nodes, its random numbers, its mind."""

    path: Words
    report: Words
    rng: Seeds
    mind: Words  # of the network, where there is one


class Child(NamedTuple):
    """A node as its parent's mover sees it; payoffs are the mover's."""

    node: int
    move: int
    visits: int
    gain: float  # the mean, from 0 to 1
    least: int
    greatest: int

    @property
    def is_proven(self) -> bool:
        return self.least == self.greatest


class Mcts:
    """A searcher of one game. Its tree outlives a search: the next one goes on from the part that was reached.

    `exploration` is the constant of UCT for gains from 0 to 1. `urgency` is the gain that a move not yet tried
    is assumed to bring; without it each move is tried once before any is tried twice. Playouts are random to
    the end of the game, or for `cut_off` plies, after which the game's `evaluate` speaks.
    `payoffs` are the least and the greatest payoff that the game knows. A move that reaches the limit needs no
    other looked at, so proofs come sooner. Unless given, they are what the rules say in `payoffs(s)`, if they do.
    """

    def __init__(
        self,
        game: Game,
        *,
        megabytes: int = 64,
        threads: int = 1,
        seed: int = 0,
        exploration: float = EXPLORATION,
        urgency: float | None = None,
        cut_off: int | None = None,
        payoffs: tuple[int, int] | None = None,
        network: Network | None = None,
        compiled: bool | None = None,
    ) -> None:
        groups = megabytes * (1 << 20) // (8 * (tree.WORDS_A_NODE * tree.SHARE + 2))
        groups = min(groups, tree.MOST_NODES // tree.SHARE)
        self.capacity = groups * tree.SHARE
        if self.capacity < 2 * threads * game.move_limit:
            raise ValueError(f"a tree of {game.name} needs more than {megabytes} megabytes")
        self.game, self.seed, self.payoffs = game, seed, payoffs
        self.cut_off = LONGEST_PLAYOUT if cut_off is None else cut_off
        self.nodes, self.proofs = np.zeros(2 * self.capacity, np.int64), np.zeros(self.capacity, np.int64)
        self.marks, self.ranks = np.zeros(groups, np.int64), np.zeros(groups, np.int64)
        self.table = grow.uct_table(exploration, math.inf if urgency is None else urgency)
        shape = shape_of(network)
        self.grow = link(game, grow.grow, compiled=compiled, shape=shape)
        self.set_out = link(game, grow.set_out, compiled=compiled, shape=shape)
        self.regrow = link(game, tree.regrow, compiled=compiled)
        self.threads = threads if hasattr(self.grow, "py_func") else 1
        self.rooms = [_new_room(new_mind(network)) for _ in range(self.threads)]
        self.orders = np.zeros(grow.ORDERS, np.int64)
        self.orders[grow.LOOK_EVERY] = LOOK_EVERY if hasattr(self.grow, "py_func") else 16
        self.control = np.array([0, FOREVER], np.int64)
        self.searches = 0
        self.root: State | None = None
        self.forget()

    def stop(self) -> None:
        """Make a search that runs in another thread come to its end."""
        self.control[grow.STOP] = 1

    def forget(self) -> None:
        """Empty the tree."""
        used = self._used()
        if used > LARGE:
            self.nodes, self.proofs = np.zeros(self.nodes.size, np.int64), np.zeros(self.proofs.size, np.int64)
        else:
            self.nodes[: 2 * used] = 0
            self.proofs[:used] = 0
        self.nodes[0] = 1
        self._share_out(1)
        self.root = None

    def search(
        self,
        state: State,
        *,
        iterations: int | None = None,
        seconds: float | None = None,
        on_progress: Callable[[Finding], None] | None = None,
    ) -> Finding:
        """The best move of a position that is not over; it ends early when the position is proven.

        Without limits it goes on until somebody calls `stop`. With one thread, the same seed, the same
        iterations and the same searches before give the same finding. `on_progress` hears of it now and then.
        """
        begin = time.perf_counter()
        require_a_move(self.game, state)
        deadline = deadline_in(seconds)
        self.control[grow.STOP] = 0
        self._set_out(state, deadline, FOREVER if iterations is None else iterations)
        while True:
            pause = FOREVER if on_progress is None else time.monotonic_ns() + int(SLICE_S * 1e9)
            self.control[grow.DEADLINE] = min(deadline, pause)
            self._work()
            found = self._found(state, time.perf_counter() - begin)
            if on_progress is not None:
                on_progress(found)
            if pause > deadline or pause > time.monotonic_ns() or self.control[grow.STOP]:
                return found

    def choices(self) -> list[Choice]:
        """Every move of the position searched last, the best one first."""
        if self.root is None:
            return []
        seat = self.game.turn(self.root)
        children = self._children(0, seat) or [self._untried(self.root)]
        best = self._best(children)
        others = sorted((child for child in children if child != best), key=lambda child: -child.visits)
        return [
            Choice(
                child.move,
                child.visits,
                self._score(child, seat),
                child.is_proven,
                (child.move, *self._line(self.game.play(self.root, child.move), child.node)),
            )
            for child in (best, *others)
        ]

    def _set_out(self, state: State, deadline: int, iterations: int) -> None:
        """Make the state the root of the tree, with what was already known below it, and hand out the work."""
        self.searches += 1
        for k, room in enumerate(self.rooms):
            room.rng[0] = seed_of(self.seed, self.searches * self.threads + k)
            room.report[: grow.BEGIN] = 0
            room.report[grow.LIMIT] = iterations // self.threads + (k < iterations % self.threads)
        lowest, highest = self._payoffs(state)
        place, scores = self._place(state, deadline)
        centre, spread = _scale(scores, max(-lowest, highest))
        can_keep = KEEPING_NS * self._used() < (deadline - time.monotonic_ns()) // 2
        if place >= 0 and can_keep and self._still_fits(centre, spread):
            self._keep(place)
        else:
            self.forget()
            self.orders[grow.CENTRE], self.orders[grow.SPREAD] = centre, spread
        self.root = state
        self.orders[grow.LOWEST], self.orders[grow.HIGHEST] = lowest, highest
        self.orders[grow.CUT_OFF], self.orders[grow.IS_SHARED] = self.cut_off, self.threads > 1
        known = int(self.proofs[0])
        self.proofs[0] = tree.bounds_of(max(tree.least(known), lowest), min(tree.greatest(known), highest))

    def _payoffs(self, state: State) -> tuple[int, int]:
        declared = getattr(self.game.module, "payoffs", None)
        if self.payoffs is not None:
            lowest, highest = self.payoffs
        else:
            lowest, highest = (-tree.HUGE, tree.HUGE) if declared is None else declared(state)
        return max(lowest, -tree.HUGE), min(highest, tree.HUGE)

    def _place(self, state: State, deadline: int) -> tuple[int, Words]:
        """Where a position stands in the tree, -1 if nowhere, and the scores of a few playouts from it."""
        root, before = (np.array(s, np.int64) for s in (state, self.root or state))
        scores = np.zeros(SAMPLE, np.int64)
        plies = -1 if self.root is None else PLIES_BETWEEN_MOVES
        arguments = (
            root,
            before,
            plies,
            self.nodes,
            self.cut_off,
            deadline,
            self.rooms[0].rng,
            self.rooms[0].mind,
            scores,
        )
        return int(self.set_out(*arguments, np.zeros_like(root))), scores

    def _still_fits(self, centre: int, spread: int) -> bool:
        """Whether the gains in the tree were measured on about the scale that we would use now."""
        old_centre, old_spread = int(self.orders[grow.CENTRE]), int(self.orders[grow.SPREAD])
        if old_spread == 0:
            return spread == 0
        return abs(centre - old_centre) <= 2 * old_spread and spread <= 4 * old_spread <= 32 * max(spread, SCALE)

    def _keep(self, place: int) -> None:
        """Make a node the root; what is not below it becomes free and is shared out afresh."""
        if place > 0:
            path = self.rooms[0].path
            used = self.regrow(self.nodes, self.proofs, place, self._used(), self.marks, self.ranks, path)
            self._share_out(int(used))

    def _share_out(self, used: int) -> None:
        """Give each thread regions of free nodes, by turns: so the tree stays together at the beginning.

        Where the tree is full, regions are empty.
        """
        region = (self.capacity - used) // self.threads
        if self.threads > 1:
            region = min(region, REGION)
        for k, room in enumerate(self.rooms):
            begin = used + k * region
            last = begin + region if region < REGION else self.capacity
            apart = max(1, self.threads * region)
            room.report[grow.BEGIN :] = begin, begin, begin + region, region, apart, last

    def _made(self, room: Room) -> int:
        """How many nodes a thread has taken of its regions."""
        begin, free, _, region, apart, _ = room.report[grow.BEGIN :].tolist()
        whole, rest = divmod(free - begin, apart)
        return int(whole * region + min(rest, region))

    def _used(self) -> int:
        """Nodes from here on were never touched."""
        return max(int(room.report[grow.NEXT]) for room in self.rooms)

    def _work(self) -> None:
        """Let all threads grow the tree until their iterations or their time are over."""
        root = np.array(self.root, np.int64)
        shared = (root, self.nodes, self.proofs, self.table, self.orders, self.control)
        main, *others = self.rooms
        if not others:
            self.grow(*shared, *main)
            return
        if tree.width_of(int(self.nodes[0])) == 0:  # one thread alone gives the root its children
            limit, main.report[grow.LIMIT] = int(main.report[grow.LIMIT]), min(1, main.report[grow.LIMIT])
            self.grow(*shared, *main)
            main.report[grow.LIMIT] = limit
        with ThreadPoolExecutor(len(others)) as pool:
            try:
                running = [pool.submit(self.grow, *shared, *room) for room in others]
                self.grow(*shared, *main)
                for future in running:
                    future.result()
            except BaseException:
                self.stop()
                raise

    def _children(self, node: int, seat: int) -> list[Child]:
        link = int(self.nodes[2 * node])
        first = tree.first_child(link)
        return [self._child(child, seat) for child in range(first, first + tree.width_of(link))]

    def _child(self, node: int, seat: int) -> Child:
        word, bounds = int(self.nodes[2 * node + 1]), int(self.proofs[node])
        visits = tree.visits_of(word)
        low = max(tree.least(bounds), int(self.orders[grow.LOWEST]))
        high = min(tree.greatest(bounds), int(self.orders[grow.HIGHEST]))
        if low == high:
            gain = grow.worth(SCALE * low, int(self.orders[grow.CENTRE]), int(self.orders[grow.SPREAD])) / tree.UNIT
            gain = gain if seat == 0 else 1 - gain
        else:
            gain = (word & tree.GAINS) / tree.UNIT / visits if visits else 0.0
        low, high = (low, high) if seat == 0 else (-high, -low)
        return Child(node, tree.move_of(int(self.nodes[2 * node])), visits, gain, low, high)

    def _untried(self, state: State) -> Child:
        """A legal move, where there was no time for a single iteration."""
        return Child(0, self.game.legal(state)[0], 0, 0.5, -tree.HUGE, tree.HUGE)

    def _best(self, children: list[Child]) -> Child:
        """The child visited most, unless one is proven to be better; never one that is proven to be worse."""
        sure = max(child.least for child in children)
        proven = [child for child in children if child.least == child.greatest == sure]
        open_ones = [child for child in children if child.greatest > sure]
        candidates = [max(some, key=lambda child: child.visits) for some in (open_ones, proven) if some]
        return max(candidates, key=lambda child: (child.gain, child.is_proven and child.gain > 0))

    def _score(self, child: Child, seat: int) -> int:
        """Seat 0's payoff in thousandths that the mean gain of a child stands for."""
        sign = 1 if seat == 0 else -1
        if child.is_proven:
            return sign * SCALE * child.least
        centre, spread = int(self.orders[grow.CENTRE]), int(self.orders[grow.SPREAD])
        share = sign * (2 * min(max(child.gain, 0.001), 0.999) - 1)
        score = centre + round(SCALE * share if spread == 0 else spread * share / math.sqrt(1 - share * share))
        low, high = sorted((sign * SCALE * child.least, sign * SCALE * child.greatest))
        return min(max(score, low), high)

    def _line(self, state: State, node: int) -> list[int]:
        """Best play below a node as far as the tree knows it."""
        moves: list[int] = []
        while node > 0 and len(moves) < LONGEST_LINE and tree.width_of(int(self.nodes[2 * node])) > 0:
            best = self._best(self._children(node, self.game.turn(state)))
            if best.visits == 0 or (tree.is_proven(int(self.proofs[node])) and not best.is_proven):
                break
            moves.append(best.move)
            state, node = self.game.play(state, best.move), best.node
        return moves

    def _found(self, state: State, seconds: float) -> Finding:
        seat = self.game.turn(state)
        children = self._children(0, seat) or [self._untried(state)]
        best = self._best(children)
        reports = sum(room.report for room in self.rooms)
        assert isinstance(reports, np.ndarray)
        planted = int(self.rooms[0].report[grow.BEGIN])
        return Finding(
            move=best.move,
            score=self._score(best, seat),
            is_exact=best.is_proven and tree.is_proven(int(self.proofs[0])),
            line=(best.move, *self._line(self.game.play(state, best.move), best.node)),
            depth=max(int(room.report[grow.DEEPEST]) for room in self.rooms),
            nodes=int(reports[grow.DONE]),
            seconds=seconds,
            counts={
                "playouts": int(reports[grow.PLAYOUTS]),
                "proven": int(reports[grow.PROVEN]),
                "tree": planted + sum(map(self._made, self.rooms)),
                "tree_capacity": self.capacity,
                **{f"visits_{child.move}": child.visits for child in children},
            },
        )


def warm(game: Game, network: Network | None = None) -> None:
    """Compile the search for this game, and the network if there is one, or load it from the cache."""
    searcher = Mcts(game, megabytes=1, network=network)
    state = game.start()
    while game.result(state) is None and searcher.searches < 2:
        state = game.play(state, searcher.search(state, iterations=1).move)


def _new_room(mind: Words) -> Room:
    return Room(np.zeros(grow.ROOM, np.int64), np.zeros(grow.REPORTS, np.int64), np.zeros(1, np.uint64), mind)


def _scale(scores: Words, largest: int) -> tuple[int, int]:
    """Centre and spread of payoffs for `worth`: 0 and 0 for wins, draws and losses."""
    if largest <= 1 or (largest == tree.HUGE and np.abs(scores).max() <= SCALE):
        return 0, 0
    return int(scores.mean()), max(int(scores.std()), SCALE)
