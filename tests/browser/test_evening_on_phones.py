"""A game night on phones of 390 pixels: what players see first."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from arkham.accounts.models import User
from campaigns.guides.opening import packed
from campaigns.models import Campaign, Guide
from cardpool.services import ensure_embedded_pool
from decks.lists.content import read_content
from decks.services import create_deck
from tests.browser.conftest import OpensPage
from tests.browser.looks import scrolls_sideways, small_targets
from tests.browser.scenario import the_gathering
from tests.campaigns.helpers.tables import (
    a_campaign,
    a_row,
    a_seat,
    as_answers,
    report,
    who,
)
from tests.decks.helpers import NOW
from tests.rules.campaign.helpers.small import DAISY, ROLAND, Raw, a_scenario

HEIGHT = 844
PHONE: dict[str, Any] = {
    "viewport": {"width": 390, "height": HEIGHT},
    "color_scheme": "dark",
    "has_touch": True,
    "is_mobile": True,
}
SignsIn = Callable[..., Page]
# Whether a line of the set-up is between the bars; asked at once, as pages are swapped.
IN_SIGHT = """value => {
  const box = (parts) => document.querySelector(parts).getBoundingClientRect();
  const line = box(`.ticks button[value="${value}"]`);
  return box(".turn").bottom <= line.top && line.bottom <= box("#next").top;
}"""


def asks(step: str, *answers: str) -> Raw:
    """A step that lets the table choose one of these."""
    choices = [{"id": each.lower(), "text": each} for each in answers]
    asked = {"type": "choose_one", "choices": choices}
    return {"id": step, "type": "input", "input": asked}


def worded(*scenarios: Raw, **words: str) -> Guide:
    """A guide of these scenarios; the steps of the first one have these words."""
    row = a_row(*scenarios)
    steps = {step: {"text": text} for step, text in words.items()}
    place = {str(scenarios[0]["id"]): {"steps": steps}}
    row.words = packed(json.dumps({"scenarios": place}).encode())
    row.save()
    return row


def an_interlude(alice: User, *steps: Raw, **words: str) -> Campaign:
    """Alice's campaign, in an interlude of these steps with these words."""
    guide = worded(a_scenario("one", *steps, type="interlude"), **words)
    campaign = a_campaign(alice, ROLAND, DAISY, guide=guide)
    begins = {"type": "start_scenario", "scenario": "one"}
    report(campaign, as_answers(who(ROLAND, DAISY), begins))
    return campaign


@pytest.fixture
def alice(transactional_db: None) -> User:
    """Alice, and the cards."""
    ensure_embedded_pool()
    return User.objects.create_user("alice", password="alice-of-arkham")


@pytest.fixture
def playing(transactional_db: None) -> Campaign:
    """Alice and Bob in the middle of a scenario, with one token in the bag."""
    return the_gathering("0")


@pytest.fixture
def signs_in(open_page: OpensPage) -> SignsIn:
    """Open a page on Alice's phone, signed in."""

    def sign_in(address: str, **options: Any) -> Page:
        page = open_page(**PHONE, **options)
        page.goto(f"/account/login/?next={address}")
        page.get_by_label("Username").fill("alice")
        page.get_by_label("Password").fill("alice-of-arkham")
        page.get_by_role("main").get_by_role("button", name="Sign in").tap()
        page.wait_for_url(lambda url: "login" not in url)
        return page

    return sign_in


def top(part: Locator) -> float:
    """Return where a part begins, in pixels below the top of the window."""
    box = part.bounding_box()
    assert box is not None
    return box["y"]


def below(bar: Locator) -> float:
    """Return where a sticky bar ends."""
    box = bar.bounding_box()
    assert box is not None
    return box["y"] + box["height"]


def fits(page: Page) -> None:
    """Check that nothing scrolls sideways and every target is large enough."""
    assert not scrolls_sideways(page)
    assert small_targets(page) == []


