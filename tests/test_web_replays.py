"""Replays in the browser: which records are found and which never are, what a page is told, and playing on from it."""

from __future__ import annotations

import gzip
import io
import json
from collections.abc import Iterator
from pathlib import Path
from random import Random
from urllib.parse import parse_qs, urlsplit

import pytest

from ludus.errors import LudusError
from ludus.records import Record, record_game, replay
from ludus.reports.frame import STATIC
from ludus.rules import Line, follow, load_game, random_line
from ludus.tournament.store import Store
from ludus.view.scene import scene_of_line
from ludus.view.svg import fragments
from ludus.web import shelf
from ludus.web.engine import ENGINES
from ludus.web.evaluation import Value, worst_moves
from ludus.web.replays import EVALUATIONS, KEPT, LARGEST_UPLOAD, _drawn
from ludus.web.settings import Settings
from ludus.web.tables import TABLES
from played_folder import played_folder
from web_visits import Visitor, hear, visit

EVIL = "<script>alert(1)</script>"


def random_record(name: str, *, seed: int = 1, longest: int | None = None, **more: object) -> Record:
    game = load_game(name)
    options = {"seed": 3} if "seed" in game.options else {}
    start = game.start(**options)
    line = random_line(game, start, Random(seed), longest)
    players = [{"name": "ada"}, {"name": EVIL}]
    times = [[120.5, 100.0, 0.0] for _ in line.moves]
    return record_game(game, start, options, list(line.moves), players=players, times_ms=times, **more)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    place = tmp_path_factory.mktemp("served")
    (place / "sub").mkdir()
    (place / "one.json").write_text(random_record("ultimate").to_json())
    several = [random_record("subtraction", seed=seed).to_json() for seed in (1, 2)]
    (place / "sub" / "two.jsonl").write_text("\n".join([*several, '{"format": "ludus-record/1", "game": 7}']))
    (place / "other.json").write_text('{"not": "a record"}')
    (place / ".hidden.json").write_text(random_record("ultimate").to_json())
    (place.parent / "secret.json").write_text(random_record("ultimate").to_json())
    (place / "link.json").symlink_to(place.parent / "secret.json")
    played_folder(place / "cup", "slant", [f"bot{number}" for number in range(3)], failing=0.3, games=6)
    yield place


def test_everything_in_the_folder_is_listed_and_nothing_else(folder: Path) -> None:
    found = {one.path: one.is_tournament for one in shelf.found_below(folder)}
    assert found.pop("cup") is True
    assert found == {"one.json": False, "sub/two.jsonl": False}
    shown = shelf.games_of_file(folder, "sub/two.jsonl")
    assert [bool(game.query) for game in shown] == [True, True, False]
    games = shelf.games_of_tournament(folder, "cup")
    with Store(folder / "cup") as store:
        stored = dict(store.records())
    assert {game.query["game"] for game in games if game.query} == set(stored)
    for game in games:
        record = shelf.record_of(game.query, folder, shelf.Kept())
        assert record.to_json().encode() == stored[game.query["game"]].strip()


@pytest.mark.parametrize(
    "path",
    ["../secret.json", "sub/../../secret.json", "/etc/passwd", "link.json", ".hidden.json", "", "a\0b",
     "..\\secret.json", "sub/./../one.json", "no.json", "x" * 5000],
)  # fmt: skip
def test_no_path_leads_out_of_the_folder(folder: Path, path: str) -> None:
    for query in ({"file": path}, {"tournament": path, "game": "1"}):
        with pytest.raises(LudusError):
            shelf.record_of(query, folder, shelf.Kept())
    with pytest.raises(LudusError):
        shelf.path_below(None, path)


def test_a_record_never_names_a_file_of_rules(tmp_path: Path) -> None:
    trap = tmp_path / "trap.py"
    trap.write_text("raise SystemExit('it was run')\n")
    for name in (str(trap), "./trap.py", "trap", "../trap.py", str(tmp_path)):
        record = Record(name, {}, ())
        with pytest.raises(LudusError):
            shelf.played_through(record, ())
    own = load_game("ultimate")
    assert shelf.played_through(Record("ultimate", {}, ("4,4",)), (own,)).moves


