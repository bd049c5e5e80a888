"""What is done with a bot's source in its process before it is run, at every level of isolation."""

from __future__ import annotations

import contextlib
import importlib
import random
import sys
from collections.abc import Iterator
from types import CodeType

_NOT_BEFOREHAND = frozenset("antigravity this idlelib turtledemo test lib2to3 ensurepip venv __main__".split())


def compiled(source: str, name: str) -> CodeType | BaseException:
    """The bot's code, with all that it imports already imported, while that is quick; or why it cannot be compiled."""
    try:
        code = compile(source, name, "exec", dont_inherit=True)
    except Exception as error:  # the compiler raises more than SyntaxError; it is the bot's failure
        return error
    for module in _imported_names(code):
        package = module.partition(".")[0]
        if module not in sys.modules and package in sys.stdlib_module_names and package not in _NOT_BEFOREHAND:
            with contextlib.suppress(Exception, SystemExit):  # it will fail again, in the bot
                if not module.endswith("__main__"):
                    __import__(module)
    return code


def seed_dice(seed: int) -> None:
    """What is random in a bot is decided by the game."""
    random.seed(seed)
    if "numpy" in sys.modules:  # whose generator a fork would share with all bots; it is imported when first used
        importlib.import_module("numpy.random").seed(seed % (1 << 32))


def _imported_names(code: CodeType) -> Iterator[str]:
    """The modules that the compiled file imports by name, anywhere in it."""
    from opcode import opmap  # noqa: PLC0415  # numbers differ between versions

    wanted, extends = opmap["IMPORT_NAME"], opmap["EXTENDED_ARG"]
    waiting = [code]
    while waiting:
        code = waiting.pop()
        waiting += [constant for constant in code.co_consts if isinstance(constant, CodeType)]
        argument = 0
        for operation, low in zip(code.co_code[::2], code.co_code[1::2], strict=True):
            argument = argument << 8 | low
            if operation == wanted:
                yield code.co_names[argument]
            if operation != extends:
                argument = 0
