"""A real Chromium for the stories: keyboard, touch, no scripts, a silent console."""

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

# Playwright runs an event loop; the stories touch the database beside it.
os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "true"
# As patient as Playwright is with a click: the machine may be busy with other tests.
expect.set_options(timeout=30_000)

# What Playwright says where a story has no service worker.
BLOCKED = "Service Worker registration blocked by Playwright"

# The headless shell is Chromium without a window around its pages: stories take half
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
    """Every test of this folder is a browser story, and takes its time."""
    for item in items:
        if "browser" in item.path.parts:
            item.add_marker(pytest.mark.browser)
            item.add_marker(pytest.mark.slow)


class Launches(Protocol):
    """Starts a browser with more options of Playwright."""

    def __call__(self, **options: Any) -> Browser:
        """The browser; it is closed after the last story."""


@pytest.fixture(scope="session")
def launch() -> Iterator[Launches]:
    """Chromium as the system has it; the story is skipped where it has none."""
    found = next(filter(None, map(shutil.which, BROWSERS)), None)
    if found is None:
        pytest.skip("Chromium is absent: apt install chromium")
    started: list[Browser] = []
    with sync_playwright() as playwright:

        def launch(**options: Any) -> Browser:
            started.append(
                playwright.chromium.launch(executable_path=found, args=FLAGS, **options)
            )
            # Stories about the service worker ask for it by "allow": in all others it
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
    """The browser of most stories."""
    return launch()


class OpensPage(Protocol):
    """Opens a window with the options of a Playwright context."""

    def __call__(self, **options: Any) -> Page:
        """The page of the new window; addresses are relative to the server."""


# What htmx says of a look for news that the way to another page cut off.
CUT_OFF = ("htmx:afterRequest", "htmx:sendError")


@pytest.fixture
def open_page(live_server: LiveServer, browser: Browser) -> Iterator[OpensPage]:
    """Windows on the live server; afterwards their consoles must have been silent."""
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
    """A laptop's window."""
    return open_page(viewport={"width": 1280, "height": 800})


@pytest.fixture
def phone(open_page: OpensPage) -> Page:
    """A phone, 390 pixels wide, touched."""
    return open_page(
        viewport={"width": 390, "height": 844},
        device_scale_factor=2,
        has_touch=True,
        is_mobile=True,
    )


@pytest.fixture
def scriptless(open_page: OpensPage) -> Page:
    """A window that runs no scripts."""
    return open_page(viewport={"width": 1280, "height": 800}, java_script_enabled=False)
