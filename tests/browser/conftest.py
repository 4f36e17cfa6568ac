"""Fixtures for tests in a real Chromium: keyboard, touch, no scripts, clean console."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, Protocol

import pytest
from playwright.sync_api import (
    Browser,
    ConsoleMessage,
    Page,
    expect,
    sync_playwright,
)
from pytest_django.live_server_helper import LiveServer

# Playwright runs an event loop; the tests use the database synchronously.
os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "true"
# As long as Playwright waits for a click: other tests may keep the machine busy.
expect.set_options(timeout=30_000)

# Playwright's option for tests without a service worker.
BLOCKED = "Service Worker registration blocked by Playwright"

# The headless shell is Chromium without a window around its pages: tests take half
# the time in it.
BROWSERS = ("chromium-headless-shell", "chromium", "chromium-browser")
FLAGS = [
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-gpu",
    "--disable-sync",
    "--no-sandbox",
]


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark every test of this folder as a browser test, which is slow."""
    for item in items:
        if "browser" in item.path.parts:
            item.add_marker(pytest.mark.browser)
            item.add_marker(pytest.mark.slow)


class Launches(Protocol):
    """Start a browser with further options of Playwright."""

    def __call__(self, **options: Any) -> Browser:
        """Return the browser, which is closed after the last test."""


@pytest.fixture(scope="session")
def launch() -> Iterator[Launches]:
    """Start the system's Chromium; skip the test if there is none."""
    found = next(filter(None, map(shutil.which, BROWSERS)), None)
    if found is None:
        pytest.skip("Chromium is absent: apt install chromium")
    started: list[Browser] = []
    with sync_playwright() as playwright:

        def launch(**options: Any) -> Browser:
            started.append(
                playwright.chromium.launch(executable_path=found, args=FLAGS, **options)
            )
            # Tests of the service worker ask for it by "allow": in all others it
            # would fetch its files for every window.
            started[-1].new_context = partial(  # type: ignore[method-assign]
                started[-1].new_context, service_workers="block"
            )
            return started[-1]

        yield launch
        for each in started:
            each.close()


@pytest.fixture(scope="session")
def browser(launch: Launches) -> Browser:
    """Return the browser that most tests use."""
    return launch()


class OpensPage(Protocol):
    """Open a window with the options of a Playwright context."""

    def __call__(self, **options: Any) -> Page:
        """Return the page of the new window; addresses are relative to the server."""


# htmx logs this when navigation cuts off a poll for news.
CUT_OFF = ("htmx:afterRequest", "htmx:sendError")


@pytest.fixture
def open_page(live_server: LiveServer, browser: Browser) -> Iterator[OpensPage]:
    """Open windows on the live server; afterwards their consoles must be empty."""
    spoken: list[str] = []
    close: list[Callable[[], None]] = []

    def heard(message: ConsoleMessage) -> None:
        if (
            message.type in ("error", "warning")
            and message.text != BLOCKED
            and not message.text.startswith(CUT_OFF)
        ):
            spoken.append(message.text)

    def open_page(**options: Any) -> Page:
        context = browser.new_context(base_url=live_server.url, **options)
        close.append(context.close)
        page = context.new_page()
        page.on("console", heard)
        page.on("pageerror", lambda error: spoken.append(str(error)))
        return page

    yield open_page
    for one in close:
        one()
    assert spoken == []


@pytest.fixture
def page(open_page: OpensPage) -> Page:
    """Return a laptop's window."""
    return open_page(viewport={"width": 1280, "height": 800})


@pytest.fixture
def phone(open_page: OpensPage) -> Page:
    """Return a phone's window: 390 pixels wide, with touch."""
    return open_page(
        viewport={"width": 390, "height": 844},
        device_scale_factor=2,
        has_touch=True,
        is_mobile=True,
    )


@pytest.fixture
def scriptless(open_page: OpensPage) -> Page:
    """Return a window that runs no scripts."""
    return open_page(viewport={"width": 1280, "height": 800}, java_script_enabled=False)
