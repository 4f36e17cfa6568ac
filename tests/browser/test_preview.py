"""Previews of cards beside their names, and in a sheet from below."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Locator, Page, expect
from pytest_django.live_server_helper import LiveServer

from arkham.rules.snapshot import embedded_pool
from cardpool.services import ensure_embedded_pool
from decks.models import Deck
from tests.browser.conftest import OpensPage
from tests.browser.looks import names_without_preview, small_targets


@pytest.fixture(autouse=True)
def _cards(live_server: LiveServer) -> None:
    ensure_embedded_pool()


def _build(page: Page) -> None:
    page.goto("/decks/new/01001/")
    page.get_by_role("button", name="Begin with a legal deck").click()
    page.wait_for_url(re.compile(r"/edit$"))


def _beside(page: Page) -> Locator:
    return page.locator("aside.preview .face")


def test_hovering_over_a_name_previews_its_card(page: Page) -> None:
    """The preview disappears with the pointer, and with Escape."""
    _build(page)
    name = page.locator("#card-01020 .name")

    name.hover()
    expect(_beside(page)).to_be_visible()
    expect(_beside(page).get_by_role("heading")).to_have_text("Machete")
    expect(_beside(page)).to_contain_text("Fight")

    page.keyboard.press("Escape")
    expect(_beside(page)).to_be_hidden()
    page.get_by_role("heading", level=1).hover()
    name.hover()
    expect(_beside(page)).to_be_visible()
    page.get_by_role("heading", level=1).hover()
    expect(_beside(page)).to_be_hidden()


def test_focusing_a_link_previews_its_card(page: Page) -> None:
    """On a card's page other cards are linked too."""
    page.goto("/cards/01001/")
    link = page.get_by_role("link", name="Roland's .38 Special").first

    page.keyboard.press("Tab")
    link.focus()
    expect(_beside(page).get_by_role("heading")).to_contain_text("Roland's .38 Special")
    link.press("Enter")
    expect(page.get_by_role("heading", level=1)).to_contain_text("Roland's .38 Special")


def test_a_tap_opens_a_sheet(phone: Page) -> None:
    """From there to the next card, and to the card's page."""
    phone.goto("/cards/?q=class:guardian trait:firearm level:0 type:asset")
    sheet = phone.get_by_role("dialog")
    names = phone.locator(".cards .name").all_text_contents()
    assert len(names) > 2

    phone.get_by_role("link", name=names[0], exact=True).tap()
    expect(sheet.get_by_role("heading")).to_have_text(names[0])
    assert small_targets(phone) == []
    sheet.get_by_role("button", name="Next card").tap()
    expect(sheet.get_by_role("heading")).to_have_text(names[1])
    expect(sheet.get_by_role("button", name="Add 1")).to_be_hidden()
    sheet.get_by_role("button", name="Close").tap()
    expect(sheet).to_be_hidden()

    phone.get_by_role("link", name=names[0], exact=True).tap()
    sheet.get_by_role("link", name=names[0]).tap()
    expect(phone.get_by_role("heading", level=1)).to_contain_text(names[0])


def test_a_card_is_added_from_its_sheet(phone: Page) -> None:
    """The number of copies is the one in the row."""
    _build(phone)
    phone.get_by_role("link", name="Add cards").tap()
    phone.get_by_role("searchbox", name="Search cards to add").fill("evidence!")
    found = phone.locator("#found-01022")
    expect(found).to_be_visible()
    sheet = phone.get_by_role("dialog")

    found.locator("a.found").tap()
    present = sheet.locator(".quantity [aria-pressed=true]")
    for copies in (0, 2, 1):
        sheet.locator(".quantity").get_by_text(str(copies), exact=True).tap()
        expect(present).to_have_text(str(copies))
    expect(found.locator(".quantity [aria-pressed=true]")).to_have_text("1")


def _decklist(page: Page) -> tuple[Locator, list[str]]:
    """Return the cards named in a decklist's groups, and their names."""
    _build(page)
    page.goto(page.url.replace("/edit", "/").split("?")[0])
    named = page.locator(".decklist a.name")
    return named, named.all_text_contents()


def test_arrow_keys_pass_through_all_groups_of_a_deck(page: Page) -> None:
    named, names = _decklist(page)
    named.first.focus()
    for name in names[1:]:
        page.keyboard.press("ArrowDown")
        expect(_beside(page).get_by_role("heading")).to_contain_text(name)
    page.keyboard.press("ArrowUp")
    expect(named.nth(-2)).to_be_focused()


