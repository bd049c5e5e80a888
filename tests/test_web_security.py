"""Who may speak to the server, what it says to strangers, and what nobody can make it do."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import pytest
from aiohttp import ClientError, WSMsgType, WSServerHandshakeError

from ludus.bots.entrants import HumanBeing
from ludus.cli import main
from ludus.errors import LudusError
from ludus.rules import load_game
from ludus.sittings.sitting import agree
from ludus.web.security import is_own_host
from ludus.web.server import make_app
from ludus.web.settings import Limits, Settings
from ludus.web.starts import begun, pasted_start
from web_pages import browsing, run

TOKEN = "open-sesame-0123"
HOSTILE = "<img src=x onerror=alert(1)>\"'><script>alert(2)</script>"
EVIL = "http://evil.example"


@pytest.mark.parametrize("host", ["evil.example", "evil.example:8600", "127.0.0.1.evil.example", "localhost.", "[::1"])
def test_a_foreign_name_is_refused(host: str) -> None:
    async def test() -> None:
        async with browsing() as browser:
            answer = await browser.client.get("/", headers={"Host": host})
            assert answer.status in (400, 421)
            assert "New game" not in await answer.text()

    run(test())


@pytest.mark.parametrize(
    ("host", "name", "is_ours"),
    [
        ("127.0.0.1", "localhost:8600", True),
        ("127.0.0.1", "[::1]:8600", True),
        ("127.0.0.1", "127.0.0.1", True),
        ("127.0.0.1", "127.8.9.10", True),
        ("127.0.0.1", "192.168.1.5", False),
        ("games.school.example", "games.school.example:8600", True),
        ("games.school.example", "other.school.example", False),
        ("0.0.0.0", "192.168.1.5:8600", True),
        ("0.0.0.0", "evil.example", False),
    ],
)
def test_the_names_that_a_server_answers_to(host: str, name: str, *, is_ours: bool) -> None:
    assert is_own_host(name, Settings(host=host)) is is_ours


@pytest.mark.parametrize("origin", [EVIL, "null", "http://127.0.0.1:1", "", "http://", "https://127.0.0.1", None])
def test_a_page_from_elsewhere_can_neither_post_nor_open_a_socket(origin: str | None) -> None:
    async def test() -> None:
        async with browsing() as browser:
            address = await browser.begin(game="ultimate", opponent="here")
            headers = {} if origin is None else {"Origin": origin}
            for path in ("/play", "/play/preview", "/anything"):
                answer = await browser.client.post(path, data={"game": "ultimate"}, headers=headers)
                assert answer.status == 403
            path, _, query = address.partition("?")
            with pytest.raises(WSServerHandshakeError) as refused:
                await browser.client.ws_connect(f"{path}/socket?{query}", headers=headers)
            assert refused.value.status == 403

    run(test())


def test_a_browser_that_says_cross_site_is_believed() -> None:
    async def test() -> None:
        async with browsing() as browser:
            headers = {**browser.origin, "Sec-Fetch-Site": "cross-site"}
            assert (await browser.client.post("/play", data={"game": "ultimate"}, headers=headers)).status == 403

    run(test())


def test_every_answer_has_a_strict_policy_and_nothing_inline() -> None:
    async def test() -> None:
        async with browsing() as browser:
            address = await browser.begin(game="slant", opponent="here", name=HOSTILE)
            table = address.partition("?")[0]
            paths = ["/", address, table, f"{table}/record", f"{table}/trace", "/nothing", "/static/none", "/theme.css"]
            paths += ["/static/app.css", "/static/board.js", "/play/unknown", "/watch", "/analyse", "/tournaments"]
            for path in paths:
                answer = await browser.client.get(path)
                policy = answer.headers["Content-Security-Policy"]
                assert policy.startswith("default-src 'none'; script-src 'self'; style-src 'self';")
                assert "unsafe" not in policy and "frame-ancestors 'none'" in policy
                assert answer.headers["X-Content-Type-Options"] == "nosniff"
                assert answer.headers["Cross-Origin-Resource-Policy"] == "same-origin"
                if answer.content_type == "text/html":
                    text = await answer.text()
                    assert " style=" not in text and "<style" not in text and " onclick" not in text
                    assert text.count("<script") == text.count("<script src=") + text.count("<script type=")
                    assert "<script>" not in text

    run(test())


def test_hostile_names_are_text_everywhere() -> None:
    async def test() -> None:
        async with browsing() as browser:
            for who in ("name", "guest"):
                address = await browser.begin(game="ultimate", opponent="here", **{who: HOSTILE})
                for path in ("/", address):
                    text = await (await browser.client.get(path)).text()
                    assert "<img" not in text and "<script>alert" not in text and "&lt;img" in text
                record = await browser.client.get(address.partition("?")[0] + "/record")
                assert record.headers["Content-Disposition"] == 'attachment; filename="ultimate.json"'
                trace = await browser.client.get(address.partition("?")[0] + "/trace")
                assert trace.content_type == "text/plain" and "attachment" in trace.headers["Content-Disposition"]

    run(test())


@pytest.mark.parametrize(
    "path",
    [
        "/static/../settings.py",
        "/static/%2e%2e/settings.py",
        "/static/..%2fsettings.py",
        "/static/..%5csettings.py",
        "/static//etc/passwd",
        "/static/%00",
        "/play/../../etc/passwd",
        "/play/%2e%2e%2f%2e%2e%2fetc%2fpasswd",
    ],
)
def test_no_path_leads_out_of_the_static_files(path: str) -> None:
    async def test() -> None:
        async with browsing() as browser:
            reader, writer = await asyncio.open_connection("127.0.0.1", browser.client.port)
            writer.write(f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n".encode())
            answer = (await reader.read()).decode()
            writer.close()
            assert answer.split()[1] in ("404", "400", "405"), answer[:200]
            assert "SETTINGS" not in answer and "root:" not in answer

    run(test())


def test_a_server_for_others_needs_a_token() -> None:
    with pytest.raises(LudusError, match="needs a token"):
        make_app(Settings(host="0.0.0.0"))
    with pytest.raises(LudusError, match="at least 12"):
        make_app(Settings(host="0.0.0.0", token="short"))
    make_app(Settings(host="::1"))


def test_the_command_refuses_a_short_token(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["serve", "--host", "0.0.0.0", "--token", "1234"]) == 1
    assert "a token has at least 12" in capsys.readouterr().err


def test_the_token_opens_the_door_once_and_then_a_cookie_does() -> None:
    async def test() -> None:
        async with browsing(Settings(token=TOKEN)) as browser:
            client = browser.client
            for path in ("/", "/static/app.css", "/theme.css", "/play/x", "/?token=wrong-wrong-wrong", "/?token=%ff"):
                assert (await client.get(path)).status == 401
            assert (await client.post("/play", data={"game": "ultimate"}, headers=browser.origin)).status == 401
            posted = await client.post(f"/play?token={TOKEN}", data={"game": "ultimate"}, headers=browser.origin)
            assert posted.status == 401
            welcome = await client.get(f"/?token={TOKEN}&a=b", allow_redirects=False)
            assert (welcome.status, welcome.headers["Location"]) == (303, "/?a=b")
            cookie = welcome.headers["Set-Cookie"]
            assert "HttpOnly" in cookie and "SameSite=Lax" in cookie
            assert (await client.get("/", headers={"Cookie": cookie.partition(";")[0]})).status == 200

    run(test())


def test_players_can_hand_on_links_that_let_in_and_watchers_learn_no_token() -> None:
    async def test() -> None:
        async with browsing(Settings(token=TOKEN)) as browser:
            welcome = await browser.client.get(f"/?token={TOKEN}", allow_redirects=False)
            browser.origin["Cookie"] = welcome.headers["Set-Cookie"].partition(";")[0]
            address = await browser.begin(game="ultimate", opponent="link")
            for path, is_told in ((address, True), (address.partition("?")[0], False)):
                page = await (await browser.client.get(path, headers=browser.origin)).text()
                assert (TOKEN in page) is is_told

    run(test())


def test_messages_that_are_too_long_or_no_messages_do_nothing() -> None:
    async def test() -> None:
        async with browsing() as browser:
            address = await browser.begin(game="ultimate", opponent="here")
            rude: list[str] = ["", "[]", "null", "1", '{"do": 1}', '{"do"', '{"do": "nothing"}', "[" * 5000]
            rude += [json.dumps({"do": "move", "move": move}) for move in (-1, 81, 10**30, "0", None, [0], 1.5, True)]
            rude += [json.dumps({"do": "why", "key": key}) for key in (1, None, "nowhere", "x" * 999)]
            rude += [json.dumps({"do": "move", **more}) for more in ({}, {"text": "9" * 9999})] + [
                json.dumps({"do": "agree"})
            ]
            async with browser.viewing(address) as viewer:
                for message in rude:
                    await viewer.socket.send_str(message)
                    assert (await viewer.hear())["is"] == "error", message
                await viewer.socket.send_bytes(b"\0")
                assert (await viewer.hear())["is"] == "error"
                assert viewer.log == [] and viewer.frame["ply"] == 0
                await viewer.socket.send_str(json.dumps({"do": "why", "key": "x" * 70_000}))
                closed = await viewer.socket.receive()
                assert closed.type is WSMsgType.CLOSE and closed.data == 1009
            async with browser.viewing(address) as viewer:
                assert viewer.log == []

    run(test())


def test_a_flood_is_cut_off() -> None:
    async def test() -> None:
        async with browsing(Settings(limits=Limits(messages_per_s=2))) as browser:
            address = await browser.begin(game="ultimate", opponent="here")
            async with browser.viewing(address) as viewer:
                for _ in range(30):
                    await viewer.socket.send_str("{}")
                kinds = set()
                while (message := await viewer.socket.receive()).type is WSMsgType.TEXT:
                    kinds.add(json.loads(message.data)["is"])
                assert kinds <= {"error"} and message.data == 1008

    run(test())


def test_forms_that_are_too_long_are_not_read() -> None:
    async def test() -> None:
        async with browsing() as browser:
            form = {"game": "ultimate", "start": "x" * 300_000}
            answer = await browser.client.post("/play", data=form, headers=browser.origin)
            assert answer.status == 413

    run(test())


def test_tables_and_sockets_are_limited() -> None:
    async def test() -> None:
        limits = Limits(tables_per_client=2, sockets_per_client=3)
        async with browsing(Settings(limits=limits)) as browser:
            one, two = [await browser.begin(game="ultimate", opponent="here") for _ in range(2)]
            async with browser.viewing(one), browser.viewing(two):
                refused = await browser.post("/play", game="ultimate", opponent="here")
                assert "too many games" in refused["error"]
            three = await browser.begin(game="ultimate", opponent="here")  # in the place of one that nobody looks at
            statuses = [(await browser.client.get(table)).status for table in (one, two, three)]
            assert sorted(statuses) == [200, 200, 404] and statuses[2] == 200
            async with browser.viewing(three), browser.viewing(three), browser.viewing(three):
                with pytest.raises(ClientError):
                    async with browser.viewing(three):
                        pass
            async with browser.viewing(three) as viewer:
                assert viewer.you == [0, 1]

    run(test())


def test_only_a_local_user_names_bot_files_and_options_of_agents(tmp_path: Path) -> None:
    ran = tmp_path / "ran"
    bot = tmp_path / "bot.py"
    bot.write_text(f"open({str(ran)!r}, 'w')\ndef play(state): pass\n")

    async def test() -> None:
        async with browsing(Settings(host="0.0.0.0", token=TOKEN)) as browser:
            welcome = await browser.client.get(f"/?token={TOKEN}", allow_redirects=False)
            browser.origin["Cookie"] = welcome.headers["Set-Cookie"].partition(";")[0]
            for who in (str(bot), "codingame:/bin/ls", "mcts:threads=64", "../bot.py", "human", "alphabeta:mb=99999"):
                told = await browser.post("/play", game="ultimate", opponent="named", who=who)
                assert "error" in told, who
            assert "to" in await browser.post("/play", game="ultimate", opponent="named", who="greedy")

    run(test())
    assert not ran.exists()


@pytest.mark.parametrize("start", ["@/etc/passwd", "/etc/passwd", "circles=@/etc/passwd", "circles=/etc/passwd"])
def test_a_start_that_is_typed_is_never_a_file(start: str) -> None:
    async def test() -> None:
        async with browsing() as browser:
            told = await browser.post("/play/preview", game="slant", start=start)
            assert "error" in told and "root" not in told["error"]

    run(test())


def test_a_strangers_record_is_data() -> None:
    """A record names a game, players and moves; nothing of it is loaded, run or believed."""
    game = load_game("ultimate")
    sitting = begun(agree(game, HumanBeing(), seed=1), [40, 36])
    record = json.loads(sitting.record().to_json())
    assert pasted_start(game, json.dumps(record))[1] == ["4,4", "3,3"]

    async def test() -> None:
        async with browsing() as browser:
            for change in (
                {"game": "/tmp/evil.py"},
                {"game": "os"},
                {"moves": ["__import__('os')"]},
                {"moves": ["4,4", "4,4"]},
                {"options": {"__class__": 1}},
                {"options": {"seed": {"a": []}}},
                {"format": "ludus-record/9"},
            ):
                told = await browser.post("/play/preview", game="ultimate", start=json.dumps({**record, **change}))
                assert "error" in told, change
            told = await browser.post("/play/preview", game="ultimate", start=json.dumps(record))
            assert told["played"] == ["4,4", "3,3"]

    run(test())


def test_a_key_is_needed_to_play_and_a_watcher_learns_none() -> None:
    async def test() -> None:
        async with browsing() as browser:
            address = await browser.begin(game="ultimate", opponent="link")
            path, _, query = address.partition("?")
            key = query.removeprefix("seat=")
            assert len(key) >= 20
            page = await (await browser.client.get(path)).text()
            assert key not in page and "seat=" not in page
            for seat in ("", "?seat=", "?seat=x", f"?seat={key[:-1]}", f"?seat={key}x", "?seat=%ff%00"):
                async with browser.viewing(path + seat) as viewer:
                    assert viewer.you == [] and viewer.moves == []
                    for action in ("move", "undo", "resign", "hint", "bar", "rematch", "agree", "refuse"):
                        answer = await viewer.ask(do=action, move=0)
                        assert answer["is"] == "error" and "look on" in answer["text"]
            async with browser.viewing(address) as viewer:
                assert viewer.you == [0] and len(viewer.moves) == 81

    run(test())
