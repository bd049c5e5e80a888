"""The same bots for a user without any privilege, and judged on kernel evidence alone: no audit hook helps."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from ludus.sandbox.levels import why_not_full

pytestmark = pytest.mark.skipif(why_not_full() is not None, reason="needs isolation at level full")

SCRIPT = Path(__file__).parent / "judging.py"
NOBODY = 65534


def unprivileged() -> tuple[list[str], dict[str, str]]:
    """The command that runs Python as nobody, and its environment; a skip where nobody can run any Python."""
    paths = [str(Path(__file__).parent), *(p for p in sys.path if p)]
    environment = {"PATH": os.environ["PATH"], "PYTHONPATH": ":".join(paths), "PYTHONDONTWRITEBYTECODE": "1"}
    if os.geteuid() != 0:
        return [sys.executable], environment
    as_nobody = ["setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups", "--inh-caps=-all"]
    version = f"python{sys.version_info.major}.{sys.version_info.minor}"
    if shutil.which("setpriv") is None:
        pytest.skip("setpriv is not here to become nobody")
    again = "import subprocess, sys, ludus.rules; sys.exit(subprocess.call([sys.executable, '-c', 'import json']))"
    for python in (sys.executable, f"/usr/bin/{version}"):
        tried = subprocess.run([*as_nobody, python, "-c", again], env=environment, capture_output=True, check=False)
        if tried.returncode == 0:
            return [*as_nobody, python], environment
    pytest.skip("nobody can reach this Python, nor the system's")


def test_all_bots_on_kernel_evidence_alone_as_nobody() -> None:
    command, environment = unprivileged()
    done = subprocess.run(
        [*command, str(SCRIPT), "--without-audit"], capture_output=True, text=True, env=environment, check=False
    )
    assert done.returncode == 0, done.stderr
    *faults, summary = [json.loads(line) for line in done.stdout.splitlines()]
    assert faults == [] and summary["bots"] >= 125
