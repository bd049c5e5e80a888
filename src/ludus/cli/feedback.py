"""`ludus feedback`: one page for each team from a tournament's folder, to be handed to that team alone."""

from __future__ import annotations

import argparse
import csv
import os
import sys
from pathlib import Path

from ludus.cli.progress import progress

# Ratings solve many small systems of equations, for which threads only fight; numpy reads this when it is imported.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

from ludus.course.feedback import LIST, write_feedback
from ludus.reports.findings import findings_of


def feedback(arguments: argparse.Namespace) -> int:
    folder = Path(arguments.folder)
    found = findings_of(folder)
    out = Path(arguments.out or folder / "feedback")
    with progress("feedback") as tell:
        made = write_feedback(found, out, tell=tell)
    with (folder / LIST).open("w", encoding="utf-8", newline="") as file:
        rows = csv.writer(file, lineterminator="\n")
        rows.writerow(["team", "page"])
        rows.writerows(
            (f"'{name}" if name.startswith(("=", "+", "-", "@")) else name, page.name) for name, page in made
        )
    sys.stdout.write(f"{len(made)} pages in {out}; {folder / LIST} says whose each is\n")
    return 0
