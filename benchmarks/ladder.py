"""How the rungs of `ludus check` stand to each other: plays them and writes src/ludus/course/ladder.json.

python benchmarks/ladder.py [--games 20] [EVENT ...]     games of each two rungs, half of them in each seat
"""

from __future__ import annotations

import argparse
import json
import time
from itertools import combinations

from ludus.course.ladder import RUNGS, Ladder
from ludus.course.rating import FILE
from ludus.events.event import event_names, load_event


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--games", type=int, default=20)
    parser.add_argument("events", nargs="*", default=event_names())
    arguments = parser.parse_args()
    known = json.loads(FILE.read_text()) if FILE.exists() else {}
    for name in arguments.events:
        event = load_event(name)
        ladder, begin = Ladder(event, seed=2026), time.perf_counter()
        results: dict[str, list[int]] = {}
        for one, other in combinations(RUNGS, 2):
            for first, second in ((one, other), (other, one)):
                outcomes = [ladder.play_rungs(first, second, number) for number in range(0, arguments.games, 2)]
                results[f"{first} {second}"] = [outcomes.count(value) for value in (-1, 0, 1)]
        known[event.game.name] = results
        print(f"{name}: {time.perf_counter() - begin:.0f} s", flush=True)
        rows = ",\n".join(f'  "{game}": {json.dumps(found)}' for game, found in sorted(known.items()))
        FILE.write_text(f"{{\n{rows}\n}}\n")


if __name__ == "__main__":
    main()
