"""Compiled rules come from the cache only when nothing has changed, and never from another game."""

from __future__ import annotations

import multiprocessing
import os
import shutil
import subprocess
import sys
import textwrap
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from ludus.rules import load_game
from ludus.search.perft import count_in_bulk, perft
from rules_files import heap, sequences

pytest.importorskip("numba")

COUNT = """
import sys
import numpy as np
from ludus.compile.link import link
from ludus.rules import load_game
from ludus.search.perft import count_in_bulk
for path in sys.argv[2:]:
    game = load_game(path)
    entry = link(game, count_in_bulk)
    count = int(entry(np.array(game.start(), np.int64), int(sys.argv[1])))
    hits = sum(entry.stats.cache_hits.values())
    print(count, "cached" if hits else "compiled")
"""


def machine_code(cache: Path) -> list[Path]:
    return sorted(cache.glob("*/*.bin"))


@pytest.fixture(scope="module")
def heap_cache(tmp_path_factory) -> Path:
    """The cache after one process has counted a heap; a test copies it, as it is the content of a game that counts."""
    folder = tmp_path_factory.mktemp("heap")
    (folder / "mygame.py").write_text(textwrap.dedent(heap()))
    environment = {**os.environ, "LUDUS_CACHE": str(folder / "cache")}
    command = [sys.executable, "-c", COUNT, "4", str(folder / "mygame.py")]
    subprocess.run(command, env=environment, capture_output=True, check=True)
    return folder / "cache"


def test_a_second_process_loads_what_the_first_one_compiled(write, python, empty_cache):
    path = write("mygame.py", heap())
    expected = sequences(10, 4, 3)
    assert python(COUNT, 4, path) == f"{expected} compiled"
    assert python(COUNT, 4, path) == f"{expected} cached"


def test_whoever_waits_hears_of_compiling_and_not_of_loading(write, empty_cache):
    command = [sys.executable, "-m", "ludus", "agent", write("mygame.py", heap()), "greedy"]
    said = "ludus: compiling the search for mygame (once; later starts are quick)\n"
    for expected in (said, ""):
        done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=True)
        assert (done.stdout, done.stderr) == ("", expected)


def test_a_game_in_another_folder_is_loaded_where_its_rules_are_the_same(write, python, empty_cache, heap_cache):
    shutil.copytree(heap_cache, empty_cache)
    assert python(COUNT, 4, write("elsewhere/mygame.py", heap())) == f"{sequences(10, 4, 3)} cached"


def test_an_edited_rules_file_is_compiled_afresh(write, python, empty_cache):
    path = write("mygame.py", heap(most=3))
    python(COUNT, 4, path)
    write("mygame.py", heap(most=2))  # same length, same second: only the content tells
    assert python(COUNT, 4, path) == f"{sequences(10, 4, 2)} compiled"


@pytest.mark.parametrize("imports", ["from helper import most", "import helper"])
def test_an_edited_helper_is_noticed(write, python, empty_cache, imports):
    call = "most()" if "from" in imports else "helper.most()"
    path = write("mygame.py", heap(most=call, imports=imports))
    write("helper.py", "def most():\n    return 3\n")
    assert python(COUNT, 4, path) == f"{sequences(10, 4, 3)} compiled"
    write("helper.py", "def most():\n    return 2\n")
    assert python(COUNT, 4, path) == f"{sequences(10, 4, 2)} compiled"


def test_an_edited_constant_of_a_helper_is_noticed(write, python, empty_cache):
    path = write("mygame.py", heap(most="LIMITS[s.heap % 10]", imports="from helper import LIMITS"))
    write("helper.py", "LIMITS = (3,) * 10\n")
    assert python(COUNT, 4, path) == f"{sequences(10, 4, 3)} compiled"
    write("helper.py", "LIMITS = (2,) * 10\n")
    assert python(COUNT, 4, path) == f"{sequences(10, 4, 2)} compiled"


def test_games_of_one_name_and_shape_do_not_mix(write, python, empty_cache):
    """Compiled in two processes and loaded together from the cache, each keeps its own rules."""
    two, three = write("a/mygame.py", heap(most=2)), write("b/mygame.py", heap(most=3))
    python(COUNT, 5, two)
    python(COUNT, 5, three)
    together = python(COUNT, 5, two, three).split("\n")
    assert together == [f"{sequences(10, 5, 2)} cached", f"{sequences(10, 5, 3)} cached"]


