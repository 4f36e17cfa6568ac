"""Building decks: by keyboard alone, by thumb, without scripts, in two windows."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Locator, Page, Route, expect
from pytest_django.live_server_helper import LiveServer

from arkham.rules.legality import check_deck
from arkham.rules.snapshot import embedded_pool
from cardpool.services import ensure_embedded_pool
from decks.models import Deck
from tests.browser.conftest import OpensPage
from tests.browser.looks import (
    as_shown_and_loaded,
    bottom,
    scrolls_sideways,
    small_targets,
)

MOST_TABS = 400
PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True}


@pytest.fixture(autouse=True)
def _cards(live_server: LiveServer) -> None:
    ensure_embedded_pool()


def _focused(page: Page) -> str:
    """Return what a screen reader would call the focused element."""
    name: str = page.evaluate(
        "() => { const one = document.activeElement;"
        " return one.getAttribute('aria-label') ?? one.labels?.[0]?.textContent.trim()"
        " ?? one.textContent.trim().replace(/\\s+/g, ' '); }"
    )
    return name


def _tab_to(page: Page, name: str) -> None:
    """Press Tab until this has the focus."""
    for _press in range(MOST_TABS):
        page.keyboard.press("Tab")
        if _focused(page).startswith(name):
            return
    raise AssertionError(f"no way to “{name}” by Tab")


def _revision(page: Page, number: int) -> Locator:
    return page.locator(f'#builder[data-revision="{number}"]')


def _verdict_on(deck: Deck) -> str:
    deck.refresh_from_db()
    asked = deck.revisions.get(number=deck.revision).content.asked()
    return check_deck(asked.deck, embedded_pool(), asked.circumstances).status


def _begin(page: Page, investigator: str) -> None:
    """Open an empty deck in the builder."""
    page.goto(f"/decks/new/{investigator}/")
    page.get_by_role("button", name="Begin with the required cards").click()
    page.wait_for_url("**/edit*")


def test_an_investigator_expands_to_abilities_and_versions(page: Page) -> None:
    """On a phone all of them are short rows; one is open at a time."""
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto("/decks/new/")
    assert page.evaluate("document.documentElement.scrollHeight") < 6_000
    roland = page.locator(".person", has_text="Roland Banks")
    daisy = page.locator(".person", has_text="Daisy Walker")
    roland.locator("summary").click()
    expect(roland.get_by_role("link", name="Build a deck")).to_have_count(3)
    daisy.locator("summary").click()
    expect(roland.get_by_role("link", name="Build a deck")).to_have_count(0)
    daisy.get_by_role("link", name="Daisy Walker, Core Set").click()
    page.wait_for_url("**/decks/new/01002/")


def test_a_deck_is_built_by_keyboard_alone(page: Page) -> None:
    """From the first page to a legal deck of thirty, without a mouse."""
    page.goto("/")
    _tab_to(page, "Build a deck")
    page.keyboard.press("Enter")
    page.wait_for_url("**/decks/new/")
    _tab_to(page, "Name")
    page.keyboard.type("roland")
    expect(page.locator(".person")).to_have_count(1)
    expect(page).to_have_url(re.compile("q=roland"))  # the last response has arrived
    expect(page.locator(".person details")).to_have_attribute("open", "")
    _tab_to(page, "Build a deck: Roland Banks, Core Set")
    page.keyboard.press("Enter")
    page.wait_for_url("**/decks/new/01001/")
    _tab_to(page, "Begin with the required cards")
    page.keyboard.press("Enter")
    page.wait_for_url(re.compile(r"/edit$"))
    revision = 1
    _tab_to(page, "Search cards to add")
    page.keyboard.type("class:guardian level:0 type:asset")
    expect(page.locator("#results")).to_contain_text("can be added")
    expect(page).to_have_url(re.compile("type%3Aasset"))
    for _title in range(15):
        _tab_to(page, "2 copies of")
        page.keyboard.press("Enter")
        revision += 1
        expect(_revision(page, revision)).to_be_attached()
        assert _focused(page).startswith("2 copies of")

    expect(page.locator(".status-bar")).to_contain_text("Legal")
    expect(page.locator(".status-bar")).to_contain_text("30/30")
    expect(page.locator("#announcement")).to_contain_text("Legal. 30 of 30 cards")
    assert _verdict_on(Deck.objects.get()) == "legal"


def test_focus_moves_to_the_next_card_when_one_is_removed(page: Page) -> None:
    """It never jumps to the top of the page."""
    page.goto("/decks/new/01001/")
    page.get_by_role("button", name="Begin with a legal deck").click()
    page.wait_for_url(re.compile(r"/edit$"))  # with its scripts
    page.locator("#fewer-01020").focus()
    page.keyboard.press("Enter")
    expect(_revision(page, 2)).to_be_attached()
    expect(page.locator(":focus")).to_have_accessible_name("Remove 1 Machete")
    page.keyboard.press("Enter")
    expect(_revision(page, 3)).to_be_attached()
    expect(page.locator(":focus")).to_have_accessible_name("Remove 1 Medical Texts")


def test_focus_stays_in_place_after_a_remedy(page: Page) -> None:
    """The button is gone: the next one gets the focus. A button that stays keeps it."""
    _begin(page, "01001")
    page.locator("#fewer-01007").click()
    page.get_by_role("button", name="Add Cover Up").focus()
    page.keyboard.press("Enter")
    expect(page.locator("#builder")).to_have_attribute("data-revision", "3")
    expect(page.locator("#builder :focus")).to_have_count(1)

    row = page.locator("details", has=page.get_by_text("Move to side deck"))
    row.first.locator("summary").click()
    page.get_by_role("button", name="Don’t count 1 copy toward deck size").first.focus()
    page.keyboard.press("Enter")
    expect(page.locator("#builder")).to_have_attribute("data-revision", "4")
    expect(page.locator("#builder :focus")).to_have_count(1)


def test_a_deck_is_edited_by_thumb(open_page: OpensPage) -> None:
    """One half is shown at a time; the pressed button stays under the thumb."""
    page = open_page(**PHONE)
    page.goto("/decks/new/01005/")
    page.get_by_role("button", name="Begin with a legal deck").tap()
    page.wait_for_url(re.compile(r"/edit$"))
    expect(page.locator(".status-bar")).to_contain_text("Legal")
    expect(page.locator("#add")).to_be_hidden()

    page.locator("#fewer-01089").scroll_into_view_if_needed()
    before = page.locator("#fewer-01089").bounding_box()
    page.locator("#fewer-01089").tap()
    expect(page.locator(".status-bar")).to_contain_text("Incomplete")
    after = page.locator("#fewer-01089").bounding_box()
    assert before is not None
    assert after is not None
    assert abs(before["y"] - after["y"]) < 2

    page.get_by_role("link", name="Add cards", exact=True).tap()
    expect(page.locator("#deck")).to_be_hidden()
    page.locator("#q").tap()
    page.keyboard.type("lucky level:0")
    add = page.locator("#results").get_by_role("button", name="1 copy of Lucky!")
    expect(add).to_have_count(1)
    page.get_by_role("button", name="Undo").tap()
    expect(_revision(page, 3)).to_be_attached()
    expect(page.locator(".status-bar")).to_contain_text("Legal")
    expect(page.locator("#q")).to_have_value("lucky level:0")
    assert _verdict_on(Deck.objects.get()) == "legal"


def test_a_deck_is_built_by_thumb(open_page: OpensPage) -> None:
    """From the required cards to a legal deck, with cards from the search."""
    page = open_page(**PHONE)
    page.goto("/decks/new/01001/")
    page.get_by_role("button", name="Begin with the required cards").tap()
    page.wait_for_url(re.compile(r"/edit$"))
    revision = 1
    page.get_by_role("link", name="Add cards", exact=True).tap()
    page.get_by_role("button", name="Filters").tap()
    slid_in = "it => Promise.all(it.getAnimations().map((one) => one.finished))"
    page.locator("#filters").evaluate(slid_in)
    page.get_by_role("checkbox", name="Guardian").check(force=True)
    page.get_by_label("Level from").select_option("0")
    page.locator(".range").first.get_by_label("to").select_option("0")
    expect(page).to_have_url(re.compile("most=0"))
    page.get_by_role("button", name=re.compile(r"Show \d+ cards")).tap()
    two = page.locator("#results").get_by_role("button", name="2 copies of")
    expect(page.locator("#results .entry")).to_have_count(30)
    expect(two).to_have_count(28)  # Geared Up and Hallowed Mirror: one copy each
    for title in range(15):
        two.nth(title).tap()
        revision += 1
        expect(_revision(page, revision)).to_be_attached()
    expect(page.locator(".status-bar")).to_contain_text("Legal")
    assert _verdict_on(Deck.objects.get()) == "legal"


@pytest.mark.parametrize("width", [320, 390])
def test_every_page_suits_a_thumb(open_page: OpensPage, width: int) -> None:
    """No sideways scrolling, no target under 44 pixels."""
    page = open_page(viewport={"width": width, "height": 700}, has_touch=True)
    page.goto("/")
    _fits(page)
    page.get_by_role("button", name="Try a sample").tap()
    expect(page.locator(".verdict")).to_contain_text("Illegal")
    _fits(page)
    page.get_by_role("button", name="Share this verdict").tap()
    page.wait_for_url(re.compile("/verdicts/"))
    _fits(page)
    page.goto("/decks/new/?q=roland")
    _fits(page)
    page.goto("/decks/new/90049/")
    _fits(page)
    page.get_by_role("button", name="Begin with a legal deck").tap()
    page.wait_for_url(re.compile("/edit"))
    for details in page.locator("#builder details").all():
        details.evaluate("one => one.open = true")
    page.locator("#more-about").evaluate("one => one.open = false")
    _fits(page)
    address = page.url.removesuffix("edit")
    for part in ("edit?view=add&q=deciphered", "terms", "paste", "delete", "hand", ""):
        page.goto(address + part)
        _fits(page)
    page.goto(f"/decks/compare/?a={Deck.objects.get().pk}&b={Deck.objects.get().pk}")
    _fits(page)
    page.goto("/decks/")
    _fits(page)


def test_a_deck_is_readable_on_a_phone(phone: Page) -> None:
    """Its first card is on the first screen; rare actions are in the menu."""
    phone.goto("/decks/new/01001/")
    phone.get_by_role("button", name="Begin with a legal deck").tap()
    phone.wait_for_url(re.compile("/edit"))
    phone.goto(phone.url.partition("edit")[0])

    assert bottom(phone.locator(".decklist li").first) < 844
    acts = phone.locator(".deck-sheet > .actions")
    assert acts.evaluate("it => it.scrollWidth <= it.clientWidth")
    compare = phone.get_by_role("link", name="Compare")
    expect(compare).to_be_hidden()
    phone.locator("#more-about > summary").tap()
    expect(compare).to_be_in_viewport()
    _fits(phone)
    phone.locator("#more-about > summary").tap()

    phone.get_by_label("Group by").focus()
    phone.get_by_label("Group by").select_option("Cost")
    expect(phone.get_by_role("heading", name="Cost 3")).to_be_visible()
    expect(phone.get_by_label("Group by")).to_be_focused()


def _fits(page: Page) -> None:
    assert not scrolls_sideways(page), page.url
    assert small_targets(page) == [], page.url


def test_a_deck_is_built_without_scripts(open_page: OpensPage) -> None:
    """Every button is a form; every response is a page that leads back to the place."""
    page = open_page(java_script_enabled=False, viewport={"width": 1280, "height": 800})
    page.goto("/decks/new/01002/")
    page.get_by_role("button", name="Begin with the required cards").click()
    page.get_by_label("Search cards to add").fill("class:seeker type:event")
    page.get_by_role("button", name="Filters").click()
    page.get_by_label("Level from").select_option("0")
    page.locator(".range").first.get_by_label("to").select_option("0")
    page.get_by_role("button", name=re.compile(r"Show \d+ cards")).click()
    two = page.locator("#results").get_by_role("button", name="2 copies of")
    for title in range(15):
        two.nth(title).click()
    expect(page.locator(".status-bar")).to_contain_text("Legal")
    expect(page.get_by_label("Search cards to add")).to_have_value(
        "class:seeker type:event"
    )
    assert _verdict_on(Deck.objects.get()) == "legal"

    page.locator("#fewer-01008").click()
    expect(page.locator(".status-bar")).to_contain_text("Incomplete")
    page.get_by_role("button", name="Undo").click()
    expect(page.locator(".status-bar")).to_contain_text("Legal")


def test_quick_presses_are_all_carried_out(page: Page) -> None:
    """Presses faster than the server responds are all kept."""
    page.goto("/decks/new/01001/")
    page.get_by_role("button", name="Begin with a legal deck").click()
    page.wait_for_url(re.compile(r"/edit$"))
    page.evaluate(
        "() => { for (const id of ['more-01020', 'more-01022', 'fewer-01089'])"
        " { byId(id).click(); byId(id).click(); }"
        " function byId(id) { return document.getElementById(id); } }"
    )
    expect(_revision(page, 7)).to_be_attached()
    slots = Deck.objects.get().revisions.get(number=7).list["slots"]
    assert (slots["01020"], slots["01022"], slots.get("01089")) == (4, 4, None)


def test_open_details_stay_open(page: Page) -> None:
    """A sheet is marked box by box without closing."""
    page.goto("/decks/new/09001/")
    page.get_by_role("button", name="Begin with the required cards").click()
    page.wait_for_url(re.compile(r"/edit$"))
    page.locator("#q").fill("hunter's armor")
    page.get_by_role("button", name="1 copy of Hunter's Armor").click()
    page.locator("#open-09021 summary").click()
    page.get_by_role("button", name="Box 1 of Durable").click()
    expect(_revision(page, 3)).to_be_attached()
    page.get_by_role("button", name="Box 2 of Durable").click()
    expect(_revision(page, 4)).to_be_attached()
    expect(page.get_by_role("button", name="Box 2 of Durable")).to_have_attribute(
        "aria-pressed", "true"
    )
    expect(page.get_by_role("button", name="Box 2 of Durable")).to_be_focused()


def test_two_windows_do_not_overwrite_each_other(page: Page) -> None:
    """The second window shows both versions and lets the user choose."""
    page.goto("/decks/new/01001/")
    page.get_by_role("button", name="Begin with a legal deck").click()
    page.wait_for_url(re.compile(r"/edit$"))
    # Chromium logs a 412 in the console, so this window's console isn't checked.
    other = page.context.new_page()
    other.goto(page.url)
    page.get_by_role("button", name="Remove 1 Machete").first.click()
    expect(_revision(page, 2)).to_be_attached()
    deck = Deck.objects.get()

    with other.expect_response(re.compile("/edit")) as answer:
        other.get_by_role("button", name="Remove 1 Dodge").first.click()
    assert answer.value.status == 412
    expect(other.get_by_role("heading", level=1)).to_have_text("The deck has changed")
    expect(other.get_by_role("row", name="Dodge 1 2")).to_be_visible()
    other.get_by_role("button", name="Use your version").click()
    expect(_revision(other, 3)).to_be_attached()
    deck.refresh_from_db()
    slots = deck.revisions.get(number=deck.revision).list["slots"]
    assert (slots["01020"], slots["01023"], deck.revision) == (2, 1, 3)


def test_a_pasted_list_becomes_legal_by_its_remedies(page: Page) -> None:
    """The sample's three faults are resolved by their remedies."""
    page.goto("/")
    page.get_by_role("button", name="Try a sample").click()
    page.get_by_role("button", name="Open in the builder").click()
    page.wait_for_url(re.compile("/edit"))
    findings = page.locator("#findings")
    findings.locator(".more-findings > summary").click()
    for number, remedy in enumerate(
        ("Add Cover Up", "Remove Drawn to the Flame", "Remove Machete"), 2
    ):
        findings.get_by_role("button", name=remedy).click()
        expect(_revision(page, number)).to_be_attached()
    findings.get_by_role("link", name="Find cards to add").click()
    page.get_by_label("Search cards to add").fill("overpower level:0")
    page.locator("#results").get_by_role("button", name="2 copies of Overpower").click()
    expect(page.locator(".status-bar")).to_contain_text("Legal")


