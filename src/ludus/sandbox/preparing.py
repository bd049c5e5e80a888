"""What is done with a bot's source in its process before it is run, at every level of isolation."""

from __future__ import annotations

import contextlib
import importlib
import marshal
import random
import sys
from collections.abc import Iterator
from types import CodeType
from typing import NamedTuple

_NOT_BEFOREHAND = frozenset("antigravity this idlelib turtledemo test lib2to3 ensurepip venv __main__".split())


class Prepared(NamedTuple):
    """A bot's code, and the modules that it imports and that were not there yet."""

    code: CodeType
    modules: tuple[str, ...]

    def to_bytes(self) -> bytes:
        """For other processes of the same bot, which need not compile it again."""
        return marshal.dumps(tuple(self))


def prepared(source: str, name: str, *, earlier: bytes = b"") -> Prepared | BaseException:
    """The bot's code, with all that it imports already imported, while that is quick; or why it cannot be compiled.

    `earlier` is what another process made of the same source, if one has.
    """
    if earlier:
        found = Prepared(*marshal.loads(earlier))  # noqa: S302  # made here, before the bot's code ran
    else:
        try:
            code = compile(source, name, "exec", dont_inherit=True)
        except Exception as error:  # the compiler raises more than SyntaxError; it is the bot's failure
            return error
        found = Prepared(code, tuple(dict.fromkeys(filter(_is_worth_importing, _imported_names(code)))))
    for module in found.modules:
        with contextlib.suppress(Exception, SystemExit):  # it will fail again, in the bot
            __import__(module)
    return found


def _is_worth_importing(module: str) -> bool:
    package = module.partition(".")[0]
    is_harmless = package in sys.stdlib_module_names and package not in _NOT_BEFOREHAND
    return is_harmless and module not in sys.modules and not module.endswith("__main__")


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