def test_helpers_of_one_name_do_not_mix(write, python, empty_cache):
    for folder, most in (("a", 2), ("b", 3)):
        write(f"{folder}/mygame.py", heap(most="most()", imports="from helper import most"))
        write(f"{folder}/helper.py", f"def most():\n    return {most}\n")
    paths = [empty_cache.parent / folder / "mygame.py" for folder in "ab"]
    both = python(COUNT, 5, *paths).split("\n")
    assert both == [f"{sequences(10, 5, 2)} compiled", f"{sequences(10, 5, 3)} compiled"]


@pytest.mark.parametrize("damage", ["truncated", "flipped", "emptied", "noise", "folder"])
def test_a_damaged_cache_is_compiled_over(write, python, empty_cache, heap_cache, damage):
    path = write("mygame.py", heap())
    shutil.copytree(heap_cache, empty_cache)
    (file,) = machine_code(empty_cache)
    content = file.read_bytes()
    if damage == "folder":
        file.unlink()
        file.mkdir()
    else:
        middle = len(content) // 2
        flipped = content[:middle] + bytes([content[middle] ^ 1]) + content[middle + 1 :]
        damaged = {
            "truncated": content[:middle],
            "flipped": flipped,
            "emptied": b"",
            "noise": os.urandom(5000),
        }
        file.write_bytes(damaged[damage])
    assert python(COUNT, 4, path) == f"{sequences(10, 4, 3)} compiled"
    if damage != "folder":
        assert python(COUNT, 4, path) == f"{sequences(10, 4, 3)} cached"


def test_a_cache_that_cannot_be_written_does_not_stop_a_game(write, python, tmp_path, monkeypatch):
    """A file where the folder should be: no user, root included, can write there."""
    path = write("mygame.py", heap())
    for blocked in (write("file", "") / "cache", Path("/proc/ludus"), Path("/dev/null")):
        monkeypatch.setenv("LUDUS_CACHE", str(blocked))
        assert python(COUNT, 4, path) == f"{sequences(10, 4, 3)} compiled"


@pytest.mark.skipif(os.name != "posix", reason="needs permission bits")
def test_a_read_only_cache_does_not_stop_a_game(write, python, empty_cache):
    path = write("mygame.py", heap())
    empty_cache.mkdir()
    empty_cache.chmod(0o500)
    try:
        assert python(COUNT, 4, path).startswith(f"{sequences(10, 4, 3)} ")
    finally:
        empty_cache.chmod(0o700)


def test_processes_that_compile_at_once_do_not_disturb_each_other(write, empty_cache):
    path = write("mygame.py", heap())

    def run(_: int) -> str:
        command = [sys.executable, "-c", COUNT, "4", str(path)]
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()[0]

    with ThreadPoolExecutor(4) as pool:
        assert set(pool.map(run, range(4))) == {str(sequences(10, 4, 3))}
    assert len(machine_code(empty_cache)) == 1
    assert not list(empty_cache.glob("*/.writing-*"))


def test_numbers_of_functions_differ_between_processes_and_after_a_fork(python):
    script = """
    import os
    import ludus.compile.cache
    from numba.core.bytecode import FunctionIdentity
    first = next(FunctionIdentity._unique_ids)
    read, write = os.pipe()
    if os.fork() == 0:
        os.write(write, str(next(FunctionIdentity._unique_ids)).encode())
        os._exit(0)
    child = int(os.read(read, 100))
    os.wait()
    print(first, child, next(FunctionIdentity._unique_ids))
    """
    numbers = [int(word) for _ in range(2) for word in python(script).split()]
    parent, child, parent_again = numbers[:3]
    assert parent_again == parent + 1
    assert child not in (parent, parent_again)
    assert numbers[3] != parent


def _count_in_child(path: str, queue: multiprocessing.Queue[int]) -> None:
    game = load_game(path)
    queue.put(perft(game, game.start(), 5))


