"""The words of the command line, grouped by what a person wants to do. Imports nothing heavy."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import NoReturn

from ludus import __version__
from ludus.cli.course_parser import COURSE_HELP, add_course_commands
from ludus.cli.learn_parser import add_train
from ludus.cli.play_parser import PORT, add_play, add_serve, add_watch
from ludus.cli.words import (
    add_options,
    depth,
    lines,
    milliseconds,
    plies,
    port,
    positive,
    seconds,
    seconds_or_endless,
    seed,
)

Command = Callable[[str, str, str], argparse.ArgumentParser]
"""Makes the parser of a command: its name, what runs it, and what it does."""

RANDOM_IN_AGENT = "decides what is random in the agent (0)"
LONGEST_SEED = 20  # digits of 2**64 - 1

HELP = f"""\
usage: ludus COMMAND ...

Write the rules of a board game once, in plain Python; get everything else.

Look at a game
  games         the games, and the options of each
  show          draw a position in the terminal, or as SVG
  random        play random games, show the last board, keep the records

Play
  play          play against the computer, a bot or a person, on the full screen or in plain text
  watch         step through recorded games and tournaments
  serve         all of it in the browser: play, watch, analyse, tournaments

Invent a game
  preview       a rules file in the browser while you write it: three boards that follow every save
  check-game    is this rules file right? One line says what is wrong, and where
  stats         is it fair, how long does it last, how much choice is there?
  perft         count move sequences, the test of every rules file

Think
  solve         the value of a position under perfect play, and every best move
  analyse       the best lines with their scores, live while the search goes on
  duel          which of two agents is stronger, by how much, and how sure is that?
  agent         an agent as a program over standard input and output, for any referee
  train         an evaluation for any game, learnt from games that the search plays against itself

Judge bots
  match         two players under the referee: any bot, any behaviour, one fair verdict
  show-verdict  why a recorded game ended as it did, with all the evidence
  rerun         put a bot back into a recorded game, in the sandbox or under a debugger
  doctor        which guarantees hold on this machine, by trying them

Hold a tournament
  events        the events that come with Ludus; `events show NAME > mine.toml` begins your own, `events check` tries it
  run           play a whole event with a folder of bots, on all cores or on a cluster; goes on where it stopped
  report        its table, bracket, ratings, failures, grades and every game: as web pages, text or JSON

{COURSE_HELP}
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


def agent_seed(text: str) -> int:
    """What is random in an agent is decided by 64 bits: another number would be one of these in disguise."""
    if not text.isascii() or not text.isdigit() or len(text) > LONGEST_SEED or int(text) >= 1 << 64:
        raise argparse.ArgumentTypeError(f"{text[:30]!r} is not a whole number from 0 to 2**64 - 1")
    return int(text)


def build_parser() -> argparse.ArgumentParser:
    parser = Parser(prog="ludus", add_help=True)
    parser.add_argument("--version", action="version", version=f"ludus {__version__}")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", required=True)

    def command(name: str, run: str, description: str) -> argparse.ArgumentParser:
        made = commands.add_parser(name, description=description)
        made.set_defaults(run=f"ludus.cli.{run}")
        return made

    _look(command)
    add_play(command("play", "play:play", "Play against the computer, a bot, or another person."))
    add_watch(command("watch", "watch:watch", "Step through recorded games in the terminal."))
    add_serve(command("serve", "serve:serve", "Play, watch and analyse in the browser."))
    _invent(command)
    _think(command)
    _judge(command)
    _hold(command)
    add_course_commands(command)

    replay = command("replay", "checks:replay", "Verify records: one JSON object, or one to a line.")
    replay.add_argument("file", metavar="FILE", help="a file of records, '-' for standard input")
    replay.add_argument("--game", metavar="FILE", help="the rules file, for records of a game of your own")
    replay.add_argument("--json", action="store_true", help="print one line of JSON for each record")
    return parser


