"""What an event file says, in plain sentences and tables: points, faults, limits, format, ties, marks. For hand-outs.

Every sentence is made from the value that the referee and the tournament use; a rule said here by heart would be a bug.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction

from ludus.bots.entrants import LARGEST_SOURCE
from ludus.events.event import Event
from ludus.events.scoring import FINISHED
from ludus.reports.wording import kind_name
from ludus.tournament.elimination import EliminationSettings
from ludus.tournament.grades import GradeRules, exact
from ludus.tournament.penalties import KINDS, FormRules
from ludus.tournament.plan import GauntletSettings, LadderSettings, Plan
from ludus.tournament.pools import PoolSettings
from ludus.tournament.swiss import SwissSettings

FAULTS = {
    "illegal": "no move, or one against the rules",
    "timeout": "no move in time",
    "exception": "raised, or the file cannot be loaded",
    "crash": "its process ends",
    "memory": "more than it may have",
    "tampering": "what it was handed has changed",
    "forbidden": "threads, processes, files, the network, signals",
    "output": "it prints too much in a turn",
    "protocol": "a program's line means nothing",
}
TIE_BREAKS = {
    "head-to-head": "points of the games among those who are level",
    "wins": "more wins",
    "fewer-forfeits": "fewer games lost by a fault",
    "opponents-points": "the points of all opponents together",
    "beaten-points": "the points of beaten opponents, and half of those drawn with",
    "seed": "the better seed",
    "lots": "a lot",
}
DIFFERENCES = {
    "blocks": "blocks held at the end more than the opponent, over all games",
    "payoff": "what was won by less what was lost by, over all games",
}
DRAWS = {"random": "drawn by lot", "seeded": "by the order of the bots"}


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table of Markdown with straight columns."""
    cells = [[cell.replace("|", "\\|") for cell in row] for row in (head, *rows)]
    widths = [max(len(row[column]) for row in cells) for column in range(len(head))]
    lines = ["| " + " | ".join(cell.ljust(w) for cell, w in zip(row, widths, strict=True)) + " |" for row in cells]
    return "\n".join([lines[0], "|" + "|".join("-" * (width + 2) for width in widths) + "|", *lines[1:]])


def limits(event: Event) -> str:
    """What a bot may use, as a table."""
    control, may = event.control, event.limits
    first = control.first_limit_s
    rows = [("a move", f"{control.limit_s:g} s on the wall clock")]
    if first is not None and first != control.limit_s:
        rows.append(("the first move", f"{first:g} s"))
    rows.append(("a late move", _lateness(event)))
    modules = "Python's standard library" + (", and numpy" if event.allows_numpy else "; numpy is not allowed")
    rows += [
        ("modules", modules),
        ("memory", f"{may.memory_mb} MB"),
        ("output", f"{may.output_bytes:,} bytes printed in a turn"),
        ("loading the file", f"{may.loading_s:g} s, before the first move"),
        ("the file", f"one file of at most {LARGEST_SOURCE:,} bytes, in UTF-8"),
        ("isolation", f"{event.isolation}: {_ISOLATION[event.isolation]}"),
    ]
    return table(("what", "limit"), rows)


_ISOLATION = {
    "full": "a new process for each game, frozen between moves",
    "basic": "a new process for each game",
    "trusted": "a new process for each game",
}


def _lateness(event: Event) -> str:
    control = event.control
    granted = []
    if control.grace_s:
        granted.append(f"{control.grace_s:g} s late is not yet late")
    if control.bank_s:
        granted.append(f"each player has {control.bank_s:g} s of spare time for all late moves together")
    if control.strikes > 1:
        granted.append(f"{control.strikes} late moves lose; those before stand, if they come within twice the limit")
    else:
        granted.append("one that is later loses the game" if granted else "loses the game")
    return "; ".join(granted)


def points(event: Event) -> str:
    """What a finished game is worth, and what each fault costs."""
    rule = " ".join((FINISHED[event.finished].score.__doc__ or "").split())
    return f"A game that is played to its end (`{event.finished}`): {rule[:1].lower()}{rule[1:]}"


def faults(event: Event) -> str:
    """What loses a game at once, and the points of both, as a table."""
    rows = [
        (f"{kind_name(kind)}: {FAULTS[kind]}", exact(innocent), exact(guilty))
        for kind, (innocent, guilty) in event.forfeits.items()
    ]
    return table(("fault", "to the opponent", "to you"), rows)


def format_words(plan: Plan) -> str:
    """How the tournament is played, one point to a line."""
    lines = [_FORMATS[plan.kind], *_settings(plan)]
    if plan.reading.games_per_pair is not None:
        games = plan.meeting.games
        seats = "a coin decides who begins each game" if plan.meeting.sides == "coin" else "they begin in turns"
        lines.append(f"Two teams that meet play {_count(games, 'game')}; {seats}.")
    if plan.opening_plies:
        many = _count(plan.opening_plies, "move")
        lines.append(f"Each game begins with {many} at random, the same for games on one board.")
    lines.append(f"Draws, coins, boards and lots come from the seed {plan.seed}, unless another is named on the day.")
    return "\n".join(f"- {line}" for line in lines)


