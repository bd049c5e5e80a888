"""The words of the commands of a course: its start, its checks, its submissions. Imports nothing heavy."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from ludus.cli.words import positive

if TYPE_CHECKING:
    from ludus.cli.parser import Command

COURSE_HELP = """\
Take or give a course
  new           begin a bot, a game or an event: one commented file that already works
  docs          the hand-out of an event: rules, interface, limits, points, grades; as text or as a page
  check         is this bot valid, how well does it play, and where does it go wrong? Before the deadline
  collect       a folder or zip of submissions: who is valid, what costs marks, and the bots ready for `ludus run`
  compare       which bots have code or moves in common, beyond what is to be expected: evidence, no verdict
  trace         a game of a bot as comments, to be appended to its file; --verify checks one by playing it through
  feedback      one page for each team of a tournament: result, marks, games, lost positions, time, failures
"""


def add_course_commands(command: Command) -> None:
    _add_new(command("new", "new:new", "Begin a bot, a game or an event: one commented file that already works."))
    docs = command("docs", "docs:docs", "Print the hand-out of an event, made from its event file and its game.")
    docs.add_argument("event", metavar="EVENT|FILE", help="an event, or an event file")
    docs.add_argument("--html", metavar="FILE", help="write it as one web page instead")
    _add_check(command("check", "check_bot:check", "Check a bot as its event would, and say how well it plays."))
    _add_collect(command("collect", "collect:collect", "Take in submissions: who is valid, and what costs marks."))
    _add_trace(
        command("trace", "trace:trace", "Play a game and tell it as comments for the bot's file, or verify such.")
    )
    _add_compare(command("compare", "compare:compare", "Find bots that have code or moves in common: evidence only."))
    feedback = command("feedback", "feedback:feedback", "Write a page for each team of a tournament, for it alone.")
    feedback.add_argument("folder", metavar="DIR", help="the tournament's folder")
    feedback.add_argument("--out", metavar="FOLDER", help="where the pages go (DIR/feedback)")


def _add_check(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("bot", metavar="BOT", help="its file: ./team7.py, or a program; codingame:./bot speaks that")
    parser.add_argument("--event", required=True, metavar="EVENT|FILE", help="an event, or an event file")
    parser.add_argument("--html", metavar="FILE", help="write a page of it as well")
    parser.add_argument("--json", action="store_true", help="print one JSON object with everything")
    parser.add_argument("--quick", action="store_true", help="less of everything: under a minute for a fast bot")
    parser.add_argument("--seed", type=int, default=0, metavar="S", help="decides boards, positions and dice (0)")
    parser.add_argument("--isolation", choices=("full", "basic"), help="allow basic isolation, for bots you trust")


def _add_collect(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("place", metavar="FOLDER|ZIP", help="submissions: files, archives, folders of a platform")
    parser.add_argument("--event", required=True, metavar="EVENT|FILE", help="an event, or an event file")
    parser.add_argument("--out", metavar="DIR", help="where the bots go (EVENT-bots)")
    parser.add_argument("--deadline", metavar="WHEN", help="such as 2026-11-30T23:59 (that of the event file)")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument("--isolation", choices=("full", "basic"), help="allow basic isolation, for bots you trust")


def _add_compare(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("folder", metavar="FOLDER", help="the bots, such as `ludus collect` has written them")
    parser.add_argument(
        "--event", metavar="EVENT|FILE", help="asks the bots for moves too (that of the collected bots)"
    )
    given = "files or folders that everybody was given"
    parser.add_argument("--against", nargs="+", default=[], metavar="TEMPLATE", help=given)
    parser.add_argument("--html", metavar="FILE", help="write a page with both sources of each pair that stands out")
    parser.add_argument("--json", action="store_true", help="print one JSON object with all pairs")
    parser.add_argument("--positions", type=positive, default=60, metavar="N", help="that everybody is asked (60)")
    parser.add_argument("--seed", type=int, default=0, metavar="S", help="decides the positions and the dice (0)")
    parser.add_argument("--isolation", choices=("full", "basic"), help="allow basic isolation, for bots you trust")


def _add_trace(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("bot", nargs="?", metavar="BOT", help="its file, such as ./team7.py")
    parser.add_argument("--event", metavar="EVENT|FILE", help="an event, or an event file")
    parser.add_argument("--vs", default="random", metavar="B", help="its opponent: an agent or a bot (random)")
    parser.add_argument("--second", action="store_true", help="the opponent begins")
    parser.add_argument("--seed", type=int, default=0, metavar="S", help="decides the board and the dice (0)")
    parser.add_argument("--write", action="store_true", help="put it at the end of the file, in place of an older one")
    parser.add_argument("--verify", metavar="FILE", help="play the trace in this file through; the bot is not run")
    parser.add_argument("--isolation", choices=("full", "basic"), help="allow basic isolation, for bots you trust")


def _add_new(parser: argparse.ArgumentParser) -> None:
    things = parser.add_subparsers(dest="thing", metavar="bot|game|event", required=True)

    bot = things.add_parser("bot", description="Write a bot that already plays, in the interface of an event.")
    bot.add_argument("--event", required=True, metavar="EVENT|FILE", help="an event, or an event file")
    bot.add_argument("name", nargs="?", metavar="NAME", help="of the team, or its number; names the file and the class")
    bot.add_argument(
        "--protocol", choices=("ludus", "codingame"), help="write a program that speaks it, instead of the interface"
    )

    game = things.add_parser("game", description="Write the rules of a small game that `ludus check-game` accepts.")
    game.add_argument("name", metavar="NAME", help="of the game, such as tactix; its file is tactix.py")

    event = things.add_parser("event", description="Write an event file with every field and what it means.")
    event.add_argument("name", metavar="NAME", help="of the event, such as spring; its file is spring.toml")
    event.add_argument("--game", default="ultimate", metavar="GAME|FILE", help="a game or a rules file (ultimate)")

    for thing in (bot, game, event):
        thing.add_argument("--force", action="store_true", help="write over a file that is there")
