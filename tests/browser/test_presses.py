"""Fifteen jobs on a phone take as many presses as docs/comparison.md says.

Each begins on the first page, signed in. A press is a tap, which includes tapping a
field before typing; texts that are typed or pasted are counted separately.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest
from django.conf import settings
from django.test import Client
from playwright.sync_api import Locator, Page, expect
from pytest_django.live_server_helper import LiveServer

from arkham.accounts.models import User
from arkham.rules.snapshot import embedded_pool
from cardpool.services import ensure_embedded_pool
from decks import services
from decks.forms import lists
from decks.lists.starter import starter_deck
from decks.models import Deck
from tests.decks.edits import apply
from tests.decks.helpers import NOW, a_collection, latest_of

DOCUMENT = Path(__file__).parents[2] / "docs/comparison.md"
# A row of the table of jobs: the job, our presses, our texts.
ROW = re.compile(r"^\| \d+ \| ([^|]+) \| (\d+)(?: \+ (\d+) typed)? \|", re.MULTILINE)

NAME, ADDRESS = "Badge and gun", "https://arkhamdb.com/decklist/view/59663"
ROLAND, MACHETE, BEAT_COP_2, FIRST_AID_3 = "01001", "01020", "01028", "03230"


class Presses(NamedTuple):
    """The number of presses and texts that a job takes."""

    taps: int
    texts: int


class Thumb:
    """Counts the presses of a user with a deck, on a phone."""

    def __init__(self, page: Page, deck: Deck) -> None:
        self.page = page
        self.deck = deck
        self.done = Presses(0, 0)

    def tap(self, control: Locator) -> None:
        """Tap once."""
        control.tap()
        self.done = self.done._replace(taps=self.done.taps + 1)

    def pick(self, field: Locator, option: str) -> None:
        """Open a select and choose an option: two presses."""
        field.select_option(option)
        self.done = self.done._replace(taps=self.done.taps + 2)

    def write(self, field: Locator, text: str) -> None:
        """Type or paste a text, after a press if the field doesn't have the focus."""
        if not field.evaluate("it => it === document.activeElement"):
            self.tap(field)
        self.page.keyboard.insert_text(text)
        self.done = self.done._replace(texts=self.done.texts + 1)

    def begin(self) -> None:
        """Open the first page."""
        self.page.goto("/")

    def open_deck(self) -> None:
        """Open the deck's page from the first page."""
        self.begin()
        self.tap(self.page.get_by_role("link", name=NAME))

    def expect_revision(self, number: int) -> None:
        """Wait for the revision that a press in the builder leads to."""
        builder = self.page.locator(f'#builder[data-revision="{number}"]')
        expect(builder).to_be_attached()

    def expect_slots(self, code: str, copies: int) -> None:
        """Wait until the deck has this many copies of a card."""
        assert latest_of(self.deck).list["slots"][code] == copies


def _look_up(thumb: Thumb) -> None:
    page = thumb.page
    thumb.begin()
    thumb.tap(page.get_by_role("button", name="Search", exact=True))
    thumb.write(page.get_by_label("Search cards, rules, decks"), "shrivling")
    thumb.tap(page.get_by_role("option", name="Shrivelling").first)
    expect(page.get_by_role("heading", level=1)).to_contain_text("Shrivelling")
    expect(page.get_by_role("main")).to_contain_text("1 horror")


def _build(thumb: Thumb) -> None:
    page = thumb.page
    thumb.begin()
    thumb.tap(page.get_by_role("link", name="Build a deck"))
    thumb.write(page.get_by_label("Name"), "roland")
    thumb.tap(page.locator(f"#shelves a.button[href$='/{ROLAND}/']"))
    thumb.tap(page.get_by_role("button", name="Begin with the required cards"))
    page.wait_for_url("**/edit")
    thumb.tap(page.get_by_role("link", name="Add cards", exact=True))
    thumb.write(page.get_by_label("Search cards to add"), "pack:core level:0")
    expect(page).to_have_url(re.compile("pack"))
    slots = starter_deck(embedded_pool(), ROLAND).deck["slots"]
    for revision, code in enumerate((each for each in slots if slots[each] == 2), 2):
        thumb.tap(page.locator(f"#found-2-{code}"))
        thumb.expect_revision(revision)
    expect(page.locator(".status-bar")).to_contain_text("Legal")
    assert latest_of(Deck.objects.latest("pk")).list["slots"] == slots


