"""Tournaments in the browser, through real sockets: one that runs, is killed and goes on, and what strangers name."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from aiohttp import ClientWebSocketResponse, WSServerHandshakeError
from aiohttp.test_utils import TestClient, TestServer

from ludus.reports.export import csv_files
from ludus.reports.findings import findings_of
from ludus.reports.sections_tables import cross_tables, pools, standings
from ludus.sandbox.levels import why_not_full
from ludus.tournament.live import FOLDER, publisher_at, publishing
from ludus.tournament.pairing import Pairing
from ludus.tournament.store import Store
from ludus.web.server import make_app
from ludus.web.settings import Settings
from played_folder import played_folder
from rules_files import TIC_TAC_TOE

NAMES = ("<img src=x onerror=alert(1)>", "<b>bold", "\"quoted\" & 'more'", "plain")
EVENT = """
title = "<i>Slow</i> games"
game = "ultimate"
[time]
move_s = 5
[bots]
interface = "choose"
[format]
kind = "round-robin"
games_per_pair = 100
"""
SLOW = "import time\n\ndef choose(state, clock):\n    time.sleep(0.01)\n    return state['legal'][{at}]\n"
FAILS = "import time\n\ndef choose(state, clock):\n    time.sleep(0.05)\n    raise ValueError('<script>no</script>')\n"
PATIENCE_S = 120.0  # on a machine that does much else
needs_isolation = pytest.mark.skipif(why_not_full() is not None, reason=f"no isolation at level full: {why_not_full()}")


@asynccontextmanager
async def served(folder: Path | None, **more: Any) -> AsyncIterator[TestClient[Any, Any]]:
    async with TestClient(TestServer(make_app(Settings(folder=folder, **more)))) as client:
        yield client


@asynccontextmanager
async def socket(client: TestClient[Any, Any], path: str) -> AsyncIterator[ClientWebSocketResponse]:
    origin = str(client.make_url("/")).rstrip("/")
    async with client.ws_connect(path, origin=origin, max_msg_size=1 << 24) as connection:
        yield connection


async def heard(connection: ClientWebSocketResponse, is_it: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
    """The next message of which this holds."""
    async with asyncio.timeout(PATIENCE_S):
        while True:
            message: dict[str, Any] = json.loads(await connection.receive_str())
            if is_it(message):
                return message


def is_called(name: str) -> Callable[[dict[str, Any]], bool]:
    return lambda message: bool(message["is"] == name)


class Page:
    """The browser's side of a tournament's page: sections by name, and the version they are of."""

    def __init__(self) -> None:
        self.sections: dict[str, str] = {}
        self.edition, self.version, self.state = "", 0, ""
        self.last: dict[str, str] = {}

    async def open(self, connection: ClientWebSocketResponse) -> None:
        hello = await heard(connection, is_called("hello"))
        self.edition = hello["edition"]
        await connection.send_json({"do": "since", "edition": self.edition, "version": self.version})

    async def follow(self, connection: ClientWebSocketResponse, until: Callable[[], bool]) -> None:
        async with asyncio.timeout(PATIENCE_S):
            while not until():
                message = json.loads(await connection.receive_str())
                if message["is"] == "sections":
                    self.version, self.last = message["version"], dict(message["sections"])
                    self.sections |= self.last
                elif message["is"] == "state":
                    self.state = message["state"]


class Tags(HTMLParser):
    """Names of the elements of a page, and what scripts and handlers there are."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.bad: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = dict(attrs)
        if tag in ("img", "i", "iframe", "object") or (tag == "script" and not found.get("src")):
            self.bad.append(tag)
        if tag == "b" and found == {} and self.rawdata[self.getpos()[1] :].startswith("<b>bold"):
            self.bad.append(tag)
        self.bad += [name for name in found if name.startswith("on") or name == "style"]