def _look(command: Command) -> None:
    games = command("games", "look:games", "List the games that come with Ludus, and the options of each.")
    games.add_argument("--json", action="store_true", help="print JSON")

    show = command("show", "look:show", "Draw a position.")
    _add_position(show)
    show.add_argument("--svg", metavar="FILE", help="write an SVG file instead ('-' for standard output)")
    show.add_argument("--theme", choices=("light", "dark"), help="colours (terminal: dark, SVG: light)")
    show.add_argument("--ascii", action="store_true", help="plain ASCII characters only")

    random = command("random", "look:random_games", "Play random games and show the last board.")
    _add_position(random)
    random.add_argument("--games", type=positive, default=1, metavar="N", help="how many (1)")
    random.add_argument("--seed", type=int, default=0, metavar="S", help="decides the games (0)")
    random.add_argument("--longest", type=positive, default=100_000, metavar="N", help="moves of a game (100000)")
    random.add_argument("--out", metavar="FILE", help="write their records to FILE ('-' for standard output)")


def _invent(command: Command) -> None:
    preview = command("preview", "preview:preview", "Show a rules file in the browser, and follow it while you write.")
    preview.add_argument("game", metavar="FILE", help="a rules file, or the name of a game")
    preview.add_argument("--port", type=port, default=PORT, metavar="N", help="where the page is served (8600)")

    check = command("check-game", "checks:check_game", "Check a rules file and say what is wrong in one line.")
    check.add_argument("game", metavar="FILE", help="a rules file, or the name of a game")
    add_options(check)
    check.add_argument("--games", type=positive, default=100, metavar="N", help="random games to play (100)")
    check.add_argument("--longest", type=positive, default=10_000, metavar="N", help="plies a game may take (10000)")
    check.add_argument("--seed", type=int, default=1, metavar="S", help="decides the random games (1)")
    check.add_argument("--json", action="store_true", help="print JSON")

    stats = command("stats", "measure:stats", "Play random games on all cores and say whether the game is fair.")
    _add_position(stats)
    stats.add_argument("--games", type=positive, metavar="N", help="how many (100000; 2000 without numba)")
    stats.add_argument("--seed", type=int, default=0, metavar="S", help="decides the games (0)")
    stats.add_argument("--device", choices=("cpu", "gpu"), default="cpu", help="where they are played (cpu)")
    _add_measuring(stats)

    perft = command("perft", "measure:perft", "Count the sequences of DEPTH moves from a position.")
    perft.add_argument("game", metavar="GAME", help="a game or a rules file")
    perft.add_argument("depth", metavar="DEPTH", type=depth, help="how many moves")
    _add_position(perft, with_game=False)
    perft.add_argument("--divide", action="store_true", help="the count for each first move too")
    _add_measuring(perft)


def _think(command: Command) -> None:
    _add_analyse(command("analyse", "analyse:analyse", "Find the best lines of a position, and what each is worth."))
    _add_duel(
        command("duel", "duel:duel", "Play two agents against each other, every opening twice with sides swapped.")
    )
    _add_agent(command("agent", "agent:agent", "Play over standard input and output, for a referee outside."))
    add_train(command("train", "train:train_network", "Train an evaluation, a network that learns from self-play."))
    solve = command("solve", "solve:solve", "Find the value under perfect play, every best move, and a best line.")
    _add_position(solve)
    solve.add_argument("--nodes", type=positive, metavar="N", help="positions to look at before giving up (10^9)")
    says = "seconds before giving up, or inf: until Ctrl-C (as the nodes allow)"
    solve.add_argument("--time", type=seconds_or_endless, metavar="S", help=says)
    solve.add_argument("--mb", type=positive, default=1024, metavar="N", help="megabytes of memory for proofs (1024)")
    solve.add_argument("--threads", type=positive, metavar="N", help="threads (one for each core)")
    solve.add_argument("--json", action="store_true", help="print JSON")


def _judge(command: Command) -> None:
    _add_match(command("match", "match:match", "Play two players against each other under the referee."))
    _add_judged_record(command("show-verdict", "verdicts:show_verdict", "Say why a recorded game ended as it did."))
    _add_rerun(command("rerun", "verdicts:rerun", "Put a bot into the exact position, clock and seed of a record."))
    doctor = command("doctor", "doctor:doctor", "Say which guarantees hold on this machine, by trying them.")
    doctor.add_argument("--json", action="store_true", help="print JSON")