_FORMATS = {
    "round-robin": "Round robin: everybody meets everybody.",
    "pools": "Pools: everybody meets everybody in a pool, and the best of each go on, up to one final league.",
    "single-elimination": "Single elimination: who loses a match is out.",
    "double-elimination": "Double elimination: who loses two matches is out. Who comes from the losers' bracket must "
    "win the grand final twice.",
    "swiss": "Swiss system: in each round teams of like score meet; nobody is out.",
    "gauntlet": "Gauntlet: the first bots meet all the others.",
    "ladder": "Ladder: neighbours play, and the winner takes the higher rung.",
}


def _settings(plan: Plan) -> list[str]:
    found = plan.reading.settings
    if isinstance(found, PoolSettings):
        stages = [
            f"{_title(stage.name)}: {_count(stage.pools, 'pool')} at most; the best {stage.advance} of each go on."
            if stage.advance
            else f"{_title(stage.name)}: one league."
            for stage in found.stages
        ]
        fewer = (
            f"No pool is smaller than {found.smallest_pool}: with fewer teams there are fewer pools, or a stage less."
        )
        return [*stages, f"The first pools are {DRAWS[found.draw]}.", fewer]
    if isinstance(found, EliminationSettings):
        match = (
            "A match is two games from one board, sides swapped; the points of both together decide. One that stays "
            f"equal gets a fresh board, {found.boards} in all; then the better seed wins."
        )
        third = ["The losers of the semi-finals play for the third place."] if found.third_place else []
        return [match, f"The bracket is {DRAWS[found.draw]}.", *third]
    if isinstance(found, SwissSettings):
        rounds = "As many rounds as tell one winner." if found.rounds is None else f"{_count(found.rounds, 'round')}."
        bye = f"A free round is worth {exact(found.bye_points)} a game."
        return [rounds, bye, f"The first round is {DRAWS[found.draw]}."]
    if isinstance(found, GauntletSettings):
        return [f"{_count(found.challengers, 'challenger')}; points a game decide."]
    if isinstance(found, LadderSettings):
        endless = "It goes on until somebody stops it." if plan.reading.is_endless else "As many rounds as teams."
        return [f"{_count(found.rounds, 'round')}." if found.rounds else endless, f"The rungs are {DRAWS[found.draw]}."]
    return []


def ties(plan: Plan) -> str:
    """What decides between teams with as many points; a bracket and a ladder have their own order."""
    if isinstance(plan.reading.settings, EliminationSettings):
        return "Those who are out in the same round are placed by the place of who beat them."
    if isinstance(plan.reading.settings, LadderSettings):
        return "The last rungs are the places."
    order = [*plan.tie_breaks, *([] if "lots" in plan.tie_breaks else ["lots"])]
    rows = [DIFFERENCES[plan.difference] if name == "difference" else TIE_BREAKS[name] for name in order]
    items = [f"{place}. {name}: {words}" for place, (name, words) in enumerate(zip(order, rows, strict=True), 1)]
    return "Between teams with as many points, in this order:\n\n" + "\n".join(items)


def marks(rules: GradeRules) -> str:
    """How marks come from the result."""
    shown = f" Marks are shown with {_count(rules.decimals, 'decimal')}." if rules.decimals else ""
    if rules.kind == "none":
        return "This event gives no marks."
    if rules.kind == "relative":
        stages = table(("stage", "marks"), [(stage, exact(weight)) for stage, weight in rules.weights])
        return (
            "In each stage: marks of the stage x your score / the top score of your pool.\n\n"
            f"{stages}\n\nA stage that is not played, as there are too few teams, leaves its marks to the next.{shown}"
        )
    if rules.kind == "points":
        return f"The points of all your games together are your mark.{shown}"
    if rules.kind == "formula":
        assert rules.formula is not None
        return f"Your mark is\n\n```text\n{rules.formula.text}\n```\n\nwhere share is score / top score.{shown}"
    return _by_rank(rules) + shown


def form(rules: FormRules) -> Iterator[str]:
    """What the form of a submission costs; nothing where it costs nothing."""
    costs = [(KINDS[kind], exact(marks)) for kind, marks in rules.marks.items() if marks]
    if rules.deadline is not None:
        yield f"Hand in by {rules.deadline:%Y-%m-%d %H:%M}."
    if costs:
        most = f"\n\nAt most {exact(rules.most)} are taken off together." if rules.most is not None else ""
        yield f"Marks off:\n\n{table(('for', 'marks'), costs)}{most}"


def _by_rank(rules: GradeRules) -> str:
    if rules.marks:
        last = f"{len(rules.marks)} and below"
        places = [*map(str, range(1, len(rules.marks))), last]
        return table(("place", "marks"), list(zip(places, map(exact, rules.marks), strict=True))) + "\n\n"
    if rules.best is None:
        return "Your final place is your mark."
    best, worst = exact(rules.best), exact(rules.worst)
    return f"The first place gets {best} marks, the last {worst}, the others in a straight line between."


def _count(number: int | Fraction, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def _title(word: str) -> str:
    return word[:1].upper() + word[1:]
