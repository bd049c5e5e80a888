"""`ludus report`: a tournament as pages, as a short text, or as JSON."""

from __future__ import annotations

import argparse
import json
import os
import sys
from pathlib import Path

from ludus.cli.progress import progress

# Ratings solve many small systems of equations, for which threads only fight; numpy reads this when it is imported.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

from ludus.reports.export import as_json
from ludus.reports.findings import findings_of
from ludus.reports.site import MOST_REPLAYS, write_site
from ludus.reports.text import text_report


def report(arguments: argparse.Namespace) -> int:
    folder = Path(arguments.folder)
    found = findings_of(folder)
    if arguments.json:
        sys.stdout.write(json.dumps(as_json(found), indent=1) + "\n")
    elif arguments.text:
        sys.stdout.write("\n".join(text_report(found)) + "\n")
    if arguments.html is None and (arguments.json or arguments.text):
        return 0
    out = Path(arguments.html or folder / "report")
    replays = MOST_REPLAYS if arguments.replays is None else arguments.replays
    with progress("drawing games") as tell:
        page = write_site(found, out, has_grades=not arguments.no_grades, replays=replays, tell=tell)
    (sys.stderr if arguments.json or arguments.text else sys.stdout).write(f"{page}\n")
    return 0