def _hold(command: Command) -> None:
    events = command("events", "events:events", "List the events that come with Ludus, show one, or check your own.")
    says = "print an event's file, to begin one's own from; or say whether a file is right, and what it means"
    events.add_argument("what", nargs="?", choices=["show", "check"], help=says)
    events.add_argument("name", nargs="?", metavar="EVENT", help="an event; to check, a file such as mine.toml too")
    events.add_argument("--teams", type=int, metavar="N", help="check: stages and games for so many teams as well")
    events.add_argument("--json", action="store_true", help="print JSON")

    _add_run(command("run", "run:run", "Play a tournament, or go on with one that was stopped."))
    _add_report(command("report", "report:report", "Report a tournament, finished or not; as web pages unless said."))


def _add_run(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("event", metavar="EVENT|DIR", help="an event, an event file, or a tournament's folder to go on")
    parser.add_argument("--bots", nargs="+", default=[], metavar="FOLDER|FILE", help="who takes part; agents as well")
    parser.add_argument("--out", metavar="DIR", help="the tournament's folder (EVENT-SEED)")
    parser.add_argument("--workers", type=positive, metavar="N", help="games at a time (one for each core)")
    parser.add_argument("--seed", type=seed, metavar="S", help="decides draws, boards and bots' dice (the event's)")
    parser.add_argument(
        "--engine", default="local", metavar="ENGINE", help="local, dask, dask:ADDRESS, ray or ray:ADDRESS (local)"
    )
    parser.add_argument(
        "--only", nargs="+", default=[], metavar="WHAT", help="only games of these stages, pools or teams, for now"
    )
    parser.add_argument("--isolation", choices=("full", "basic"), help="allow basic isolation, for bots you trust")
    parser.add_argument("--quiet", action="store_true", help="no progress, only the end")


def _add_report(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("folder", metavar="DIR", help="the tournament's folder")
    parser.add_argument("--html", metavar="OUT", help="the folder to write the pages to (DIR/report)")
    what = parser.add_mutually_exclusive_group()
    what.add_argument("--text", action="store_true", help="print it, short")
    what.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument("--no-grades", action="store_true", help="no marks in the pages, for a public place")
    parser.add_argument("--replays", type=positive, metavar="N", help="how many games to draw at most (5000)")


def with_whole_options(arguments: list[str]) -> list[str]:
    """`--options a=1 b=2` as `--options a=1 --options b=2`, and `--moves 4,4 3,3` as `--moves "4,4 3,3"`.

    So both may be written without quotes, and a GAME may stand behind them. `--sprt -5,0` is `--sprt=-5,0`.
    """
    whole: list[str] = []
    inside = ""  # the option whose words these are
    for word in arguments:
        before = whole[-1] if whole else ""
        if inside == "--options" and ("=" in word or word.startswith("{")) and not word.startswith("-"):
            whole += ["--options", word]
        elif inside == "--moves" and "," in word and not word.startswith("-"):
            whole[-1] = f"{before} {word}"
        elif before == "--sprt":
            whole[-1] = f"--sprt={word}"
        else:
            inside = before if before in ("--options", "--moves") else ""
            whole.append(word)
    return whole


def _add_duel(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("game", metavar="GAME", help="a game or a rules file")
    parser.add_argument("one", metavar="A", help="an agent, such as best, mcts or alphabeta:time=0.5,mb=128")
    parser.add_argument("other", metavar="B", help="its opponent; best@./old.py thinks by that rules file")
    add_options(parser)
    parser.add_argument("--games", type=positive, default=100, metavar="N", help="how many at most (100)")
    budget = parser.add_mutually_exclusive_group()
    budget.add_argument("--time", type=seconds, metavar="S", help="seconds a move (0.1)")
    budget.add_argument("--nodes", type=positive, metavar="N", help="nodes or iterations a move: repeatable games")
    parser.add_argument(
        "--openings", type=plies, metavar="K", help="random moves before the agents begin (0 to 6, by the game)"
    )
    parser.add_argument(
        "--sprt", metavar="ELO0,ELO1", help="stop once it is decided which difference is likelier (errors 5 %%)"
    )
    parser.add_argument("--seed", type=agent_seed, default=0, metavar="S", help="decides openings and agents (0)")
    parser.add_argument("--workers", type=positive, metavar="N", help="games at a time (one for each core)")
    parser.add_argument("--records", metavar="FILE", help="write the records of the games to FILE")
    parser.add_argument("--json", action="store_true", help="print JSON")


def _add_analyse(parser: argparse.ArgumentParser) -> None:
    _add_position(parser)
    parser.add_argument("--agent", default="best", metavar="AGENT", help="who thinks, such as mcts or solver (best)")
    parser.add_argument("--time", type=seconds_or_endless, metavar="S", help="seconds, or inf: until Ctrl-C (5)")
    parser.add_argument("--nodes", type=positive, metavar="N", help="nodes or iterations: a repeatable answer")
    parser.add_argument("--lines", type=lines, default=3, metavar="N", help="how many lines, up to 32 (3)")
    parser.add_argument("--seed", type=agent_seed, default=0, metavar="S", help=RANDOM_IN_AGENT)
    parser.add_argument("--theme", choices=("light", "dark"), help="colours in the terminal (dark)")
    parser.add_argument("--json", action="store_true", help="print one JSON object at the end")


def _add_agent(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("game", metavar="GAME", help="a game or a rules file")
    parser.add_argument("agent", metavar="AGENT", help="an agent, such as best or mcts:threads=2")
    add_options(parser)
    parser.add_argument("--protocol", choices=("codingame", "ludus"), default="ludus", help="how to talk (ludus)")
    parser.add_argument("--move-ms", type=milliseconds, default=100.0, metavar="MS", help="limit of a move (100)")
    first = "limit of the first move (ten times the others, up to 1000)"
    parser.add_argument("--first-ms", type=milliseconds, metavar="MS", help=first)
    parser.add_argument("--seed", type=agent_seed, default=0, metavar="S", help=RANDOM_IN_AGENT)


def _add_match(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("event", metavar="EVENT|GAME", help="an event, an event file, a game or a rules file")
    parser.add_argument("a", metavar="A", help="an agent (best), a bot (./bot.py, ./bot, ./bot.jar, ./bot.js) or human")
    parser.add_argument("b", metavar="B", help="its opponent; codingame:./bot is a program that speaks that protocol")
    add_options(parser)
    parser.add_argument("--games", type=positive, default=1, metavar="N", help="how many (1)")
    who = parser.add_mutually_exclusive_group()
    who.add_argument("--swap", action="store_true", help="B is seat 0 in every second game, and in a single one")
    who.add_argument("--coin", action="store_true", help="a seeded coin decides who is seat 0 in each game")
    parser.add_argument("--seed", type=int, default=0, metavar="S", help="decides boards, coins and bots' dice (0)")
    parser.add_argument("--limit", type=seconds, metavar="SECONDS", help="of a move (the event's; 10 for a game)")
    parser.add_argument("--record", metavar="FILE", help="write the records of the games to FILE")
    parser.add_argument("--isolation", choices=("full", "basic"), help="allow basic isolation, for bots you trust")
    parser.add_argument("--quiet", action="store_true", help="no live board")
    parser.add_argument("--json", action="store_true", help="print one line of JSON for each game")


def _add_rerun(parser: argparse.ArgumentParser) -> None:
    _add_judged_record(parser)
    parser.add_argument("--ply", type=plies, metavar="N", help="the turn to play again, from 0 (that of the verdict)")
    parser.add_argument("--bot", metavar="FILE", help="another bot in its place (the one of the record)")
    parser.add_argument("--limit", type=seconds, metavar="SECONDS", help="of a move (that of the record)")
    parser.add_argument("--isolation", choices=("full", "basic"), help="allow basic isolation, for bots you trust")
    parser.add_argument("--pdb", action="store_true", help="under the debugger, in this process, NOT SANDBOXED")


def _add_judged_record(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("record", metavar="RECORD", help="a record of the referee; FILE:2 is the second of a file")
    parser.add_argument("--game", metavar="FILE", help="the rules file, for a record of a game of your own")
    parser.add_argument("--json", action="store_true", help="print JSON")


def _add_position(parser: argparse.ArgumentParser, *, with_game: bool = True) -> None:
    """The ways to name a position, the same for every command that takes one."""
    if with_game:
        parser.add_argument("game", metavar="GAME", help="a game or a rules file")
    add_options(parser)
    parser.add_argument("--moves", metavar="MOVES", help='moves played so far, such as "4,4 3,3"')
    parser.add_argument(
        "--record", metavar="FILE", help="the position after a record's moves; FILE:2 is the second of a file"
    )


def _add_measuring(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--threads", type=positive, metavar="N", help="threads (one for each core)")
    parser.add_argument("--plain", action="store_true", help="do not compile: slow, and a check on the compiler")
    parser.add_argument("--json", action="store_true", help="print JSON")
