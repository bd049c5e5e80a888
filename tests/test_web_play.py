"""Tables over real sockets: games of people and machines, taking back, advice, links, and who is told what."""

from __future__ import annotations

import asyncio
import json
import re
import signal
import subprocess
import sys
import urllib.request
from pathlib import Path
from random import Random

import pytest

from ludus.records import parse_record, replay
from ludus.rules import game_names, load_game
from ludus.web.audience import MOST_WAITING
from ludus.web.engine import ADVISERS
from ludus.web.settings import Limits, Settings
from ludus.web.tables import SWEEP_S, TABLES
from rules_files import HEAP
from web_pages import Browser, Viewer, browsing, run


def is_over(viewer: Viewer) -> bool:
    return viewer.frame["table"]["turn"] is None


@pytest.mark.parametrize("name", game_names())
def test_two_browsers_play_a_whole_game_and_see_the_same(name: str) -> None:
    async def test() -> None:
        async with browsing() as browser:
            mine = await browser.begin(game=name, opponent="link", name="ann", guest="ben", seed="3")
            page = await (await browser.client.get(mine)).text()
            theirs = re.findall(r'data-seat-link="([^"]+)"', page)[0]
            rng = Random(1)
            views = [browser.viewing(address) for address in (mine, theirs, mine[:18])]
            async with views[0] as one, views[1] as two, views[2] as third:
                assert (one.you, two.you, third.you) == ([0], [1], [])
                while not is_over(one):
                    ply = one.frame["ply"]
                    mover, waiter = (one, two) if one.frame["table"]["turn"] == 0 else (two, one)
                    assert mover.moves and not waiter.moves and not third.moves
                    await mover.play(rng.choice(mover.moves))
                    for viewer in (one, two, third):
                        await viewer.until(lambda viewer, ply=ply: viewer.frame["ply"] > ply)
                    assert one.drawn() == two.drawn() == third.drawn()
                    assert one.log == two.log == third.log and len(one.log) == one.frame["ply"]
                assert one.frame["status"] == third.frame["status"] != ""
            record = parse_record(await (await browser.client.get(mine[:18] + "/record")).read())
            assert replay(record).result is not None
            assert [player["name"] for player in record.more["players"]] == ["ann", "ben"]
            trace = await (await browser.client.get(mine[:18] + "/trace")).text()
            assert "ann" in trace and "ben" in trace

    run(test())


def test_against_a_machine_with_undo_and_reload() -> None:
    async def test() -> None:
        async with browsing() as browser:
            address = await browser.begin(game="ultimate", opponent="named", who="greedy", first="them")
            async with browser.viewing(address) as viewer:
                assert viewer.you == [1]
                await viewer.until(lambda one: one.frame["ply"] == 1 and one.moves)
                await viewer.play(viewer.moves[0])
                await viewer.until(lambda one: one.frame["ply"] == 3)
                await viewer.socket.send_json({"do": "undo"})
                await viewer.until(lambda one: one.frame["ply"] == 1)
                assert len(viewer.log) == 1 and viewer.moves
                await viewer.play(viewer.moves[-1])
                await viewer.until(lambda one: one.frame["ply"] == 3)
                before = viewer.drawn()
            async with browser.viewing(address) as again:  # a reload in the middle of the game
                assert again.drawn() == before and again.moves and len(again.log) == 3
                await again.socket.send_json({"do": "resign"})
                await again.until(is_over)
                assert "resigns" in again.frame["status"] and again.moves == []

    run(test())


