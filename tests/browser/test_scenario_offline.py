"""A scenario played on two devices, one of which loses its network meanwhile."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress

import pytest
from playwright.sync_api import (
    APIResponse,
    Browser,
    Error,
    Locator,
    Page,
    Route,
    expect,
)
from pytest_django.live_server_helper import LiveServer

from campaigns import services
from campaigns.models import Campaign, Membership, PlayState
from campaigns.play.in_play import Act
from tests.browser.looks import scrolls_sideways, small_targets
from tests.browser.offline import LAPTOP, Cable, device, sign_in, wait_until_kept
from tests.browser.scenario import the_gathering
from tests.campaigns.helpers.tables import (
    NOW,
)

NOTES = "Notes for everyone at the table"
NOT_SENT = "#unsent-acts li"
LETTERS_OF = {"Skull": "k", "+1": "a", "0": "b"}


@pytest.fixture
def campaign(live_server: LiveServer) -> Campaign:
    """Alice and Bob play The Gathering."""
    return the_gathering("skull", "skull", "+1", "0")


@pytest.fixture
def cable(live_server: LiveServer) -> Iterator[Cable]:
    """The phone's connection to the server."""
    found = Cable(live_server.url)
    yield found
    found.cut()


@pytest.fixture
def phone(browser: Browser, cable: Cable, campaign: Campaign) -> Iterator[Page]:
    """Alice's phone at the scenario, with a service worker."""
    page = device(browser, cable.address)
    address = f"/campaigns/{campaign.pk}/scenario/"
    sign_in(page, "alice", address)
    wait_until_kept(page, address)
    yield page
    page.context.close()


@pytest.fixture
def laptop(
    browser: Browser, live_server: LiveServer, campaign: Campaign
) -> Iterator[Page]:
    """Bob's laptop at the same scenario, always connected."""
    page = device(browser, live_server.url, **LAPTOP)
    sign_in(page, "bob", f"/campaigns/{campaign.pk}/scenario/")
    yield page
    page.context.close()


def _counter(page: Page, name: str) -> Locator:
    return page.get_by_role("group", name=name, exact=True).locator("output")


def _do(campaign: Campaign, name: str, act: Act) -> None:
    """Do something else at the table as another person."""
    member = Membership.objects.get(campaign=campaign, user__username=name)
    services.play(campaign=campaign, member=member, scenario="torch", act=act, now=NOW)


def _kept(campaign: Campaign) -> dict[str, object]:
    content: dict[str, object] = PlayState.objects.get(campaign=campaign).content
    return content


def test_ticks_and_counts_wait_and_are_sent_in_order(
    phone: Page, laptop: Page, campaign: Campaign
) -> None:
    """They survive a refresh; the other device sees them once they are sent."""
    phone.context.set_offline(True)
    tick = phone.locator("#setup .tick").first
    tick.tap()
    expect(tick).to_have_attribute("aria-pressed", "true")
    expect(phone.locator("#next")).to_contain_text("tokens into the bag")
    for _press in range(3):
        phone.get_by_role("button", name="Doom: 1 more").tap()
    phone.get_by_role("button", name="Doom: 1 fewer").tap()
    phone.get_by_text("Add bless, curse or frost tokens").tap()
    phone.get_by_role("button", name="Add 1 Bless").tap()
    phone.get_by_role("button", name="Roland Banks: Resources: 1 fewer").tap()
    expect(_counter(phone, "Roland Banks: Resources")).to_have_text("4")
    expect(phone.locator(NOT_SENT)).to_have_count(7)
    assert not scrolls_sideways(phone)
    assert small_targets(phone) == []

    phone.reload()
    expect(phone.get_by_text("No network. This is the page as it was")).to_be_visible()
    first = phone.locator("#setup .tick").first
    expect(first).to_have_attribute("aria-pressed", "true")
    expect(_counter(phone, "Doom")).to_have_text("2")
    expect(_counter(phone, "Bless")).to_have_text("1")
    laptop.get_by_role("button", name="Doom: 1 more").click()
    expect(_counter(laptop, "Doom")).to_have_text("1")

    expect(phone.locator("#setup > summary")).to_contain_text("1 of")
    expect(phone.locator("#unsent-acts > summary")).to_have_text("Not sent yet: 7")
    phone.context.set_offline(False)
    expect(phone.locator(NOT_SENT)).to_have_count(0)
    expect(phone.locator("#page-copy")).to_be_hidden()
    expect(_counter(phone, "Doom")).to_have_text("3")
    expect(_counter(laptop, "Doom")).to_have_text("3")
    expect(_counter(laptop, "Bless")).to_have_text("1")
    expect(laptop.locator("#setup .tick").first).to_have_attribute(
        "aria-pressed", "true"
    )
    assert _kept(campaign)["by"] == ["alice"]


