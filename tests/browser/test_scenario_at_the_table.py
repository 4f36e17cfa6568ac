"""Two phones in one scenario: one bag, one doom counter, one checklist."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from campaigns.models import Campaign
from tests.browser.conftest import OpensPage
from tests.browser.looks import scrolls_sideways, small_targets
from tests.browser.scenario import the_gathering

PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True}

# A second tap, as soon as the page shows the effect of the first.
# By the clock of the page the second tap comes within 300 ms, however slow the machine.
TAPS_AGAIN = """([id, then]) => new Promise((done) => {
  const tap = (id) => document.getElementById(id).click();
  const now = Date.now, begun = now();
  Date.now = () => Math.min(now(), begun + 300);
  const again = () => setTimeout(() => { tap(then); Date.now = now; done(); }, 100);
  document.addEventListener("htmx:afterSettle", again, { once: true });
  tap(id);
})"""


@pytest.fixture
def campaign(live_server: LiveServer) -> Campaign:
    """Alice and Bob play The Gathering with four skulls in the bag."""
    return the_gathering(*["skull"] * 4)


def _at_the_scenario(page: Page, name: str, campaign: Campaign) -> None:
    address = f"/campaigns/{campaign.pk}/scenario/"
    page.goto(f"/account/login/?next={address}")
    page.get_by_label("Username").fill(name)
    page.get_by_label("Password").fill(f"{name}-of-arkham")
    page.get_by_role("main").get_by_role("button", name="Sign in").click()
    expect(page.get_by_role("heading", name="Setup")).to_be_visible()
    page.wait_for_load_state("load")  # until then a press submits the whole form


def test_two_phones_share_a_scenario(open_page: OpensPage, campaign: Campaign) -> None:
    """Each sees what the other ticks, draws, counts and writes."""
    mine, theirs = open_page(**PHONE), open_page(**PHONE)
    _at_the_scenario(mine, "alice", campaign)
    _at_the_scenario(theirs, "bob", campaign)
    assert not scrolls_sideways(mine)
    assert small_targets(mine) == []

    # The next line of the setup is under the thumb of both.
    following = mine.locator("#next")
    expect(following).to_contain_text("Lead investigator: Daisy Walker")
    following.tap()
    expect(following).to_contain_text("tokens into the bag")
    expect(theirs.locator("#next")).to_contain_text("tokens into the bag")
    while mine.locator("#next").count():
        line = mine.locator("#next").inner_text()
        mine.locator("#next").tap()
        expect(mine.locator(".thumb")).not_to_contain_text(line.splitlines()[-1])

    # A token is revealed on one phone, and shown on both.
    expect(theirs.locator("#draw")).to_have_text("Reveal a token")
    theirs.locator("#draw").tap()
    expect(theirs.locator(".chip")).to_contain_text("Skull")
    expect(mine.locator(".chip")).to_contain_text("Skull")
    expect(mine.get_by_role("heading", name="In the bag: 3 tokens")).to_be_visible()
    mine.locator("#end").tap()
    expect(theirs.get_by_role("heading", name="In the bag: 4 tokens")).to_be_visible()

    # Each counts one doom, two in all. Notes being typed survive others' changes.
    notes = mine.get_by_label("Notes for everyone at the table")
    notes.fill("The cellar is open.")
    theirs.get_by_role("button", name="Doom: 1 more").tap()
    doom = mine.get_by_role("group", name="Doom").locator("output")
    expect(doom).to_have_text("1")
    expect(notes).to_have_value("The cellar is open.")
    mine.get_by_role("button", name="Doom: 1 more").tap()
    expect(theirs.get_by_role("group", name="Doom").locator("output")).to_have_text("2")
    mine.get_by_role("button", name="Save notes").tap()
    theirs_notes = theirs.get_by_label("Notes for everyone at the table")
    expect(theirs_notes).to_have_value("The cellar is open.")

    theirs.get_by_text("History:").tap()
    expect(theirs.locator(".taken")).to_contain_text("bob: revealed: Skull")
    expect(theirs.locator(".taken")).to_contain_text("alice: the test ended")
    assert not scrolls_sideways(theirs)
    assert small_targets(theirs) == []


@pytest.mark.parametrize("then", ["draw", "end"])
def test_a_double_tap_reveals_one_token(
    page: Page, campaign: Campaign, then: str
) -> None:
    """Also if the page shows the first before the second; later there is another.

    The second tap hits the button that has taken its place by then.
    """
    _at_the_scenario(page, "alice", campaign)
    page.evaluate(TAPS_AGAIN, ["draw", then])
    expect(page.locator("#draw")).to_have_text("Reveal another")
    page.wait_for_timeout(600)
    expect(page.get_by_role("heading", name="In the bag: 3 tokens")).to_be_visible()
    page.locator("#draw").click()
    expect(page.get_by_role("heading", name="In the bag: 2 tokens")).to_be_visible()


def test_a_scenario_needs_no_scripts(open_page: OpensPage, campaign: Campaign) -> None:
    """Everything is a form: ticked, drawn and counted by whole pages."""
    page = open_page(**PHONE, java_script_enabled=False)
    _at_the_scenario(page, "alice", campaign)
    page.locator("#next").tap()
    page.wait_for_url(re.compile(r"#setup$"))
    expect(page.locator("#next")).to_contain_text("tokens into the bag")
    page.get_by_text("Add bless, curse or frost tokens").click()
    page.get_by_role("button", name="Add 1 Bless").tap()
    expect(page.locator("#draw")).to_be_visible()
    page.locator("#draw").tap()
    expect(page.locator(".chip")).to_have_count(1)
    page.get_by_role("button", name="Doom: 1 more").tap()
    expect(page.get_by_role("group", name="Doom").locator("output")).to_have_text("1")


def test_the_focus_stays_beside_a_button_that_is_disabled(
    page: Page, campaign: Campaign
) -> None:
    """Keyboard users continue from there, not from the top of the page."""
    _at_the_scenario(page, "alice", campaign)
    draw = page.locator("#draw")
    draw.press("Enter")
    expect(page.locator("#end")).to_be_enabled()
    page.wait_for_timeout(600)  # sooner, it counts as the same press
    page.locator("#end").press("Enter")
    expect(page.locator("#end")).to_be_disabled()
    expect(page.locator(".thumb button:focus")).to_have_count(1)

    doom = page.get_by_role("group", name="Doom")
    more = doom.get_by_role("button", name="1 more")
    more.press("Enter")
    expect(doom.locator("output")).to_have_text("1")
    expect(more).to_be_focused()
    doom.get_by_role("button", name="1 fewer").press("Enter")
    expect(doom.locator("output")).to_have_text("0")
    expect(more).to_be_focused()


def test_a_pressed_button_stays_in_view(
    open_page: OpensPage, campaign: Campaign
) -> None:
    """The bag is before the setup after its first step; the button moves with it."""
    page = open_page(viewport={"width": 390, "height": 500})
    _at_the_scenario(page, "alice", campaign)
    page.get_by_text("Add bless, curse or frost tokens").click()
    more = page.get_by_role("button", name="Add 1 Bless")
    more.focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="In the bag: 5 tokens")).to_be_attached()
    expect(more).to_be_focused()
    expect(more).to_be_in_viewport()


def test_two_phones_count_on_play_areas(
    open_page: OpensPage, campaign: Campaign
) -> None:
    """Repeated presses all count, and show on the other phone."""
    mine, theirs = open_page(**PHONE), open_page(**PHONE)
    _at_the_scenario(mine, "alice", campaign)
    _at_the_scenario(theirs, "bob", campaign)
    clues = mine.get_by_role("group", name="Daisy Walker: Clues")
    for _press in range(3):
        clues.get_by_role("button", name="1 more").tap()
    expect(clues.locator("output")).to_have_text("3")
    expect(theirs.locator("#areas")).to_contain_text("Clues 3")

    theirs.get_by_role("link", name="Daisy Walker", exact=True).tap()
    theirs.wait_for_load_state("load")
    harm = theirs.locator('button[value="damage+"]')
    harm.evaluate("(it) => { it.click(); it.click(); }")
    damage = mine.get_by_role("group", name="Daisy Walker: Damage")
    expect(damage.locator("output")).to_have_text("2/5")
    theirs.get_by_role("searchbox", name="Card to put into play").fill("Magnifying Gl")
    theirs.get_by_role("button", name="Play", exact=True).tap()
    theirs.get_by_role("button", name="Magnifying Glass").first.tap()
    expect(theirs.locator(".laid")).to_contain_text("Magnifying Glass")
    assert not scrolls_sideways(theirs)
    assert small_targets(theirs) == []
    theirs.get_by_role("button", name="Exhaust Magnifying Glass").tap()
    expect(mine.locator("#areas")).to_contain_text("exhausted")
    theirs.evaluate(TAPS_AGAIN, ["round", "round"])
    theirs.get_by_role("button", name="Clues: 1 more").tap()
    expect(clues.locator("output")).to_have_text("4")
    expect(mine.locator("#areas")).not_to_contain_text("exhausted")
    expect(mine.get_by_role("group", name="Round").locator("output")).to_have_text("2")
