"""The command `ludus`. It parses, calls, prints, and turns a LudusError into one sentence."""

from __future__ import annotations

import importlib
import os
import sys

from ludus.errors import LudusError

USAGE, FAILED, INTERRUPTED = 2, 1, 130


def main(arguments: list[str] | None = None) -> int:
    """Run one command; the exit status is 0, 1 for a sentence of complaint, 2 for a wrong command line."""
    from ludus.cli.parser import build_parser, one_option_each  # noqa: PLC0415  # keeps `import ludus.cli` free

    given = sys.argv[1:] if arguments is None else arguments
    options = build_parser().parse_args(one_option_each(given) or ["--help"])
    module, _, function = options.run.partition(":")
    try:
        status = getattr(importlib.import_module(module), function)(options)
        sys.stdout.flush()
        return int(status or 0)
    except LudusError as error:
        sys.stdout.flush()
        print(f"ludus: {error}", file=sys.stderr)  # noqa: T201
        return FAILED
    except KeyboardInterrupt:
        print("ludus: stopped", file=sys.stderr)  # noqa: T201
        return INTERRUPTED
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # so that the exit is quiet too
        return FAILED
