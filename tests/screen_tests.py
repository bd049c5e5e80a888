"""What tests of screens share: an app that runs without a terminal, and waiting for what other processes do."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any

from textual.app import App
from textual.pilot import Pilot

from ludus.bots.entrants import Entrant, parse_entrant
from ludus.bots.room import Room
from ludus.rules import Game, load_game
from ludus.sandbox.basic import Basic
from ludus.sandbox.process import Limits
from ludus.screens.app import PlayApp
from ludus.screens.board import Board
from ludus.screens.playing import PlayScreen
from ludus.sittings.sitting import agree

PATIENCE_S = 120.0  # a machine with other work, and a search that is compiled first


def room_of_agents(_entrant: Entrant) -> Room:
    return Room(Basic(), limits=Limits())


def play_app(
    game: Game | str,
    opponent: str = "human",
    *,
    shows_bar: bool = False,
    open_room: Callable[[Entrant], Room] = room_of_agents,
    **agreed: Any,
) -> PlayApp:
    rules = load_game(game) if isinstance(game, str) else game
    agreement = agree(rules, parse_entrant(opponent, rules), seed=agreed.pop("seed", 1), **agreed)
    return PlayApp(agreement, open_room=open_room, shows_bar=shows_bar)


def run(
    app: App[Any], steps: Callable[[Pilot[Any]], Coroutine[Any, Any, None]], *, size: tuple[int, int] = (120, 40)
) -> None:
    """Run an app through the steps."""

    async def whole() -> None:
        async with app.run_test(size=size) as pilot:
            await pilot.pause()
            await steps(pilot)

    asyncio.run(whole())


async def until(pilot: Pilot[Any], is_so: Callable[[], bool]) -> None:
    end = time.monotonic() + PATIENCE_S
    while not is_so():
        assert time.monotonic() < end, "it did not happen"
        await pilot.pause(0.02)
    await pilot.pause()


def screen_of(pilot: Pilot[Any]) -> PlayScreen:
    """The board's screen, whatever lies above it."""
    return next(screen for screen in pilot.app.screen_stack if isinstance(screen, PlayScreen))


def message(pilot: Pilot[Any]) -> str:
    return str(screen_of(pilot).query_one("#message").render())


def click(pilot: Pilot[Any], key: str) -> Awaitable[bool]:
    """A click on the middle of an area."""
    return pilot.click(Board, offset=screen_of(pilot).query_one(Board).place_of(key))