@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_a_forked_child_compiles_its_own_game_beside_ours(write, empty_cache):
    """The child compiles another game of the same shape after the fork; then we load both."""
    two, three = write("a/mygame.py", heap(most=2)), write("b/mygame.py", heap(most=3))
    game = load_game(two)
    assert perft(game, game.start(), 5) == sequences(10, 5, 2)
    context = multiprocessing.get_context("fork")
    queue = context.Queue()
    child = context.Process(target=_count_in_child, args=(str(three), queue))
    child.start()
    assert queue.get(timeout=120) == sequences(10, 5, 3)
    child.join()
    other = load_game(three)
    assert perft(other, other.start(), 5) == sequences(10, 5, 3)
    assert perft(game, game.start(), 5) == sequences(10, 5, 2)


RECURSION = """
def alternating(k, sign):
    return 0 if k == 0 else sign + alternating(k - 1, -sign)

def literal(k):
    return alternating(k, 1)
"""


def test_recursion_with_a_literal_is_not_cached(write, python, empty_cache):
    """It leaves a hole in the machine code, which would abort the process that loads it."""
    write("helper.py", RECURSION)
    path = write("mygame.py", heap(most="2 + literal(s.heap)", imports="from helper import literal"))
    first = python(COUNT, 4, path)
    assert first.endswith("compiled")
    assert not machine_code(empty_cache)
    assert python(COUNT, 4, path) == first


def test_old_code_is_forgotten(tmp_path):
    from ludus.compile import cache

    for index in range(cache.KEEP + 5):
        folder = tmp_path / f"{index:032x}"
        folder.mkdir()
        os.utime(folder, (index, index))
    cache.forget_oldest(tmp_path)
    assert sorted(folder.name for folder in tmp_path.iterdir())[0] == f"{5:032x}"


def test_numba_is_pinned_to_its_minor_version():
    import tomllib

    import numba

    project = tomllib.loads((Path(__file__).parent.parent / "pyproject.toml").read_text())["project"]
    (pin,) = [line for line in project["dependencies"] if line.startswith("numba")]
    low, high = pin.removeprefix("numba>=").split(",<")
    assert low.rsplit(".", 1)[0].split(".")[1] == str(int(high.split(".")[1]) - 1)
    assert numba.__version__.startswith(low.rsplit(".", 1)[0])


def test_entry_points_are_the_ones_in_the_cache(write, empty_cache):
    game = load_game(write("mygame.py", heap()))
    perft(game, game.start(), 4)
    assert [file.name.rpartition("-")[0] for file in machine_code(empty_cache)] == [count_in_bulk.__name__]


def test_only_our_own_folders_are_forgotten(tmp_path):
    from ludus.compile import cache

    others = [tmp_path / f"thesis{index:03}" for index in range(cache.KEEP + 5)]
    for folder in others:
        folder.mkdir()
    cache.forget_oldest(tmp_path)
    assert all(folder.is_dir() for folder in others)


def test_an_empty_variable_is_no_cache_folder(monkeypatch):
    from ludus.compile import cache

    monkeypatch.setenv("LUDUS_CACHE", "")
    assert cache.cache_home().name == "ludus"


HELPERS = {
    "a module inside a package": ("import pkg.tables", "pkg.tables.MOST", "pkg/tables.py", "MOST = 3", "MOST = 2"),
    "a function inside a package": (
        "import pkg.tables", "pkg.tables.most()", "pkg/tables.py",
        "def most():\n    return 3", "def most():\n    return 2",
    ),
    "a named tuple": (
        "from helper import P", "P.x", "helper.py",
        "from collections import namedtuple\nP = namedtuple('P', 'x y')(3, 2)",
        "from collections import namedtuple\nP = namedtuple('P', 'y x')(3, 2)",
    ),
}  # fmt: skip


@pytest.mark.parametrize("kind", HELPERS)
def test_every_kind_of_helper_is_part_of_the_key(write, python, empty_cache, kind):
    imports, most, file, before, after = HELPERS[kind]
    path = write("mygame.py", heap(most=most, imports=imports))
    write("pkg/__init__.py", "")
    write(file, before + "\n")
    assert python(COUNT, 4, path) == f"{sequences(10, 4, 3)} compiled"
    write(file, after + "\n")
    assert python(COUNT, 4, path) == f"{sequences(10, 4, 2)} compiled"
