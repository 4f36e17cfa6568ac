"""Helpers of offline tests: devices with a service worker and its caches."""

from __future__ import annotations

import socket
import threading
from contextlib import suppress
from typing import Any

from playwright.sync_api import Browser, Page

PHONE: dict[str, Any] = {"viewport": {"width": 390, "height": 844}, "has_touch": True}
LAPTOP: dict[str, Any] = {"viewport": {"width": 1280, "height": 800}}
LOOKS = 300  # of a tenth of a second; a page's own policy forbids to wait in it
_AT_WORK = "navigator.serviceWorker.ready.then(() => true)"
_CACHED = """async () => {
  const found = {};
  for (const name of await caches.keys()) {
    const cache = await caches.open(name);
    found[name] = {};
    for (const { url } of await cache.keys()) {
      const kept = await cache.match(url);
      if (!kept) continue;  // it went since the list was read
      found[name][url.slice(location.origin.length)] = (await kept.blob()).size;
    }
  }
  return found;
}"""


def device(browser: Browser, address: str, **options: Any) -> Page:
    """Return a window whose service worker runs; the test closes its context."""
    context = browser.new_context(
        base_url=address, service_workers="allow", **(PHONE | options)
    )
    return context.new_page()


class Cable:
    """A device's connection to the server; cutting it loses everything in transit."""

    def __init__(self, server: str) -> None:
        host, _colon, port = server.removeprefix("http://").partition(":")
        self._to = (host, int(port))
        self._door = socket.create_server(("localhost", 0))
        self._ends: list[socket.socket] = []
        self.address = f"http://localhost:{self._door.getsockname()[1]}"
        threading.Thread(target=self._accept, daemon=True).start()

    def cut(self) -> None:
        """Close the listening socket and every connection through it."""
        for end in (self._door, *self._ends):
            with suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
            end.close()

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                near, _address = self._door.accept()
                far = socket.create_connection(self._to)
                self._ends += [near, far]
                for ends in ((near, far), (far, near)):
                    threading.Thread(target=_pump, args=ends, daemon=True).start()


def _pump(source: socket.socket, target: socket.socket) -> None:
    """Forward data until either end is closed."""
    with suppress(OSError):
        while data := source.recv(65536):
            target.sendall(data)
        target.shutdown(socket.SHUT_WR)


def sign_in(page: Page, name: str, then: str) -> None:
    """Sign in and continue to a page."""
    page.goto(f"/account/login/?next={then}")
    page.get_by_label("Username").fill(name)
    page.get_by_label("Password").fill(f"{name}-of-arkham")
    page.get_by_role("main").get_by_role("button", name="Sign in").click()
    page.wait_for_url(then)


def cached(page: Page) -> dict[str, dict[str, int]]:
    """Return the sizes of cached responses, by cache and address."""
    found: dict[str, dict[str, int]] = page.evaluate(_CACHED)
    return found


def wait_until_kept(page: Page, *addresses: str) -> None:
    """Wait until the service worker is active and has cached the pages."""
    page.evaluate(_AT_WORK)
    wanted = {*addresses, "/offline/"}
    for _look in range(LOOKS):
        found = {each for addresses in cached(page).values() for each in addresses}
        if wanted <= found:
            return
        page.wait_for_timeout(100)
    raise AssertionError(f"not kept: {wanted - found}")