@pytest.mark.parametrize("scripts", [True, False])
def test_the_guides_words_are_shown_before_the_next_question(
    signs_in: SignsIn, alice: User, scripts: bool
) -> None:
    """After an answer the page shows new words below its bar, then the question."""
    steps = asks("way", "Left", "Right"), {"id": "story"}, asks("door", "In", "Out")
    campaign = an_interlude(alice, *steps, story="Words to read. " * 120)
    page = signs_in(f"/campaigns/{campaign.pk}/", java_script_enabled=scripts)

    page.get_by_role("button", name="Left").tap()

    said = page.locator("#new summary", has_text="Read first: Words to read.")
    expect(said).to_be_in_viewport()
    assert below(page.locator(".turn")) <= top(said) < HEIGHT / 2
    expect(page.get_by_role("button", name="Out")).to_be_in_viewport()
    if scripts:
        expect(page.locator("#said-title")).to_be_focused()
    fits(page)
    said.tap()
    assert top(page.locator("#now")) > top(page.locator("#new .guide-text"))
    expect(page.locator("#new .guide-text")).to_be_in_viewport()


# --- the scenario


def test_a_mistaken_new_round_is_undone_on_any_phone(
    signs_in: SignsIn, playing: Campaign
) -> None:
    """Beside Play, and on the scenario's page; the other phone is updated."""
    page = signs_in(f"/campaigns/{playing.pk}/scenario/")
    other = page.context.new_page()
    other.goto(f"/campaigns/{playing.pk}/scenario/area/{ROLAND}/")
    other.locator("#round").tap()
    undo = page.get_by_role("button", name="Undo the new round")
    expect(undo).to_be_visible()
    expect(other.get_by_role("button", name="Undo the new round")).to_be_visible()
    fits(page)
    fits(other)
    undo.tap()
    expect(undo).to_have_count(0)
    expect(page.get_by_label("Round", exact=True).locator("output")).to_have_text("1")
    expect(other.get_by_role("button", name="Undo the new round")).to_have_count(0)


def test_the_next_step_of_the_setup_is_shown_in_full(
    signs_in: SignsIn, playing: Campaign
) -> None:
    """In the button below if it is short, else in the list that follows the button."""
    page = signs_in(f"/campaigns/{playing.pk}/scenario/")
    button = page.locator("#next")
    last = page.locator(".ticks button").last.get_attribute("value")
    for _line in range(page.locator(".ticks button").count()):
        value = button.get_attribute("value")
        words = button.locator("span")
        assert words.evaluate("e => e.scrollWidth <= e.clientWidth")
        is_whole = words.evaluate("e => e.scrollHeight - e.clientHeight < 8")
        assert is_whole or len(words.inner_text()) > 80
        fits(page)
        if value == last:
            break
        button.tap()
        expect(button).not_to_have_attribute("value", value or "")
        assert page.evaluate(IN_SIGHT, button.get_attribute("value"))


def test_play_begins_at_the_bag_after_the_last_step_of_the_setup(
    signs_in: SignsIn, playing: Campaign
) -> None:
    """The list moves below the play areas; the scroll position doesn't follow."""
    page = signs_in(f"/campaigns/{playing.pk}/scenario/")
    button, lines = page.locator("#next"), page.locator(".ticks .tick")
    for line in range(lines.count()):
        button.tap()
        expect(page.locator(".ticks .ticked")).to_have_count(line + 1)
    expect(button).to_have_count(0)
    name = page.get_by_role("heading", name="torch", exact=False).first
    expect(name).to_be_in_viewport()
    assert below(page.locator(".turn")) <= top(name) < HEIGHT / 2
    expect(page.get_by_role("heading", name="Play areas")).to_be_in_viewport()
    assert top(page.locator("#areas")) < top(page.locator("#bag-more"))