def test_a_refused_change_is_shown_with_what_was_missed(
    phone: Page, campaign: Campaign
) -> None:
    """It no longer holds up the others."""
    phone.context.set_offline(True)
    phone.get_by_text("Add bless, curse or frost tokens").tap()
    phone.get_by_role("button", name="Add 1 Bless").tap()
    phone.get_by_label(NOTES).fill("The attic is open.")
    phone.get_by_role("button", name="Save notes").tap()
    phone.get_by_role("button", name="Clues: 1 more", exact=True).tap()
    expect(phone.locator(NOT_SENT)).to_have_count(3)
    for _number in range(10):
        _do(campaign, "bob", Act("aq"))
    _do(campaign, "bob", Act("notes", "The cellar is open.", 99))

    phone.context.set_offline(False)
    refused = phone.locator("#refused-acts li")
    expect(refused).to_have_count(2)
    expect(phone.locator("#refused-acts")).to_be_in_viewport()
    expect(refused.nth(0)).to_contain_text("Add 1 Bless")
    expect(refused.nth(0)).to_contain_text("10")
    expect(refused.nth(1)).to_contain_text("bob changed the notepad first")
    expect(refused.nth(1)).to_contain_text("The attic is open.")
    expect(_counter(phone, "Clues")).to_have_text("1")
    expect(phone.get_by_label(NOTES)).to_have_value("The cellar is open.")
    assert not scrolls_sideways(phone)
    assert small_targets(phone) == []

    refused.nth(1).get_by_role("button", name="Add to the notepad").tap()
    both = "The cellar is open.\nThe attic is open."
    expect(phone.get_by_label(NOTES)).to_have_value(both)
    phone.get_by_role("button", name="Save notes").tap()
    expect(phone.get_by_text("last saved by alice")).to_be_visible()
    assert _kept(campaign)["notes"] == both
    expect(refused).to_have_count(1)  # the notepad has the note
    refused.get_by_role("button", name="Discard").tap()
    expect(phone.locator("#refused-acts")).to_be_hidden()


def _token(page: Page) -> Locator:
    return page.locator(".token-now .chip.last > span:last-child")


def _kept_steps(campaign: Campaign) -> list[str]:
    found = PlayState.objects.filter(campaign=campaign).first()
    return list(found.content["steps"]) if found else []


def test_tokens_are_drawn_on_the_phone_and_recorded_as_such(
    phone: Page, laptop: Page, campaign: Campaign
) -> None:
    """A test before and after a refresh, one with two tokens; all see the mark."""
    phone.context.set_offline(True)
    phone.locator("#draw").tap()
    expect(
        phone.get_by_text("Drawn on this phone, without network")
    ).to_be_in_viewport()
    expect(phone.locator("#bag-more")).to_have_text("In the bag: 3")
    first = _token(phone).inner_text()
    expect(phone.locator("#phone-bag")).to_be_visible()
    expect(phone.locator(NOT_SENT)).to_contain_text(f"Revealed on this phone: {first}")
    assert not scrolls_sideways(phone)
    assert small_targets(phone) == []

    phone.reload()
    expect(phone.get_by_text("No network. This is the page as it was")).to_be_visible()
    expect(_token(phone)).to_have_text(first)
    phone.get_by_role("button", name="Reveal another").tap()
    expect(phone.locator(".tray li")).to_have_count(2)
    second = _token(phone).inner_text()
    phone.wait_for_timeout(600)  # a second press within half a second is a double tap
    phone.get_by_role("button", name="End the test").tap()
    expect(phone.locator("#bag-more")).to_have_text("In the bag: 4")
    expect(phone.get_by_role("button", name="End the test")).to_be_disabled()
    phone.get_by_text("Seal and release").tap()
    phone.get_by_role("button", name="Seal +1").tap()
    phone.get_by_role("button", name="Release +1").tap()
    phone.get_by_role("button", name="Seal 0").tap()
    phone.get_by_role("button", name="Reveal a token").tap()
    third = _token(phone).inner_text()
    expect(phone.locator("#in-bag")).to_contain_text("×")
    assert third != "0"
    expect(phone.locator(NOT_SENT)).to_have_count(7)
    assert _kept_steps(campaign) == []

    phone.context.set_offline(False)
    expect(phone.locator(NOT_SENT)).to_have_count(0)
    expect(phone.locator("#refused-acts")).to_be_hidden()
    drawn = [f"p{LETTERS_OF[each]}" for each in (first, second, third)]
    steps = [*drawn[:2], "e", "sa", "ra", "sb", drawn[2]]
    assert _kept_steps(campaign) == steps
    expect(_token(laptop)).to_have_text(third)
    expect(laptop.locator(".token-now")).to_contain_text("Drawn on a phone without")
    laptop.get_by_text("History: 7 steps").click()
    expect(laptop.locator(".taken li").last).to_have_text(
        f"alice: revealed: {first}, drawn on a phone without network"
    )
    expect(laptop.get_by_text("3 tokens were drawn on phones")).to_be_visible()
    # Online again, the server draws.
    phone.get_by_role("button", name="Reveal another").tap()
    expect(phone.locator(".tray li")).to_have_count(2)
    expect(phone.locator(".token-now")).not_to_contain_text("Drawn on")
    assert _kept_steps(campaign) == [*steps, "d"]


