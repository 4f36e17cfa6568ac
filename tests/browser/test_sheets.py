"""Upgrade sheets of every kind are filled in by hand, in the builder and at the desk.

Every sheet is filled in without a browser in ``tests/decks/test_customizable.py``.
And a list to print stays where it is once its button to print works.
"""

from __future__ import annotations

import re

import pytest
from django.conf import settings
from django.test import Client
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from arkham.accounts.models import User
from arkham.rules.snapshot import embedded_pool
from cardpool.services import ensure_embedded_pool
from decks import services
from decks.lists.starter import starter_deck
from decks.models import Deck
from decks.services.ledger import Earned
from tests.browser.looks import scrolls_sideways, small_targets
from tests.decks.customizable import SHEETS, Filled
from tests.decks.edits import apply
from tests.decks.helpers import NOW

# One with boxes alone, and all on which something is written or chosen.
KINDS = [SHEETS[0], *(sheet for sheet in SHEETS if sheet.written)]
each_kind = pytest.mark.parametrize("sheet", KINDS, ids=[s.name for s in KINDS])


@pytest.fixture
def alice(live_server: LiveServer) -> User:
    """The owner of the deck."""
    ensure_embedded_pool()
    return User.objects.create_user("alice", password="alice-of-arkham")


def _sign_in(page: Page, user: User, live_server: LiveServer) -> None:
    """Sign in without the sign-in page, which has tests of its own."""
    client = Client()
    client.force_login(user)
    name = settings.SESSION_COOKIE_NAME
    value = client.cookies[name].value
    page.context.add_cookies([{"name": name, "value": value, "url": live_server.url}])


def _deck(owner: User, sheet: Filled) -> Deck:
    start = starter_deck(embedded_pool(), sheet.investigator)
    content = apply(start, [("add", sheet.code)], embedded_pool())
    return services.create_deck(owner=owner, content=content, now=NOW, name="Sheets")


def _changed(page: Page, act: str) -> None:
    """Press what this selects, and wait for the effect."""
    before = page.locator("#builder").get_attribute("data-revision") or ""
    page.locator(act).click()
    expect(page.locator("#builder")).not_to_have_attribute("data-revision", before)


def _fill_in(page: Page, sheet: Filled, lines: set[int]) -> None:
    """Mark one box on each of these lines, and fill in every text and choice."""
    for line in sorted(lines):
        if sheet.boxes[line]:
            _changed(page, f"#box-{sheet.code}-{line}-1")
            pressed = page.locator(f"#box-{sheet.code}-{line}-1")
            expect(pressed).to_have_attribute("aria-pressed", "true")
            expect(pressed).to_be_focused()
        if line not in sheet.written:
            continue
        form = f'form.write:has(input[name="line"][value="{line}"])'
        fields = page.locator(f"#open-{sheet.code} {form} [name=written]")
        for place, text in enumerate(sheet.written[line]):
            field = fields.nth(place)
            if field.evaluate("field => field.tagName") == "SELECT":
                field.select_option(text)
            else:
                field.fill(text)
        _changed(page, f"#open-{sheet.code} {form} button")


@each_kind
def test_sheets_are_filled_in_in_the_builder(
    page: Page, live_server: LiveServer, alice: User, sheet: Filled
) -> None:
    """Marks and texts are kept, and the rules have no findings about them."""
    deck = _deck(alice, sheet)
    _sign_in(page, alice, live_server)
    page.goto(f"/decks/{deck.pk}/edit")
    page.locator(f"#open-{sheet.code} > summary").click()
    _fill_in(page, sheet, {*range(len(sheet.boxes))})
    deck.refresh_from_db()
    kept = deck.revisions.get(number=deck.revision).list["meta"]
    assert kept == {f"cus_{sheet.code}": sheet.meta}
    found = page.locator("#findings code").all_inner_texts()
    assert [rule for rule in found if rule.startswith("customization.")] == []


@each_kind
def test_sheets_are_filled_in_at_the_desk_on_a_phone(
    phone: Page, live_server: LiveServer, alice: User, sheet: Filled
) -> None:
    """A box costs a point, shown at once; every target is large enough.

    The last line is tried, and those that need text.
    """
    lines = {len(sheet.boxes) - 1, *sheet.written}
    deck = _deck(alice, sheet)
    services.mark_played(
        deck=deck,
        game=services.PlayedGame((Earned("victory", 10),)),
        expected_revision=1,
        actor=alice,
        now=NOW,
    )
    _sign_in(phone, alice, live_server)
    phone.goto(f"/decks/{deck.pk}/upgrade/")
    phone.locator(f"#open-{sheet.code} > summary").click()
    _fill_in(phone, sheet, lines)
    marked = sum(1 for line in lines if sheet.boxes[line])
    expect(phone.locator(".status-bar")).to_contain_text(
        re.compile(rf"{10 - marked}\s+of 10\s+left")
    )
    assert not scrolls_sideways(phone)
    assert small_targets(phone) == []
    whole = sheet.meta.split(",")
    deck.desk.refresh_from_db()
    assert deck.desk.list["meta"] == {
        f"cus_{sheet.code}": ",".join(whole[line] for line in sorted(lines))
    }


@pytest.mark.parametrize("paper", ["A4", "Letter"])
def test_the_sheet_of_a_deck_prints_on_one_page(
    page: Page, live_server: LiveServer, alice: User, paper: str
) -> None:
    """Even with many cards, four upgrade sheets and notes on the setup."""
    start = starter_deck(embedded_pool(), "01002")
    added = ("09040", "09041", "09042", "09119", "06112", "06282", "02037", "05278")
    more = ("01088", "02032", "03035", "04107", "05110", "07113", "08031", "08036")
    changes = [("add", code) for code in (*added, *more)]
    content = apply(start, changes, embedded_pool())
    deck = services.create_deck(owner=alice, content=content, now=NOW, name="Paper")
    _sign_in(page, alice, live_server)
    page.goto(f"/decks/{deck.pk}/sheet")
    expect(page.get_by_role("button", name="Print")).to_be_visible()
    pdf = page.pdf(format=paper)
    assert len(re.findall(rb"/Type /Page\b(?!s)", pdf)) == 1


MOVED = """window.moved = 0;
new PerformanceObserver((list) => {
  for (const entry of list.getEntries()) window.moved += entry.value;
}).observe({ type: "layout-shift", buffered: true });"""


def test_a_list_stays_where_it_is_when_it_can_be_printed(
    phone: Page, alice: User, live_server: LiveServer
) -> None:
    """The button has its place before the script shows it."""
    deck = _deck(alice, SHEETS[0])
    _sign_in(phone, alice, live_server)
    phone.add_init_script(MOVED)
    phone.goto(f"/decks/pull/?deck={deck.pk}")
    expect(phone.get_by_role("button", name="Print")).to_be_visible()
    phone.wait_for_load_state("networkidle")

    assert phone.evaluate("window.moved") < 0.002
