"""What tests in a real browser share: Debian's Chromium, a real server, and an eye on everything that pages do.

Screenshots go to build/screens/, which git ignores.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright
from serving import Served
from visiting import PATIENCE_MS, Visits

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
ARGUMENTS = (
    "--no-sandbox",  # continuous integration is root; the pages are our own
    "--disable-gpu",
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",  # nothing leaves the machine even if it tries
)
expect.set_options(timeout=PATIENCE_MS)


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """One for each file of tests: while Playwright runs, other tests of this process could start no event loop."""
    chromium = next((found for name in NAMES if (found := shutil.which(name))), None)
    if chromium is None:
        pytest.skip("there is no Chromium here; on Debian: apt install chromium")
    with sync_playwright() as playwright:
        launched = playwright.chromium.launch(executable_path=chromium, args=list(ARGUMENTS), timeout=PATIENCE_MS)
        yield launched
        launched.close()


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What is served; files of tests have their own."""
    return tmp_path_factory.mktemp("served")


@pytest.fixture(scope="module")
def served(browser: Browser, folder: Path) -> Iterator[Served]:
    """`ludus serve` on a port of its own; after the browser, as nothing is served where there is none."""
    with closing(Served("serve", folder)) as server:
        yield server


@pytest.fixture
def visits(browser: Browser, served: Served) -> Iterator[Visits]:
    """Browsers to visit the server with; none of their pages may complain or ask anything of another machine."""
    with closing(Visits(browser, served)) as visits:
        yield visits
        visits.require_peace()


@pytest.fixture
def visit(visits: Visits) -> Callable[..., Page]:
    """Open a page in a browser of its own, which knows nothing of the others."""

    def opened(path: str = "/", **looks: Any) -> Page:
        return visits.open(path, **looks)

    return opened