def test_statistics_of_the_investigators_fit_side_by_side(
    signs_in: SignsIn, playing: Campaign
) -> None:
    """Nothing is cut off at the right."""
    page = signs_in(f"/campaigns/statistics/?campaign={playing.pk}")
    table = page.get_by_role("region", name="Investigators")
    expect(table.get_by_text("Retired")).to_be_visible()
    assert table.evaluate("e => e.scrollWidth <= e.clientWidth")


def test_the_new_round_button_is_far_from_play_buttons(
    signs_in: SignsIn, playing: Campaign
) -> None:
    """A thumb that misses Play begins no round."""
    page = signs_in(f"/campaigns/{playing.pk}/scenario/area/{ROLAND}/")
    button, lay = page.locator("#round"), page.locator("#lay")
    assert abs(top(button) - top(lay)) > 44
    fits(page)


def test_an_answer_that_names_a_card_is_one_line(
    signs_in: SignsIn, alice: User
) -> None:
    """The name is no column of its own in the button."""
    campaign = an_interlude(alice, asks("way", "To the Study first", "Back"))
    page = signs_in(f"/campaigns/{campaign.pk}/")
    button = page.get_by_role("button", name="To the Study first")
    words = "e => e.firstElementChild?.textContent"
    assert button.evaluate(words) == "To the study first"


def test_choosing_a_deck_is_one_press_from_the_table(
    signs_in: SignsIn, alice: User
) -> None:
    """Decks of one's own are buttons at their seat; all else is folded away."""
    campaign = a_campaign(alice, ROLAND)
    a_seat(campaign, DAISY)
    content = read_content({"investigator_code": ROLAND, "slots": {"01020": 2}})
    create_deck(owner=alice, content=content, now=NOW, name="Clues")
    page = signs_in(f"/campaigns/{campaign.pk}/")
    page.get_by_role("link", name="Choose a deck Roland Banks").tap()
    button = page.get_by_role("button", name="Choose the deck “Clues")
    expect(button).to_be_in_viewport()
    assert page.locator("select[name=deck]").count() == 2
    expect(page.locator("select[name=deck]").filter(visible=True)).to_have_count(0)
    fits(page)
    button.tap()
    expect(page.get_by_role("link", name="Choose a deck")).to_have_count(0)


def test_the_host_sees_at_once_who_took_a_seat(
    signs_in: SignsIn, alice: User, open_page: OpensPage
) -> None:
    """The page of the table is updated without an answer."""
    campaign = a_campaign(alice, ROLAND)
    seat = a_seat(campaign, DAISY)
    host = signs_in(f"/campaigns/{campaign.pk}/")
    expect(host.get_by_text("Free seat")).to_be_visible()
    host.get_by_role("link", name="People").tap()
    host.get_by_label("Their investigator").select_option("Daisy Walker")
    host.get_by_role("button", name="Create a link").tap()
    expect(host.get_by_role("heading", name="Invitation")).to_be_visible()
    address = host.get_by_label("The link").input_value()
    host.goto(f"/campaigns/{campaign.pk}/")
    expect(host.get_by_text("Free seat")).to_be_visible()

    guest = open_page(**PHONE)
    guest.goto(address)
    guest.get_by_label("Your name at the table").fill("Dora")
    guest.get_by_role("button", name="Play now").tap()
    expect(guest.get_by_text("You play as Dora, a guest")).to_be_visible()
    expect(host.get_by_text("Free seat")).to_have_count(0)
    expect(host.get_by_role("main").get_by_text("Dora").first).to_be_visible()
    seat.refresh_from_db()
    assert seat.member is not None


@pytest.mark.parametrize("part", ["Play areas", "Counters", "Notepad"])
def test_a_link_within_the_page_leads_below_its_bar(
    signs_in: SignsIn, playing: Campaign, part: str
) -> None:
    """The heading isn't hidden behind the sticky bar."""
    page = signs_in(f"/campaigns/{playing.pk}/scenario/")
    page.locator("#draw").tap()
    page.get_by_role("navigation", name="On this page").get_by_text(part).tap()
    heading = page.get_by_role("heading", name=part)
    expect(heading).to_be_in_viewport()
    assert below(page.locator(".turn")) <= top(heading)