def test_terms_ask_only_what_the_environment_needs(page: Page) -> None:
    """A date, three cycles or a list of products; other environments ask nothing."""
    _begin(page, "01001")
    page.goto(page.url.replace("/edit", "/terms"))
    for environment, asked in (
        ("", None),
        ("legacy", None),
        ("current", "date"),
        ("limited", "cycles"),
        ("products", "packs"),
    ):
        page.locator("[name=environment]").select_option(environment)
        for field in ("date", "cycles", "packs"):
            shown = page.locator(f".field-{field}")
            expect(shown).to_be_visible(visible=field == asked)


def test_products_of_an_environment_are_chosen_by_boxes(page: Page) -> None:
    """The chosen environment and its products are shown at the top."""
    _begin(page, "01001")
    expect(page.locator("#terms > summary")).to_contain_text("Every product")
    page.goto(page.url.replace("/edit", "/terms"))
    page.locator("[name=environment]").select_option("products")
    page.get_by_role("checkbox", name="Core Set", exact=True).check()
    page.get_by_role("button", name="Judge by these rules").click()

    expect(page.locator("#terms > summary")).to_contain_text("Products: Core Set")


def test_searching_needs_no_button_with_scripts(page: Page) -> None:
    """Typing searches at once; without scripts there is a button."""
    _begin(page, "01001")

    expect(page.locator("#search > .button")).to_be_hidden()
    page.get_by_label("Search cards to add").fill("shrivelling")
    expect(page.locator("#results")).to_contain_text("Shrivelling")


