"""The order of the modules: each imports only what stands above it."""

from __future__ import annotations

import ast
import sys
from pathlib import Path

import ludus

ROOT = Path(ludus.__file__).parent
ORDER = [
    *("errors", "picture", "loading", "rules", "reach", "games", "contract", "compile", "networks", "search", "agents"),
    *(
        "view",
        "records",
        "sandbox",
        "bots",
        "referee",
        "events",
        "tournament",
        "ratings",
        "lab",
        "learn",
        "reports",
        "course",
        "sittings",
        "screens",
        "web",
        "cli",
    ),
]


def layer(path: Path) -> str:
    return path.relative_to(ROOT).parts[0].removesuffix(".py")


def imports(path: Path) -> set[str]:
    found = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.ImportFrom) and node.module:
            found.add(node.module)
        elif isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
    return found


def test_a_module_imports_only_what_stands_above_it():
    for path in sorted(ROOT.rglob("*.py")):
        if layer(path) in ("__init__", "__main__"):
            continue
        assert layer(path) in ORDER, f"{path.name} has no place in the order"
        for name in imports(path):
            if name.startswith("ludus."):
                other = name.split(".")[1]
                assert ORDER.index(other) <= ORDER.index(layer(path)), f"{path} imports {name}"


def test_only_the_compiler_imports_numba():
    users = {
        path.relative_to(ROOT).as_posix()
        for path in ROOT.rglob("*.py")
        if any(name.partition(".")[0] in ("numba", "llvmlite") for name in imports(path))
    }
    names = ("agreement", "cache", "gpu", "gpu_native", "jit", "native", "native_vectors")
    assert users == {f"compile/{name}.py" for name in names}


def test_rules_files_of_ours_are_plain_python():
    for path in ROOT.glob("games/**/*.py"):
        outside = {name.partition(".")[0] for name in imports(path)} - set(sys.stdlib_module_names)
        assert outside <= {"ludus"}, path