def test_an_illegal_click_says_why_and_an_old_click_does_nothing() -> None:
    async def test() -> None:
        async with browsing() as browser:
            address = await browser.begin(game="ultimate", opponent="here")
            async with browser.viewing(address) as viewer:
                await viewer.play(40)
                await viewer.until(lambda one: one.frame["ply"] == 1)
                told = await viewer.ask(do="why", key="4,4")
                assert told == {"is": "say", "text": "illegal move 4,4: the cell is taken"}
                assert "block" in (await viewer.ask(do="why", key="0,0"))["text"]
                assert (await viewer.ask(do="move", move=0, ply=1))["text"].startswith("illegal move")
                await viewer.socket.send_json({"do": "move", "move": 37, "ply": 0})  # of a board that is gone
                await viewer.hear()
                told = await viewer.hear()
                assert told["full"] and viewer.frame["ply"] == 1
                assert (await viewer.ask(do="move", text="3,4", ply=1))["is"] == "frame"  # typed
                assert viewer.log[-1][0] == "3,4"

    run(test())


def test_undo_ends_the_search_that_nobody_waits_for() -> None:
    async def test() -> None:
        async with browsing() as browser:
            address = await browser.begin(game="ultimate", opponent="named", who="mcts", limit="500")
            (table,) = browser.client.app[TABLES].values()
            opponent = table.opponents[1]
            await asyncio.wrap_future(opponent.get_ready())
            async with browser.viewing(address) as viewer:
                for _ in range(2):  # and once more: it was there again
                    await viewer.play(viewer.moves[0])
                    while not opponent._is_choosing:
                        await asyncio.sleep(0.01)
                    await viewer.socket.send_json({"do": "undo"})
                    await viewer.until(lambda one: one.frame["ply"] == 0 and one.moves)
                    assert await asyncio.wrap_future(opponent.get_ready()) is None  # after the search, on its thread
                    assert not opponent._is_choosing
                assert viewer.frame["table"]["turn"] == 0 and viewer.frame["table"]["note"] == ""

    run(test())


def test_advisers_of_all_tables_have_a_limit_together() -> None:
    async def test() -> None:
        async with browsing(Settings(limits=Limits(advisers=1))) as browser:
            advisers = browser.client.app[ADVISERS]
            first = await browser.begin(game="ultimate", opponent="here")
            second = await browser.begin(game="slant", opponent="here")
            async with browser.viewing(first) as one, browser.viewing(second) as other:
                for viewer in (one, other):
                    await viewer.socket.send_json({"do": "hint"})
                for viewer in (one, other):
                    await viewer.until(lambda viewer: bool((viewer.frame["table"]["hint"] or {}).get("lines")))
                    assert len(advisers.process_ids) <= 1

    run(test())


def test_whoever_looks_back_is_shown_an_earlier_board_alone() -> None:
    async def test() -> None:
        async with browsing() as browser:
            address = await browser.begin(game="ultimate", opponent="here", moves="4,4 3,3")
            async with browser.viewing(address) as viewer, browser.viewing(address[:18]) as watcher:
                drawn = watcher.drawn()
                for one in (viewer, watcher):
                    earlier = await one.ask(do="look", ply=1)
                    assert earlier["is"] == "look" and earlier["full"] and earlier["ply"] == 1
                    assert earlier["moves"] == [] == earlier["legal"] and "O to move" in earlier["status"]
                for wrong in (2, 3, -1, None, "1", True):  # nothing that lies behind: all is told anew
                    assert (await viewer.ask(do="look", ply=wrong))["is"] == "hello"
                    assert (await viewer.hear())["full"] and viewer.frame["ply"] == 2 and viewer.moves
                assert watcher.drawn() == drawn

    run(test())


