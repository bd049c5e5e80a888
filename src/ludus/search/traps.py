"""Traps: the way to a won game that an opponent who looks a few plies ahead would walk with us.

A tree of our own moves, grown like that of MCTS. The opponent's answers are not searched but known: those of a
`ShallowPlayer`, one or several alike. So the tree is narrow enough to reach far beyond what can be proven, and a line
in it ends where the opponent has made a mistake. What a position is worth is asked of a searcher with few nodes.
"""

from __future__ import annotations

import math
import time
from typing import Protocol

from ludus.rules import Game, State
from ludus.search.deepening import Judgement
from ludus.search.finding import SCALE
from ludus.search.pace import width_of
from ludus.search.shallow import ShallowPlayer
from ludus.search.stopping import FOREVER, deadline_in
from ludus.search.table import NO_MOVE

# Found by searching 100 to 300 starts of slant, and by playing 80 to 800 games: docs/decisions/0006-search.md.
JUDGING_NODES = 2_000  # for what one position is worth
PROMISING, PROVING_NODES = 1_500, 5_000  # thousandths of a point from which on a win is looked for, and how long
OPTIMISM = 1_000  # thousandths of a point that an open position is better than it looks, as the opponent may yet err
LOST = 0.1  # of the hope is left where a loss is proven: hardly any opponent still errs there
EXPLORATION = 0.6
SPREAD = 1.5  # points that a move looks worse by, for a share of the visits that is smaller by a factor of e
EVEN_SHARE = 0.2  # of the visits is for all moves alike
CAUTION = 0.15  # that a move nobody has tried is taken to be worse by
LOOKED_AHEAD = 2  # plies, for what a move promises
LONGEST_PATH = 200  # of our moves: games in which positions come again have no end
MOST_PLACES = 20_000  # that a tree has room for: about 100 MB on the default board


class Searcher(Protocol):
    def judge(self, state: State, *, nodes: int, deadline: int = FOREVER) -> Judgement: ...

    def proves_win(self, state: State, *, nodes: int, deadline: int = FOREVER) -> tuple[bool, int]: ...

    def alike(self, state: State) -> tuple[int, ...]: ...


class Place:
    """A position with us to move, or the end of a game; our hopes there, from 0 (lost) to 1 (won), visit by visit."""

    __slots__ = (
        "best",
        "hopes",
        "is_exact",
        "is_settled",
        "is_weighed",
        "outlook",
        "secured",
        "state",
        "visits",
        "ways",
        "won_by",
    )

    def __init__(self, state: State) -> None:
        self.state = state
        self.visits, self.hopes = 0, 0.0
        self.outlook: float | None = None  # our hope by a search alone, once it was asked
        self.is_exact, self.best = False, NO_MOVE  # what that search says: whether it saw the end, and its move
        self.secured = 0.0  # what is proven, if the opponent answers as assumed: a mean where several answers are
        self.is_settled = False  # won, or nothing is left to try
        self.won_by = NO_MOVE  # the first move that was seen to win: it leads to places that were won before
        self.ways: dict[int, Way] = {}  # those that were tried, and all once they are weighed
        self.is_weighed = False

    @property
    def hope(self) -> float:
        return self.hopes / self.visits


class Way:
    """A move of ours, and where the answers to it lead."""

    __slots__ = ("hopes", "is_settled", "places", "secured", "share", "visits")

    def __init__(self, share: float = 0.0) -> None:
        self.share = share  # of the visits that it is due, by what it promises
        self.visits, self.hopes = 0, 0.0
        self.secured, self.is_settled = 0.0, False
        self.places: list[Place] = []  # none before the first visit; each as likely

    @property
    def hope(self) -> float:
        return max(self.secured, self.hopes / self.visits) if self.visits else 0.0


def value_of(score: int) -> float:
    """What a game with this end counts: 1 if it is won, a half if drawn, 0 if lost."""
    return 0.5 if score == 0 else float(score > 0)


