"""Attacks on the server: hostile records, folders, live files, forms and messages; each is one sentence, or nothing."""

from __future__ import annotations

import asyncio
import json
import logging
import os
import shutil
import sqlite3
import time
import zlib
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from ludus.errors import RecordError, StoreError
from ludus.records import parse_record
from ludus.tournament.live import FOLDER, Listener
from ludus.tournament.store import Store
from ludus.web.settings import Limits, Settings
from ludus.web.tournaments import place_of
from played_folder import played_folder
from web_pages import Browser, browsing, run

RECORD: dict[str, Any] = {"format": "ludus-record/1", "game": "ultimate", "options": {}, "moves": ["4,4"]}
TOKEN = "open-sesame-0123"
HUGE = 10**400
ENDLESS = """create view game as with recursive r(n) as (select 1 union all select n + 1 from r)
    select n key, 'a' id, '' stage, '' pool, 1 round, 0 first, 1 second, 0 board, '1' points_first, '0' points_second,
    0 winner, 1 difference, 'win' kind, 'played' status, '' reason, 1 plies, 1.0 seconds, '' worker, x'' line from r"""
HOSTILE_RESULTS = {
    "a view that never ends": ["alter table game rename to other", ENDLESS],
    "a team that is not there": ["update game set first = 77, second = -1"],
    "points that take forever": ["update game set points_first = '1e999999999'"],
    "points by nothing": ["update game set points_first = '1/0'"],
    "a damaged record": ["update record set zlib = x'00ff'"],
    "largest numbers": ["update game set round = 9223372036854775807, plies = -5, seconds = 1e308"],
    "markup": ["update game set kind = '<b>', status = '<i>', reason = char(0) || '<img src=x>'"],
    "other tables": ["drop table game", "create table game(key, id)"],
}


@pytest.fixture(autouse=True)
def _no_traceback(caplog: pytest.LogCaptureFixture) -> Iterator[None]:
    """Whatever comes in, no request may end in an exception of ours."""
    with caplog.at_level(logging.ERROR, logger="aiohttp.server"):
        yield
    failed = [record for record in caplog.records if record.name == "aiohttp.server"]
    assert not failed, [record.exc_text for record in failed]


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("played") / "one"
    played_folder(folder, "nsoc", ("a", "b"), games=2)
    return folder


async def _status(browser: Browser, path: str) -> int:
    async with browser.client.get(path) as answer:
        await answer.read()
        return answer.status


# ---- records


@pytest.mark.parametrize(
    "more",
    [
        {"points": [HUGE, 1]},
        {"points": [True, "x"]},
        {"dossier": {"peak_memory_mb": HUGE, "stderr": "\ud800", "calls": [{"\ud800": 1}]}},
        {"times_ms": [[HUGE]]},
        {"times_ms": [-1e308, [1e308], ["x"], []], "time": {"limit_s": HUGE}},
        {"players": ["\ud800<img src=x>", "\u202e"], "verdict": {"kind": "\ud800", "seat": True, "reason": 1}},
        {"players": [[[[[]]]], {"name": {"a": [1]}}], "opening": -5, "seed": "x"},
    ],
)
def test_one_hostile_record_harms_no_list(more: dict[str, Any], tmp_path: Path) -> None:
    (tmp_path / "good.json").write_text(json.dumps(RECORD))
    content = json.dumps({**RECORD, **more})
    (tmp_path / "hostile.json").write_text(content)

    async def test() -> None:
        async with browsing(Settings(folder=tmp_path)) as browser:
            async with browser.client.get("/watch") as answer:
                text = await answer.text()
                assert answer.status == 200 and "good.json" in text and "<img" not in text
            for page in ("/replay/", "/replay/game", "/replay/data"):
                assert await _status(browser, f"{page}?file=hostile.json") in (200, 400)
            brought = await browser.client.post("/replay/records", data=content.encode(), headers=browser.origin)
            assert brought.status in (200, 400)

    run(test())


def test_whole_numbers_of_records_are_also_floats() -> None:
    assert float(parse_record(json.dumps({**RECORD, "seed": 10**299})).more["seed"]) == 1e299
    with pytest.raises(RecordError, match="too long"):
        parse_record(json.dumps({**RECORD, "seed": HUGE}))


def test_what_is_no_file_of_records_is_not_opened(tmp_path: Path) -> None:
    (tmp_path / "folder.json").mkdir()
    os.mkfifo(tmp_path / "pipe.json")  # whoever opened it would wait forever

    async def test() -> None:
        async with browsing(Settings(folder=tmp_path)) as browser:
            for name in ("folder.json", "pipe.json", "folder.json/..", "%00", "a" * 5000, "%FF", "%ED%A0%80"):
                for page in ("/replay/", "/replay/game"):
                    assert await _status(browser, f"{page}?file={name}") == 400
            assert await _status(browser, "/watch") == 200

    run(test())