def test_hints_bar_and_graph() -> None:
    async def test() -> None:
        async with browsing(Settings(limits=Limits(hint_s=0.05, bar_s=0.05))) as browser:
            options = {"game": "subtraction", "start": "4 5 6 / 3 2 4 / 3 3 5", "opponent": "here"}
            async with browser.viewing(await browser.begin(**options)) as viewer:
                await viewer.socket.send_json({"do": "bar"})
                await viewer.until(lambda one: one.frame["table"]["chances"][0] is not None)
                assert viewer.frame["table"]["bar"] and viewer.frame["table"]["hint"] is None
                await viewer.socket.send_json({"do": "hint"})
                await viewer.until(lambda one: one.frame["table"]["hint"] and one.frame["table"]["hint"]["lines"])
                assert any(key.startswith("hint ") for key in viewer.layers["over"])
                name, percent, _ = viewer.frame["table"]["hint"]["lines"][0]
                assert 0 <= percent <= 100
                await viewer.socket.send_json({"do": "move", "text": name})
                await viewer.until(lambda one: one.frame["ply"] == 1 and one.frame["table"]["chances"][1] is not None)
                assert not any(key.startswith("hint ") for key in viewer.layers["over"])
            assert len(browser.client.app[TABLES]) == 1

    run(test())


def test_no_advice_between_people_elsewhere_and_taking_back_needs_both() -> None:
    async def test() -> None:
        async with browsing() as browser:
            mine = await browser.begin(game="ultimate", opponent="link")
            page = await (await browser.client.get(mine)).text()
            theirs = re.findall(r'data-seat-link="([^"]+)"', page)[0]
            async with browser.viewing(mine) as one, browser.viewing(theirs) as two:
                assert "no advice" in (await one.ask(do="hint"))["text"]
                assert "no advice" in (await two.ask(do="bar"))["text"]
                for viewer, move in ((one, 40), (two, 36)):
                    await viewer.play(move)
                    ply = len(one.log) + 1
                    await one.until(lambda one, ply=ply: one.frame["ply"] == ply)
                    await two.until(lambda two, ply=ply: two.frame["ply"] == ply)
                await one.socket.send_json({"do": "undo"})
                await two.until(lambda two: two.frame["table"]["asking"] == 0)
                assert "Nobody asks you" in (await _complaint(one, do="agree"))
                await two.socket.send_json({"do": "agree"})
                await two.until(lambda two: two.frame["ply"] == 0)  # the answer goes too
                await two.socket.send_json({"do": "resign"})
                await one.until(is_over)
                assert one.frame["status"].startswith("guest resigns")
                await one.socket.send_json({"do": "rematch"})
                for viewer in (one, two):
                    while not any(told["is"] == "next" for told in viewer.said):
                        await viewer.hear()
                addresses = [viewer.said[-1]["to"] for viewer in (one, two)]
                async with browser.viewing(addresses[0]) as first, browser.viewing(addresses[1]) as second:
                    assert (first.you, second.you) == ([1], [0])

    run(test())


async def _complaint(viewer: Viewer, **message: object) -> str:
    await viewer.socket.send_json(message)
    while (told := await viewer.hear())["is"] != "error":
        pass
    return str(told["text"])


def test_starts_are_random_typed_pasted_or_played() -> None:
    async def test() -> None:
        async with browsing() as browser:
            one, same, other = [
                await browser.post("/play/preview", game="slant", seed=seed) for seed in ("7", "7", "8")
            ]
            assert one["board"] == same["board"] != other["board"]
            typed = await browser.post("/play/preview", game="slant", start="101 / 020 / 001")
            assert typed["board"] == [[1, 0, 1], [0, 2, 0], [0, 0, 1]]
            lines = await browser.post("/play/preview", game="subtraction", start="reward=3\nboard=1 2 3/4 5 6/7 8 9")
            assert lines["board"] == [[1, 2, 3], [4, 5, 6], [7, 8, 9]]
            fields = {"option.low": "1", "option.high": "1", "game": "subtraction"}
            assert (await browser.post("/play/preview", **fields))["board"] == [[1] * 3] * 3
            flags = await browser.post("/play/preview", game="extreme", **{"option.bonus": "False"}, moves="0,0 0,1")
            assert flags["played"] == ["0,0", "0,1"] and flags["mover"] == 0
            for wrong in ({"start": "9 9"}, {"moves": "77,1"}, {"start": "{"}, {"seed": "x"}, {"option.m": "5"}):
                assert (await browser.post("/play/preview", game="slant", **wrong))["error"], wrong
            address = await browser.begin(game="ultimate", opponent="here", moves="4,4 3,3")
            async with browser.viewing(address) as viewer:
                assert [name for name, *_ in viewer.log] == ["4,4", "3,3"]

    run(test())