def chance_of(score: int) -> float:
    """How likely a lead of so many thousandths of a point is to win."""
    return 1 / (1 + math.exp(min(max(-score / SCALE, -50.0), 50.0)))


class Traps:
    """A tree that is kept from move to move, and grown on where the game went."""

    def __init__(self, game: Game, searcher: Searcher, opponent: ShallowPlayer) -> None:
        self.game, self.searcher, self.opponent = game, searcher, opponent
        self.root: Place | None = None
        self.places: dict[tuple[int, ...], Place] = {}  # several ways may lead to one
        self.seat = 0
        self.nodes, self.node_limit = 0, FOREVER  # of the current search
        self.deadline = FOREVER
        self.is_stopped = False

    def forget(self) -> None:
        self.root, self.places = None, {}
        self.opponent.forget()

    def stop(self) -> None:
        """Make a search that runs in another thread come to its end."""
        self.is_stopped = True
        self.opponent.stop()

    def search(self, state: State, *, wins: int = 1, nodes: int | None = None, seconds: float | None = None) -> Place:
        """Grow the tree of a position that is not over, and say its root.

        It grows until so many moves win, or else nothing is left to try, or a limit is reached.
        """
        self.seat, self.nodes, self.is_stopped = self.game.turn(state), 0, False
        self.node_limit, self.deadline = FOREVER if nodes is None else nodes, deadline_in(seconds)
        self.root = root = self._plant(state)
        while not self._is_enough(root, wins) and not self._must_end():
            self._grow(root)
        return root

    def _is_enough(self, root: Place, wins: int) -> bool:
        if wins == 1 or root.won_by == NO_MOVE:
            return root.is_settled
        ways = root.ways.values()
        return sum(way.secured == 1.0 for way in ways) >= wins or (
            root.is_weighed and all(way.is_settled for way in ways)
        )

    def _must_end(self) -> bool:
        is_spent = self.nodes >= self.node_limit or len(self.places) >= MOST_PLACES
        return self.is_stopped or is_spent or time.monotonic_ns() >= self.deadline

    def _plant(self, state: State) -> Place:
        """The place of a position, with what the last tree knows of it; the rest of that tree goes."""
        known = self.places.get(self._key(state))
        if known is None:
            self.places = {}
            return self._place(state)
        if known.state != state:  # one that is alike: its moves may not be legal here
            self._keep_below(known)
            del self.places[self._key(state)]
            return self._place(state)
        if known is not self.root:
            self._keep_below(known)
        return known

    def _keep_below(self, root: Place) -> None:
        kept, waiting = {id(root)}, [root]
        while waiting:
            for way in waiting.pop().ways.values():
                fresh = [place for place in way.places if id(place) not in kept]
                kept.update(map(id, fresh))
                waiting += fresh
        self.places = {key: place for key, place in self.places.items() if id(place) in kept}

    def _place(self, state: State) -> Place:
        """The place of a position, an old one or a new one."""
        key = self._key(state)
        place = self.places.get(key)
        if place is None:
            place = self.places[key] = Place(state)
        return place

    def _key(self, state: State) -> tuple[int, ...]:
        """The same for positions that are worth the same and have as many moves."""
        return (*self.searcher.alike(state), width_of(self.game, state))

    def _grow(self, root: Place) -> None:
        """Walk down to a place that nobody has visited, and on by our best moves until the end is seen; tell all."""
        place, path = root, list[tuple[Place, int, Way]]()
        self.nodes += 1
        while (not path or not place.is_settled) and len(path) < LONGEST_PATH:
            if place.outlook is None:
                place.outlook = self._judge(place)
                if place.is_exact or place.is_settled or self._must_end():
                    break
            move = place.best if place.visits == 0 else self._most_urgent(place)
            if move == NO_MOVE:
                place.is_settled = place.is_weighed  # all its ways are
                break
            way = place.ways.setdefault(move, Way())
            way.places = way.places or self._after(place, move)
            if not way.places:  # out of time
                break
            path.append((place, move, way))
            self.nodes += 1  # known places, too, take time
            place = way.places[0]
            if len(way.places) > 1:  # answers are alike: the one that was looked at least, and is not settled yet
                place = min(way.places, key=lambda place: (place.is_settled, place.visits))
        hope = max(place.outlook or 0.0, place.secured)
        place.visits += 1
        place.hopes += hope
        self._tell(path, hope)

    def _tell(self, path: list[tuple[Place, int, Way]], hope: float) -> None:
        for above, move, way in reversed(path):
            above.visits += 1
            above.hopes += hope
            way.visits += 1
            way.hopes += hope
            way.secured = sum([after.secured for after in way.places]) / len(way.places)
            if way.secured == 1.0 > above.secured:
                above.won_by = move
            above.secured = max(above.secured, way.secured)
            if all(after.is_settled for after in way.places):
                way.is_settled = True
                above.is_settled = above.is_weighed and all(way.is_settled for way in above.ways.values())
            above.is_settled |= above.secured == 1.0

    def _most_urgent(self, place: Place) -> int:
        """Of moves that are not settled, that with the greatest hope and a bonus for visits that it has not had."""
        if not place.is_weighed:
            self._weigh(place)
        untried, bonus = place.hope - CAUTION, EXPLORATION * math.sqrt(place.visits)
        best, most = NO_MOVE, -math.inf
        for move, way in place.ways.items():
            if way.is_settled:
                continue
            visits = way.visits
            urgency = (way.hopes / visits if visits else untried) + bonus * way.share / (1 + visits)
            if urgency > most:
                best, most = move, urgency
        return best

    def _weigh(self, place: Place) -> None:
        """Say what share of visits each move is due."""
        before, sign = self.opponent.nodes, 1 if self.seat == 0 else -1
        promises = {move: sign * value for move, value in self.opponent.promises(place.state, LOOKED_AHEAD).items()}
        self.nodes += self.opponent.nodes - before
        best = max(promises.values())
        weights = {move: math.exp((value - best) / (SPREAD * SCALE)) for move, value in promises.items()}
        total, even = sum(weights.values()), EVEN_SHARE / len(weights)
        for move, weight in weights.items():
            place.ways.setdefault(move, Way()).share = (1 - EVEN_SHARE) * weight / total + even
        place.is_weighed = True

    def _after(self, here: Place, move: int) -> list[Place]:
        """The places that the opponent's answers to a move lead to; none when out of time."""
        before, nodes = self.opponent.nodes, max(1, self.node_limit - self.nodes)
        child = self.game.play(here.state, move)
        states = self.opponent.after_answers(child, self.seat, nodes=nodes, deadline=self.deadline)
        self.nodes += self.opponent.nodes - before
        return [self._place(state) for state in states]

    def _judge(self, place: Place) -> float:
        """Our hope in a place by its result, or by a search; what is proven is secured."""
        payoff = self.game.result(place.state)
        sign = 1 if self.seat == 0 else -1
        if payoff is not None:
            place.secured, place.is_settled = value_of(sign * payoff), True
            return place.secured
        found = self.searcher.judge(place.state, nodes=JUDGING_NODES, deadline=self.deadline)
        self.nodes += found.nodes
        score = sign * found.score
        place.is_exact, place.best = found.is_exact, found.move
        if found.is_exact:
            place.secured = value_of(score)
        elif score > PROMISING:
            place.secured = float(self._is_won(place.state))
        place.is_settled = place.secured == 1.0
        return max(place.secured, LOST * chance_of(score) if found.is_exact else chance_of(score + OPTIMISM))

    def _is_won(self, state: State) -> bool:
        """Whether a proof can be found that we win here."""
        is_won, nodes = self.searcher.proves_win(state, nodes=PROVING_NODES, deadline=self.deadline)
        self.nodes += nodes
        return is_won