# ---- tournaments of strangers


@pytest.mark.parametrize("name", HOSTILE_RESULTS)
def test_hostile_results_are_one_sentence(name: str, played: Path, tmp_path: Path) -> None:
    folder = tmp_path / "all" / "one"
    shutil.copytree(played, folder)
    with closing(sqlite3.connect(folder / "results.sqlite")) as database:
        for statement in HOSTILE_RESULTS[name]:
            database.execute(statement)
        database.commit()

    async def test() -> None:
        async with browsing(Settings(folder=folder.parent)) as browser, asyncio.timeout(60):
            for path in ("/watch", "/tournaments", "/replay/?tournament=one", "/tournaments/one/games.html"):
                assert await _status(browser, path) in (200, 400), path
            game = "/replay/game?tournament=one&game=league/r1/0-1/g1"
            async with browser.client.get(game) as answer:
                assert answer.status in (200, 400)
                assert str(tmp_path) not in await answer.text()

    run(test())


def test_a_record_that_unpacks_to_more_than_any_record_is_not_unpacked(played: Path, tmp_path: Path) -> None:
    folder = tmp_path / "one"
    shutil.copytree(played, folder)
    packing = zlib.compressobj(9)
    bomb = b"".join([*(packing.compress(bytes(1 << 20)) for _ in range(64)), packing.flush()])
    with closing(sqlite3.connect(folder / "results.sqlite")) as database:
        database.execute("update record set zlib = ?", (bomb,))
        database.commit()
    with Store(folder) as store:
        (game, *_) = store.games()
        with pytest.raises(StoreError, match="larger than"):
            store.record(game.result.pairing.id)


@pytest.mark.parametrize("part", ["results.sqlite", "event.toml", "tournament.json"])
def test_links_in_a_tournament_lead_nowhere(part: str, played: Path, tmp_path: Path) -> None:
    folder = tmp_path / "all" / "one"
    shutil.copytree(played, folder)
    (folder / part).rename(tmp_path / part)
    (folder / part).symlink_to(tmp_path / part)

    async def test() -> None:
        async with browsing(Settings(folder=folder.parent)) as browser:
            assert await _status(browser, "/tournaments/one/") == 404
            assert await _status(browser, "/replay/?tournament=one") == 400
            async with browser.client.get("/watch") as answer:
                assert "tournament=one" not in await answer.text()

    run(test())


def test_a_tournament_has_one_name(played: Path) -> None:
    settings = Settings(folder=played.parent)
    names = {place.name for name in ("one", "one/.", "./one", "one//") if (place := place_of(settings, name))}
    assert names == {"one"}


def test_complaints_do_not_tell_where_the_folder_is(tmp_path: Path) -> None:
    (tmp_path / "sub").mkdir()

    async def test() -> None:
        async with browsing(Settings(folder=tmp_path)) as browser:
            for query in ("tournament=.", "tournament=sub", "tournament=sub&game=1"):
                async with browser.client.get(f"/replay/?{query}") as answer:
                    text = await answer.text()
                    assert answer.status == 400 and "no tournament here" in text and str(tmp_path.parent) not in text

    run(test())


# ---- live games


@pytest.mark.parametrize(
    "content",
    [
        {"began": HUGE},
        {"began": float("nan")},
        {"began": float("inf")},
        {"began": -1e300},
        {"pairing": ["", "", "", True, 0, 1, 0]},
        {"format": None},
    ],
)
def test_hostile_heads_of_live_games_are_refused(content: dict[str, Any], tmp_path: Path) -> None:
    head = {"format": "ludus-live/1", "began": time.time(), "pairing": ["x", "x", "", 1, 0, 1, 0]}
    (tmp_path / FOLDER).mkdir()
    (tmp_path / FOLDER / "slot").write_text(json.dumps({**head, **content}) + "\n")
    with closing(Listener(tmp_path, "slot")) as listener, pytest.raises(StoreError):
        listener.read()


@pytest.mark.parametrize("line", ["1 1e308 1", "1 1 -1e308", "1 nan 1", "1" * 5000 + " 1 1", "1 1", "end {", "end []"])
def test_hostile_lines_of_live_games_are_refused(line: str, tmp_path: Path) -> None:
    head = {"format": "ludus-live/1", "began": time.time(), "pairing": ["x", "x", "", 1, 0, 1, 0]}
    (tmp_path / FOLDER).mkdir()
    (tmp_path / FOLDER / "slot").write_text(f"{json.dumps(head)}\n{line}\n")
    with closing(Listener(tmp_path, "slot")) as listener, pytest.raises(StoreError):
        listener.read()


# ---- requests


