"""The words of the commands for playing and watching, in the terminal and in the browser. Imports nothing heavy."""

from __future__ import annotations

import argparse

from ludus.cli.words import add_options, level, port, seconds, seed

PORT = 8600


def add_play(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("game", nargs="?", metavar="GAME", help="a game or a rules file; without one there is a menu")
    parser.add_argument("--vs", metavar="WHO", help="an agent (best), a bot (./bot.py) or human (level:5)")
    parser.add_argument("--level", type=level, metavar="1-10", help="how strong the computer is (5)")
    parser.add_argument("--first", choices=("me", "them", "random"), default="me", help="who begins (me)")
    parser.add_argument("--limit", type=seconds, metavar="S", help="seconds for a move of the opponent (5)")
    add_options(parser)
    parser.add_argument("--seed", type=seed, metavar="S", help="decides random boards, who begins, and dice (drawn)")
    parser.add_argument("--plain", action="store_true", help="a dialogue in lines of text, over a pipe too")
    parser.add_argument("--web", action="store_true", help="in the browser")
    parser.add_argument("--port", type=port, default=PORT, metavar="N", help="of --web; 0 for any that is free (8600)")
    parser.add_argument("--trace", metavar="FILE", help="write every position, move and the result as text")
    parser.add_argument("--record", metavar="FILE", help="write the record of the game")
    parser.add_argument("--isolation", choices=("full", "basic"), help="allow basic isolation, for bots you trust")
    parser.add_argument("--theme", choices=("light", "dark"), help="colours of the full screen (dark)")
    parser.add_argument("--no-bar", action="store_true", help="do not show who is ahead")


def add_watch(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("what", metavar="RECORD|DIR", help="a file of records (FILE:2 its second), or a folder")
    parser.add_argument("--game", metavar="FILE", help="the rules file, for records of a game of your own")
    parser.add_argument("--plain", action="store_true", help="print the games, every position and move")
    parser.add_argument("--theme", choices=("light", "dark"), help="colours of the full screen (dark)")


def add_serve(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("folder", nargs="?", metavar="DIR", help="a folder of records and tournaments to look at")
    parser.add_argument("--port", type=port, default=PORT, metavar="N", help="0 for any that is free (8600)")
    parser.add_argument("--host", default="127.0.0.1", metavar="HOST", help="who may come in: this machine alone")
    parser.add_argument("--token", metavar="WORD", help="what others need to come in (drawn where they can)")
    parser.add_argument(
        "--game", action="append", default=[], metavar="FILE", help="a rules file of your own to play; may be repeated"
    )
    parser.add_argument("--isolation", choices=("full", "basic"), help="allow basic isolation, for bots you trust")
    parser.add_argument("--open", action="store_true", help="open it in the browser")