def test_a_printed_deck_shows_counts_and_levels(page: Page) -> None:
    """In the builder too: numbers without buttons, filled circles without colour."""
    _begin(page, "01001")
    page.get_by_label("Search cards to add").fill(".45 Automatic level:2")
    expect(page.locator("#results .entry")).to_have_count(1)
    page.locator("#results").get_by_role("button", name="1 copy of").click()
    expect(_revision(page, 2)).to_be_attached()
    page.emulate_media(media="print")

    row = page.locator("#deck .entry").first
    expect(row.locator("output")).to_be_visible()
    expect(row.locator(".stepper .button").first).to_be_hidden()
    name = row.locator(".name").bounding_box()
    assert name is not None
    assert name["height"] < 40
    filled = row.locator(".level .on").first
    expect(filled).to_have_css("print-color-adjust", "exact")


def test_the_builder_after_a_press_equals_a_fresh_page(page: Page) -> None:
    """Parts that aren't swapped equal those of a new page, whatever was pressed."""
    _begin(page, "09001")  # Carson has boxes to mark, and more is missing than found
    revision = 1

    def press(button: Locator) -> None:
        nonlocal revision
        button.click()
        revision += 1
        expect(_revision(page, revision)).to_be_attached()
        expect(page.locator("#builder [hx-preserve]:empty")).to_have_count(0)
        shown, loaded = as_shown_and_loaded(page)
        assert shown == loaded

    required = page.locator("#deck [id^=fewer-]")
    for _copy in range(3):
        press(required.first)
    for _required in range(2):
        press(page.locator("#findings").get_by_role("button", name="Add").first)
    page.locator("#q").fill("hunter's armor")
    expect(page).to_have_url(re.compile("armor"))
    for copies in ("1 copy", "2 copies"):
        press(page.get_by_role("button", name=f"{copies} of Hunter's Armor").first)
    press(page.locator("#more-09021"))
    page.locator("#open-09021 summary").click()
    press(page.get_by_role("button", name="Box 1 of Durable"))
    press(page.get_by_role("button", name="Don’t count 1 copy toward deck size").last)
    press(page.locator("#fewer-09021"))
    press(page.get_by_role("button", name="Undo"))
    for _copy in range(3):
        press(page.locator("#fewer-09021"))
    page.locator("#q").fill("")
    expect(page.locator("#results .entry")).to_have_count(30)
    for found in range(3):
        press(page.locator("#results [id^=found-1-]").nth(found))


def test_a_press_during_a_search_keeps_the_new_results(page: Page) -> None:
    """The response to an earlier press does not bring back the old search."""
    _begin(page, "01001")
    expect(page.locator("#results .entry")).to_have_count(30)
    held: list[Route] = []
    page.route(re.compile("/edit$"), lambda route: held.append(route))
    page.locator("#results [id^=found-1-]").first.click()
    page.locator("#q").fill("shrivelling")
    found = page.locator("#results .entry .name")
    expect(found).to_have_text(["Shrivelling"] * 3)
    held[0].continue_()
    expect(_revision(page, 2)).to_be_attached()
    expect(found).to_have_text(["Shrivelling"] * 3)
    expect(page.locator("#builder [hx-preserve]:empty")).to_have_count(0)
