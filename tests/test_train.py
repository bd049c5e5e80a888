"""`ludus train`: what it learns, what survives a kill, and what it says when something is wrong."""

from __future__ import annotations

import contextlib
import importlib.util
import json
import pickle
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

from ludus.cli import main
from ludus.learn.checkpoint import STANDING
from ludus.networks.files import load_network
from ludus.rules import load_game
from ludus.search.deepening import AlphaBeta
from rules_files import TIC_TAC_TOE, heap

SMALL = ("--positions", "12000", "--threads", "1", "--duel-games", "0", "--json")
PATIENCE_S = 120.0


@pytest.fixture(scope="module")
def rules(tmp_path_factory):
    """The rules that `ludus new game` writes: the pages of the docs train the same, so that it is compiled once."""
    folder = tmp_path_factory.mktemp("train")
    with contextlib.chdir(folder):
        assert main(["new", "game", "mine"]) == 0
    return folder / "mine.py"


@pytest.fixture(scope="module")
def trained(rules):
    """The file of a small training that nobody disturbed."""
    file = rules.with_name("undisturbed.net")
    assert main(["train", str(rules), "--out", str(file), *SMALL]) == 0
    return file


def refused(capsys, *arguments):
    """The one sentence with which the command ends."""
    capsys.readouterr()
    assert main(["train", *map(str, arguments)]) == 1
    said = capsys.readouterr().err
    assert said.startswith("ludus: ") and said.count("\n") == 1
    return said


def started(rules, file, *options):
    command = [sys.executable, "-m", "ludus", "train", str(rules), "--out", str(file), *SMALL, *options]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def test_a_trained_network_never_loses_three_plies_deep(rules, tmp_path, capsys):
    """The promise of the tutorial: the usual training, against every play of the other side."""
    file = tmp_path / "mine.net"
    assert main(["train", str(rules), "--out", str(file), "--threads", "1", "--duel-games", "16"]) == 0
    said = capsys.readouterr().out.splitlines()
    assert said[1].split()[:3] == ["round", "positions", "positions/s"] and "ludus duel" in said[-1]
    assert " to +" in said[-3] or "above" in said[-3]  # the last round tells the Elo
    game = load_game(rules)
    player = AlphaBeta(game, megabytes=1, network=load_network(file, game))
    for seat in (0, 1):
        seen, todo = set(), [game.start()]
        while todo:
            state = todo.pop()
            if state in seen:
                continue
            seen.add(state)
            payoff = game.result(state)
            if payoff is not None:
                assert (payoff if seat == 0 else -payoff) >= 0, state
            elif game.turn(state) == seat:
                player.forget()
                todo.append(game.play(state, player.search(state, depth=3).move))
            else:
                todo += [game.play(state, move) for move in game.legal(state)]


def test_every_round_is_one_line_of_json_and_the_same_seed_gives_the_same_file(rules, trained, tmp_path, capsys):
    again, other = tmp_path / "again.net", tmp_path / "other.net"
    assert main(["train", str(rules), "--out", str(again), *SMALL]) == 0
    rounds = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [one["number"] for one in rounds] == list(range(1, len(rounds) + 1))
    assert 11_500 <= rounds[-1]["positions"] <= 12_600 and rounds[-1]["share"] > 0.95
    assert rounds[-1]["held_out_loss"] < np.log(2)
    assert again.read_bytes() == trained.read_bytes()
    assert main(["train", str(rules), "--out", str(other), "--seed", "1", *SMALL]) == 0
    assert other.read_bytes() != trained.read_bytes()


def test_a_training_that_was_killed_goes_on_to_the_same_network(rules, trained, tmp_path, capsys):
    file = tmp_path / "killed.net"
    process = started(rules, file)
    assert process.stdout is not None
    assert process.stdout.readline()  # of the first round
    process.kill()
    process.communicate()
    load_network(file, load_game(rules))
    assert main(["train", str(rules), "--out", str(file), "--resume", "--json"]) == 0
    assert capsys.readouterr().out.splitlines()[0].startswith('{"number": 2')
    assert file.read_bytes() == trained.read_bytes()
    assert main(["train", str(rules), "--out", str(file), "--resume", "--positions", "14000"]) == 0
    assert "damaged" not in capsys.readouterr().err and file.read_bytes() != trained.read_bytes()


