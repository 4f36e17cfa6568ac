"""The helpers in a browser: by touch, by keyboard, without scripts, at 320 pixels."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import OpensPage
from tests.browser.looks import scrolls_sideways, small_targets

PHONE: dict[str, Any] = {
    "viewport": {"width": 390, "height": 844},
    "has_touch": True,
    "is_mobile": True,
}
SMALL: dict[str, Any] = {"viewport": {"width": 320, "height": 640}, "has_touch": True}
NO_SCRIPTS: dict[str, Any] = {**SMALL, "java_script_enabled": False}
WINDOWS = pytest.mark.parametrize(
    "window", [PHONE, SMALL, NO_SCRIPTS], ids=["phone", "small", "no scripts"]
)


def _is_fit_for_a_thumb(page: Page) -> None:
    assert small_targets(page) == []
    assert not scrolls_sideways(page)


def _is_under_the_thumb(page: Page, main: Locator) -> None:
    """Check that the main action is on the screen without scrolling."""
    expect(main).to_be_in_viewport(ratio=1)
    _is_fit_for_a_thumb(page)


def _group(page: Page, name: str) -> Locator:
    return page.get_by_role("group", name=name, exact=True)


@WINDOWS
def test_a_skill_test_is_counted_drawn_and_resolved(
    open_page: OpensPage, window: dict[str, Any]
) -> None:
    page = open_page(**window)
    page.goto("/table/")
    _is_fit_for_a_thumb(page)
    page.get_by_role("main").get_by_role("link", name="Skill test").tap()
    draw = page.get_by_role("button", name="Reveal a token")
    _is_under_the_thumb(page, draw)

    expect(page.locator(".answer")).to_contain_text("skill 3 against difficulty 3")
    page.get_by_role("button", name="Icons committed: 1 more").tap()
    expect(page.locator(".answer")).to_contain_text("skill 4 against difficulty 3")
    expect(page).to_have_url(re.compile("icons=1"))
    draw.tap()
    expect(page.get_by_role("status")).to_contain_text(
        re.compile("Passed by|Failed by|automatically")
    )
    onward = page.get_by_role("link", name="Next test")
    _is_under_the_thumb(page, onward)
    onward.tap()
    expect(page.get_by_role("button", name="Reveal a token")).to_be_visible()
    expect(page.locator(".answer")).to_contain_text("skill 3 against difficulty 3")

    page.get_by_role("button", name="Auto-fail").tap()
    expect(page.get_by_role("status")).to_contain_text("Fails automatically")
    page.reload()  # as after a locked phone
    expect(page.get_by_role("status")).to_contain_text("Fails automatically")


def test_a_bag_is_sent_from_the_odds_page(page: Page) -> None:
    page.goto("/odds/")
    page.get_by_label("Bless", exact=True).fill("3")
    page.get_by_role("button", name="Open a test with this bag").click()
    expect(page).to_have_url(re.compile("/table/test/.*n_bless=3"))


@WINDOWS
def test_a_play_area_is_kept(open_page: OpensPage, window: dict[str, Any]) -> None:
    page = open_page(**window)
    page.goto("/table/area/?investigator=01001")
    _is_under_the_thumb(page, page.get_by_role("button", name="Play", exact=True))
    damage = _group(page, "Damage").locator("output")
    expect(damage).to_have_text("0/9")
    page.get_by_role("button", name="Damage: 1 more", exact=True).tap()
    expect(damage).to_have_text("1/9")

    for card in ("01087", "01020", "01006"):
        page.get_by_label("Card to put into play").fill(card)
        page.get_by_role("button", name="Play", exact=True).tap()
        expect(page).to_have_url(re.compile(rf"card={card}"))
    expect(page.locator(".todo")).to_contain_text("Too few slots: hand.")
    _is_fit_for_a_thumb(page)

    page.get_by_text("More for Machete").tap()
    page.locator("#more-1").get_by_role("button", name="Remove from play").tap()
    expect(page.locator(".todo")).to_have_count(0)
    page.get_by_role("button", name="Exhaust Flashlight").tap()
    expect(page.get_by_role("button", name="Ready Flashlight")).to_be_visible()
    page.get_by_role("button", name="Begin a new round").tap()
    expect(page.get_by_role("button", name="Exhaust Flashlight")).to_be_visible()
    expect(_group(page, "Resources").locator("output")).to_have_text("6")
    page.go_back()
    expect(_group(page, "Resources").locator("output")).to_have_text("5")


def test_a_decks_play_area_begins_with_its_permanents_and_stats(phone: Page) -> None:
    phone.goto("/decks/new/01001/")
    phone.get_by_role("button", name="Begin with a legal deck").tap()
    expect(phone).to_have_url(re.compile(r"/decks/\d+/edit"))
    phone.goto(phone.url.split("edit")[0])
    phone.locator("summary", has_text="More").first.tap()
    phone.get_by_role("link", name="Play area").tap()
    expect(phone).to_have_url(re.compile(r"/table/area/\?investigator=01001&deck=\d+"))
    expect(_group(phone, "Horror").locator("output")).to_have_text("0/5")
    choose = phone.get_by_label("Card of the deck to put into play")
    choose.select_option(label="Roland's .38 Special")
    phone.get_by_role("button", name="Play", exact=True).tap()
    expect(phone.locator(".laid")).to_contain_text("Roland's .38 Special")
    expect(_group(phone, "Roland's .38 Special: ammo").locator("output")).to_have_text(
        "4"
    )
    _is_fit_for_a_thumb(phone)


@WINDOWS
def test_an_elimination_is_followed_to_its_end(
    open_page: OpensPage, window: dict[str, Any]
) -> None:
    page = open_page(**window)
    page.goto("/table/elimination/?investigator=01001&clues=2")
    _is_fit_for_a_thumb(page)
    page.get_by_role("button", name="Defeated by damage").tap()
    seen = page.get_by_role("status")
    for title in (
        "0 Weaknesses",
        "1 Cards",
        "2 Clues and resources",
        "3 Engaged enemies",
        "4 Threat area",
    ):
        expect(seen).to_contain_text(title)
        done = page.get_by_role("link", name="Done")
        _is_under_the_thumb(page, done)
        done.tap()
    expect(seen).to_contain_text("5 Lead investigator")
    page.get_by_role("link", name="Yes").tap()
    expect(page.locator(".todo")).to_contain_text("choose a new lead")
    page.get_by_role("link", name="Done").tap()
    page.get_by_role("link", name="No").tap()
    expect(page.locator(".todo")).to_contain_text("the scenario ends")
    page.get_by_role("link", name="Done").tap()
    expect(page.locator(".todo")).to_contain_text("1 physical trauma")
    _is_fit_for_a_thumb(page)


@WINDOWS
def test_an_exploration_is_drawn(open_page: OpensPage, window: dict[str, Any]) -> None:
    page = open_page(**window)
    page.goto("/table/deck/?kind=exploration")
    page.get_by_label("Locations, one per line").fill("Jungle\nRiver")
    _is_fit_for_a_thumb(page)
    page.get_by_role("button", name="Shuffle the deck").tap()
    explore = page.get_by_role("button", name="Explore")
    _is_under_the_thumb(page, explore)
    explore.tap()
    expect(page.get_by_role("status")).to_have_text(re.compile("Jungle|River"))
    page.get_by_role("button", name="Draw again").tap()
    expect(page.get_by_text("0 cards left")).to_be_visible()
    _is_fit_for_a_thumb(page)
    page.get_by_role("button", name="Put it into play").tap()
    expect(page.get_by_text("1 card left")).to_be_visible()
    expect(page.get_by_text("In play: 1")).to_be_visible()
    page.get_by_role("link", name="Undo").tap()
    expect(page.get_by_text("History: 2 steps")).to_be_visible()
    expect(page.get_by_text("0 cards left")).to_be_visible()


def test_a_deck_of_a_scenario_is_found_as_it_was_left(phone: Page) -> None:
    """Until it is changed; that of another scenario begins with its own cards."""
    form = "/table/deck/?kind=exploration&campaign=1&locations=Jungle%0ARiver"
    phone.goto(form)
    phone.get_by_role("button", name="Shuffle the deck").tap()
    phone.get_by_role("button", name="Explore").tap()
    expect(phone.get_by_role("status")).to_have_text(re.compile("Jungle|River"))
    drawn = phone.get_by_role("status").inner_text()
    phone.goto("/table/round/")
    phone.goto(form)
    expect(phone.get_by_role("status")).to_have_text(drawn)
    phone.goto(form + "%0ARuins")
    expect(phone.get_by_label("Locations")).to_have_value("Jungle\nRiver\nRuins")
    phone.goto(form)
    expect(phone.get_by_role("status")).to_have_text(drawn)
    phone.get_by_text("History: 1 step").tap()
    phone.get_by_role("link", name="Change deck").tap()
    expect(phone.get_by_label("Locations")).to_have_value("Jungle\nRiver")


def test_the_tekeli_li_deck_tracks_who_holds_its_cards(phone: Page) -> None:
    phone.goto("/table/deck/?kind=tekeli-li")
    _is_fit_for_a_thumb(phone)
    phone.get_by_label("Player 1").fill("Roland")
    phone.get_by_role("button", name="Shuffle the deck").tap()
    expect(phone.get_by_text("16 cards left")).to_be_visible()
    phone.get_by_role("button", name="Draw", exact=True).tap()
    phone.get_by_role("button", name="Put it into Roland’s deck").tap()
    expect(phone.get_by_text("Roland: 1")).to_be_visible()
    phone.get_by_role("button", name=re.compile("on the bottom")).tap()
    expect(phone.get_by_text("16 cards left")).to_be_visible()
    expect(phone.get_by_text("Roland: 1")).to_have_count(0)


@WINDOWS
def test_a_round_is_followed(open_page: OpensPage, window: dict[str, Any]) -> None:
    page = open_page(**window)
    page.goto("/table/round/")
    onward = page.get_by_role("link", name="Next", exact=True)
    _is_under_the_thumb(page, onward)
    onward.tap()
    expect(page.get_by_role("status")).to_have_text("Player window")
    expect(page.locator("[aria-current=step]")).to_contain_text("Player window")
    page.get_by_role("link", name="Upkeep").tap()
    expect(page.get_by_role("status")).to_contain_text("4.1")
    page.go_back()
    expect(page.get_by_role("status")).to_have_text("Player window")
    _is_fit_for_a_thumb(page)


def test_helpers_are_used_by_keyboard(page: Page) -> None:
    page.goto("/table/area/?investigator=01001")
    more = page.get_by_role("button", name="Horror: 1 more", exact=True)
    more.focus()
    page.keyboard.press("Enter")
    output = _group(page, "Horror").locator("output")
    expect(output).to_have_text("1/5")
    expect(more).to_be_focused()
    page.keyboard.press("Space")
    expect(output).to_have_text("2/5")
    page.get_by_label("Card to put into play").focus()
    page.keyboard.type("machete")
    page.keyboard.press("Enter")
    expect(page.locator(".laid")).to_contain_text("Machete")

    page.goto("/table/test/")
    page.get_by_role("spinbutton", name="Skill value").focus()
    page.keyboard.press("ArrowUp")
    expect(page.locator(".answer")).to_contain_text("skill 4 against difficulty 3")
    expect(page.get_by_role("spinbutton", name="Skill value")).to_be_focused()


def test_the_round_prints_on_one_sheet(page: Page) -> None:
    page.goto("/table/round/")
    sheet = page.pdf(format="A4")
    assert len(re.findall(rb"/Type\s*/Page\b(?!s)", sheet)) == 1
    page.emulate_media(media="print")
    expect(page.get_by_text("Ready each exhausted card.")).to_be_visible()
    expect(page.get_by_text("Place 1 doom on the agenda.")).to_be_visible()
    expect(page.get_by_text("Reveal a chaos token.")).to_be_visible()
    expect(page.get_by_role("link", name="Next", exact=True)).to_be_hidden()
