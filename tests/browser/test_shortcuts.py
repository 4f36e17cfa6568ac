"""The builder by its keys, and a deck saved and published by keyboard alone."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Locator, Page, expect
from pytest_django.live_server_helper import LiveServer

from cardpool.services import ensure_embedded_pool


@pytest.fixture(autouse=True)
def _cards(live_server: LiveServer) -> None:
    ensure_embedded_pool()


def _revision(page: Page, number: int) -> Locator:
    return page.locator(f'#builder[data-revision="{number}"]')


def _begin(page: Page) -> None:
    """Open a deck of its required cards in the builder."""
    page.goto("/decks/new/01001/")
    page.get_by_role("button", name="Begin with the required cards").click()
    page.wait_for_url(re.compile("/edit$"))


def test_keys_search_move_count_and_undo(page: Page) -> None:
    """Without Tab or mouse; keys typed into a field are text."""
    _begin(page)
    page.keyboard.press("/")
    page.keyboard.type("machete 2")
    expect(page.locator("#q")).to_have_value("machete 2")
    page.locator("#q").fill("evidence! type:event class:guardian")
    expect(page).to_have_url(re.compile("guardian"))
    page.keyboard.press("ArrowDown")
    expect(page.locator("#results a.found").first).to_be_focused()
    while not page.locator("#found-01022 a.found:focus").count():
        page.keyboard.press("ArrowDown")

    page.keyboard.press("2")
    expect(_revision(page, 2)).to_be_attached()
    expect(page.locator("#found-01022 a.found")).to_be_focused()
    page.keyboard.press("3")  # more copies are not allowed
    page.keyboard.press("Control+u")
    page.keyboard.press("u")
    expect(_revision(page, 3)).to_be_attached()
    expect(page.locator("#deck .entry")).to_have_count(3)
    page.keyboard.press("r")
    expect(_revision(page, 4)).to_be_attached()

    page.keyboard.press("ArrowLeft")
    expect(page.locator("#open-01022 > summary")).to_be_focused()
    page.keyboard.press("1")
    expect(_revision(page, 5)).to_be_attached()
    expect(page.locator("#card-01022 output")).to_have_text("1")
    expect(page.locator("#open-01022 > summary")).to_be_focused()


def test_a_question_mark_lists_the_keys(page: Page) -> None:
    """A button does as well; Escape closes the list."""
    _begin(page)
    keys = page.get_by_role("dialog", name="Keyboard shortcuts")
    page.keyboard.press("?")
    expect(keys).to_be_visible()
    page.keyboard.press("u")
    page.keyboard.press("Escape")
    expect(keys).to_be_hidden()
    page.locator("#more-about > summary").click()
    page.get_by_role("button", name="Show keyboard shortcuts").click()
    keys.get_by_role("button", name="Close").click()
    expect(keys).to_be_hidden()


def test_links_skip_to_the_search_and_to_the_deck(page: Page) -> None:
    """The second and the third link of the page."""
    _begin(page)
    page.get_by_role("link", name="Skip to the search").focus()
    page.keyboard.press("Enter")
    expect(page.locator("#q")).to_be_focused()
    page.get_by_role("link", name="Skip to the deck").focus()
    page.keyboard.press("Enter")
    expect(page.locator("#deck")).to_be_focused()


_FOCUSED = """() => {
  const it = document.activeElement, at = it.getBoundingClientRect();
  const name = (it.labels?.[0] ?? it).innerText || it.getAttribute('aria-label') || '';
  const ring = getComputedStyle(it);
  const x = Math.max(1, Math.min(at.left + at.width / 2, innerWidth - 2));
  const top = document.elementFromPoint(x, at.top + Math.min(at.height / 2, 20));
  return [
    name.replace(/\\s+/g, ' ').trim(),
    ring.outlineStyle != 'none' && parseFloat(ring.outlineWidth) > 0,
    it.contains(top) || Boolean(top?.contains(it)),
  ]
}"""


def _tab_to(page: Page, name: str) -> None:
    """Press Tab to the control of this name; each on the way is seen and has a ring."""
    passed = []
    for _ in range(60):
        page.keyboard.press("Tab")
        focused, has_ring, is_seen = page.evaluate(_FOCUSED)
        passed.append(focused)
        assert has_ring, passed[-3:]
        assert is_seen, passed[-3:]
        if focused.startswith(name):
            return
    raise AssertionError(passed)


@pytest.mark.parametrize("width", [1440, 720])
def test_a_deck_is_saved_and_published_by_keyboard(page: Page, width: int) -> None:
    """On a laptop, at 200 % zoom too: Tab, Enter and typing, nothing else."""
    page.set_viewport_size({"width": width, "height": width * 5 // 8})
    page.goto("/decks/new/01001/")
    _tab_to(page, "Begin with a legal deck")
    page.keyboard.press("Enter")
    page.wait_for_url(re.compile("/edit$"))
    _tab_to(page, "Save")
    page.keyboard.press("Enter")
    page.wait_for_url(re.compile("/account/"))
    _tab_to(page, "Create account")
    page.keyboard.press("Enter")
    page.wait_for_url(re.compile("/account/signup/"))
    _tab_to(page, "Username")
    page.keyboard.type("wendy")
    for field in ("Password", "Password (again)"):
        _tab_to(page, field)
        page.keyboard.type("seven-brown-owls")
    page.keyboard.press("Enter")
    page.wait_for_url(re.compile(r"/decks/\d+/"))
    _tab_to(page, "More")
    page.keyboard.press("Enter")
    _tab_to(page, "Visibility")
    page.keyboard.press("Enter")
    page.wait_for_url(re.compile("/sharing$"))
    _tab_to(page, "Publish")
    page.keyboard.press("Enter")
    expect(page.get_by_text("The deck is published.")).to_be_visible()
