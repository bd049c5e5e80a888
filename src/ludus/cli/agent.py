"""`ludus agent`: an agent as a program that plays over standard input and output."""

from __future__ import annotations

import argparse
import io
import sys
from random import Random

from ludus.agents.agent import warm_up
from ludus.agents.naming import make_agent
from ludus.agents.protocols import Program, require_codingame, speak_codingame, speak_ludus, usual_first_ms
from ludus.cli.position import parse_options
from ludus.cli.progress import saying_when_it_compiles
from ludus.compile.agreement import compiling
from ludus.rules import load_game


def agent(arguments: argparse.Namespace) -> int:
    game = load_game(arguments.game)
    if arguments.protocol == "codingame":
        require_codingame(game)  # before what may compile for seconds
    start = game.start(**parse_options(arguments.options))
    with saying_when_it_compiles(game.name), compiling(game):
        player = make_agent(game, arguments.agent, seed=arguments.seed)
        if game.legal(start):
            warm_up(player, start)
    program = Program(
        game=game,
        agent=player,
        start=start,
        move_ms=arguments.move_ms,
        first_ms=arguments.first_ms or usual_first_ms(arguments.move_ms),
        say=_say,
        complain=_complain,
        rng=Random(arguments.seed),
    )
    speak = speak_codingame if arguments.protocol == "codingame" else speak_ludus
    if isinstance(sys.stdin, io.TextIOWrapper):
        sys.stdin.reconfigure(errors="replace")  # bytes that are no text make a line that is none of the protocol
    speak(program, iter(sys.stdin.readline, ""))
    return 0


def _say(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


def _complain(sentence: str) -> None:
    sys.stderr.write(f"ludus: {sentence}\n")
    sys.stderr.flush()
