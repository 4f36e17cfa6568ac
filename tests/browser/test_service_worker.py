"""Visited pages can be read again without network, by the same reader only."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect
from pytest_django.live_server_helper import LiveServer

from arkham import offline
from arkham.accounts.models import User
from arkham.rules.snapshot import embedded_pool
from campaigns.models import Campaign
from cardpool.services import ensure_embedded_pool
from decks.lists.starter import starter_deck
from decks.models import Deck
from decks.services import create_deck
from tests.browser.looks import scrolls_sideways, small_targets
from tests.browser.offline import (
    Cable,
    cached,
    device,
    sign_in,
    wait_until_kept,
)
from tests.campaigns.helpers.tables import NOW, a_campaign
from tests.rules.campaign.helpers.small import DAISY, ROLAND

AS_IT_WAS = "No network. This is the page as it was at"
MOST_BYTES = 6_000_000


@pytest.fixture
def campaign(live_server: LiveServer) -> Campaign:
    """Alice's campaign; Bob has an account and nothing else."""
    ensure_embedded_pool()
    alice = User.objects.create_user("alice", password="alice-of-arkham")
    User.objects.create_user("bob", password="bob-of-arkham")
    return a_campaign(alice, ROLAND, DAISY)


@pytest.fixture
def deck(campaign: Campaign) -> Deck:
    """A deck of Alice's."""
    alice = User.objects.get(username="alice")
    content = starter_deck(embedded_pool(), ROLAND)
    return create_deck(owner=alice, content=content, now=NOW, name="Ours")


@pytest.fixture
def phone(live_server: LiveServer, browser: Browser) -> Iterator[Page]:
    """A phone with a service worker. Chromium logs missing files in its console."""
    page = device(browser, live_server.url)
    yield page
    page.context.close()


def _fits(page: Page) -> None:
    assert not scrolls_sideways(page)
    assert small_targets(page) == []


def test_visited_pages_are_readable_without_network(
    phone: Page, campaign: Campaign, deck: Deck
) -> None:
    """With their time; other pages say so, and list what can be read."""
    table, shown = f"/campaigns/{campaign.pk}/", f"/decks/{deck.pk}/"
    sign_in(phone, "alice", table)
    wait_until_kept(phone, table)
    for address in (shown, "/rules/peril/", "/odds/?skill=2&difficulty=2"):
        phone.goto(address)
    phone.goto("/account/")
    phone.goto(f"/decks/{deck.pk}/edit")
    wait_until_kept(phone, shown, "/rules/peril/", "/odds/?skill=2&difficulty=2")
    wait_until_kept(phone, "/offline/rules/", "/offline/cards/")
    kept = cached(phone)
    assert not [each for each in kept["pages"] if each.startswith("/account")]
    assert f"/decks/{deck.pk}/edit" not in kept["pages"]
    assert sum(sum(each.values()) for each in kept.values()) < MOST_BYTES

    phone.context.set_offline(True)
    for address, title in ((table, "Friday"), (shown, "Ours"), ("/rules/peril/", "")):
        phone.goto(address)
        expect(phone.get_by_text(AS_IT_WAS)).to_be_visible()
        expect(phone.get_by_role("heading", level=1)).to_contain_text(title or "Peril")
        _fits(phone)

    phone.goto("/account/")
    expect(phone.get_by_role("heading", level=1)).to_have_text("Offline")
    expect(phone.get_by_text("hasn’t been opened on this device")).to_be_visible()
    _fits(phone)
    phone.get_by_role("link", name="Ours").first.tap()
    expect(phone.get_by_text(AS_IT_WAS)).to_be_visible()

    # Rules and cards that weren't visited have their places in the collections.
    phone.goto("/rules/hidden/")
    assert phone.url.endswith("/offline/rules/#at-hidden")
    phone.goto("/cards/01020/")
    assert phone.url.endswith("/offline/cards/#at-01020")
    expect(phone.locator("#at-01020")).to_contain_text("Machete")
    assert not scrolls_sideways(phone)

    # Online again, the page says so and one press reloads it.
    phone.goto(shown)
    phone.context.set_offline(False)
    expect(phone.get_by_text("You’re online again.")).to_be_visible()
    phone.get_by_role("link", name="Reload").tap()
    expect(phone.locator("#page-copy")).to_be_hidden()


def test_a_form_says_why_it_cannot_be_sent(
    phone: Page, campaign: Campaign, deck: Deck
) -> None:
    """Its fields stay filled in."""
    sign_in(phone, "alice", f"/decks/{deck.pk}/about")
    wait_until_kept(phone)
    phone.context.set_offline(True)
    phone.get_by_label("Notes", exact=True).fill("Guns first.")
    phone.get_by_role("button", name="Save").tap()
    expect(phone.get_by_text("The server has to do this")).to_be_in_viewport()
    expect(phone.get_by_label("Notes", exact=True)).to_have_value("Guns first.")