def test_kept_records_are_bounded() -> None:
    kept = shelf.Kept(most=3, most_bytes=1000)
    contents = [Record("ultimate", {}, (), {"n": n}).to_json().encode() for n in range(5)]
    keys = [kept.keep(content) for content in contents]
    assert list(kept.records) == keys[2:]
    assert kept.keep(contents[4]) == keys[4] and len(kept.records) == 3
    kept.keep(b"x" * 999)
    assert len(kept.records) == 1
    with pytest.raises(LudusError):
        kept.record(keys[0])


def test_a_whole_extreme_game_is_small(tmp_path: Path) -> None:
    record = random_record("extreme", seed=3)
    assert len(record.moves) > 150
    drawn = gzip.compress(_drawn(record, replay(record)).encode(), 6)
    page = sum(len(gzip.compress((STATIC / name).read_bytes(), 6)) for name in ("replay.js", "replay.css"))
    assert len(drawn) + page < 40_000


@pytest.mark.parametrize("name", ["ultimate", "slant", "subtraction"])
def test_the_data_of_a_page_draw_what_the_game_shows(name: str) -> None:
    record = random_record(name, seed=5)
    played = replay(record)
    data = json.loads(_drawn(record, played))
    slots = [0] * len(data["book"]["slots"])
    looks = data["book"]["looks"]
    for ply, frame in enumerate(data["game"]["frames"]):
        for change in frame:
            if change < 0:
                slots[-1 - change] = 0
            else:
                slots[looks[change][0]] = change + 1
        shown = sorted(looks[look - 1][1] for look in slots if look)
        scene = scene_of_line(played.game, Line(played.states, played.moves), ply=ply)
        wanted = fragments(scene)
        assert shown == sorted(svg for layer, drawn in wanted.items() if layer != "hit" for svg in drawn.values())
    assert data["game"]["players"] == ["ada", EVIL]


def test_the_worst_moves_are_those_that_lost_most() -> None:
    game = load_game("ultimate")
    record = random_record("ultimate", longest=8)
    played = replay(record)
    others = [next(move for move in game.legal(state) if move != played.moves[ply])
              for ply, state in enumerate(played.states[:-1])]  # fmt: skip
    chances = [0.5, 0.2, 0.6, 0.6, 0.6, 0.55, 0.54, 0.9, 0.9]  # of seat 0
    values = {ply: Value(chance, round(2000 * chance - 1000), False, (others[ply],) if ply < 8 else ())
              for ply, chance in enumerate(chances)}  # fmt: skip
    bad = worst_moves(played, values)
    assert [one.ply for one in bad] == [1, 2, 5]  # 0.3, 0.4 and 0.05; nobody's own move helps the other side at 7
    assert all(one.better == (others[one.ply - 1],) for one in bad)
    values[0] = values[0]._replace(best=(played.moves[0],))
    assert [one.ply for one in worst_moves(played, values)] == [2, 5]  # what was best is never bad


def test_pages_lists_and_complaints(folder: Path) -> None:
    async def steps(visitor: Visitor) -> None:
        for path in ("/replay/", "/watch", "/replay/?file=one.json", "/replay/?tournament=cup"):
            status, text = await visitor.get(path)
            assert status == 200 and EVIL not in text
        status, text = await visitor.get("/replay/game?file=one.json")
        assert status == 200 and EVIL not in text and "/replay/data?file=one.json" in text
        assert "<script>" not in text and "style=" not in text and " onclick" not in text
        for path in ("player.js", "player.css"):
            status, text = await visitor.get(f"/replay/{path}")
            assert status == 200 and text
        for query in (
            "file=../secret.json",
            "file=link.json",
            "tournament=..&game=1",
            "kept=abc",
            "",
            "file=one.json&record=9",
        ):
            for page in ("game", "data", "evaluation"):
                status, text = await visitor.get(f"/replay/{page}?{query}")
                assert status == 400, (page, query)
        data = await visitor.json("/replay/data?file=sub/two.jsonl&record=2")
        assert len(data["game"]["frames"]) == len(data["game"]["moves"]) + 1

    visit(Settings(folder=folder), steps)


def test_forfeits_come_with_their_dossier(folder: Path) -> None:
    async def steps(visitor: Visitor) -> None:
        dossiers = []
        for game in shelf.games_of_tournament(folder, "cup"):
            data = await visitor.json(f"/replay/data?tournament=cup&game={game.query['game']}")
            verdict = data["game"]["verdict"]
            assert verdict["reason"]
            if verdict["seat"] is not None:
                dossiers.append(data["game"]["dossier"])
        assert any(dossiers)

    visit(Settings(folder=folder), steps)


