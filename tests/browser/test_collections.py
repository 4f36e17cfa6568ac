"""A collection filled on a phone with one thumb, without scripts, in two windows."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from arkham.accounts.models import User
from decks.models import Collection
from tests.browser.conftest import OpensPage
from tests.decks.helpers import a_collection

pytestmark = pytest.mark.usefixtures("rows")

PASSWORD = "alice-of-arkham"
NEW = "/decks/collections/new"


def _signed_in(page: Page, path: str) -> Page:
    page.goto(f"/account/login/?next={path}")
    page.get_by_label("Username").fill("alice")
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("main").get_by_role("button", name="Sign in").click()
    page.wait_for_url(f"**{path}")
    return page


@pytest.fixture
def alice() -> User:
    """A user who owns cards."""
    return User.objects.create_user("alice", password=PASSWORD)


def _products() -> dict[str, int]:
    return dict(Collection.objects.get().products)


def test_a_collection_is_filled_by_thumb(phone: Page, alice: User) -> None:
    """Each press is one tap; opened details stay open, and nothing jumps."""
    _signed_in(phone, NEW)
    phone.locator("#own-core").tap()
    phone.wait_for_url("**/collections/*/*")
    phone.locator("#more-core").tap()
    expect(phone.locator("#core output")).to_have_text("2")
    phone.locator("#all-dwl\\.boxes").tap()
    expect(phone.locator("#have-dwl")).to_contain_text("120 of 120 cards")
    phone.locator("#ptc summary").tap()
    phone.locator("#own-eotp").tap()
    expect(phone.locator("#own-eotp")).to_have_attribute("aria-pressed", "true")
    expect(phone.locator("#ptc details")).to_have_attribute("open", "")
    expect(phone.locator("#owned-sum")).to_contain_text("4 products")
    assert _products() == {"core": 2, "dwlp": 1, "dwlc": 1, "eotp": 1}

    phone.get_by_label("Search products").fill("machete")
    expect(phone.locator(".owned-shelf")).to_have_count(2)
    phone.locator("#own-rcore").tap()
    expect(phone.locator("#own-rcore")).to_have_attribute("aria-pressed", "true")
    assert phone.evaluate("document.documentElement.scrollWidth") == 390
    small = phone.evaluate(
        """() => [...document.querySelectorAll("main button, main summary")]
          .filter((each) => each.checkVisibility() && !each.matches(".unseen")
            && each.getBoundingClientRect().height < 43.5)
          .map((each) => each.outerHTML)"""
    )
    assert small == []


def test_a_missing_card_is_marked_at_its_name(page: Page, alice: User) -> None:
    _signed_in(page, NEW)
    page.locator("#own-core").click()
    page.wait_for_url("**/collections/*/*")
    page.get_by_label("Add missing cards").fill("Machete")
    page.get_by_role("button", name="Add missing cards").click()
    page.get_by_role("link", name="Machete").hover()
    expect(page.locator("aside.preview")).to_contain_text("Machete")
    page.get_by_role("button", name="Found: Machete").click()
    expect(page.locator("#missing")).to_contain_text("every card of your products")


def test_a_collection_needs_no_scripts(scriptless: Page, alice: User) -> None:
    """The page returns to the cycle that was pressed."""
    page = _signed_in(scriptless, NEW)
    page.locator("#all-dwl\\.packs").click()
    page.wait_for_url("**/collections/*/?open=dwl#dwl")
    expect(page.locator("#own-tmm")).to_have_attribute("aria-pressed", "true")
    page.locator("#own-tmm").click()
    expect(page.locator("#own-tmm")).to_have_attribute("aria-pressed", "false")
    assert "tmm" not in _products()


def test_two_windows_fill_one_collection(open_page: OpensPage, alice: User) -> None:
    """Both add; the older window removes nothing that it doesn't show."""
    first = _signed_in(open_page(), NEW)
    first.locator("#own-core").click()
    first.wait_for_url("**/collections/*/*")
    second = _signed_in(
        open_page(), f"/decks/collections/{Collection.objects.get().pk}/"
    )
    first.locator("#own-rcore").click()
    expect(first.locator("#own-rcore")).to_have_attribute("aria-pressed", "true")
    second.locator("#all-dwl\\.boxes").click()
    expect(second.locator("#owned-sum")).to_contain_text("4 products")
    first.get_by_role("button", name="Remove all").click()
    expect(first.get_by_text("Nothing was removed")).to_be_visible()
    assert set(_products()) == {"core", "rcore", "dwlp", "dwlc"}
    first.get_by_role("button", name="Remove all").click()
    expect(first.locator("#owned-sum")).to_contain_text("0 products")


def test_the_chosen_theme_wins_over_the_system(
    open_page: OpensPage, alice: User
) -> None:
    """Dark on a light system, from the first paint; print stays white."""
    page = _signed_in(open_page(color_scheme="light"), "/account/preferences/")
    ground = "getComputedStyle(document.documentElement).backgroundColor"
    light = page.evaluate(ground)
    page.get_by_label("Dark").check()
    page.get_by_role("button", name="Save preferences").click()
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    assert page.evaluate(ground) != light
    page.emulate_media(media="print")
    assert page.evaluate("getComputedStyle(document.documentElement).colorScheme") == (
        "light"
    )


def test_what_a_product_would_add_is_beside_its_search(page: Page, alice: User) -> None:
    """In a wide window, at the same height."""
    _signed_in(page, f"/decks/collections/{a_collection(alice, {'core': 1}).pk}/")
    search = page.get_by_label("Search products").bounding_box()
    would_add = page.get_by_role("link", name="What would a product add?")
    beside = would_add.bounding_box()
    assert search is not None
    assert beside is not None
    assert beside["x"] > search["x"] + search["width"]
    middles = [box["y"] + box["height"] / 2 for box in (search, beside)]
    assert abs(middles[0] - middles[1]) < 1
