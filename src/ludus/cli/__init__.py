"""The command `ludus`. It parses, calls, prints, and turns a LudusError into one sentence."""

from __future__ import annotations

import importlib
import os
import sys
from pathlib import Path

from ludus.errors import LudusError

FAILED, INTERRUPTED = 1, 130
OURS = Path(__file__).parent.parent


def main(arguments: list[str] | None = None) -> int:
    """Run one command; the exit status is 0, 1 for a sentence of complaint, 2 for a wrong command line."""
    if sys.stdout is None:  # closed by whoever called us
        return FAILED
    try:
        status = _run(sys.argv[1:] if arguments is None else arguments)
        sys.stdout.flush()
        return status
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
    except OSError as error:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.stderr.write(f"ludus: {error.filename or 'the output'}: {error.strerror or error}\n")
        return FAILED


def _run(arguments: list[str]) -> int:
    """Parse and call. All that takes a while is imported here, where an interrupt is expected."""
    from ludus.cli.parser import build_parser, with_whole_options  # noqa: PLC0415  # keeps `import ludus.cli` free

    # A bot called random.py in the current folder must not be what our own processes import.
    os.environ["PYTHONSAFEPATH"] = "1"
    options = build_parser().parse_args(with_whole_options(arguments) or ["--help"])
    module, _, function = options.run.partition(":")
    if hasattr(sys.stdout, "reconfigure"):
        sys.stdout.reconfigure(errors="replace")  # a terminal without our signs shows question marks
    try:
        return int(getattr(importlib.import_module(module), function)(options) or 0)
    except (LudusError, OSError):
        raise
    except Exception as error:
        from ludus.rules import game_names  # noqa: PLC0415  # the command has imported it

        rules = getattr(options, "game", None)
        if rules is None or rules in game_names():
            raise  # a bug of ours
        what = " ".join(f"{type(error).__name__}: {error}".split())[:160]
        raise LudusError(f"{_place(error) or rules}: {what}; run ludus check-game {rules}") from error


def _place(error: Exception) -> str | None:
    """The innermost line of somebody's own file in a traceback."""
    import traceback  # noqa: PLC0415  # for bad days only

    for frame in reversed(traceback.extract_tb(error.__traceback__)):
        file = Path(frame.filename)
        is_library = file.is_relative_to(OURS) or file.is_relative_to(sys.base_prefix) or "site-packages" in file.parts
        if file.suffix == ".py" and file.is_file() and not is_library:
            return f"{file.name}:{frame.lineno}"
    return None