def test_a_record_can_be_brought_along() -> None:
    async def steps(visitor: Visitor) -> None:
        record = random_record("ultimate", seed=8).to_json()
        status, text, _ = await visitor.post("/replay/records", record.encode())
        where = json.loads(text)["to"]
        assert status == 200 and (await visitor.get(where))[0] == 200
        data = await visitor.json(where.replace("/game?", "/data?"))
        assert data["game"]["moves"] == json.loads(record)["moves"]
        status, text, _ = await visitor.post("/replay/records", f"{record}\n{record}".encode())
        assert status == 200 and len(visitor.app[KEPT].records) == 1
        assert len(parse_qs(urlsplit(json.loads(text)["to"]).query)["kept"][0].split(",")) == 2
        for bad in (b"", b"{", b'{"format": "ludus-record/1", "game": "/etc/passwd", "moves": []}', b"\xff" * 50):
            status, text, _ = await visitor.post("/replay/records", bad)
            assert status == 400 and json.loads(text)["error"]
        status, _, _ = await visitor.post("/replay/records", io.BytesIO(b"x" * (LARGEST_UPLOAD + 1)))
        assert status == 413
        async with visitor.client.post("/replay/records", data=record, headers={"Origin": "http://evil.example"}) as no:
            assert no.status == 403

    visit(Settings(), steps)


def test_an_engine_evaluates_every_position_once(tmp_path: Path) -> None:
    game = load_game("ultimate")
    record = random_record("ultimate", seed=2)
    short = record_game(game, game.start(), {}, [game.parse_move(name) for name in record.moves[:12]])
    (tmp_path / "short.json").write_text(short.to_json())

    async def steps(visitor: Visitor) -> None:
        values: dict[int, float] = {}
        async with visitor.socket("/replay/evaluation?file=short.json") as socket:
            worst = await hear(socket, lambda message: _gather(message, values) or message["is"] == "worst")
        assert sorted(values) == list(range(13)) and all(0 <= chance <= 1 for chance in values.values())
        assert len(worst["moves"]) <= 3
        for bad in worst["moves"]:
            assert bad["better"][0] != short.moves[bad["ply"] - 1] and bad["sign"].startswith("<g")
            follow(game, game.start(), [*short.moves[: bad["ply"] - 1], *bad["better"]])
        assert not visitor.app[ENGINES].process_ids
        again: dict[int, float] = {}
        async with visitor.socket("/replay/evaluation?file=short.json") as socket:
            assert await hear(socket, lambda message: _gather(message, again) or message["is"] == "worst") == worst
        assert again == values and len(visitor.app[EVALUATIONS].kept) == 1

    visit(Settings(folder=tmp_path), steps)


def _gather(message: dict[str, object], values: dict[int, float]) -> bool:
    listed = message.get("values", [])
    assert isinstance(listed, list)
    values.update((value["ply"], value["chance"]) for value in listed)
    return False


def test_the_engine_goes_with_the_page(folder: Path) -> None:
    async def steps(visitor: Visitor) -> None:
        async with visitor.socket("/replay/evaluation?file=one.json") as socket:
            await hear(socket, lambda message: message["is"] == "progress" and message["done"] >= 2)
            assert visitor.app[ENGINES].process_ids
        async with visitor.socket("/replay/evaluation?file=one.json") as socket:  # what was found stays
            first = await hear(socket, lambda message: message["is"] == "values")
            assert len(first["values"]) >= 2

    visit(Settings(folder=folder), steps)


@pytest.mark.parametrize("seat", [0, 1])
def test_somebody_takes_over(folder: Path, seat: int) -> None:
    async def steps(visitor: Visitor) -> None:
        form = {"query": "file=one.json", "ply": "6", "seat": str(seat), "opponent": "level:1"}
        status, _, where = await visitor.post("/replay/take-over", form)
        assert status == 303 and where.startswith("/play/")
        (table,) = visitor.app[TABLES].values()
        moves = random_record("ultimate").moves
        names = [table.sitting.game.move_name(move) for move in table.sitting.moves]
        assert names[:6] == list(moves[:6])
        assert table.sitting.is_person(seat) and not table.sitting.is_person(1 - seat)
        assert (await visitor.get(where))[0] == 200
        bad = {**form, "query": "file=../secret.json"}
        assert (await visitor.post("/replay/take-over", bad))[0] == 400

    visit(Settings(folder=folder), steps)
