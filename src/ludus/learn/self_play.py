"""Games that alpha-beta plays against itself, thousands of positions a second: what a network learns from.

Every game begins with a few random moves, and now and then one is made later, so that no two games are alike. Of each
position that was searched we keep what a network sees of it, what the search says, and how the game ended.

A search asks a network about positions that no good game comes to. So some positions a few moves aside of the games can
be searched and kept, too; of those, nobody knows the end.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from random import Random
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ludus.compile.bits import plain
from ludus.compile.interface import (
    Words,
    banked,
    count,
    evaluate,
    load,
    moves,
    note,
    pick,
    play,
    result,
    some,
    turn,
)
from ludus.compile.link import link, wrapping
from ludus.networks.inputs import noted
from ludus.networks.network import Network, shape_of
from ludus.rules import Game, State
from ludus.search import alphabeta as ab
from ludus.search.deepening import AlphaBeta
from ludus.search.finding import SCALE
from ludus.search.playouts import Seeds, random_below, scramble
from ludus.search.seeds import seed_of
from ludus.search.stopping import ABORTED, FOREVER, NEXT_LOOK, STOP
from ludus.search.stopping import NODES as SPENT
from ludus.search.table import NO_MOVE, Table

# Of the orders: positions that there is room for, nodes of a search, its depth, random moves before a game begins at
# most, how many of a thousand moves later are random, the longest game, words of a position, and for how many of a
# thousand positions one aside is kept.
ROOM, NODES, DEPTH, OPENING, RANDOM, LONGEST, WIDTH, ASIDE, ORDERS = 0, 1, 2, 3, 4, 5, 6, 7, 8
# Of what is known of a position: seat 0's score, guess and payoff in thousandths; whether the payoff came about
# without a random move from here on; the number of its game; what of the payoff was settled already.
MOVER, SCORE, GUESS, PAYOFF, IS_CLEAN, NUMBER, BANKED, FACTS = 0, 1, 2, 3, 4, 5, 6, 7
MEGABYTES = 8  # of table, for each thread: it lives in the cache
STARTS = 4096  # boards, where the game draws its own
LONGEST_GAME = 600  # positions of one game
FAR = 6  # moves aside of a game, at most


class Play(NamedTuple):
    """How games are played: the nodes and the depth of a search, and what is left to chance."""

    nodes: int = 1000
    depth: int = 30
    opening: int = 8
    random_per_mille: int = 30
    aside_per_mille: int = 0


class Positions(NamedTuple):
    """What was seen and what is known of it: a row for each position."""

    words: NDArray[np.int64]
    facts: NDArray[np.int32]

    def __len__(self) -> int:  # positions, not fields
        return int(self.words.shape[0])


def look_ahead(
    state: State,
    nodes: int,
    depth: int,
    table: Table,
    room: Words,
    mind: Words,
) -> int:
    """Deepen until so many nodes are spent or nothing is guessed; the mover's score, the move in room[BEST]."""
    room[SPENT], room[NEXT_LOOK], room[ABORTED] = 0, 0, 0
    room[ab.AGE] += 1
    score = 0
    for ahead in range(1, depth + 1):
        room[ab.GUESSES] = 0
        score = ab.negamax(state, ahead, -ab.INFINITY, ab.INFINITY, plain(0), table, room, mind)
        if room[SPENT] >= nodes or room[ab.GUESSES] == 0:
            break
    return score


def walk_aside(state: State, steps: int, table: Table, x: np.uint64) -> tuple[State, np.uint64]:
    """Some moves on, each as likely as not the one that the table knows, else any: so a search goes to its leaves.

    It ends before the game does.
    """
    for _ in range(steps):
        legal = moves(state)
        x = scramble(x)
        move = pick(legal, random_below(x, count(legal)))
        x = scramble(x)
        if random_below(x, 2) == 0:
            known = ab.known_move(state, table)
            move = move if known == NO_MOVE else known
        child = play(state, move)
        if result(child) is not None or not some(moves(child)):
            break
        state = child
    return state, x


def write_down(
    words: Words, facts: Words, kept: int, width: int, number: int, state: State, score: int, is_clean: int
) -> None:
    """Keep a position and the mover's score; the payoff comes later, and with it whether that is clean after all."""
    note(words, width * kept, state)
    at = FACTS * kept
    seat = turn(state)
    facts[at + MOVER], facts[at + SCORE], facts[at + IS_CLEAN] = seat, score if seat == 0 else -score, is_clean
    facts[at + GUESS], facts[at + BANKED], facts[at + NUMBER] = evaluate(state), SCALE * banked(state), number


