"""A judged game as a record, with all that an appeal against a forfeit needs."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from ludus.bots.entrants import AgentName, Entrant, HumanBeing, PythonFile
from ludus.records import Record, record_game
from ludus.referee.fair import Fairly
from ludus.referee.game import Judged, Pitch


def judged_record(pitch: Pitch, fairly: Fairly, entrants: tuple[Entrant, Entrant], **more: Any) -> Record:
    """The record of a game; `entrants` by seat. What is random in it is decided by its seed."""
    judged = fairly.judged
    ended = {"result": pitch.game.result(judged.final)} if not judged.verdict.is_forfeit else {}
    return record_game(
        pitch.game,
        judged.start,
        pitch.options,
        list(judged.moves),
        players=[described_entrant(entrant) for entrant in entrants],
        seed=pitch.seed,
        time={key: value for key, value in pitch.control._asdict().items() if value is not None},
        isolation=list(judged.levels),
        **({"opening": len(pitch.opening)} if pitch.opening else {}),
        verdict=judged.verdict.to_json(),
        **ended,
        times_ms=times_ms(judged),
        **({"dossier": dossier(pitch, judged)} if judged.verdict.is_forfeit else {}),
        **({"starved": [_earlier(pitch, game) for game in fairly.starved]} if fairly.starved else {}),
        **more,
    )


def described_entrant(entrant: Entrant) -> dict[str, Any]:
    """Who it was, and by what content."""
    if isinstance(entrant, AgentName):
        return {"name": entrant.name, "kind": "agent"}
    if isinstance(entrant, HumanBeing):
        return {"name": entrant.name, "kind": "human"}
    how = {"interface": entrant.interface.name} if isinstance(entrant, PythonFile) else {"protocol": entrant.protocol}
    kind = "python" if isinstance(entrant, PythonFile) else "program"
    return {"name": entrant.name, "kind": kind, "file": str(entrant.path), "sha256": entrant.digest, **how}


def times_ms(judged: Judged) -> list[list[float]]:
    """Wall, CPU and waiting of each move in milliseconds; the last may be of a move that never came."""
    return [[round(1000 * part, 3) for part in mind.spent] for mind in judged.minds]


def dossier(pitch: Pitch, judged: Judged) -> dict[str, Any]:
    """What is known of a forfeit besides its sentence."""
    state = dict(zip(pitch.game.module.State._fields, judged.final, strict=True))
    found: dict[str, Any] = {"position": state}
    if judged.minds and judged.minds[-1].seat == judged.verdict.seat:
        mind = judged.minds[-1]
        spent = {f"{key}_ms".replace("_s_", "_"): round(1000 * value, 3) for key, value in mind.spent._asdict().items()}
        found["clock"] = {"limit_ms": 1000 * mind.limit_s, **spent}
        if pitch.control.bank_s:
            found["clock"]["bank_ms"] = round(1000 * mind.bank_s, 3)
        if pitch.control.strikes > 1:
            found["clock"]["strikes_left"] = mind.strikes_left
    if judged.gone_s is not None:
        found["gone_after_ms"] = round(1000 * judged.gone_s, 3)
    if judged.evidence is not None:
        found |= asdict(judged.evidence)
    return found


def _earlier(pitch: Pitch, judged: Judged) -> dict[str, Any]:
    names = [pitch.game.move_name(move) for move in judged.moves]
    return {"verdict": judged.verdict.to_json(), "moves": names, "times_ms": times_ms(judged)}
