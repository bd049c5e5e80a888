"""The words of the command line, grouped by what a person wants to do. Imports nothing heavy."""

from __future__ import annotations

import argparse
from typing import NoReturn

from ludus import __version__

DEEPEST_PERFT = 500  # no count at such a depth ends, and recursion does

HELP = """\
usage: ludus COMMAND ...

Write the rules of a board game once, in plain Python; get everything else.

Look at a game
  games         the games, and the options of each
  show          draw a position in the terminal, or as SVG
  random        play random games, show the last board, keep the records

Invent a game
  check-game    is this rules file right? One line says what is wrong, and where
  stats         is it fair, how long does it last, how much choice is there?
  perft         count move sequences, the test of every rules file

Keep games
  replay        verify records and say what happened in them

GAME is a name (ultimate) or a rules file (./mygame.py).
`ludus COMMAND --help` says more; `ludus --version` prints the version.
"""


class Parser(argparse.ArgumentParser):
    """Complains in one sentence."""

    def error(self, message: str) -> NoReturn:
        self.exit(2, f"{self.prog}: {message} (see {self.prog} --help)\n")

    def format_help(self) -> str:
        return HELP if self.prog == "ludus" else super().format_help()


def build_parser() -> argparse.ArgumentParser:
    parser = Parser(prog="ludus", add_help=True)
    parser.add_argument("--version", action="version", version=f"ludus {__version__}")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", required=True)

    def command(name: str, run: str, description: str) -> argparse.ArgumentParser:
        made = commands.add_parser(name, description=description)
        made.set_defaults(run=f"ludus.cli.{run}")
        return made

    games = command("games", "look:games", "List the games that come with Ludus, and the options of each.")
    games.add_argument("--json", action="store_true", help="print JSON")

    show = command("show", "look:show", "Draw a position.")
    _add_position(show)
    show.add_argument("--svg", metavar="FILE", help="write an SVG file instead ('-' for standard output)")
    show.add_argument("--theme", choices=("light", "dark"), help="colours (terminal: dark, SVG: light)")
    show.add_argument("--ascii", action="store_true", help="plain ASCII characters only")

    random = command("random", "look:random_games", "Play random games and show the last board.")
    _add_position(random)
    random.add_argument("--games", type=_positive, default=1, metavar="N", help="how many (1)")
    random.add_argument("--seed", type=int, default=0, metavar="S", help="decides the games (0)")
    random.add_argument("--longest", type=_positive, default=100_000, metavar="N", help="moves of a game (100000)")
    random.add_argument("--out", metavar="FILE", help="write their records to FILE ('-' for standard output)")

    check = command("check-game", "checks:check_game", "Check a rules file and say what is wrong in one line.")
    check.add_argument("game", metavar="FILE", help="a rules file, or the name of a game")
    _add_options(check)
    check.add_argument("--games", type=_positive, default=100, metavar="N", help="random games to play (100)")
    check.add_argument("--longest", type=_positive, default=10_000, metavar="N", help="plies a game may take (10000)")
    check.add_argument("--seed", type=int, default=1, metavar="S", help="decides the random games (1)")
    check.add_argument("--json", action="store_true", help="print JSON")

    stats = command("stats", "measure:stats", "Play random games on all cores and say whether the game is fair.")
    _add_position(stats)
    stats.add_argument("--games", type=_positive, metavar="N", help="how many (100000; 2000 without numba)")
    stats.add_argument("--seed", type=int, default=0, metavar="S", help="decides the games (0)")
    _add_measuring(stats)

    perft = command("perft", "measure:perft", "Count the sequences of DEPTH moves from a position.")
    perft.add_argument("game", metavar="GAME", help="a game or a rules file")
    perft.add_argument("depth", metavar="DEPTH", type=_depth, help="how many moves")
    _add_position(perft, with_game=False)
    perft.add_argument("--divide", action="store_true", help="the count for each first move too")
    _add_measuring(perft)

    replay = command("replay", "checks:replay", "Verify records: one JSON object, or one to a line.")
    replay.add_argument("file", metavar="FILE", help="a file of records, '-' for standard input")
    replay.add_argument("--game", metavar="FILE", help="the rules file, for records of a game of your own")
    replay.add_argument("--json", action="store_true", help="print one line of JSON for each record")
    return parser


def with_whole_options(arguments: list[str]) -> list[str]:
    """`--options a=1 b=2` as `--options a=1 --options b=2`, and `--moves 4,4 3,3` as `--moves "4,4 3,3"`.

    So both may be written without quotes, and a GAME may stand behind them.
    """
    whole: list[str] = []
    inside = ""  # the option whose words these are
    for word in arguments:
        before = whole[-1] if whole else ""
        if inside == "--options" and ("=" in word or word.startswith("{")) and not word.startswith("-"):
            whole += ["--options", word]
        elif inside == "--moves" and "," in word and not word.startswith("-"):
            whole[-1] = f"{before} {word}"
        else:
            inside = before if before in ("--options", "--moves") else ""
            whole.append(word)
    return whole


def _add_position(parser: argparse.ArgumentParser, *, with_game: bool = True) -> None:
    """The ways to name a position, the same for every command that takes one."""
    if with_game:
        parser.add_argument("game", metavar="GAME", help="a game or a rules file")
    _add_options(parser)
    parser.add_argument("--moves", metavar="MOVES", help='moves played so far, such as "4,4 3,3"')
    parser.add_argument(
        "--record", metavar="FILE", help="the position after a record's moves; FILE:2 is the second of a file"
    )


def _add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--options",
        action="append",
        default=[],
        metavar="KEY=VALUE",
        help="options of the game, such as bonus=false; a value may be JSON, or the path of a file; or one JSON object",
    )


def _add_measuring(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--threads", type=_positive, metavar="N", help="threads (one for each core)")
    parser.add_argument("--plain", action="store_true", help="do not compile: slow, and a check on the compiler")
    parser.add_argument("--json", action="store_true", help="print JSON")


def _positive(text: str) -> int:
    return _whole_number(text, least=1)


def _depth(text: str) -> int:
    return _whole_number(text, least=0, most=DEEPEST_PERFT)


def _whole_number(text: str, *, least: int, most: int = 10**18) -> int:
    if not text.isascii() or not text.isdigit() or len(text) > 18 or not least <= int(text) <= most:
        up_to = "up" if most == 10**18 else f"to {most}"
        raise argparse.ArgumentTypeError(f"{text[:30]!r} is not a whole number from {least} {up_to}")
    return int(text)