def play_games(
    roots: Words,
    orders: Words,
    rng: Seeds,
    words: Words,
    facts: Words,
    table: Table,
    room: Words,
    mind: Words,
) -> int:
    """Entry point: play until there is no room for another game; how many positions were kept."""
    width, fields = plain(orders[WIDTH]), roots.shape[1]
    x = rng[0]
    kept, number = 0, 0
    line = roots.reshape(roots.size)
    while kept + orders[LONGEST] <= orders[ROOM] and room[STOP] == 0:
        x = scramble(x)
        state = load(line, fields * random_below(x, roots.shape[0]))
        x = scramble(x)
        before = random_below(x, plain(orders[OPENING]) + 1)
        begin, clean = kept, kept
        payoff = result(state)
        while payoff is None and kept - begin < orders[LONGEST]:
            legal = moves(state)
            width_now = count(legal)
            if width_now == 0:
                break
            x = scramble(x)
            if before > 0:
                before -= 1
                move = pick(legal, random_below(x, width_now))
            else:
                nodes, depth = plain(orders[NODES]), plain(orders[DEPTH])
                score = look_ahead(state, nodes, depth, table, room, mind)
                move = plain(room[ab.BEST])
                write_down(words, facts, kept, width, number, state, score, 1)
                kept += 1
                if orders[ASIDE] > 0:
                    x = scramble(x)
                    if random_below(x, 1000) < orders[ASIDE] and kept - begin < orders[LONGEST]:
                        x = scramble(x)
                        aside, x = walk_aside(state, 1 + random_below(x, FAR), table, x)
                        score = look_ahead(aside, nodes, depth, table, room, mind)
                        write_down(words, facts, kept, width, number, aside, score, 0)
                        kept += 1
                    x = scramble(x)
                if random_below(x, 1000) < orders[RANDOM]:
                    x = scramble(x)
                    move = pick(legal, random_below(x, width_now))
                    clean = kept
            state = play(state, move)
            payoff = result(state)
        if payoff is None:  # nobody knows how it would have ended
            kept = begin
            continue
        for k in range(begin, kept):
            facts[FACTS * k + PAYOFF] = SCALE * payoff
            if k < clean:
                facts[FACTS * k + IS_CLEAN] = 0
        number += 1
    rng[0] = x
    return kept


class Player:
    """Plays games of one game against itself, on so many threads, with a network or the game's own evaluation."""

    def __init__(
        self,
        game: Game,
        network: Network | None,
        *,
        threads: int,
        manner: Play,
        seed: int,
        compiled: bool | None = None,
    ) -> None:
        self.game, self.manner, self.seed, self.rounds = game, manner, seed, 0
        self.searchers = [
            AlphaBeta(game, megabytes=MEGABYTES, network=network, compiled=compiled) for _ in range(threads)
        ]
        self.run = wrapping(link(game, play_games, compiled=compiled, shape=shape_of(network)))
        self.width = len(noted(game, game.start()))
        self.roots = np.array(_starts(game, seed), np.int64)

    def positions(self, wanted: int) -> Positions:
        """About so many positions, of whole games; the same seed and threads give the same ones."""
        self.rounds += 1
        each = max(wanted // len(self.searchers), 1) + LONGEST_GAME
        with ThreadPoolExecutor(len(self.searchers)) as pool:
            try:
                parts = [pool.submit(self._some, k, each) for k in range(len(self.searchers))]
                done = [part.result() for part in parts]
            except BaseException:
                for searcher in self.searchers:
                    searcher.stop()
                raise
        for k, part in enumerate(done):  # games of all threads are numbered apart
            part.facts[:, NUMBER] = part.facts[:, NUMBER] * len(done) + k
        return Positions(np.concatenate([part.words for part in done]), np.concatenate([part.facts for part in done]))

    def _some(self, k: int, most: int) -> Positions:
        searcher = self.searchers[k]
        searcher.forget()
        searcher.set_out(FOREVER, FOREVER)  # a search without limits of its own
        words, facts = np.zeros(self.width * most, np.int64), np.zeros(FACTS * most, np.int64)
        manner = self.manner
        orders = np.zeros(ORDERS, np.int64)
        orders[:] = (
            most,
            manner.nodes,
            manner.depth,
            manner.opening,
            manner.random_per_mille,
            LONGEST_GAME,
            self.width,
            manner.aside_per_mille,
        )
        rng = np.array([seed_of(self.seed, 1000 * self.rounds + k)], np.uint64)
        kept = int(self.run(self.roots, orders, rng, words, facts, searcher.table, *searcher.rooms[0]))
        return Positions(words.reshape(most, self.width)[:kept], facts.reshape(most, FACTS)[:kept].astype(np.int32))


def _starts(game: Game, seed: int) -> list[State]:
    """The starts of games: many boards where the game draws its own, else one."""
    if "seed" not in game.options:
        return [game.start()]
    random = Random(seed)
    return [game.start(seed=random.getrandbits(31)) for _ in range(STARTS)]