def test_every_mistake_in_the_form_is_one_sentence() -> None:
    async def test() -> None:
        async with browsing() as browser:
            for wrong in (
                {"game": "chess"},
                {"opponent": "level:11"},
                {"opponent": "named", "who": ""},
                {"opponent": "named", "who": "./nobody.py"},
                {"limit": "0"},
                {"limit": "nan"},
                {"limit": "9999"},
                {"opponent": "named", "who": "mcts:mb=100000"},
            ):
                told = await browser.post("/play", **{"game": "ultimate", "opponent": "here", **wrong})
                assert told["error"] and "\n" not in told["error"], wrong
                answer = await browser.client.post(
                    "/play", data={"game": "ultimate", "opponent": "here", **wrong}, headers=browser.origin
                )
                assert answer.status == 400 and "Traceback" not in await answer.text()
            assert browser.client.app[TABLES] == {}

    run(test())


def test_a_rules_file_of_ones_own_is_played(tmp_path: Path) -> None:
    path = tmp_path / "heap.py"
    path.write_text(HEAP.format(imports="", heap=5, most=3))

    async def test() -> None:
        async with browsing(Settings(games=(load_game(path),))) as browser:
            assert "heap" in await (await browser.client.get("/")).text()
            async with browser.viewing(await browser.begin(game="heap", opponent="named", who="random")) as viewer:
                while not is_over(viewer):
                    if viewer.moves:
                        await viewer.play(viewer.moves[0])
                    await viewer.hear()
                assert "wins" in viewer.frame["status"]

    run(test())


def test_a_bot_file_of_the_local_user_is_played() -> None:
    from ludus.cli.serve import rooms

    bot = Path(__file__).parent / "bots" / "honest" / "chooses_first.py"

    async def test() -> None:
        async with browsing(Settings(open_room=rooms("basic"))) as browser:
            told = await browser.post("/play", game="ultimate", opponent="named", who=str(bot))
            async with browser.viewing(told["to"]) as viewer:
                await viewer.play(40)
                await viewer.until(lambda one: one.frame["ply"] == 2 or is_over(one))
                assert viewer.frame["ply"] == 2, viewer.frame["status"]

    run(test())


def test_one_who_does_not_read_delays_nobody_and_catches_up() -> None:
    async def test() -> None:
        async with browsing() as browser:
            address = await browser.begin(game="extreme", opponent="here")
            table = next(iter(browser.client.app[TABLES].values()))
            async with browser.viewing(address) as player, browser.viewing(address[:18]) as sleeper:
                listener = next(one for one, seats in table.viewers.items() if not seats)
                protocol = sleeper.socket._conn.protocol  # as a browser on a line that is stuck
                protocol.pause_reading()
                for _ in range(100):
                    listener.tell(json.dumps({"is": "say", "text": "x" * 200_000}))
                    await asyncio.sleep(0)
                assert listener._is_behind
                for ply in range(1, 41):
                    await player.play(player.moves[0])
                    await player.until(lambda one, ply=ply: one.frame["ply"] == ply)
                    assert len(listener._waiting) <= MOST_WAITING
                protocol.resume_reading()
                await sleeper.until(lambda one: one.frame["ply"] == 40)
                assert sleeper.drawn() == player.drawn() and sleeper.log == player.log

    run(test())


