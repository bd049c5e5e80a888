"""The words of `ludus train`. Imports nothing heavy."""

from __future__ import annotations

import argparse

from ludus.cli.words import amount, positive, seed, whole_number


def add_train(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("game", metavar="GAME", help="a game or a rules file")
    parser.add_argument("--out", metavar="FILE", help="the network (GAME.net)")
    length = parser.add_mutually_exclusive_group()
    length.add_argument("--hours", type=hours, metavar="H", help="how long to train, such as 0.5")
    length.add_argument(
        "--positions", type=positive, metavar="N", help="how many positions to play (by the game's size)"
    )
    parser.add_argument(
        "--resume", action="store_true", help="go on with a training that was stopped, or is to be longer"
    )
    parser.add_argument("--device", choices=("cpu", "gpu"), default="cpu", help="where the network learns (cpu)")
    parser.add_argument("--hidden", type=hidden, metavar="N", help="hidden numbers of the network, 16 to 512 (64)")
    parser.add_argument(
        "--beside-own",
        action="store_true",
        help="the network adds to the game's own evaluation, instead of replacing it",
    )
    parser.add_argument("--threads", type=positive, metavar="N", help="that play (one for each core)")
    parser.add_argument("--seed", type=seed, metavar="S", help="decides everything that is random (0)")
    parser.add_argument(
        "--duel-games", type=duel_games, metavar="N", help="of a duel with the untrained agent; 0 for none (64)"
    )
    parser.add_argument("--json", action="store_true", help="print one line of JSON for each round")


def hours(text: str) -> float:
    return amount(text, of="hours", most=10_000)


def hidden(text: str) -> int:
    number = whole_number(text, least=16, most=512)
    if number % 16:
        raise argparse.ArgumentTypeError(f"{text[:30]!r} is not a multiple of 16")
    return number


def duel_games(text: str) -> int:
    return whole_number(text, least=0, most=10_000)