def run_in_background(place: Path, *words: str) -> subprocess.Popen[bytes]:
    environment = {**os.environ, "TMPDIR": str(place)}  # cores are leased there; other tests have others
    command = [sys.executable, "-m", "ludus", "run", *words, "--quiet", "--workers", "1"]
    return subprocess.Popen(command, cwd=place, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def run_async(scenario: Callable[[], Awaitable[None]]) -> None:
    async def timed() -> None:
        async with asyncio.timeout(2 * PATIENCE_S):
            await scenario()

    asyncio.run(timed())


@needs_isolation
def test_a_tournament_is_followed_through_lost_connections_and_a_killed_run(tmp_path: Path) -> None:
    (tmp_path / "slow.toml").write_text(EVENT)
    (tmp_path / "bots").mkdir()
    sources = (SLOW.format(at=0), SLOW.format(at=-1), FAILS)
    for name, source in zip(NAMES, sources, strict=False):
        (tmp_path / "bots" / f"{name}.py").write_text(source)
    folder = tmp_path / "all" / "spring"
    run = run_in_background(tmp_path, "slow.toml", "--bots", "bots", "--out", str(folder))
    try:
        run_async(lambda: _follow_live(tmp_path, folder, run))
    finally:
        run.kill()
        run.wait()


async def _follow_live(place: Path, folder: Path, run: subprocess.Popen[bytes]) -> None:
    await _until((folder / "tournament.json").exists)
    async with served(folder.parent) as client:
        page = Page()
        async with socket(client, "/tournaments/spring/socket") as connection:
            await page.open(connection)
            await page.follow(connection, lambda: page.state == "running" and "failures" in page.sections)
            assert "Live" in page.sections["opening"] and not Tags("".join(page.sections.values())).bad
        await _watch_one(client)
        known = page.version
        await _until(lambda: _games(folder) > 3)
        async with socket(client, "/tournaments/spring/socket") as connection:
            await page.open(connection)
            await page.follow(connection, lambda: page.version > known)
            assert "files" not in page.last  # it never changes, and was known
        await _fresh(client, page)
        os.kill(run.pid, signal.SIGKILL)
        run.wait()
        async with socket(client, "/tournaments/spring/socket") as connection:
            await page.open(connection)
            await page.follow(connection, lambda: page.state == "stopped" and "Stopped" in page.sections["opening"])
        fresh = await _fresh(client, page)
        assert "ludus run spring" in fresh["opening"]
        async with client.get("/tournaments/spring/") as answer:
            assert "ludus run spring" in await answer.text()
        again = await asyncio.to_thread(run_in_background, place, str(folder))
        try:
            async with socket(client, "/tournaments/spring/socket") as connection:
                await page.open(connection)
                await page.follow(connection, lambda: page.state == "running" and "Live" in page.sections["opening"])
        finally:
            again.kill()
            await asyncio.to_thread(again.wait)


@needs_isolation
def test_a_tournament_ends_while_somebody_looks(tmp_path: Path) -> None:
    (tmp_path / "short.toml").write_text(EVENT.replace("games_per_pair = 100", "games_per_pair = 4"))
    (tmp_path / "bots").mkdir()
    for name, source in zip(NAMES, (SLOW.format(at=0), FAILS), strict=False):
        (tmp_path / "bots" / f"{name}.py").write_text(source)
    folder = tmp_path / "short"
    run = run_in_background(tmp_path, "short.toml", "--bots", "bots", "--out", str(folder))

    async def scenario() -> None:
        await _until((folder / "tournament.json").exists)
        page = Page()
        async with served(folder) as client, socket(client, "/tournaments/short/socket") as connection:
            await page.open(connection)
            await page.follow(
                connection, lambda: page.state == "finished" and "Chance" in page.sections.get("worth", "")
            )
        found = await asyncio.to_thread(findings_of, folder)
        assert page.sections["standings"] == standings(found)
        assert len(found.failures) == 4 and page.sections["failures"].count("#ply=") == 4
        assert "Finished" in page.sections["opening"]

    try:
        run_async(scenario)
    finally:
        run.kill()
        run.wait()


async def _watch_one(client: TestClient[Any, Any]) -> None:
    """A live game, move by move: from the page's small boards to a page of its own."""
    async with socket(client, "/tournaments/spring/socket") as connection:
        await Page().open(connection)
        live = await heard(connection, lambda message: "game" in message)
    assert set(live["game"]["names"]) <= set(NAMES) and live["frame"]["moves"] == []
    path = f"/tournaments/spring/live/{live['slot']}"
    async with client.get(path) as answer:
        assert answer.status == 200 and not Tags(await answer.text()).bad
    async with socket(client, f"{path}/socket") as watching:
        first = await heard(watching, is_called("live"))
        assert first["frame"]["full"] and first["log"]["from"] == 0
        clock = await heard(watching, is_called("clock"))
        assert clock["clock"]["limit"] == 5000 and clock["clock"]["thinking"] >= 0
        log = list(first["log"]["moves"])
        game = first["game"]["id"]
        for _ in range(40):
            message = await heard(watching, is_called("live"))
            if "game" in message:  # the next one came by itself
                assert not message["frame"]["full"] and message["game"]["id"] != game
                assert message["log"]["from"] == 0 and message["frame"]["ply"] == len(message["log"]["moves"])
                break
            assert message["log"]["from"] == len(log) and not message["frame"]["full"]
            log += message["log"]["moves"]
            assert message["frame"]["ply"] == len(log)


async def _fresh(client: TestClient[Any, Any], page: Page) -> dict[str, str]:
    """What somebody sees who comes now; whoever was there before and caught up sees the same."""
    other = Page()
    async with socket(client, "/tournaments/spring/socket") as connection:
        await other.open(connection)
        await other.follow(connection, lambda: other.version > 0)
        async with socket(client, "/tournaments/spring/socket") as again:
            await page.open(again)
            if page.version < other.version:
                await page.follow(again, lambda: page.version >= other.version)
        if page.version == other.version:
            assert page.sections == other.sections
    return other.sections


async def _ready(client: TestClient[Any, Any], base: str) -> None:
    """Wait until the page has its sections: one that cannot be had soon sends them later."""
    page = Page()
    async with socket(client, f"{base}socket") as connection:
        await page.open(connection)
        await page.follow(connection, lambda: page.version > 0)


def _games(folder: Path) -> int:
    with Store(folder) as store:
        return store.count()


async def _until(holds: Callable[[], bool]) -> None:
    async with asyncio.timeout(PATIENCE_S):
        while not await asyncio.to_thread(holds):
            await asyncio.sleep(0.1)


@pytest.fixture(scope="module")
def shelf(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of two tournaments, with names that would like to be markup."""
    root = tmp_path_factory.mktemp("shelf")
    played_folder(root / "spring & <b>autumn", "nsoc", NAMES, failing=0.02)
    played_folder(root / "deep" / "projects", "term-project", [f"team{n}" for n in range(5)], games=7)
    return root


def test_every_page_escapes_what_strangers_wrote(shelf: Path) -> None:
    async def scenario() -> None:
        async with served(shelf) as client:
            base = "/tournaments/spring%20&%20%3Cb%3Eautumn/"
            await _ready(client, base)
            paths = [
                "",
                "teams/1.html",
                "teams/2.html",
                "games.html",
                "grades/index.html",
                "grades/1.html",
                "live/vm-0",
            ]
            for path in ("/tournaments", *(base + path for path in paths)):
                async with client.get(path) as answer:
                    text = await answer.text()
                    assert answer.status == 200, (path, text)
                    assert not Tags(text).bad, path
                    assert "alert(1)" not in text.replace("onerror=alert(1)&gt;", "")
                    assert "script-src 'self'" in answer.headers["Content-Security-Policy"]
            async with client.get(base) as answer:
                assert "&lt;img src=x onerror=alert(1)&gt;" in await answer.text()
            async with client.get("/tournaments/deep/projects") as answer:
                assert answer.status == 200 and answer.url.path.endswith("/")

    run_async(scenario)


def test_sections_and_files_are_those_of_the_report(shelf: Path) -> None:
    folder = shelf / "deep" / "projects"
    found = findings_of(folder)

    async def scenario() -> None:
        async with served(shelf) as client:
            page = Page()
            async with socket(client, "/tournaments/deep/projects/socket") as connection:
                await page.open(connection)
                await page.follow(connection, lambda: "Elo" in page.sections.get("standings", ""))
            drawn = {game.result.pairing.id for game in found.games}
            assert page.sections["standings"] == standings(found)
            assert page.sections.get("pools", "") == "".join(pools(found))
            assert "".join(cross_tables(found, drawn)) in page.sections["strength"]
            assert page.state == "stopped" and "bracket" in page.sections["bracket"]
            for name, content in csv_files(found).items():
                async with client.get(f"/tournaments/deep/projects/{name}") as answer:
                    assert await answer.text() == content
                    assert answer.headers["Content-Type"].startswith("text/csv")
            game = found.games[0].result.pairing.id
            where = f"/tournaments/deep/projects/replay.html?game={game.replace('/', '.')}"
            async with client.get(where, allow_redirects=False) as answer:
                assert answer.status == 302
                assert answer.headers["Location"] == f"/replay/game?tournament=deep/projects&game={game}"
            async with client.get(where) as answer:
                assert answer.status == 200

    run_async(scenario)


def test_no_name_leads_out_of_the_folder(shelf: Path) -> None:
    played_folder(shelf.parent / "private", "nsoc", ("one", "two"))
    (shelf / "away").symlink_to(shelf.parent / "private")

    async def scenario() -> None:
        async with served(shelf) as client:
            for name in ("away", "..%2Fprivate", "%2e%2e/private", "deep/../../private", "nothing", "deep%00"):
                for path in ("/", "/games.html", "/games.csv", "/socket", "/live/vm-0", "/teams/1.html"):
                    async with client.get(f"/tournaments/{name}{path}") as answer:
                        assert answer.status in (400, 404), (name, path)
            for path in ("teams/0.html", "teams/99.html", "nothing.csv", "replay.html?game=nothing", "live/a%2Fb"):
                async with client.get(f"/tournaments/deep/projects/{path}") as answer:
                    assert answer.status == 404, path
        async with served(shelf / "deep" / "projects") as client, client.get("/tournaments") as answer:
            assert answer.url.path == "/tournaments/projects/" and answer.status == 200
        async with served(None) as client, client.get("/tournaments") as answer:
            assert "ludus serve FOLDER" in await answer.text()

    run_async(scenario)


def test_a_page_from_elsewhere_hears_nothing(shelf: Path) -> None:
    async def scenario() -> None:
        async with served(shelf) as client:
            for path in ("socket", "live/vm-0/socket"):
                with pytest.raises(WSServerHandshakeError):
                    async with client.ws_connect(f"/tournaments/deep/projects/{path}", origin="http://evil.example"):
                        pass

    run_async(scenario)


def test_rules_of_strangers_are_run_only_where_their_folder_is_named(tmp_path: Path) -> None:
    mark = tmp_path / "it-ran"
    (tmp_path / "mine.py").write_text(TIC_TAC_TOE)
    (tmp_path / "own.toml").write_text(EVENT.replace('"ultimate"', '"mine.py"'))
    folder = tmp_path / "all" / "own"
    played_folder(folder, str(tmp_path / "own.toml"), ("one", "two"))
    rules = folder / "rules" / "mine.py"
    rules.write_text(f"{rules.read_text()}\nopen({str(mark)!r}, 'w').close()\n")

    async def scenario() -> None:
        async with served(tmp_path / "all") as client:
            async with client.get("/tournaments") as answer:
                assert "own" in await answer.text()
            async with client.get("/tournaments/own/") as answer:
                assert answer.status == 400 and "rules of its own" in await answer.text()
            assert not mark.exists()
        async with served(folder) as client, client.get("/tournaments/own/") as answer:
            assert answer.status == 200
            await _until(mark.exists)

    run_async(scenario)


def test_marks_are_shown_to_nobody_beyond_this_machine(shelf: Path) -> None:
    token = "a-token-of-enough-length"  # for this server only

    async def scenario() -> None:
        async with served(shelf, host="0.0.0.0", token=token) as client:  # what is tested
            base = "/tournaments/spring%20&%20%3Cb%3Eautumn/"
            async with client.get(f"{base}?token={token}") as answer:
                assert answer.status == 200
            await _ready(client, base)
            async with client.get(base) as answer:
                text = await answer.text()
                assert answer.status == 200 and "standings.csv" in text and "grades/index.html" not in text
            for path in ("grades/index.html", "grades/1.html", "grades/grades.csv", "grades.csv"):
                async with client.get(base + path) as answer:
                    assert answer.status == 404

    run_async(scenario)


def test_what_stands_among_live_games_without_being_one_harms_nobody(tmp_path: Path) -> None:
    played_folder(tmp_path / "one", "nsoc", ("a", "b"), games=1)
    folder = tmp_path / "one"
    lock = (folder / "driver.lock").open("w")  # this process plays it
    lock.write(str(os.getpid()))
    lock.flush()

    async def scenario() -> None:
        with publishing(folder) as live:
            (Path(live) / "broken").write_text("nonsense\n")
            head = {"format": "ludus-live/1", "began": time.time(), "pairing": ["x", "x", "", 1, 7, 9, 0]}
            (Path(live) / "strange").write_text(json.dumps(head) + "\n")
            head["pairing"] = ["x", "x", "", 1, 0, 1, 0]
            (Path(live) / "illegal").write_text(json.dumps(head) + "\n0 1 1\n0 1 1\n")
            good = publisher_at(live, "good", None)
            assert good is not None
            good.begin(Pairing("league/r1/0-1/g2", "league", "", 1, 1, 0, 0))
            async with served(folder) as client, socket(client, "/tournaments/one/socket") as connection:
                await Page().open(connection)
                playing = await heard(connection, lambda message: message["is"] == "playing" and message["slots"] != [])
                assert playing["slots"] == ["good"]
                live_game = await heard(connection, is_called("live"))
                assert live_game["game"]["names"] == ["b", "a"]

    run_async(scenario)
    lock.close()
    assert not (folder / FOLDER).exists()
