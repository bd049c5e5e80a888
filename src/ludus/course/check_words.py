"""Words and pictures that the text and the page of a check share."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ludus.course.blunders import Blunder
from ludus.course.check import Checkup
from ludus.course.ladder import RUNGS, Played
from ludus.reports.wording import percent
from ludus.rules import Game
from ludus.view.scene import Hint, Scene, Spot, scene_of_line


def games_by_rung(played: Sequence[Played]) -> list[tuple[str, list[Played]]]:
    """The rungs that were met, the weakest first, with the games."""
    return [(rung, games) for rung in RUNGS if (games := [one for one in played if one.rung == rung])]


def results(games: Sequence[Played]) -> tuple[int, int, int]:
    """Won, drawn, lost."""
    outcomes = [one.outcome for one in games]
    return outcomes.count(1), outcomes.count(0), outcomes.count(-1)


def rating_text(found: Checkup) -> str:
    """ "1412 ±96", or nothing where there is no rating."""
    return "" if found.rating is None else f"{found.rating.value:.0f} ±{found.rating.error:.0f}"


def rungs_around(found: Checkup) -> tuple[str, str]:
    """The rung below a rating and the one above it; nothing for one that is not there."""
    if found.rating is None:
        return "", ""
    ordered = sorted(found.rating.rungs.items(), key=lambda pair: pair[1])
    below = [name for name, value in ordered if value <= found.rating.value]
    above = [name for name, value in ordered if value > found.rating.value]
    return below[-1] if below else "", above[0] if above else ""


def place_on_ladder(found: Checkup) -> str:
    """Between which rungs a rating stands."""
    below, above = rungs_around(found)
    if below and above:
        return f"between {below} and {above}"
    return f"above {below}" if below else f"below {above}" if above else ""


def blunder_place(blunder: Blunder) -> str:
    return f"against {blunder.moment.played.rung}, game {blunder.moment.played.number}, move {blunder.moment.ply + 1}"


def blunder_chances(blunder: Blunder) -> str:
    return f"{percent(blunder.before)} → {percent(blunder.after)}"


def blunder_scene(game: Game, blunder: Blunder, name: str) -> Scene:
    """The position before the move, the better move with its chance, the one that was played crossed out."""
    seat = blunder.moment.played.seat
    players = (name, blunder.moment.played.rung) if seat == 0 else (blunder.moment.played.rung, name)
    scene = scene_of_line(game, blunder.moment.line, hints=[Hint(blunder.better, blunder.before)], players=players)
    path = scene.paths.get(blunder.moment.move)
    hinted = {spot.key for spot in scene.hints}
    if not path or path[-1] in hinted:
        return scene
    return replace(scene, best_line=(Spot(path[-1], "✗", "bad"),))


def workload_text(found: Checkup) -> str:
    load = found.workload
    if load is None:
        return "stopped at the first game"
    games = len(found.played)
    return f"{games} games, {len(found.all_answers)} single positions, {len(found.spents)} moves"
