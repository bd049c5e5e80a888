"""Random games a second on a graphics processor, from the same rules files, against one core.

Where numba is (no graphics processor needed; pip install 'ludus[gpu]'):
    python benchmarks/gpu.py write FOLDER       kernels as PTX, start positions, what the CPU gets for a few lanes
Where the processor is (CuPy, no Ludus and no numba needed):
    python benchmarks/gpu.py run FOLDER         checks that the GPU gets the same, then measures; writes gpu.json
"""

# ruff: noqa: PLC0415  # each half runs where the other half's libraries are not
from __future__ import annotations

import json
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np

GAMES = ("ultimate", "ultimate-adjacent", "extreme", "slant", "subtraction")
CHECKED_LANES, GAMES_A_LANE, LONGEST = 64, 16, 5_000_000
LANES, ROUNDS = 132 * 2048 * 4, 5  # every multiprocessor of an H200 full, four times over
BLOCKS = (64, 128, 256)


def write(folder: Path) -> None:
    """Everything that a machine without numba needs."""
    from numba import types

    from ludus.compile.gpu import ptx_of
    from ludus.rules import load_game
    from ludus.search.lanes import play_lane, run, seeds_of

    words, small = types.int64[::1], types.int32[::1]
    signature = (words, types.int64, types.int64, types.int64, types.int64, types.uint64[::1], small, small, words)
    folder.mkdir(parents=True, exist_ok=True)
    for name in GAMES:
        game = load_game(name)
        root, seeds = np.array(game.start(), np.int64), seeds_of(7, CHECKED_LANES)
        total = CHECKED_LANES * GAMES_A_LANE
        played = run(game, root, 1, GAMES_A_LANE, total, seeds, device="cpu")
        rate = _core_rate(game, root)
        (folder / f"{name}.ptx").write_text(ptx_of(game, play_lane, signature))
        expected = {"payoffs": played.payoffs, "lengths": played.lengths, "widths": played.widths}
        np.savez(folder / f"{name}.npz", root=root, seeds=seeds, core_rate=rate, **expected)
        print(f"{name:18} {rate:12,.0f} games/s on one core, {played.lengths.mean():.1f} plies", flush=True)


def _core_rate(game: Any, root: Any) -> float:
    """Games a second of one thread's CPU time, the best of a few rounds."""
    from ludus.compile.link import link
    from ludus.search.lanes import play_lanes, seeds_of

    entry, seeds = link(game, play_lanes), seeds_of(1, 64)
    results = [np.zeros(64 * 64, np.int32) for _ in range(2)]
    best, none = 0.0, np.zeros(0, np.int64)
    entry(0, 1, root, 1, 1, 64, LONGEST, seeds, *results, none)
    for _ in range(5):
        begin = time.thread_time()
        entry(0, 64, root, 1, 64, 64 * 64, LONGEST, seeds, *results, none)
        best = max(best, 64 * 64 / (time.thread_time() - begin))
    return best


def run_there(folder: Path) -> None:
    import cupy

    report = {"device": cupy.cuda.runtime.getDeviceProperties(0)["name"].decode(), "games": {}}
    print(report["device"])
    for name in GAMES:
        text = (folder / f"{name}.ptx").read_text()
        report["games"][name] = {**_measured(cupy, folder, name, text), **_resources(folder / f"{name}.ptx")}
        print(name, json.dumps(report["games"][name]), flush=True)
    (folder / "gpu.json").write_text(json.dumps(report, indent=1) + "\n")


def _measured(cupy: Any, folder: Path, name: str, text: str) -> dict[str, Any]:
    known = np.load(folder / f"{name}.npz")
    entry = text.partition(".visible .entry ")[2].partition("(")[0]
    kernel = cupy.RawModule(path=str(folder / f"{name}.ptx")).get_function(entry)
    _check(cupy, kernel, known)
    lanes = LANES if name != "subtraction" else LANES // 4
    seeds = cupy.asarray(np.random.default_rng(1).integers(1, 1 << 63, lanes, np.uint64))
    outputs = [cupy.zeros(lanes * GAMES_A_LANE, np.int32) for _ in range(2)]
    rates = {}
    for block in BLOCKS:
        arguments = _arguments(cupy, known["root"], GAMES_A_LANE, seeds, *outputs, cupy.zeros(0, np.int64))
        best_ms = min(_milliseconds(cupy, kernel, lanes, block, arguments) for _ in range(ROUNDS))
        rates[block] = 1000 * lanes * GAMES_A_LANE / best_ms
    best = max(rates.values())
    plies = float(outputs[1].mean())
    return {
        "games_per_second": round(best),
        "plies_per_second": round(best * plies),
        "plies": round(plies, 2),
        "block": max(rates, key=lambda block: rates[block]),
        "times_one_core": round(best / float(known["core_rate"])),
        "one_core": round(float(known["core_rate"])),
    }


def _check(cupy: Any, kernel: Any, known: Any) -> None:
    """The few lanes that the CPU played are played again: the same payoffs, lengths and widths."""
    outputs = [cupy.zeros(CHECKED_LANES * GAMES_A_LANE, np.int32) for _ in range(2)]
    widths = cupy.zeros(known["widths"].size, np.int64)
    seeds = cupy.asarray(known["seeds"])
    arguments = _arguments(cupy, known["root"], GAMES_A_LANE, seeds, *outputs, widths)
    kernel((1,), (CHECKED_LANES,), arguments)
    shape = (GAMES_A_LANE, CHECKED_LANES)
    payoffs, lengths = (cupy.asnumpy(output).reshape(shape).T for output in outputs)
    assert (payoffs == known["payoffs"]).all() and (lengths == known["lengths"]).all(), "the GPU played other games"
    assert (cupy.asnumpy(widths) == known["widths"]).all(), "the GPU counted other widths"


def _arguments(cupy: Any, root: Any, games: int, seeds: Any, *arrays: Any) -> list[Any]:
    """As numba's kernels take them: an array is seven words."""
    keep = cupy.asarray(root)

    def array(values: Any) -> list[Any]:
        return [np.int64(0), np.int64(0), np.int64(values.size), np.int64(values.itemsize),
                values, np.int64(values.size), np.int64(values.itemsize)]  # fmt: skip

    numbers = [np.int64(1), np.int64(games), np.int64(games * seeds.size), np.int64(LONGEST)]
    flat = [np.int64(seeds.size), *array(keep), *numbers, *array(seeds)]
    for values in arrays:
        flat += array(values)
    return flat


def _milliseconds(cupy: Any, kernel: Any, lanes: int, block: int, arguments: list[Any]) -> float:
    begin, end = cupy.cuda.Event(), cupy.cuda.Event()
    begin.record()
    kernel((-(-lanes // block),), (block,), arguments)
    end.record()
    end.synchronize()
    return float(cupy.cuda.get_elapsed_time(begin, end))


def _resources(ptx: Path) -> dict[str, Any]:
    """Registers and spilt bytes, as the assembler tells."""
    command = ["ptxas", "-arch=sm_90", "-v", str(ptx), "-o", "/dev/null"]
    try:
        said = subprocess.run(command, capture_output=True, text=True, check=False).stderr
    except OSError:
        return {}
    words = said.replace(",", " ").split()
    numbers = {word: words[at - 1] for at, word in enumerate(words) if word in ("registers", "stack")}
    return {"registers": numbers.get("registers"), "ptxas": " ".join(said.split())[-300:]}


if __name__ == "__main__":
    {"write": write, "run": run_there}[sys.argv[1]](Path(sys.argv[2]))