def test_only_a_second_draw_at_once_is_a_double_tap(
    phone: Page, campaign: Campaign
) -> None:
    """Counters are removed as quickly as one taps, also right after a draw."""
    for name in ("Rats", "Bats"):
        _do(campaign, "bob", Act("add", name))
    expect(_counter(phone, "Bats")).to_be_visible()
    phone.context.set_offline(True)
    phone.evaluate(
        """for (const press of ["d", "d", "drop:Rats", "drop:Bats"])
            document.querySelector(`button[form="play"][value="${press}"]`).click()"""
    )

    expect(phone.locator(NOT_SENT)).to_have_count(3)
    expect(_counter(phone, "Rats")).to_have_count(0)
    expect(_counter(phone, "Bats")).to_have_count(0)


def test_an_undone_draw_of_the_phone_is_the_same_again(
    phone: Page, campaign: Campaign
) -> None:
    """As at the server, undoing is no second chance; nothing is sent."""
    phone.context.set_offline(True)
    phone.locator("#draw").tap()
    first = _token(phone).inner_text()
    for _time in range(4):
        with phone.expect_navigation():
            phone.get_by_role("button", name="Undo the last step").tap()
        expect(_token(phone)).to_have_count(0)
        phone.locator("#draw").tap()
        expect(_token(phone)).to_have_text(first)
    expect(phone.locator(NOT_SENT)).to_have_count(1)
    assert _kept_steps(campaign) == []


def test_a_draw_that_is_being_sent_is_undone_at_the_table(
    phone: Page, campaign: Campaign
) -> None:
    """It may have arrived, so that forgetting it on the phone would undo nothing."""
    phone.context.set_offline(True)
    phone.locator("#draw").tap()
    expect(phone.locator(NOT_SENT)).to_have_count(1)
    held: list[tuple[Route, APIResponse]] = []

    def hold(route: Route) -> None:
        if route.request.method == "POST" and not held:
            held.append((route, route.fetch()))  # what it asks for is done by now
        else:
            route.continue_()

    phone.context.route("**/scenario/", hold)
    phone.context.set_offline(False)
    while not held:
        phone.wait_for_timeout(50)
    phone.get_by_role("button", name="Undo the last step").tap()
    phone.wait_for_timeout(500)
    ((route, answer),) = held
    with suppress(Error):  # of a page that is left
        route.fulfill(response=answer)
    expect(phone.locator(NOT_SENT)).to_have_count(0)
    expect(phone.get_by_role("heading", name="In the bag: 4 tokens")).to_be_visible()
    expect(_token(phone)).to_have_count(0)
    assert len(_kept_steps(campaign)) == 0