def test_a_stopped_server_is_like_no_network(
    browser: Browser, live_server: LiveServer, campaign: Campaign, deck: Deck
) -> None:
    """Pages are shown; submitting shows a page that says nothing was sent."""
    cable = Cable(live_server.url)
    phone = device(browser, cable.address)
    sign_in(phone, "alice", f"/decks/{deck.pk}/about")
    wait_until_kept(phone)
    phone.goto(f"/decks/{deck.pk}/")
    wait_until_kept(phone, f"/decks/{deck.pk}/")
    phone.goto(f"/decks/{deck.pk}/about")
    cable.cut()
    phone.get_by_label("Notes", exact=True).fill("Guns first.")
    phone.get_by_role("button", name="Save").tap()
    expect(phone.get_by_role("heading", level=1)).to_have_text("Not sent")
    _fits(phone)
    phone.goto(f"/decks/{deck.pk}/")
    expect(phone.get_by_text(AS_IT_WAS)).to_be_visible()
    phone.context.close()
    deck.refresh_from_db()
    assert deck.notes == ""


def test_nothing_is_kept_after_signing_out(phone: Page, campaign: Campaign) -> None:
    """Nor after another user signs in without the first one signing out."""
    table = f"/campaigns/{campaign.pk}/"
    sign_in(phone, "alice", table)
    wait_until_kept(phone, table)
    phone.goto("/account/logout/")
    phone.get_by_role("main").get_by_role("button", name="Sign out").tap()
    phone.wait_for_url("/")
    phone.context.set_offline(True)
    phone.goto(table)
    expect(phone.get_by_role("heading", level=1)).to_have_text("Offline")
    assert table not in cached(phone).get("pages", {})

    phone.context.set_offline(False)
    sign_in(phone, "alice", table)
    wait_until_kept(phone, table)
    phone.context.clear_cookies()
    sign_in(phone, "bob", "/campaigns/")
    wait_until_kept(phone, "/campaigns/")
    assert table not in cached(phone)["pages"]


def test_the_oldest_pages_are_evicted_first(phone: Page, campaign: Campaign) -> None:
    """At most sixty pages, and at most three megabytes of them."""
    phone.goto("/rules/")
    wait_until_kept(phone, "/rules/")
    phone.evaluate("""async () => {
      const pages = await caches.open("pages");
      const { headers } = await pages.match("/rules/");
      for (let number = 0; number < 90; number += 1) {
        const [sized, body] = [new Headers(headers), "x".repeat(100000)];
        sized.set("Orne-Size", "100000");
        await pages.put(`/rules/${number}/`, new Response(body, { headers: sized }));
      }
    }""")
    phone.goto("/rules/peril/")
    wait_until_kept(phone, "/rules/peril/")
    for _look in range(100):
        pages = cached(phone)["pages"]
        if len(pages) <= 30:
            break
        phone.wait_for_timeout(100)
    assert sum(pages.values()) <= 3_000_000
    assert "/rules/89/" in pages
    assert "/rules/" not in pages


def test_an_update_replaces_the_cached_files(
    phone: Page, campaign: Campaign, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The latest pages are fetched again, as they name other files."""
    phone.goto("/rules/peril/")
    wait_until_kept(phone, "/rules/peril/")
    (before,) = [each for each in cached(phone) if each != "pages"]
    monkeypatch.setattr(offline, "OFFLINE_TEMPLATES", ("base.html",))
    phone.goto("/rules/hidden/")
    for _look in range(100):
        names = [each for each in cached(phone) if each != "pages"]
        if len(names) == 1 and names != [before]:
            break
        phone.wait_for_timeout(100)
    assert before not in names
    wait_until_kept(phone, "/rules/peril/", "/rules/hidden/")
    phone.context.set_offline(True)
    phone.goto("/rules/peril/")
    expect(phone.get_by_text(AS_IT_WAS)).to_be_visible()


def test_only_pages_are_kept(phone: Page, campaign: Campaign) -> None:
    """Parts of pages, files and responses of the API aren't."""
    sign_in(phone, "alice", "/decks/")
    wait_until_kept(phone, "/decks/")
    phone.goto("/cards/")
    phone.get_by_role("main").get_by_role("searchbox").first.fill("machete")
    expect(phone.get_by_role("link", name="Machete").first).to_be_visible()
    phone.evaluate("fetch('/api/v1/cards/01020/').then((answer) => answer.text())")
    kept = {each for pages in cached(phone).values() for each in pages}
    assert not [each for each in kept if each.startswith(("/api/", "/cards/"))]
    wait_until_kept(phone)
    phone.goto("/account/logout/")
    phone.get_by_role("main").get_by_role("button", name="Sign out").tap()
    phone.wait_for_url("/")
    wait_until_kept(phone, "/")
    assert [*cached(phone)["pages"]] == ["/"]
