"""The command `ludus`. It parses, calls, prints, and turns a LudusError into one sentence."""

from __future__ import annotations

import importlib
import os
import sys
import traceback
from pathlib import Path

from ludus.errors import LudusError

FAILED, INTERRUPTED = 1, 130
OURS = Path(__file__).parent.parent


def main(arguments: list[str] | None = None) -> int:
    """Run one command; the exit status is 0, 1 for a sentence of complaint, 2 for a wrong command line."""
    from ludus.cli.parser import build_parser, one_option_each  # noqa: PLC0415  # keeps `import ludus.cli` free

    given = sys.argv[1:] if arguments is None else arguments
    options = build_parser().parse_args(one_option_each(given) or ["--help"])
    module, _, function = options.run.partition(":")
    if hasattr(sys.stdout, "reconfigure"):
        sys.stdout.reconfigure(errors="replace")  # a terminal without our signs shows question marks
    try:
        status = getattr(importlib.import_module(module), function)(options)
        sys.stdout.flush()
        return int(status or 0)
    except LudusError as error:
        sys.stdout.flush()
        sys.stderr.write(f"ludus: {error}\n")
        return FAILED
    except KeyboardInterrupt:
        sys.stderr.write("ludus: stopped\n")
        return INTERRUPTED
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # so that the exit is quiet too
        return FAILED
    except Exception as error:
        place = _in_rules(error)
        if place is None:
            raise  # a bug of ours
        sys.stderr.write(f"ludus: {place}: {type(error).__name__}: {error}; see ludus check-game\n")
        return FAILED


def _in_rules(error: Exception) -> str | None:
    """Where an exception was raised, if that was in a rules file of somebody else."""
    last = traceback.extract_tb(error.__traceback__)[-1]
    file = Path(last.filename)
    is_foreign = file.is_file() and not file.is_relative_to(OURS) and not file.is_relative_to(sys.base_prefix)
    return f"{file.name}:{last.lineno}" if is_foreign and "site-packages" not in file.parts else None
