"""Folders of tournaments whose games are played here and now by dice of different skill: for trying reports on them.

Event, plan, store, records and verdicts are the real ones; only the bots' processes are left out, as they are slow.
"""

from __future__ import annotations

import hashlib
import zlib
from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random

from ludus.bots.player import Failure
from ludus.events.scoring import as_number
from ludus.referee.dossier import judged_record
from ludus.referee.fair import Fairly
from ludus.referee.game import Judged, Mind, Pitch
from ludus.referee.verdict import Verdict, forfeit, of_result
from ludus.rules import Game, State
from ludus.sandbox.process import Evidence, Spent
from ludus.tournament.folder import Tournament, make_tournament, prepare_tournament
from ludus.tournament.kit import entrant_of
from ludus.tournament.pairing import GameResult, Pairing
from ludus.tournament.plan import plan_of
from ludus.tournament.runner import NOBODY, StoredResults
from ludus.tournament.store import WAVE, StoredGame, writing
from ludus.tournament.worker import pitch_of, result_of

BOTS = {
    "play": "def play(board, prev_move, player):\n    return 0, 0\n",
    "choose": "def choose(state, clock):\n    return state['legal'][0]\n",
    "make-your-move": "def make_your_move(board):\n    return 0, 1\n",
    "player-class": "class Player{n}:\n    def move(self, board, blocks, old_move, flag):\n        return 0, 0\n",
    "team-class": "class Team{n}:\n    def move(self, board, old_move, flag):\n        return 0, 0, 0\n",
}
FAILURES = (
    Failure("illegal", "illegal move (4, 7): block 2 is already won"),
    Failure("exception", "IndexError: list index out of range", line=118),
    Failure("exception", "ValueError: <script>alert('text of a bot')</script>\x1b[31m"),
    Failure("timeout", "the move took 13.902 s of 12 s"),
)


def played_folder(
    folder: Path,
    event: str,
    names: Sequence[str],
    *,
    seed: int = 1,
    failing: float = 0.0,
    games: int | None = None,
    crashed: Callable[[Pairing], bool] = lambda _: False,
    is_deterministic: bool = False,
) -> Tournament:
    """The folder of a tournament after so many games (all of them unless said)."""
    bots = folder.with_name(f"{folder.name}-bots")
    bots.mkdir(parents=True)
    paths = [bots / f"{name}.py" for name in names]
    for number, path in enumerate(paths, 1):
        path.write_text(f"# {path.stem}\n{_source(event).format(n=number)}", encoding="utf-8")
    made = make_tournament(folder, prepare_tournament(event, [str(path) for path in paths], seed=seed))
    event_, plan = made.event, plan_of(made.event)
    form = plan.play(len(names), seed)
    entrants = [entrant_of(team, event_, folder / "bots") for team in made.kit.teams]
    results, wave, left = None, 0, games if games is not None else 1 << 60
    with writing(folder) as store:
        while left > 0:
            try:
                asked = form.send(results)  # type: ignore[arg-type]
            except StopIteration:
                break
            rows = []
            for number, pairing in enumerate(asked.pairings):
                if left <= 0:
                    break
                left -= 1
                key = wave * WAVE + number
                if crashed(pairing):
                    result = GameResult(pairing, NOBODY, None, 0, "crashed", "crashed")
                    rows.append(StoredGame(key, result, "the worker died 3 times: <b>killed</b>", 0, 0.0, "", b"", b""))
                    continue
                pitch = pitch_of(event_, plan, seed, pairing)
                judged = _played(pitch, pairing, names, failing=failing, is_deterministic=is_deterministic)
                fairly = Fairly(judged, ())
                result = result_of(event_, plan, pairing, fairly)
                pair = (entrants[pairing.first], entrants[pairing.second])
                points = [as_number(part) for part in result.points]
                record = judged_record(pitch, fairly, pair, event=event_.name, pairing=pairing.id, points=points)
                line = hashlib.blake2b(repr((judged.start, judged.moves)).encode(), digest_size=8).digest()
                content = zlib.compress(record.to_json().encode())
                rows.append(StoredGame(key, result, judged.verdict.reason, judged.plies, 0.1, "here:1", line, content))
            store.write(rows)
            results, wave = StoredResults(store, wave), wave + 1
    return made


def _source(event: str) -> str:
    text = Path(event).read_text(encoding="utf-8") if event.endswith(".toml") else event
    known = {"nsoc": "play", "cse371": "player-class", "extreme": "team-class", "term-project": "make-your-move"}
    return BOTS[next((name for name in BOTS if f'"{name}"' in text), known.get(event, "choose"))]


def _played(pitch: Pitch, pairing: Pairing, names: Sequence[str], *, failing: float, is_deterministic: bool) -> Judged:
    """Who has a lower number looks at more moves before it chooses one."""
    game = pitch.game
    pair = (pairing.first, pairing.second)
    rng = Random(f"{pair}" if is_deterministic else pitch.seed)
    start = state = game.start(**pitch.options)
    moves: list[int] = []
    minds: list[Mind] = []
    while (payoff := game.result(state)) is None:
        seat = game.turn(state)
        team = pair[seat]
        limit_s = pitch.control.limit_s
        wall_s = min(0.97 * limit_s, limit_s * 0.05 * (1 + team % 5) * rng.lognormvariate(0, 0.7))
        minds.append(Mind(seat, Spent(wall_s, 0.9 * wall_s, 0.0), limit_s, limit_s))
        if rng.random() < failing * (1 + team % 3):
            failure = rng.choice(FAILURES)
            if failure.kind == "timeout":
                minds[-1] = Mind(seat, Spent(13.902, 13.9, 0.0), limit_s, limit_s)
            return _judged(forfeit(seat, failure, len(moves)), start, moves, state, minds)
        looked = rng.choices(game.legal(state), k=1 + 4 * (len(names) - team) // len(names))
        sign = 1 if seat == 0 else -1
        values = {move: sign * _value(game, game.play(state, move)) for move in looked}
        moves.append(max(values, key=values.__getitem__))
        state = game.play(state, moves[-1])
    return _judged(of_result(payoff, len(moves), (names[pair[0]], names[pair[1]])), start, moves, state, minds)


def _value(game: Game, state: State) -> int:
    payoff = game.result(state)
    return game.evaluate(state) if payoff is None else 1_000_000 * payoff


def _judged(verdict: Verdict, start: State, moves: list[int], final: State, minds: list[Mind]) -> Judged:
    evidence = Evidence(stdout="<b>what it printed</b>") if verdict.is_forfeit else None
    return Judged(verdict, start, tuple(moves), final, tuple(minds), ("full", "full"), evidence=evidence)