def test_supply_points_are_counted_while_they_are_spent(
    signs_in: SignsIn, alice: User
) -> None:
    """The remainder or the excess is shown; without scripts, the points there are.

    Supplies of others are folded away, with their points in sight.
    """
    supplies = [{"id": "rope", "name": "Rope", "cost": 3}]
    supplies.append({"id": "food", "name": "Food", "cost": 1, "multiple": True})
    asked = {"type": "supplies", "section": "supplies", "points": [4, 4, 4, 4]}
    packs = {"id": "pack", "type": "input", "input": asked | {"supplies": supplies}}
    campaign = an_interlude(alice, packs)
    campaign.seats.filter(investigator=DAISY).update(member=None)
    page = signs_in(f"/campaigns/{campaign.pk}/")
    mine = page.locator("details", has_text="Roland Banks")
    expect(mine.get_by_text("Points left: 4")).to_be_visible()
    mine.get_by_label("Rope").tap()
    expect(mine.get_by_text("Points left: 1")).to_be_visible()
    mine.get_by_label("Food").fill("3")
    expect(mine.get_by_text("Points over: 2")).to_be_visible()
    fits(page)
    theirs = page.locator("details", has_text="Daisy Walker")
    expect(theirs.get_by_text("Points left: 4")).to_be_visible()
    expect(theirs.get_by_label("Rope")).to_be_hidden()
    plain = signs_in(f"/campaigns/{campaign.pk}/", java_script_enabled=False)
    expect(plain.get_by_role("group", name="Roland Banks")).to_be_visible()
    theirs = plain.locator("details", has_text="Daisy Walker")
    expect(theirs.get_by_text("4 points to spend")).to_be_visible()
    theirs.locator("summary").tap()
    expect(theirs.get_by_label("Rope")).to_be_visible()


def test_an_answer_on_another_phone_scrolls_to_its_words(
    signs_in: SignsIn, alice: User
) -> None:
    """From further down too; readers who are elsewhere on the page stay there."""
    story = asks("way", "Left", "Right"), {"id": "story"}, asks("door", "In", "Out")
    words = "Words to read. " * 120
    campaign = an_interlude(alice, *story, story=words)
    page = signs_in(f"/campaigns/{campaign.pk}/")
    other, below_all = page.context.new_page(), page.context.new_page()
    for each in (other, below_all):
        each.goto(f"/campaigns/{campaign.pk}/")
    page.locator("#now").get_by_role("button", name="Right").evaluate(
        "button => button.scrollIntoView({block: 'start'})"
    )
    below_all.evaluate("scrollTo(0, document.body.scrollHeight)")

    other.get_by_role("button", name="Left").tap()

    said = page.locator("#new summary")
    expect(said).to_be_visible()
    page.wait_for_function("scrollY > 0")
    assert below(page.locator(".turn")) <= top(said) < HEIGHT / 2
    expect(page.get_by_role("button", name="Out")).to_be_in_viewport()
    expect(below_all.locator("#new summary")).to_be_visible()
    assert top(below_all.locator("#new")) < 0


def test_several_texts_leave_the_question_in_sight(
    signs_in: SignsIn, alice: User
) -> None:
    """Each of them is short, but all together they are folded into one press."""
    words = {f"rule{number}": "A rule with a few words. " * 8 for number in range(3)}
    rules = [{"id": each} for each in words]
    campaign = an_interlude(alice, *rules, asks("way", "Left", "Right"), **words)
    page = signs_in(f"/campaigns/{campaign.pk}/")
    expect(page.get_by_role("button", name="Right")).to_be_in_viewport()
    expect(page.locator("#new summary")).to_have_count(1)
    page.locator("#new summary").tap()
    expect(page.locator("#new .guide-text")).to_have_count(3)
    fits(page)
