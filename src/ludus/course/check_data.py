"""A check as plain data, for JSON: everything that the page shows, and what it is made of."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from ludus.course.blunders import Blunder
from ludus.course.check import Checkup
from ludus.course.judgements import Judged
from ludus.course.ladder import RUNGS, agent_name
from ludus.course.tactics import looks_ahead
from ludus.rules import Game


def check_data(found: Checkup, judged: Judged) -> dict[str, Any]:
    """One object; texts that come from the bot are cut, never trusted."""
    game, entrant = found.event.game, found.entrant
    return {
        "verdict": judged.verdict,
        "valid": judged.is_valid,
        "warnings": judged.warnings,
        "bot": {"name": entrant.name, "file": entrant.path.name, "bytes": found.size, "sha256": entrant.digest},
        "event": found.event.name,
        "game": game.name,
        "quick": found.is_quick,
        "seconds": round(found.seconds, 3),
        "checks": [judgement._asdict() for judgement in judged.judgements],
        "faults": [fault._asdict() for fault in found.faults],
        "source": None if found.reading is None else _source(found),
        "positions": _positions(found),
        "times_ms": [[round(1000 * part, 3) for part in spent] for spent in found.spents],
        "limit_ms": 1000 * found.event.control.limit_s,
        "peak_memory_mb": round(found.peak_memory_mb, 1),
        "memory_mb": found.event.limits.memory_mb,
        "ladder": [_rung(found, rung) for rung in RUNGS if any(one.rung == rung for one in found.played)],
        "rating": None if found.rating is None else {**found.rating._asdict(), "error": found.rating.error},
        "blunders": [_blunder(game, blunder) for blunder in found.blunders],
        "random": None if found.randomness is None else found.randomness._asdict(),
        "tactics": [{**score._asdict(), "skill": round(score.skill, 3)} for score in found.tactics],
        "looks_ahead": looks_ahead(found.tactics),
    }


def _source(found: Checkup) -> dict[str, Any]:
    assert found.reading is not None
    return {
        "lines": found.reading.lines,
        "mistake": found.reading.mistake,
        "imports": [one._asdict() for one in found.reading.imports],
        "calls": [act._asdict() for act in found.reading.acts],
        "files_beside": list(found.neighbours),
    }


def _positions(found: Checkup) -> list[dict[str, Any]]:
    game = found.event.game
    return [
        {
            "kinds": list(answer.spot.kinds) or ["ordinary"],
            "ply": len(answer.spot.line.moves),
            "seat": game.turn(answer.spot.state),
            "legal": len(game.legal(answer.spot.state)),
            "move": None if answer.move is None else game.move_name(answer.move),
            "failure": None if answer.failure is None else answer.failure._asdict(),
            "ms": round(1000 * answer.thinking_s, 3),
        }
        for answer in found.answers
    ]


def _rung(found: Checkup, rung: str) -> dict[str, Any]:
    games = [one for one in found.played if one.rung == rung]
    game = found.event.game
    return {
        "opponent": rung,
        "agent": agent_name(game, rung),
        "won": sum(one.outcome > 0 for one in games),
        "drawn": sum(one.outcome == 0 for one in games),
        "lost": sum(one.outcome < 0 for one in games),
        "forfeited": sum(one.is_forfeit for one in games),
        "games": [
            {
                "number": one.number,
                "seat": one.seat,
                "options": one.options,
                "moves": [game.move_name(move) for move in one.judged.moves],
                "verdict": asdict(one.judged.verdict),
            }
            for one in games
        ],
    }


def _blunder(game: Game, blunder: Blunder) -> dict[str, Any]:
    moment = blunder.moment
    return {
        "opponent": moment.played.rung,
        "game": moment.played.number,
        "ply": moment.ply,
        "seat": moment.played.seat,
        "moves": [game.move_name(move) for move in moment.line.moves],
        "played": game.move_name(moment.move),
        "better": game.move_name(blunder.better),
        "chance_better": round(blunder.before, 4),
        "chance_played": round(blunder.after, 4),
        "what": blunder.what,
    }
