"""The first card of a deck is on the first screen, despite any findings."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from django.conf import settings
from django.test import Client
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from arkham.accounts.models import User
from arkham.rules.snapshot import embedded_pool
from cardpool.services import ensure_embedded_pool
from decks import services
from decks.lists.content import Content, read_content
from decks.models import Deck, Revision, SharedVerdict
from tests.browser.looks import bottom, scrolls_sideways, small_targets
from tests.decks.helpers import NOW, latest_of

SIX_FINDINGS = {"01006": 1, "01020": 3, "01025": 3, "01059": 1, "02031": 1, "01087": 2}
CARDS = (
    ".builder .entry, .decklist li, .face-entry, .page-list li, .pool li, .choosing, "
    ".invoice > li"
)
OF_A_DECK = (
    "edit?look=list",
    "edit?look=faces",
    "edit?view=add",
    "?look=list",
    "?look=faces",
    "sheet",
    "hand",
)


@pytest.fixture(autouse=True)
def alice(live_server: LiveServer, client: Client, phone: Page) -> User:
    """Alice, signed in on the phone, with the decks of a new account."""
    ensure_embedded_pool()
    user = User.objects.create_user("alice", password="alice-of-arkham")
    services.ensure_demo_decks(owner=user, now=NOW)
    client.force_login(user)
    name = settings.SESSION_COOKIE_NAME
    value = client.cookies[name].value
    phone.context.add_cookies([{"name": name, "value": value, "url": live_server.url}])
    return user


def _illegal() -> Content:
    return read_content({"investigator_code": "01001", "slots": SIX_FINDINGS})


def _built(owner: User | None, content: Content) -> Deck:
    return services.create_deck(owner=owner, content=content, now=NOW, name="Six")


def _played(deck: Deck) -> Revision:
    return services.mark_played(
        deck=deck, game=services.PlayedGame(), expected_revision=deck.revision, now=NOW
    )


def _pages(phone: Page, alice: User) -> Iterator[str]:
    """Return every page on which a deck is read, with and without findings."""
    _built(alice, _illegal())
    for deck in list(Deck.objects.filter(owner=alice)):
        content = latest_of(deck).content
        yield from (f"/decks/{deck.pk}/{part}" for part in OF_A_DECK)
        services.publish_deck(
            deck=deck, number=deck.revision, pool=embedded_pool(), now=NOW
        )
        yield f"/decks/published/{deck.showing.pk}/"
        phone.goto(f"/decks/{deck.pk}/")
        phone.get_by_text("More", exact=True).tap()
        phone.get_by_role("button", name="Share this verdict").tap()
        phone.wait_for_url("**/verdicts/**")
        shared = SharedVerdict.objects.latest("made_at")
        yield f"/verdicts/{shared.key}/"
        played = _built(alice, content)
        _played(played)
        yield f"/decks/{played.pk}/upgrade/"
        yield f"/decks/{played.pk}/"
    yield f"/decks/draft/{_built(None, _illegal()).key}/"


@pytest.mark.parametrize(("width", "height"), [(390, 844), (1440, 900)])
def test_the_first_card_is_on_the_first_screen(
    phone: Page, alice: User, width: int, height: int
) -> None:
    """Above the bar at the bottom, where there is one."""
    low = []
    pages = [*_pages(phone, alice)]
    phone.set_viewport_size({"width": width, "height": height})
    for address in pages:
        phone.goto(address)
        names = phone.locator(f":is({CARDS}) :is(.name, h2, h3, h4)")
        screen = phone.locator(".switch").evaluate_all(
            """(bars, height) => Math.min(height, ...bars.map(
              (it) => it.getBoundingClientRect().top || height))""",
            height,
        )
        end = bottom(names.filter(visible=True).first)
        if end > screen:
            low.append((address, phone.url, end))
    assert low == []


def test_the_verdict_leads_to_its_findings(phone: Page, alice: User) -> None:
    """They are below the whole deck; a deck without findings has none."""
    deck = _built(alice, _illegal())
    phone.goto(f"/decks/{deck.pk}/")
    phone.locator(".verdict").get_by_role("link", name="findings").tap()
    expect(phone.get_by_role("heading", name="Findings")).to_be_in_viewport()
    phone.goto(f"/decks/{Deck.objects.get(name='Roland’s first deck').pk}/")
    expect(phone.locator(".verdict").get_by_role("link")).to_have_count(0)


def test_a_mark_keeps_a_cards_symbols_beside_its_name(phone: Page, alice: User) -> None:
    phone.goto(f"/decks/{_built(alice, _illegal()).pk}/edit")
    below = """rows => rows.filter(row =>
      row.lastElementChild.getBoundingClientRect().top
        >= row.firstElementChild.getBoundingClientRect().bottom
    ).map(row => row.textContent)"""
    marked = phone.locator(".entry:has(> .to-finding) summary")
    assert marked.count() > 2
    assert marked.evaluate_all(below) == []


def test_further_findings_open_and_stay_open(phone: Page, alice: User) -> None:
    """The worst is shown; the others open at a press, or by a link from a row."""
    deck = _built(alice, _illegal())
    address = f"/decks/{deck.pk}/edit?look=list"
    phone.goto(address)
    last = phone.locator(".more-findings .finding").last
    expect(phone.locator("#finding-1")).to_contain_text("Illegal")
    expect(last).to_be_hidden()

    phone.locator(".more-findings > summary").tap()
    expect(last).to_be_visible()
    assert not scrolls_sideways(phone)
    assert small_targets(phone) == []
    phone.locator("#fewer-01087").tap()
    expect(phone.locator(f"[data-revision='{deck.revision + 1}']")).to_be_attached()
    expect(last).to_be_visible()

    phone.goto(address)
    expect(last).to_be_hidden()
    leads = phone.locator(".more-findings .finding").evaluate_all(
        "them => them.map((it) => `a.to-finding[href='#${it.id}']`).join()"
    )
    link = phone.locator(leads).first
    named = link.get_attribute("href") or ""
    link.tap()
    expect(phone.locator(named)).to_be_in_viewport()
    expect(phone.locator(named)).to_be_visible()


def test_the_next_remedy_gets_the_focus(phone: Page, alice: User) -> None:
    """Pressing Enter repeatedly leads through the findings, folded or not."""
    deck = _built(alice, _illegal())
    phone.goto(f"/decks/{deck.pk}/edit")
    for step in (1, 2):
        phone.locator("#finding-1 button").first.tap()
        revision = f"[data-revision='{deck.revision + step}']"
        expect(phone.locator(revision)).to_be_attached()
        expect(phone.locator("#finding-1 button").first).to_be_focused()


@pytest.mark.parametrize("part", ["edit", "verdict"])
def test_two_findings_are_shown_on_a_wide_screen_and_all_in_print(
    phone: Page, alice: User, part: str
) -> None:
    """A press shows the others, below the first two."""
    deck = _built(alice, _illegal())
    phone.goto(f"/decks/{deck.pk}/edit")
    if part == "verdict":
        phone.get_by_text("More", exact=True).tap()
        phone.get_by_role("button", name="Share this verdict").tap()
        phone.wait_for_url("**/verdicts/**")
    findings, more = (
        phone.locator(".finding"),
        phone.locator(".more-findings > summary"),
    )
    phone.emulate_media(media="print")
    expect(more).to_be_hidden()
    expect(findings.last).to_be_visible()
    phone.emulate_media(media="screen")
    expect(findings.nth(1)).to_be_hidden()
    phone.set_viewport_size({"width": 1440, "height": 900})
    expect(findings.nth(1)).to_be_visible()
    expect(findings.last).to_be_hidden()
    assert bottom(findings.nth(1)) < bottom(more)
    assert more.inner_text() == f"{findings.count() - 2} more findings"
    more.click()
    expect(findings.last).to_be_visible()


def test_of_two_findings_one_is_folded_on_a_phone_alone(
    phone: Page, alice: User
) -> None:
    """Its button is large enough, and a wide screen has none."""
    slots = {"01006": 1, "01007": 1}
    deck = _built(alice, read_content({"investigator_code": "01001", "slots": slots}))
    phone.goto(f"/decks/{deck.pk}/edit")
    more = phone.locator(".more-findings > summary")
    second = phone.locator(".finding").nth(1)
    expect(phone.locator(".finding")).to_have_count(2)
    expect(second).to_be_hidden()
    assert small_targets(phone) == []
    more.tap()
    expect(second).to_be_visible()
    more.tap()
    phone.set_viewport_size({"width": 1440, "height": 900})
    expect(second).to_be_visible()
    expect(more).to_be_hidden()


def test_a_wide_screen_shows_experience_and_charts_side_by_side(
    phone: Page, alice: User
) -> None:
    """Experience beside history; two rows of three charts, on a phone one of six."""
    phone.set_viewport_size({"width": 1440, "height": 900})
    phone.goto(f"/decks/{Deck.objects.get(name='Pete after two scenarios').pk}/")
    tops = "them => them.map(each => Math.round(each.getBoundingClientRect().top))"
    ledger, history = phone.locator(".ledger h2, .timeline h2").evaluate_all(tops)
    assert ledger == history
    charts = phone.locator(".figures figure").evaluate_all(tops)
    assert charts == [charts[0]] * 3 + [charts[-1]] * 3
    phone.set_viewport_size({"width": 390, "height": 844})
    assert len({*phone.locator(".figures figure").evaluate_all(tops)}) == 1
    assert not scrolls_sideways(phone)
