"""The frame of every page: by keyboard, by thumb, without scripts."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from arkham.accounts.models import User
from cardpool.services import ensure_embedded_pool
from tests.browser.conftest import OpensPage
from tests.browser.looks import scrolls_sideways, small_targets

PAGES = [
    "/",
    "/cards/",
    "/decks/",
    "/campaigns/",
    "/rules/",
    "/rules/?q=weak",
    "/rules/permanent/",
    "/account/login/",
    "/account/signup/",
]
DENSE = [
    "/account/preferences/",
    "/cards/?q=machete",
    "/cards/01001/",
    "/cards/01020/",
    "/investigators/",
    "/search/?q=machete",
    "/table/test/",
    "/table/area/",
    "/decks/new/",
    "/decks/new/01001/",
]


def test_the_first_tab_skips_to_the_content(page: Page) -> None:
    """Keyboard users need not walk through the header on every page."""
    page.goto("/")

    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="Skip to the content")).to_be_focused()
    page.keyboard.press("Enter")

    expect(page.locator("#content")).to_be_focused()


def test_the_four_main_links_open_by_keyboard(page: Page) -> None:
    """The current one is marked."""
    for door in ("Cards", "Decks", "Campaigns", "Rules"):
        page.goto("/")
        link = page.get_by_role("navigation", name="Main").get_by_role(
            "link", name=door
        )
        link.focus()
        page.keyboard.press("Enter")

        expect(link).to_have_attribute("aria-current", "page")
        expect(page.get_by_role("heading", level=1)).to_be_visible()


@pytest.mark.parametrize("path", PAGES)
def test_every_target_fits_a_thumb(phone: Page, path: str) -> None:
    """At least 44 pixels each way, and no sideways scrolling."""
    phone.goto(path)

    assert small_targets(phone) == []
    assert not scrolls_sideways(phone)


@pytest.mark.parametrize("path", PAGES)
def test_nothing_overflows_a_small_phone(open_page: OpensPage, path: str) -> None:
    """320 pixels, in the dark."""
    page = open_page(viewport={"width": 320, "height": 568}, color_scheme="dark")
    page.goto(path)

    assert not scrolls_sideways(page)


@pytest.mark.parametrize("width", [390, 1280])
def test_doubled_text_does_not_scroll_sideways(page: Page, width: int) -> None:
    """A user's style doubles the text; the windows of media queries stay the same."""
    ensure_embedded_pool()
    page.set_viewport_size({"width": width, "height": 844})
    wide = []
    for path in [*PAGES, *DENSE]:
        page.goto(path)
        page.evaluate("document.documentElement.style.fontSize = '200%'")
        if scrolls_sideways(page):
            wide.append(path)
    assert wide == []


def test_the_header_is_one_line_on_every_screen(page: Page) -> None:
    """At most 56 px, on a tablet in landscape too."""
    page.goto("/cards/")
    for width in (320, 390, 640, 768, 960, 1024, 1180, 1440):
        page.set_viewport_size({"width": width, "height": 700})
        header = page.locator("header.masthead").bounding_box()
        assert header is not None
        assert header["height"] <= 56, width
        sideways = page.evaluate("document.documentElement.scrollWidth")
        assert sideways <= width


def test_signing_up_and_out_by_keyboard(page: Page) -> None:
    """Tab, type, Enter; the header shows the new account's name."""
    page.goto("/account/signup/")
    page.get_by_label("Username").focus()
    page.keyboard.type("wendy")
    page.keyboard.press("Tab")
    page.keyboard.type("seven-brown-owls")
    page.keyboard.press("Tab")
    page.keyboard.type("seven-brown-owls")
    page.keyboard.press("Enter")

    account = page.get_by_role("link", name="Account of wendy")
    expect(account).to_be_visible()
    account.press("Enter")
    page.get_by_role("link", name="Sign out").press("Enter")
    page.get_by_role("button", name="Sign out").press("Enter")
    expect(page.get_by_role("link", name="Sign in").first).to_be_visible()


def test_signing_in_without_scripts(scriptless: Page, live_server: LiveServer) -> None:
    """A form posts, a page responds."""
    User.objects.create_user("wendy", password="seven-brown-owls")
    scriptless.goto("/account/login/")
    scriptless.get_by_label("Username").fill("wendy")
    scriptless.get_by_label("Password").fill("seven-brown-owls")
    scriptless.get_by_role("main").get_by_role("button", name="Sign in").click()

    expect(scriptless.get_by_role("link", name="Account of wendy")).to_be_visible()


def test_the_api_documentation_renders(page: Page) -> None:
    """In the site's look, with a way back; what is linked opens."""
    page.goto("/api/docs")

    page.get_by_text("Judge one deck.").click()
    page.get_by_role("link", name="DeckRequest", exact=True).locator(
        "visible=true"
    ).click()
    described = page.locator("details", has=page.locator("#schema-DeckRequest"))
    expect(described).to_have_attribute("open", "")  # a link opens its target
    page.get_by_role("link", name="Back to Orne").click()
    page.wait_for_url("**/")


# Whether the focused element is hidden, except by the bar that contains it.
_HIDDEN = """() => {
  const at = document.activeElement;
  if (!at.closest("main")) return "";
  const box = at.getBoundingClientRect();
  const inside = (it) => it && (at.contains(it) || it.contains(at)
    || [...(at.labels ?? [])].some((label) => label.contains(it)));
  const point = (x, y) => [box.left + box.width * x, box.top + box.height * y];
  const parts = [0.1, 0.5, 0.9];
  const seen = parts.some((y) =>
    parts.some((x) => inside(document.elementFromPoint(...point(x, y)))));
  return seen ? "" : at.outerHTML.slice(0, 80);
}"""


@pytest.mark.parametrize("path", ["/table/round/", "/decks/collections/new"])
@pytest.mark.parametrize("key", ["Tab", "Shift+Tab"])
def test_the_focused_element_is_not_hidden_by_a_bar(
    page: Page, alice: User, path: str, key: str
) -> None:
    """WCAG 2.4.11, where the next step is a bar at the bottom of the window."""
    page.set_viewport_size({"width": 390, "height": 600})
    page.goto(f"/account/login/?next={path}")
    page.get_by_label("Username").fill("alice")
    page.get_by_label("Password").fill("alice-of-arkham")
    page.get_by_role("main").get_by_role("button", name="Sign in").click()
    page.wait_for_url(f"**{path}")
    place = page.locator("h1" if key == "Tab" else "footer")
    place.evaluate("it => { it.tabIndex = -1; it.focus(); }")
    hidden = []
    for _press in range(30):
        page.keyboard.press(key)
        hidden.append(page.evaluate(_HIDDEN))
    assert not any(hidden), hidden


def test_the_end_of_the_builder_is_not_covered_by_its_bar(page: Page) -> None:
    """Its last links can be scrolled into view."""
    page.set_viewport_size({"width": 390, "height": 600})
    page.goto("/decks/new/01001/")
    page.get_by_role("button", name="Begin with the required cards").click()
    page.wait_for_url("**/edit")
    last = page.get_by_role("link", name="For programs: the API")
    last.focus()
    link, bar = last.bounding_box(), page.locator(".switch").bounding_box()
    assert link is not None
    assert bar is not None
    assert link["y"] + link["height"] <= bar["y"]