def test_an_interrupt_is_one_sentence_and_leaves_a_network(rules, tmp_path):
    file = tmp_path / "stopped.net"
    process = started(rules, file, "--positions", "50000000")
    assert process.stdout is not None
    assert process.stdout.readline()
    process.send_signal(signal.SIGINT)
    _, said = process.communicate(timeout=PATIENCE_S)
    assert process.returncode == 130
    assert "--resume goes on" in said.splitlines()[-1] and "Traceback" not in said
    load_network(file, load_game(rules))


def test_two_processes_do_not_train_in_one_folder(rules, tmp_path, capsys):
    file = tmp_path / "shared.net"
    process = started(rules, file, "--positions", "50000000")
    try:
        assert process.stdout is not None
        assert process.stdout.readline()
        assert "another process" in refused(capsys, rules, "--out", file, "--resume")
    finally:
        process.kill()
        process.communicate()


def test_what_is_wrong_is_one_sentence(rules, trained, tmp_path, capsys):
    assert "--resume goes on" in refused(capsys, rules, "--out", trained)
    assert "no training" in refused(capsys, rules, "--out", tmp_path / "new.net", "--resume")
    assert "--hidden" in refused(capsys, rules, "--out", trained, "--resume", "--hidden", "32")
    assert "no evaluation" in refused(capsys, rules, "--out", tmp_path / "new.net", "--beside-own")
    other = tmp_path / "heap.py"
    other.write_text(heap())
    assert "'mine'" in refused(capsys, other, "--out", trained, "--resume")
    assert not list(tmp_path.glob("*.training"))


class Trap:
    def __init__(self, file):
        self.file = file

    def __reduce__(self):
        return (Path.touch, (self.file,))


def test_a_damaged_folder_is_one_sentence_and_runs_nothing(rules, trained, tmp_path, capsys):
    folder = trained.with_name(trained.name + ".training")
    file = tmp_path / "copy.net"
    copy = tmp_path / "copy.net.training"
    whole = (folder / STANDING).read_bytes()
    trap = np.empty(1, object)
    trap[0] = Trap(tmp_path / "was-here")
    np.savez(tmp_path / "trap.npz", about=trap)
    bad = [b"", whole[: len(whole) // 2], b"no zip", pickle.dumps(trap), (tmp_path / "trap.npz").read_bytes()]
    for content in bad:
        shutil.copytree(folder, copy, dirs_exist_ok=True)
        (copy / STANDING).write_bytes(content)
        assert "damaged" in refused(capsys, rules, "--out", file, "--resume")
    shutil.copytree(folder, copy, dirs_exist_ok=True)
    for positions in copy.glob("positions-*.npz"):
        positions.write_bytes(b"cut off")
    assert "damaged" in refused(capsys, rules, "--out", file, "--resume")
    assert not (tmp_path / "was-here").exists()


def test_hours_are_kept_to(rules, tmp_path, capsys):
    begin = time.monotonic()
    seconds = 3
    options = [*SMALL[2:], "--hours", str(seconds / 3600)]
    assert main(["train", str(rules), "--out", str(tmp_path / "short.net"), *options]) == 0
    rounds = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert rounds and rounds[-1]["seconds"] <= time.monotonic() - begin


@pytest.mark.skipif(importlib.util.find_spec("torch") is not None, reason="PyTorch is installed here")
def test_without_a_graphics_processor_the_cpu_learns_the_same(rules, trained, tmp_path, capsys):
    file = tmp_path / "gpu.net"
    assert main(["train", str(rules), "--out", str(file), "--device", "gpu", *SMALL]) == 0
    said = capsys.readouterr().err
    assert "PyTorch is not installed" in said and said.count("\n") == 1
    assert file.read_bytes() == trained.read_bytes()


def test_beside_its_own_evaluation_a_network_begins_with_that(tmp_path, capsys):
    rules = tmp_path / "guess.py"
    rules.write_text(TIC_TAC_TOE + "\n\ndef evaluate(s):\n    return 50 if s.mover == 0 else -50\n")
    file = tmp_path / "guess.net"
    options = ("--positions", "2000", "--threads", "1", "--hidden", "16", "--duel-games", "0", "--beside-own")
    assert main(["train", str(rules), "--out", str(file), *options]) == 0
    network = load_network(file, load_game(rules))
    assert network.shape.has_guess and network.rest[0][1] != 0
