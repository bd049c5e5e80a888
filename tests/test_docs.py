"""Every command in README and docs is run, in an empty folder per page, and must print what the page shows."""

from __future__ import annotations

import ast
import os
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
FENCE = re.compile(r"^```(?P<info>[^\n]*)\n(?P<body>.*?)^```$", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\]\((?!https?:|#|mailto:)(?P<target>[^)#\s]+)|(?:src|srcset)=\"(?P<source>[^\"]+)\"")


@dataclass
class Step:
    """A file to write, or a command with the output that the page shows for it, if any."""

    command: str = ""
    expected: str = ""
    file: str = ""
    content: str = ""
    is_more: bool = False
    is_instead: bool = False  # of the function of the same name that the file has


def steps(page: Path) -> list[Step]:
    found = []
    for fence in FENCE.finditer(page.read_text()):
        info, body = fence["info"].split(), fence["body"]
        files = [word.removeprefix("file=") for word in info if word.startswith("file=")]
        if files:
            step = Step(file=files[0], content=body, is_more="append" in info, is_instead="replace" in info)
            found.append(step)
        elif info[:1] == ["console"]:
            for part in re.split(r"^\$ ", body, flags=re.MULTILINE)[1:]:
                command, _, expected = part.partition("\n")
                found.append(Step(command=command, expected=expected))
    return found


def with_function(source: str, content: str) -> str:
    """The source with its function of that name replaced by what a page shows."""
    name = next(node.name for node in ast.parse(content).body if isinstance(node, ast.FunctionDef))
    (old,) = [n for n in ast.parse(source).body if isinstance(n, ast.FunctionDef) and n.name == name]
    lines = source.splitlines(keepends=True)
    return "".join([*lines[: old.lineno - 1], content, *lines[old.end_lineno :]])


def as_pattern(expected: str) -> str:
    """The shown output as a pattern: an ellipsis stands for anything, line ends included on a line of its own."""
    lines = [r"(?:.*\n)*?" if line.strip() == "…" else re.escape(line.rstrip()).replace("…", ".*") + r"[ ]*\n"
             for line in expected.rstrip("\n").splitlines()]  # fmt: skip
    return "".join(lines)


@pytest.mark.parametrize("page", [page for page in PAGES if steps(page)], ids=lambda page: page.name)
def test_commands_of_a_page(page, tmp_path):
    environment = {
        **os.environ,
        "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}",
        "COLUMNS": "100",
    }
    shutil.copytree(ROOT / "docs", tmp_path / "docs")  # pages name scripts and pictures as seen from the root
    for step in steps(page):
        if step.is_instead:
            file = tmp_path / step.file
            file.write_text(with_function(file.read_text(), step.content))
            continue
        if step.file:
            with (tmp_path / step.file).open("a" if step.is_more else "w") as file:
                file.write(("\n\n" if step.is_more else "") + step.content)
            continue
        done = subprocess.run(
            ["bash", "-c", step.command],
            capture_output=True,
            text=True,
            cwd=tmp_path,
            env=environment,
            check=False,
        )
        assert done.returncode == 0, f"$ {step.command}\n{done.stdout}{done.stderr}"
        if step.expected.strip():
            assert re.fullmatch(as_pattern(step.expected), done.stdout.rstrip("\n") + "\n"), (
                f"$ {step.command}\n{done.stdout}"
            )


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_links_of_a_page_lead_somewhere(page):
    for link in LINK.finditer(page.read_text()):
        target = link["target"] or link["source"]
        assert (page.parent / target).exists(), target


def test_a_tutorial_game_is_short():
    (rules, _) = [step.content for step in steps(ROOT / "docs/tutorials/your-first-game.md") if step.file]
    code = [line for line in rules.splitlines() if line.strip()]
    assert len(code) <= 45