def _check(thumb: Thumb) -> None:
    page = thumb.page
    thumb.begin()
    thumb.write(page.get_by_label("Deck list"), "Roland Banks\n3 Machete")
    thumb.tap(page.get_by_role("button", name="Judge this deck"))
    expect(page.get_by_text("3 copies of Machete").first).to_be_visible()


def _import(thumb: Thumb) -> None:
    page = thumb.page
    thumb.begin()
    thumb.write(page.get_by_label("Deck list"), ADDRESS)
    thumb.tap(page.get_by_role("button", name="Judge this deck"))
    thumb.tap(page.get_by_role("button", name="Open in the builder"))
    page.wait_for_url("**/edit")
    assert Deck.objects.filter(owner=thumb.deck.owner).count() == 2


def _spend(thumb: Thumb) -> None:
    page = thumb.page
    thumb.open_deck()
    thumb.tap(page.get_by_role("link", name="Record a scenario"))
    thumb.write(page.get_by_label("Victory display, total"), "5")
    thumb.tap(page.get_by_role("button", name="Record the scenario"))
    page.wait_for_url("**/upgrade/**")
    thumb.tap(page.get_by_role("link", name="Buy", exact=True))
    for code, left in ((BEAT_COP_2, 3), (FIRST_AID_3, 0)):
        thumb.tap(page.locator(f"#buy-{code}"))
        expect(page.locator(".status-bar")).to_contain_text(f"{left} of 5 left")
    thumb.tap(page.get_by_role("link", name="Cart and deck"))
    thumb.tap(page.get_by_role("button", name="Upgrade for 5 experience"))
    expect(page.get_by_text("Upgraded for 5 experience.")).to_be_visible()
    thumb.expect_slots(FIRST_AID_3, 1)


def _without_a_machete(deck: Deck) -> None:
    """Check the deck's last change: one copy was removed."""
    pool = embedded_pool()
    content = apply(latest_of(deck).content, [("remove", MACHETE)], pool)
    services.revise_deck(
        deck=deck, content=content, expected_revision=1, now=NOW, actor=deck.owner
    )


def _undo(thumb: Thumb) -> None:
    page = thumb.page
    _without_a_machete(thumb.deck)
    thumb.open_deck()
    thumb.tap(page.get_by_role("link", name="Edit", exact=True))
    thumb.tap(page.get_by_role("button", name="Undo"))
    thumb.expect_revision(3)
    thumb.expect_slots(MACHETE, 2)


def _switch_taboos(thumb: Thumb) -> None:
    page = thumb.page
    thumb.open_deck()
    thumb.tap(page.get_by_role("link", name="Edit", exact=True))
    thumb.tap(page.locator("#terms > summary"))
    thumb.pick(page.get_by_label("Taboo list", exact=True), "10")
    thumb.tap(page.get_by_role("button", name="Judge by these rules"))
    thumb.expect_revision(2)
    assert latest_of(thumb.deck).list["taboo_id"] == 10


def _see_what_is_missing(thumb: Thumb) -> None:
    assert thumb.deck.owner
    a_collection(thumb.deck.owner, {"core": 1})
    thumb.open_deck()
    row = thumb.page.locator(".decklist li", has_text="Machete")
    expect(row).to_contain_text("1 owned")


def _compare(thumb: Thumb) -> None:
    page = thumb.page
    _without_a_machete(thumb.deck)
    thumb.open_deck()
    thumb.tap(page.get_by_role("link", name="Compare with version 1"))
    expect(page.locator(".compared")).to_contain_text("1 × Machete")


def _share(thumb: Thumb) -> None:
    page = thumb.page
    thumb.open_deck()
    thumb.tap(page.get_by_role("link", name="Visibility: Private"))
    thumb.tap(page.get_by_role("button", name="Share by a link"))
    thumb.tap(page.get_by_role("button", name="Copy the link"))
    expect(page.get_by_role("button", name="Copied")).to_be_visible()


def _find_by_gist(thumb: Thumb) -> None:
    page = thumb.page
    thumb.open_deck()
    thumb.tap(page.get_by_role("link", name="Edit", exact=True))
    thumb.tap(page.get_by_role("link", name="Add cards", exact=True))
    thumb.write(page.get_by_label("Search cards to add"), "discover 1 clue")
    expect(page.locator("#found-2-01022")).to_be_visible()


