"""The full screen of `ludus play`, driven by keys and clicks: games of every kind, taking back, hints, resigning."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest
from textual.pilot import Pilot
from textual.widgets import Input, OptionList, Select

from ludus.records import parse_record, replay
from ludus.rules import game_names, load_game, random_line
from ludus.screens.app import PlayApp
from ludus.screens.board import Board
from ludus.screens.overlays import Choice, Notice
from ludus.screens.picking import key_at, neighbour, pick, pointable
from ludus.screens.playing import PlayScreen
from ludus.screens.start import StartScreen
from ludus.view.layout import layout_of
from ludus.view.scene import scene_of
from rules_files import TIC_TAC_TOE
from screen_tests import click, message, play_app, run, screen_of, until

HANDOUT = {"circles": "101/020/001"}


@pytest.mark.parametrize("name", game_names())
def test_arrows_reach_every_area_and_every_area_is_found_by_the_mouse(name: str) -> None:
    game = load_game(name)
    scene = scene_of(game, game.start())
    layout = layout_of(scene)
    first = neighbour(layout, scene, None, 0, 0)
    reached, waiting = {first}, [first]
    while waiting:
        here = waiting.pop()
        for dx, dy in ((0, 1), (0, -1), (1, 0), (-1, 0)):
            there = neighbour(layout, scene, here, dx, dy)
            if there not in reached:
                reached.add(there)
                waiting.append(there)
    assert reached == set(pointable(layout, scene))
    for key in reached:
        assert key is not None
        box = layout.boxes[key]
        assert key_at(layout, scene, (box.left + box.right) // 2, (box.top + box.bottom) // 2) == key


@pytest.mark.parametrize("name", game_names())
def test_every_legal_move_can_be_pointed_at(name: str) -> None:
    game = load_game(name)
    for state in random_line(game, game.start(), Random(3), 60).states[::7]:
        scene = scene_of(game, state)
        for move in game.legal(state):
            keys: tuple[str, ...] = ()
            for key in scene.paths[move]:
                found = pick(game, state, scene, keys, key)
                keys = found.keys
            assert found.move == move or move in found.choices


def test_a_whole_game_by_keys_against_the_computer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    app = play_app("slant", "random", options=HANDOUT)

    async def steps(pilot: Pilot[None]) -> None:
        sitting = screen_of(pilot).sitting
        for turn in range(2):
            await until(pilot, lambda turn=turn: len(sitting.moves) == 2 * turn and sitting.turn == 0)  # type: ignore[misc]
            await pilot.press("enter")
        await until(pilot, lambda: isinstance(app.screen, Choice))
        assert sitting.verdict is not None and len(sitting.moves) == 4
        await pilot.press("t")
        await until(pilot, lambda: isinstance(app.screen, PlayScreen))
        await pilot.press("s")

    run(app, steps)
    assert "Result: " in (tmp_path / "slant-trace.txt").read_text()
    assert not (tmp_path / "slant-trace-2.txt").exists()
    record = parse_record((tmp_path / "slant.json").read_text())
    assert replay(record).result == record.more["result"]
    assert [player["kind"] for player in record.more["players"]] == ["human", "agent"]


@pytest.mark.parametrize("name", game_names())
def test_games_by_clicks(name: str) -> None:
    """The moves of a random game, clicked; where several moves share an area, its number is pressed."""
    game = load_game(name)
    app = play_app(game, options={"m": 4} if name == "slant" else {})  # slant to its end

    async def steps(pilot: Pilot[None]) -> None:
        screen = screen_of(pilot)
        line = random_line(game, screen.sitting.state, Random(5), 16 if name == "slant" else 5)
        for count, move in enumerate(line.moves, 1):
            for key in screen.scene.paths[move]:
                await click(pilot, key)
            if isinstance(app.screen, Choice) and screen.sitting.turn is not None:
                answers = [answer for _, _, answer in app.screen.answers]
                await pilot.press(str(answers.index(str(move)) + 1))
            await until(pilot, lambda count=count: len(screen.sitting.moves) == count)  # type: ignore[misc]
        assert tuple(screen.sitting.moves) == line.moves
        assert (screen.sitting.verdict is not None) == (game.result(line.states[-1]) is not None)

    run(app, steps)


def test_a_move_that_is_typed_fast_is_played_as_typed() -> None:
    app = play_app("ultimate")

    async def steps(pilot: Pilot[None]) -> None:
        screen = screen_of(pilot)
        await pilot.press(*"7,6", "enter")
        assert [screen.sitting.game.move_name(move) for move in screen.sitting.moves] == ["7,6"]
        assert isinstance(screen.focused, Board)
        await pilot.press("colon", *"(3, 0)", "enter")
        assert len(screen.sitting.moves) == 2
        await pilot.press(*"0,0", "escape")
        assert len(screen.sitting.moves) == 2 and isinstance(screen.focused, Board)
        await pilot.press("colon", *"undo", "enter")
        assert len(screen.sitting.moves) == 1

    run(app, steps)


def test_what_is_illegal_says_why_and_changes_nothing() -> None:
    app = play_app("ultimate")

    async def steps(pilot: Pilot[None]) -> None:
        screen = screen_of(pilot)
        await click(pilot, "4,4")
        await click(pilot, "0,0")
        assert "illegal move 0,0" in message(pilot)
        await pilot.press(*"9,9", "enter")
        assert "is not a move of ultimate" in message(pilot)
        await click(pilot, "4,4")
        assert "illegal move 4,4" in message(pilot)
        assert len(screen.sitting.moves) == 1

    run(app, steps)


def test_undo_takes_back_the_answer_too_and_even_a_resignation() -> None:
    app = play_app("slant", "random", options=HANDOUT)

    async def steps(pilot: Pilot[None]) -> None:
        screen = screen_of(pilot)
        await pilot.press("u")
        assert "nothing to take back" in message(pilot)
        await pilot.press("enter")
        await until(pilot, lambda: len(screen.sitting.moves) == 2)
        await pilot.press("u")
        assert screen.sitting.moves == [] and screen.sitting.turn == 0
        await pilot.press("enter")
        await until(pilot, lambda: len(screen.sitting.moves) == 2)
        for answer in "ny":
            assert screen.sitting.verdict is None
            await pilot.press("r")
            await until(pilot, lambda: isinstance(app.screen, Choice))
            await pilot.press(answer)
            await until(pilot, lambda: app.screen is screen or screen.sitting.verdict is not None)
        assert "human resigns" in screen.sitting.ending()
        assert screen.sitting.used_s(0) >= screen.sitting.spent[0].wall_s + screen.sitting.cut_short[1] > 0
        await until(pilot, lambda: isinstance(app.screen, Choice))
        await pilot.press("u")
        await until(pilot, lambda: app.screen is screen)
        assert screen.sitting.verdict is None and screen.sitting.moves == []

    run(app, steps)


def test_hint_and_bar_come_from_another_process(write: Callable[[str, str], Path]) -> None:
    game = load_game(write("tic.py", TIC_TAC_TOE))
    app = play_app(game, shows_bar=True)

    async def steps(pilot: Pilot[None]) -> None:
        screen = screen_of(pilot)
        await until(pilot, lambda: screen.chance is not None)
        await pilot.press("h")
        await until(pilot, lambda: bool(screen.scene.hints))
        assert screen.analysis is not None and screen.analysis.lines[0].move in screen.scene.paths
        await pilot.press("enter")
        assert not screen.shows_hint and len(screen.sitting.moves) == 1
        assert screen.sitting.hints == 1

    run(app, steps)


def test_a_bot_that_fails_forfeits_and_can_be_played_on(write: Callable[[str, str], Path]) -> None:
    path = write("broken.py", "def choose(state, clock):\n    return [0 for move in state['legal']][99]\n")
    app = play_app("slant", str(path), options=HANDOUT)

    async def steps(pilot: Pilot[None]) -> None:
        screen = screen_of(pilot)
        await pilot.press("enter")
        await until(pilot, lambda: screen.sitting.verdict is not None)
        assert "broken forfeits: " in screen.sitting.ending()
        await until(pilot, lambda: isinstance(app.screen, Choice))
        await pilot.press("u")
        await until(pilot, lambda: app.screen is screen)
        assert screen.sitting.turn == 0

    run(app, steps)


def test_a_move_can_be_taken_back_while_the_opponent_thinks(write: Callable[[str, str], Path]) -> None:
    path = write(
        "slow.py",
        "import time\ndef choose(state, clock):\n"
        "    time.sleep(500 if state['moves'][-1] == '0,0' else 0)\n    return state['legal'][-1]\n",
    )
    app = play_app("slant", str(path), options=HANDOUT, limit_s=600.0)

    async def steps(pilot: Pilot[None]) -> None:
        screen = screen_of(pilot)
        await pilot.press(*"0,0", "enter")
        assert screen.sitting.turn == 1
        await pilot.press("h")
        assert "It is the turn of slow" in message(pilot)
        await pilot.press("u")
        assert screen.sitting.moves == [] and screen.sitting.turn == 0
        await pilot.press(*"1,1", "enter")
        await until(pilot, lambda: len(screen.sitting.moves) == 2)
        names = [screen.sitting.game.move_name(move) for move in screen.sitting.moves]
        assert names == ["1,1", "1,0"]  # the last legal move after 1,1, not that after 0,0

    run(app, steps)


@pytest.mark.parametrize("size", [(20, 6), (60, 20)])
def test_any_size_of_terminal_can_be_played_on(size: tuple[int, int]) -> None:
    app = play_app("ultimate")

    async def steps(pilot: Pilot[None]) -> None:
        screen = screen_of(pilot)
        for key in ("down", "right", "enter", "enter"):
            await pilot.press(key)
        assert len(screen.sitting.moves) == 2
        await pilot.resize_terminal(80, 24)
        await pilot.press("question_mark")
        await until(pilot, lambda: isinstance(app.screen, Notice))
        await pilot.press("escape")

    run(app, steps, size=size)


def test_dark_and_light() -> None:
    app = play_app("slant", options=HANDOUT)

    async def steps(pilot: Pilot[None]) -> None:
        assert app.theme == "ludus-dark"
        dark = app.export_screenshot()
        await pilot.press("d")
        await pilot.pause()
        assert app.theme == "ludus-light" and app.export_screenshot() != dark

    run(app, steps)


def test_the_menu_begins_games() -> None:
    app = PlayApp(None, open_room=lambda _: pytest.fail("nobody is needed"), shows_bar=False)

    async def steps(pilot: Pilot[None]) -> None:
        assert isinstance(app.screen, StartScreen)
        app.screen.query_one("#opponent", Select).value = "file"
        await pilot.pause()
        app.screen.query_one("#file", Input).value = "nobody"
        app.screen.query_one(OptionList).highlighted = game_names().index("slant")
        await pilot.press("enter")
        await pilot.pause()
        assert "there is no agent or file 'nobody'" in str(app.screen.query_one("#complaint").render())
        app.screen.query_one("#file", Input).value = "human"
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(app.screen, PlayScreen))
        assert screen_of(pilot).sitting.game.name == "slant"
        await pilot.press("n")
        await until(pilot, lambda: isinstance(app.screen, StartScreen))
        await pilot.press("q")

    run(app, steps)