@pytest.mark.parametrize(
    ("kind", "body"),
    [
        ("multipart/form-data; boundary=X", b"nonsense"),
        ("multipart/form-data", b"nonsense"),
        ("application/x-www-form-urlencoded; charset=klingon", b"game=ultimate"),
        (
            "multipart/form-data; boundary=X",
            b'--X\r\nContent-Disposition: form-data; name="game"\r\n\r\n\xff\xfe\r\n--X--\r\n',
        ),
    ],
)
def test_what_is_no_form_is_one_sentence(kind: str, body: bytes) -> None:
    async def test() -> None:
        async with browsing() as browser:
            for path in ("/play", "/play/preview", "/replay/take-over"):
                headers = {**browser.origin, "Content-Type": kind}
                answer = await browser.client.post(path, data=body, headers=headers)
                assert answer.status == 400 and "cannot be read" in await answer.text()

    run(test())


def test_pages_from_elsewhere_load_nothing_but_links_work() -> None:
    async def test() -> None:
        async with browsing() as browser:
            for site in ("cross-site", "same-site"):
                for dest, status in (("image", 403), ("iframe", 403), ("empty", 403), ("document", 200)):
                    headers = {"Sec-Fetch-Site": site, "Sec-Fetch-Dest": dest}
                    assert (await browser.client.get("/watch", headers=headers)).status == status

    run(test())


def test_the_way_in_leads_nowhere_else() -> None:
    async def test() -> None:
        async with browsing(Settings(host="0.0.0.0", token=TOKEN)) as browser:
            reader, writer = await asyncio.open_connection("127.0.0.1", browser.client.port)
            request = f"GET //evil.example/?token={TOKEN} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n"
            writer.write(request.encode())
            answer = (await reader.read()).decode()
            writer.close()
            where = [line for line in answer.split("\r\n") if line.startswith("Location:")]
            assert where == ["Location: /evil.example/"]
            assert f"Set-Cookie: ludus-{browser.client.port}=" in answer  # another server here has another one

    run(test())


# ---- messages


def test_numbers_that_no_float_can_hold_end_no_analysis() -> None:
    async def test() -> None:
        async with (
            browsing(Settings(limits=Limits(analysis_s=0.1))) as browser,
            browser.client.ws_connect("/analyse/socket", headers=browser.origin) as socket,
        ):
            await socket.send_json({"do": "set", "game": "ultimate"})
            await socket.send_json({"do": "engine", "on": False, "seconds": HUGE})
            await socket.send_json({"do": "go", "ply": HUGE})
            await socket.send_json({"do": "why", "key": "nowhere"})
            while (told := await socket.receive_json(timeout=60))["is"] != "error":
                pass
            assert "no such place" in told["text"]

    run(test())


def test_a_rematch_that_two_ask_for_is_one_game() -> None:
    async def test() -> None:
        async with browsing() as browser:
            first = await browser.begin(game="ultimate", opponent="link")
            async with browser.client.get(first) as answer:
                text = await answer.text()
            second = text.split('data-seat-link="')[1].split('"')[0]
            async with browser.viewing(first) as one, browser.viewing(second) as other:
                await one.socket.send_json({"do": "resign"})
                for viewer in (one, other):
                    await viewer.until(lambda who: who.frame["table"]["ending"])
                for viewer in (one, other):
                    await viewer.socket.send_json({"do": "rematch"})
                for viewer in (one, other):
                    while not any(said["is"] == "next" for said in viewer.said):
                        await viewer.hear()
                where = [{said["to"] for said in viewer.said if said["is"] == "next"} for viewer in (one, other)]
                assert where[0] != where[1] and all(len(one) == 1 for one in where)
                assert len({address.partition("?")[0] for told in where for address in told}) == 1

    run(test())


def test_an_agent_does_not_think_on_for_a_table_that_is_cleared() -> None:
    """Or whoever opens one table after the other has a processor for each."""

    async def test() -> None:
        async with browsing(Settings(limits=Limits(tables=1, tables_per_client=1))) as browser:
            before = _agents()
            thinker = {"game": "subtraction", "opponent": "named", "who": "mcts", "first": "them", "limit": "600"}
            for _ in range(3):
                await browser.begin(**thinker)
                async with asyncio.timeout(60):
                    while not _agents() - before:
                        await asyncio.sleep(0.05)
            await browser.begin(game="subtraction", opponent="here")
            async with asyncio.timeout(60):
                while _agents() - before:
                    await asyncio.sleep(0.05)

    run(test())


def _agents() -> set[int]:
    """Agents that this process started."""
    children = Path(f"/proc/{os.getpid()}/task").glob("*/children")
    return {int(number) for file in children for number in file.read_text().split() if _is_agent(number)}


def _is_agent(number: str) -> bool:
    try:
        return b"\0agent\0" in Path(f"/proc/{number}/cmdline").read_bytes()
    except OSError:
        return False