def test_a_draw_of_the_phone_is_refused_if_others_drew_or_sealed(
    phone: Page, campaign: Campaign
) -> None:
    """It is listed with the reason; the bag is as the others left it."""
    phone.context.set_offline(True)
    phone.locator("#draw").tap()
    first = _token(phone).inner_text()
    phone.wait_for_timeout(600)
    phone.get_by_role("button", name="End the test").tap()
    expect(phone.locator(NOT_SENT)).to_have_count(2)
    letter = LETTERS_OF[first]
    for seen, step in enumerate([f"s{letter}"] * (1 + (letter == "k"))):
        _do(campaign, "bob", Act(step, seen=seen))

    phone.context.set_offline(False)
    refused = phone.locator("#refused-acts li")
    expect(refused).to_have_count(2)
    expect(refused.nth(0)).to_contain_text(f"Revealed on this phone: {first}")
    expect(refused.nth(0)).to_contain_text("tokens in the bag, not 1")
    expect(refused.nth(1)).to_contain_text("End the test: ")  # that of this token
    expect(phone.locator(NOT_SENT)).to_have_count(0)
    assert not scrolls_sideways(phone)

    phone.context.set_offline(True)
    phone.locator("#draw").tap()
    phone.wait_for_timeout(600)
    phone.get_by_role("button", name="Reveal another").tap()
    expect(phone.locator(NOT_SENT)).to_have_count(2)
    # Even if the other phone revealed the same token first.
    revealed = phone.locator("#phone-bag").get_attribute("data-revealed") or ""
    _do(campaign, "bob", Act(f"p{revealed[0]}", "/"))
    phone.context.set_offline(False)
    expect(refused).to_have_count(4)
    expect(refused.nth(2)).to_contain_text("bob: revealed")
    assert _kept_steps(campaign)[-1] == f"p{revealed[0]}"


def test_the_odds_without_the_server_count_what_was_added(
    phone: Page, campaign: Campaign
) -> None:
    """And revealed tokens as returned; what needs the server says so."""
    expect(phone.locator("#phone-bag")).to_be_hidden()
    phone.context.set_offline(True)
    phone.reload()
    panel = phone.locator("#phone-bag")
    expect(panel).to_be_visible()
    panel.get_by_label("Skill", exact=True).fill("3")
    panel.get_by_label("Difficulty", exact=True).fill("4")
    expect(panel.locator("output")).to_contain_text("(1/4)")
    phone.locator("#draw").tap()
    expect(panel.locator("output")).to_contain_text("(1/4)")
    assert not scrolls_sideways(phone)
    assert small_targets(phone) == []
    phone.get_by_text("Add bless, curse or frost tokens").tap()
    phone.get_by_role("button", name="Add 1 Bless").tap()
    expect(panel.locator("output")).to_contain_text("(2/5)")
    before = phone.evaluate("scrollY")
    phone.locator("#clean-up").evaluate("button => button.click()")
    expect(
        phone.get_by_text("other changes of the bag need the server")
    ).to_be_in_viewport()
    assert phone.evaluate("scrollY") == before  # the page stays where it was
    assert not PlayState.objects.filter(campaign=campaign).exists()


def test_a_change_whose_response_was_lost_is_made_once(
    phone: Page, cable: Cable, campaign: Campaign
) -> None:
    """It arrived, as its idempotency key shows."""
    address = f"/campaigns/{campaign.pk}/scenario/"
    phone.get_by_role("button", name="Doom: 1 more").tap()
    expect(_counter(phone, "Doom")).to_have_text("1")
    cable.cut()
    phone.get_by_role("button", name="Doom: 1 more").tap()
    expect(phone.locator(NOT_SENT)).to_have_count(1)
    phone.goto(address)
    expect(phone.get_by_text("No network. This is the page as it was")).to_be_visible()
    expect(_counter(phone, "Doom")).to_have_text("2")

    # The server has it already, under the key that waits.
    [name] = phone.evaluate("Object.keys(localStorage)")
    act = phone.evaluate("(name) => JSON.parse(localStorage.getItem(name))", name)
    done, _colon, what = act["do"].partition(":")
    for _time in range(2):
        _do(campaign, "alice", Act(done, what, 0, act["key"]))
    assert ["Doom", 2] in _kept(campaign)["counters"]  # type: ignore[operator]


def test_waiting_changes_are_dropped_if_another_member_signs_in(
    phone: Page, campaign: Campaign
) -> None:
    """They belong to the member who made them."""
    phone.context.set_offline(True)
    phone.get_by_role("button", name="Doom: 1 more").tap()
    expect(phone.locator(NOT_SENT)).to_have_count(1)
    phone.context.clear_cookies()
    phone.context.set_offline(False)
    sign_in(phone, "bob", f"/campaigns/{campaign.pk}/scenario/")
    expect(phone.locator(NOT_SENT)).to_have_count(0)
    assert phone.evaluate("localStorage.length") == 0
    assert not PlayState.objects.filter(campaign=campaign).exists()
