"""Presses in the builder as a browser shows them, on a server that is running.

``python -m bench.presses ADDRESS [WIDTH] [TIMES]`` builds a deck of Roland Banks in
Chromium, presses everything that many times, and prints for each kind of press the
milliseconds from the event to the frame with its answer: half of the presses take at
most the first, 95 % the second. Delays of the page while one types count. After the
bar is the processor time of the page's own thread, whatever else is running.
"""

from __future__ import annotations

import random
import shutil
import sys
from collections import defaultdict
from collections.abc import Callable
from functools import partial

from playwright.sync_api import Locator, Page, sync_playwright

from bench.timing import percentile

SEED = 1926
PHONE = 600  # pixels; narrower windows have touch
LONGEST = 10_000  # milliseconds
WORDS = (
    "machete",
    "level 0",
    "fight",
    "draw cards",
    "ally",
    "clue",
    "cheap weapon",
    "vicious",
    "emergancy",
    "skill",
)
# Notes when a press begins, and when the frame after its answer is shown.
LISTEN = """() => {
  const start = (event) => { window.begun ??= event.timeStamp; };
  for (const kind of ["click", "input"]) document.addEventListener(kind, start, true);
  const end = () => requestAnimationFrame(() => setTimeout(() => {
    if (window.begun !== null) window.took ??= performance.now() - window.begun;
  }));
  document.addEventListener("htmx:afterSettle", end);
  const sheet = document.querySelector("dialog:not(#shortcuts)");
  new MutationObserver(() => sheet.open && end()).observe(sheet, { attributes: true });
}"""


class Thumb:
    """Presses what a page has, and keeps how long each kind of press took."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.took: dict[str, list[float]] = defaultdict(list)
        self.worked: dict[str, list[float]] = defaultdict(list)
        self._tools = page.context.new_cdp_session(page)
        self._tools.send("Performance.setTimeDomain", {"timeDomain": "threadTicks"})
        self._tools.send("Performance.enable")

    def _processor_ms(self) -> float:
        metrics = self._tools.send("Performance.getMetrics")["metrics"]
        values = {each["name"]: each["value"] for each in metrics}
        return float(values["TaskDuration"]) * 1_000

    def press(self, kind: str, act: Callable[[], object]) -> None:
        """Press something, and wait for the frame with its answer."""
        self.page.evaluate("() => { window.begun = null; window.took = null; }")
        before = self._processor_ms()
        act()
        for _wait in range(LONGEST // 20):
            took = self.page.evaluate("window.took")
            if took is not None:
                self.took[kind].append(took)
                self.worked[kind].append(self._processor_ms() - before)
                break
            self.page.wait_for_timeout(20)
        self.page.wait_for_timeout(60)


def _begin(page: Page, address: str) -> None:
    page.goto(f"{address}/decks/new/01001/")
    page.get_by_role("button", name="Begin with a legal deck").click()
    page.wait_for_url("**/edit*")
    page.wait_for_load_state("networkidle")
    page.evaluate(LISTEN)


def _presses(thumb: Thumb, times: int, is_phone: bool) -> None:
    page, chance = thumb.page, random.Random(SEED)

    def press(kind: str, control: Locator) -> None:
        thumb.press(kind, control.tap if is_phone else control.click)

    def view(name: str) -> None:
        if is_phone:
            page.locator(f'.switch [data-view="{name}"]').click()

    view("add")
    for place in range(times):
        word = WORDS[place % len(WORDS)]
        thumb.press("search", partial(page.locator("#q").fill, word))
    thumb.press("search", partial(page.locator("#q").fill, ""))
    copies = page.locator("#offers .quantity button[aria-pressed=false]:visible")
    for place in range(times):
        button = copies.nth(chance.randrange(40))
        value = button.get_attribute("value") or ""
        press("remove" if value.endswith(":0") else "add", button)
        press("undo", page.locator("#undo"))
        if place % 2:
            press("redo", page.locator("#redo"))
    orders = page.locator("#f-order option").count()
    for place in range(times):
        order = (place + 1) % orders
        select = page.locator("#f-order").select_option
        thumb.press("sort", partial(select, index=order))
    page.locator(".filters-button").click()
    boxes = page.locator("#filters label.toggle:visible")
    for _place in range(times):
        press("filter", boxes.nth(chance.randrange(20)))
    press("filter", page.locator("#filters [data-unset='*']"))
    page.locator("#filters [popovertargetaction=hide]").click()
    if is_phone:
        for place in range(min(times, 10)):
            press("preview", page.locator("#offers a.found").nth(place))
            page.locator("dialog[open] [data-close]").first.tap()
    view("deck")
    for place in range(min(times, 12)):
        select = page.locator("#view select[name=group]").select_option
        thumb.press("view", partial(select, index=(place + 1) % 6))


def main(address: str, width: int = 390, times: int = 20) -> None:
    """Print the times of each kind of press."""
    is_phone = width < PHONE
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=shutil.which("chromium-headless-shell")
            or shutil.which("chromium"),
            args=["--no-sandbox", "--disable-gpu"],
        )
        page = browser.new_page(
            viewport={"width": width, "height": 844},
            has_touch=is_phone,
            is_mobile=is_phone,
            service_workers="block",
        )
        _begin(page, address)
        thumb = Thumb(page)
        _presses(thumb, times, is_phone)
        for kind, took in thumb.took.items():
            worked = thumb.worked[kind]
            print(
                f"{kind:8} {len(took):3} times"
                f" {percentile(took, 50):6.0f} {percentile(took, 95):6.0f} ms"
                f" | {percentile(worked, 50):5.0f} {percentile(worked, 95):5.0f} ms"
            )
        browser.close()


if __name__ == "__main__":
    main(sys.argv[1], *map(int, sys.argv[2:4]))
