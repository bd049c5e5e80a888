"""The documentation as a site: it builds without a warning, its links lead somewhere, and it needs no network."""

from __future__ import annotations

import re
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest

pytest.importorskip("mkdocs")
pytest.importorskip("latex2mathml")

ROOT = Path(__file__).parent.parent
LOADED = {"src", "srcset", "data", "poster"}
STYLE_ADDRESS = re.compile(r"@import\s+[\"']?([^\"';)]+)|url\(\s*[\"']?([^\"')]+)")


class Addresses(HTMLParser):
    """What a page loads, where it leads, and the places in it that can be led to."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.loaded: list[str] = []
        self.led_to: list[str] = []
        self.places: set[str] = set()
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            if name in LOADED or (tag == "link" and name == "href"):
                self.loaded.append(value or "")
            elif tag == "a" and name == "href":
                self.led_to.append(value or "")
            elif name == "id":
                self.places.add(value or "")


@pytest.fixture(scope="module")
def site(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("site")
    done = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir", str(folder)],
        capture_output=True,
        text=True,
        cwd=ROOT,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return folder


@pytest.fixture(scope="module")
def pages(site) -> dict[Path, Addresses]:
    return {path: Addresses(path.read_text()) for path in sorted(site.rglob("*.html")) if path.name != "404.html"}


def test_nothing_is_loaded_from_elsewhere(site, pages):
    for page, addresses in pages.items():
        for address in addresses.loaded:
            assert not urlsplit(address).netloc, f"{page.name} loads {address}"
    for sheet in site.rglob("*.css"):
        for found in STYLE_ADDRESS.finditer(sheet.read_text()):
            address = urlsplit(found[1] or found[2])
            assert address.scheme in ("", "data") and not address.netloc, f"{sheet.name} loads {found[0]}"


def test_every_address_inside_the_site_is_there(pages):
    for page, addresses in pages.items():
        for address in [*addresses.loaded, *addresses.led_to]:
            parts = urlsplit(address)
            if parts.scheme or parts.netloc:
                continue
            target = (page.parent / unquote(parts.path)).resolve() if parts.path else page
            assert target.is_file(), f"{page.name}: {address}"
            if parts.fragment and target in pages:
                assert unquote(parts.fragment) in pages[target].places, f"{page.name}: {address}"


def test_every_page_and_every_game_s_rules_can_be_reached_from_the_first(site, pages):
    reached, waiting = set(), [site / "index.html"]
    while waiting:
        page = waiting.pop()
        if page in reached or page not in pages:
            continue
        reached.add(page)
        waiting += [(page.parent / unquote(urlsplit(link).path)).resolve() for link in pages[page].led_to]
    assert reached == set(pages)
    for rules in ROOT.glob("src/ludus/games/*/rules.md"):
        game = rules.parent.name.replace("_", "-")
        assert site / "games" / "rules" / f"{game}.html" in reached


def test_what_the_theme_s_scripts_switch_is_on_every_page(site, pages):
    wanted = set(re.findall(r"getElementById\('(hljs[\w-]*)'\)", (site / "js" / "darkmode.js").read_text()))
    assert wanted
    for page, addresses in pages.items():
        assert wanted <= addresses.places, page.name


def test_every_page_has_a_title(pages):
    for page in pages:
        assert re.search(r"<h1[ >]", page.read_text()), page.name


def test_formulas_and_code_are_shown_as_such(site):
    text = (site / "games" / "slant.html").read_text()
    shown = re.sub(r"<(pre|code|math)\b.*?</\1>", "", text, flags=re.DOTALL)
    assert "<math" in text and "\ufffc" not in text
    assert not re.search(r"\$[^$\n]+\$|```", shown)
    tutorial = (site / "tutorials" / "your-first-game.html").read_text()
    assert "file=connect4.py" not in tutorial and 'class="codehilite"' in tutorial