def _compare_two(thumb: Thumb) -> None:
    page = thumb.page
    other = services.create_deck(
        owner=thumb.deck.owner,
        content=starter_deck(embedded_pool(), "01002"),
        now=NOW,
        name="Old books",
    )
    thumb.open_deck()
    thumb.tap(page.locator("summary", has_text="More").first)
    thumb.tap(page.get_by_role("link", name="Compare", exact=True))
    page.wait_for_url("**/compare/**")
    field = page.get_by_label("One of yours").nth(1)
    label = f"option[value='{other.pk}']"
    thumb.pick(field, field.locator(label).inner_text())
    thumb.tap(page.get_by_role("button", name="Compare decks"))
    expect(page.get_by_role("heading", name="Only in “Old books”")).to_be_visible()


def _mark_what_is_owned(thumb: Thumb) -> None:
    page = thumb.page
    thumb.begin()
    thumb.tap(page.get_by_role("link", name="Preferences"))
    thumb.tap(page.get_by_role("link", name="Add your collection"))
    thumb.tap(page.get_by_role("button", name="Add all"))
    expect(page.locator("#owned-sum")).not_to_contain_text(re.compile("^0 products"))


def _print(thumb: Thumb) -> None:
    page = thumb.page
    thumb.open_deck()
    thumb.tap(page.locator("summary", has_text="More").first)
    thumb.tap(page.get_by_role("link", name="Printable deck sheet"))
    page.wait_for_url("**/sheet")


def _copy(thumb: Thumb) -> None:
    page = thumb.page
    thumb.open_deck()
    thumb.tap(page.locator("summary", has_text="More").first)
    thumb.tap(page.get_by_role("button", name="Copy", exact=True))
    page.wait_for_url(lambda url: f"/decks/{thumb.deck.pk}/" not in url)
    assert Deck.objects.filter(owner=thumb.deck.owner).count() == 2


JOBS: dict[str, Callable[[Thumb], None]] = {
    "Look up a card by a misspelt name and read it": _look_up,
    "Build Roland Banks’s starter deck card by card": _build,
    "Check a pasted list": _check,
    "Import a deck by its ArkhamDB address": _import,
    "Spend 5 experience after a scenario on two upgrades": _spend,
    "Undo the last change of a saved deck": _undo,
    "Change a deck’s taboo list": _switch_taboos,
    "See which cards of a deck you don’t own": _see_what_is_missing,
    "Compare a deck with its previous version": _compare,
    "Share a deck by a link": _share,
    "Find a card for a deck by what it does": _find_by_gist,
    "Compare two decks": _compare_two,
    "Mark every product as owned": _mark_what_is_owned,
    "Open the sheet to print": _print,
    "Copy a deck": _copy,
}


@pytest.fixture
def thumb(live_server: LiveServer, phone: Page, alice: User) -> Thumb:
    """Alice's, who is signed in and has Roland's starter deck, without a taboo list."""
    ensure_embedded_pool()
    client = Client()
    client.force_login(alice)
    name = settings.SESSION_COOKIE_NAME
    phone.context.grant_permissions(["clipboard-read", "clipboard-write"])
    phone.context.add_cookies(
        [{"name": name, "value": client.cookies[name].value, "url": live_server.url}]
    )
    content = starter_deck(embedded_pool(), ROLAND)
    deck = services.create_deck(owner=alice, content=content, now=NOW, name=NAME)
    return Thumb(phone, deck)


def _documented() -> dict[str, Presses]:
    """Return the row of the table for each job."""
    rows = ROW.findall(DOCUMENT.read_text(encoding="utf-8"))
    return {job: Presses(int(taps), int(texts or 0)) for job, taps, texts in rows}


def test_every_job_of_the_table_is_tried() -> None:
    """And every job that is tried is in the table."""
    assert [*_documented()] == [*JOBS]


@pytest.mark.parametrize("job", JOBS)
def test_a_job_takes_the_presses_of_the_table(
    thumb: Thumb, job: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No more, and no fewer, or the table is out of date."""
    answer = json.dumps(starter_deck(embedded_pool(), ROLAND).deck)
    monkeypatch.setattr(lists, "read_address", {ADDRESS: answer}.__getitem__)

    JOBS[job](thumb)

    assert thumb.done == _documented()[job]