def test_a_sheet_continues_with_the_next_group(phone: Page) -> None:
    _named, names = _decklist(phone)
    last = phone.locator(".decklist ul").first.locator("a.name").last
    after = names[names.index(last.text_content() or "") + 1]
    last.tap()
    sheet = phone.get_by_role("dialog")
    sheet.get_by_role("button", name="Next card").tap()
    expect(sheet.get_by_role("heading")).to_contain_text(after)


@pytest.mark.parametrize(
    ("part", "name"),
    [
        ("edit", "#findings .finding a"),
        ("", ".eyebrow a"),
        ("", ".decklist a.name"),
        ("played", "legend a"),
        ("sheet", ".page-list .name a"),
        ("weaknesses", ".pool .name a"),
        ("hand", "[data-card]"),
        ("/decks/", ".my-decks p a"),
        ("/decks/pull/?deck=", ".pull-list [data-card]"),
        ("/rules/bonded/", "em a"),
        ("/decks/new/", ".plate [data-card]"),
    ],
)
def test_every_name_of_a_card_has_a_preview(page: Page, part: str, name: str) -> None:
    """In findings, heads, lists, labels, legends and the rules."""
    page.goto("/decks/new/01001/")
    page.get_by_role("button", name="Begin with a legal deck").click()
    page.wait_for_url(re.compile(r"/edit$"))
    deck = Deck.objects.get()
    page.locator("#fewer-01006").click()
    expect(page.locator("#findings")).to_contain_text("is required")
    page.get_by_role("button", name="Save", exact=True).first.click()
    page.wait_for_load_state()
    address = part if part.startswith("/") else f"/decks/{deck.pk}/{part}"
    page.goto(f"{address}{deck.pk}" if address.endswith("=") else address)

    page.locator("main details").evaluate_all(
        "them => them.map((it) => it.open = true)"
    )
    page.locator(name).first.hover()
    expect(_beside(page)).to_be_visible()
    names = sorted({card.name for card in embedded_pool().values()})
    assert names_without_preview(page, names) == []


def test_a_focused_row_previews_its_card(page: Page) -> None:
    """A row that opens has no link; the focus is on the row."""
    _build(page)
    page.locator("#fewer-01020").focus()
    for _press in range(2):
        page.keyboard.press("Tab")
    expect(_beside(page).get_by_role("heading")).to_have_text("Machete")


def test_a_swipe_turns_to_the_next_card(phone: Page) -> None:
    """And back; a swipe down does not."""
    phone.goto("/cards/?q=class:guardian trait:firearm level:0 type:asset")
    names = phone.locator(".cards .name").all_text_contents()
    phone.get_by_role("link", name=names[0], exact=True).tap()
    heading = phone.get_by_role("dialog").get_by_role("heading")
    expect(heading).to_have_text(names[0])
    touches = phone.context.new_cdp_session(phone)

    def stroke(across: int, down: int) -> None:
        at = {"x": 200, "y": 600}
        there = {"x": 200 + across, "y": 600 + down}
        for kind, points in (
            ("touchStart", [at]),
            ("touchMove", [there]),
            ("touchEnd", []),
        ):
            event = {"type": kind, "touchPoints": points}
            touches.send("Input.dispatchTouchEvent", event)

    for across, down, shown in ((-90, 5, 1), (5, 90, 1), (90, -5, 0)):
        stroke(across, down)
        expect(heading).to_have_text(names[shown])


def test_two_fingers_do_not_turn_the_card(phone: Page) -> None:
    """They zoom, and one finger then pans."""
    phone.goto("/cards/?q=class:guardian trait:firearm level:0 type:asset")
    name = phone.locator(".cards .name").first.inner_text()
    phone.get_by_role("link", name=name, exact=True).tap()
    heading = phone.get_by_role("dialog").get_by_role("heading")
    expect(heading).to_have_text(name)
    touches = phone.context.new_cdp_session(phone)
    for kind, places in (
        ("touchStart", [(180, 600)]),
        ("touchStart", [(180, 600), (220, 600)]),
        ("touchMove", [(60, 600), (340, 600)]),
        ("touchEnd", [(60, 600)]),
        ("touchEnd", []),
    ):
        points = [{"x": x, "y": y, "id": at} for at, (x, y) in enumerate(places)]
        event = {"type": kind, "touchPoints": points}
        touches.send("Input.dispatchTouchEvent", event)
    phone.wait_for_timeout(200)
    expect(heading).to_have_text(name)


def test_a_name_links_to_its_card_without_scripts(open_page: OpensPage) -> None:
    """By touch too."""
    page = open_page(java_script_enabled=False, has_touch=True)
    page.goto("/cards/?q=machete")
    page.get_by_role("link", name="Machete", exact=True).tap()
    expect(page.get_by_role("heading", level=1)).to_contain_text("Machete")