def test_idle_tables_are_cleared(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ludus.web.tables.SWEEP_S", 0.05)
    assert SWEEP_S > 1

    async def test() -> None:
        async with browsing(Settings(limits=Limits(idle_s=0.2))) as browser:
            address = await browser.begin(game="ultimate", opponent="named", who="random")
            async with browser.viewing(address) as viewer:
                await asyncio.sleep(0.5)
                assert viewer.moves and len(browser.client.app[TABLES]) == 1  # somebody looks at it
            for _ in range(100):
                await asyncio.sleep(0.05)
                if not browser.client.app[TABLES]:
                    break
            assert (await browser.client.get(address)).status == 404

    run(test())


def test_tables_that_nobody_looks_at_rest_and_go_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ludus.web.tables.SWEEP_S", 0.05)

    async def test() -> None:
        async with browsing(Settings(limits=Limits(rest_s=0.05))) as browser:
            address = await browser.begin(game="slant", opponent="named", who="greedy", m="4")
            (table,) = browser.client.app[TABLES].values()
            for ply in (2, 4):
                async with browser.viewing(address) as viewer:
                    await viewer.until(lambda one: bool(one.moves))
                    await viewer.play(viewer.moves[0])
                    await viewer.until(lambda one, ply=ply: one.frame["ply"] == ply)
                    assert not table.is_resting and table.opponents[1]._room is not None
                async with asyncio.timeout(60):
                    while not table.is_resting or table.opponents[1]._room is not None:
                        await asyncio.sleep(0.02)

    run(test())


def test_watchers_get_the_same_text_written_once(monkeypatch: pytest.MonkeyPatch) -> None:
    async def test() -> None:
        async with browsing() as browser:
            address = await browser.begin(game="ultimate", opponent="here")
            async with browser.viewing(address) as player:
                watchers = [browser.viewing(address[:18]) for _ in range(5)]
                viewers = [await watcher.__aenter__() for watcher in watchers]
                written: list[object] = []
                whole = json.dumps
                monkeypatch.setattr("ludus.web.table.json.dumps", lambda told: written.append(told) or whole(told))
                await player.play(40)
                for viewer in (player, *viewers):
                    await viewer.until(lambda one: one.frame["ply"] == 1)
                monkeypatch.undo()
                frames = [told for told in written if isinstance(told, dict) and told.get("is") == "frame"]
                assert len(frames) == 2  # for those who may move, and for all others
                for watcher in watchers:
                    await watcher.__aexit__(None, None, None)

    run(test())


def test_a_page_that_outlived_its_table_is_told_so() -> None:
    async def test() -> None:
        async with browsing() as browser:
            async with browser.client.ws_connect("/play/unknown/socket", headers=browser.origin) as socket:
                assert await socket.receive_json() == {"is": "gone"}
            assert (await browser.client.get("/play/unknown")).status == 404

    run(test())


@pytest.mark.parametrize("words", [["serve"], ["play", "slant", "--web", "--vs", "human", "--options", "m=4"]])
def test_the_commands_serve_and_end_in_peace(words: list[str]) -> None:
    command = [sys.executable, "-m", "ludus", *words, "--port", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None and process.stderr is not None
        address = process.stdout.readline().split()[-1]
        with urllib.request.urlopen(address) as page:
            text = page.read().decode()
        assert ("New game" if words == ["serve"] else "human – guest") in text
        process.send_signal(signal.SIGINT)
        assert process.wait(60) == 0
        assert process.stderr.read() == ""


def test_pages_and_files_are_small() -> None:
    """What the first page needs, as it travels."""

    async def test() -> None:
        async with browsing() as browser:
            total = 0
            for path in ["/", "/theme.css", *(f"/static/{name}" for name in _files_of(await _text(browser, "/")))]:
                answer = await browser.client.get(path, headers={"Accept-Encoding": "gzip"})
                assert answer.headers["Content-Encoding"] == "gzip", path
                total += int(answer.headers.get("Content-Length") or 0) or len(await answer.read())
            assert total < 100_000

    run(test())


async def _text(browser: Browser, path: str) -> str:
    return await (await browser.client.get(path)).text()


def _files_of(page: str) -> list[str]:
    return [*re.findall(r'/static/([\w.]+)"', page), "board.js", "socket.js"]
