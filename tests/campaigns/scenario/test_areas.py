"""Play areas of a scenario: shared by the table, and used when the game ends."""

from __future__ import annotations

import html
import re
from html import unescape
from typing import Any

import pytest
from django.test import Client

from arkham.accounts.models import User
from arkham.rules.campaign.model import effects as do
from arkham.rules.campaign.model.guide import SETUP
from arkham.rules.campaign.state.answers import Stated
from arkham.rules.snapshot import embedded_pool
from campaigns import services
from campaigns.at_table.play_area import shown_area
from campaigns.models import Campaign, Role
from campaigns.play.areas import area_of, is_area_step, query_of
from decks import services as deck_services
from decks.lists.starter import starter_deck
from tests.campaigns.helpers.tables import NOW, as_answers, organiser_of, report
from tests.campaigns.log.helpers import state_fact
from tests.campaigns.scenario.helpers import do_at_table, kept_play, scenario_page
from tests.rules.campaign.helpers.games import begun, ended
from tests.rules.campaign.helpers.small import DAISY, ROLAND

MACHETE, CHARISMA, JOE = "01020", "02158", "05002"


def area_at(campaign: Campaign, code: str = ROLAND) -> str:
    return f"/campaigns/{campaign.pk}/scenario/area/{code}/"


def press(
    client: Client, campaign: Campaign, step: str, code: str = ROLAND, **more: Any
) -> Any:
    data = {"scenario": "torch", "do": step, "seen": "0", **more}
    return client.post(area_at(campaign, code), data)


def act(client: Client, campaign: Campaign, what: str, **more: Any) -> Any:
    data = {"scenario": "torch", "do": "area", "what": what, "seen": 0, **more}
    address = f"/api/v1/campaigns/{campaign.pk}/play"
    return client.post(address, data, content_type="application/json")


def area_in(answer: Any, code: str = ROLAND) -> dict[str, Any]:
    areas: list[dict[str, Any]] = answer.json()["areas"]
    return next(each for each in areas if each["investigator"] == code)


def test_a_game_begins_with_the_trauma_of_the_campaign(
    as_alice: Client, playing: Campaign
) -> None:
    """Marked as damage and horror."""
    found = as_alice.get(f"/api/v1/campaigns/{playing.pk}/play")
    assert {each["investigator"] for each in found.json()["areas"]} == {ROLAND, DAISY}
    roland = area_in(found)
    assert (roland["damage"], roland["horror"], roland["health"]) == (1, 0, 9)
    assert (roland["resources"], roland["hand"], roland["actions"]) == (5, 5, 3)
    assert kept_play_or_none(playing) is None


def kept_play_or_none(campaign: Campaign) -> Any:
    return campaign.plays.first()


def test_other_phones_see_changed_counters(
    as_alice: Client, as_bob: Client, playing: Campaign
) -> None:
    assert press(as_alice, playing, "damage+").status_code == 303
    press(as_alice, playing, "", add="Machete")
    page = as_bob.get(area_at(playing)).content.decode()
    assert "Machete" in page
    assert re.search(r"2<small[^>]*>/9</small>", page)
    assert "Machete" in scenario_page(as_alice, playing)


def test_cards_have_tokens_and_are_exhausted(
    as_alice: Client, playing: Campaign
) -> None:
    """A tick stays, however often it is sent."""
    act(as_alice, playing, f"{ROLAND}/lay.{MACHETE}")
    act(as_alice, playing, f"{ROLAND}/c0.exhausted+", seen=1)
    found = act(as_alice, playing, f"{ROLAND}/c0.exhausted+", seen=1)
    (card,) = area_in(found)["cards"]
    assert (card["code"], card["exhausted"]) == (MACHETE, True)


def test_a_card_that_has_moved_is_not_changed(
    as_alice: Client, playing: Campaign
) -> None:
    """A removed card shifts those after it; counters still work."""
    for code in (MACHETE, CHARISMA):
        act(as_alice, playing, f"{ROLAND}/lay.{code}")
    act(as_alice, playing, f"{ROLAND}/c0.out", seen=2)
    behind = act(as_alice, playing, f"{ROLAND}/c0.exhausted+", seen=2)
    counted = act(as_alice, playing, f"{ROLAND}/clues+", seen=2)
    assert behind.status_code == 412
    assert [each["code"] for each in area_in(counted)["cards"]] == [CHARISMA]
    assert area_in(counted)["cards"][0]["exhausted"] is False
    assert area_in(counted)["clues"] == 1
    page = press(as_alice, playing, "c0.out", seen="2")
    assert page.status_code == 412
    assert "Someone else changed this play area first" in page.content.decode()


def test_a_round_begins_for_everyone_once(as_alice: Client, playing: Campaign) -> None:
    """Two who press at the same time begin one round."""
    act(as_alice, playing, f"{DAISY}/actions-")
    address = f"/api/v1/campaigns/{playing.pk}/play"
    body = {"scenario": "torch", "do": "round", "seen": 1}
    first, second = (
        as_alice.post(address, body, content_type="application/json") for _ in range(2)
    )
    assert (first.status_code, second.status_code) == (200, 412)
    assert first.json()["counters"]["Round"] == 2
    for code in (ROLAND, DAISY):
        area = area_in(first, code)
        assert (area["resources"], area["hand"], area["actions"]) == (6, 6, 3)


def test_a_round_is_undone_for_everyone(
    as_alice: Client, as_bob: Client, playing: Campaign
) -> None:
    """By another player, with the counter; then there is nothing left to undo."""
    act(as_alice, playing, f"{DAISY}/actions-")
    before = act(as_alice, playing, f"{DAISY}/clues+", seen=1).json()
    assert 'value="unround"' not in scenario_page(as_bob, playing)
    press(as_alice, playing, "round", seen="2")
    assert kept_play(playing).counters == (("Doom", 0), ("Clues", 0), ("Round", 2))
    assert 'value="unround"' in as_bob.get(area_at(playing, DAISY)).content.decode()
    assert 'value="unround"' in scenario_page(as_alice, playing)

    undo = {"scenario": "torch", "do": "undo_round", "seen": 2}
    address = f"/api/v1/campaigns/{playing.pk}/play"
    late = as_alice.post(address, undo, content_type="application/json")
    undone = press(as_bob, playing, "unround", seen="3")
    assert (late.status_code, undone.status_code) == (412, 303)
    after = as_alice.get(address).json()
    assert after["areas"] == before["areas"]
    assert after["counters"] == before["counters"]
    assert 'value="unround"' not in scenario_page(as_alice, playing)
    again = press(as_bob, playing, "unround", seen="4")
    assert again.status_code == 422
    assert "can’t undo the round" in again.content.decode()


@pytest.mark.parametrize(
    ("step", "undone"), [("area:01001/clues+", 422), ("more:Doom", 422), ("d", 200)]
)
def test_a_round_is_not_undone_after_another_change(
    as_alice: Client, playing: Campaign, step: str, undone: int
) -> None:
    """Of play areas or counters; a token drawn meanwhile is kept."""
    do_at_table(as_alice, playing, "round")
    do_at_table(as_alice, playing, step, seen=99)
    body = {"scenario": "torch", "do": "undo_round", "seen": 2}
    address = f"/api/v1/campaigns/{playing.pk}/play"
    found = as_alice.post(address, body, content_type="application/json")
    assert found.status_code == undone
    if undone == 200:
        assert len(found.json()["steps"]) == 1


def test_a_round_changes_nothing_of_eliminated_investigators(
    as_alice: Client, playing: Campaign
) -> None:
    """They have left the game, with their cards and tokens."""
    act(as_alice, playing, f"{ROLAND}/resigned+")
    for _ in range(9):
        act(as_alice, playing, f"{DAISY}/horror+")
    before = as_alice.get(f"/api/v1/campaigns/{playing.pk}/play")
    press(as_alice, playing, "round", seen="99")
    after = as_alice.get(f"/api/v1/campaigns/{playing.pk}/play")
    assert after.json()["counters"]["Round"] == 2
    assert after.json()["areas"] == before.json()["areas"]


def test_a_defeat_leads_to_the_steps_of_the_elimination(
    as_alice: Client, playing: Campaign
) -> None:
    """From the page of the scenario, where it is counted."""
    steps = f"/table/elimination/?investigator={ROLAND}&amp;how="
    assert steps not in scenario_page(as_alice, playing)
    for seen in range(9):
        press(as_alice, playing, "damage+", seen=str(seen))
    assert steps in scenario_page(as_alice, playing)


def test_a_game_begins_in_its_first_round(as_alice: Client, playing: Campaign) -> None:
    """A new round follows an upkeep phase: the first is begun by no button."""
    found = as_alice.get(f"/api/v1/campaigns/{playing.pk}/play")
    assert found.json()["counters"] == {"Doom": 0, "Clues": 0, "Round": 1}


def test_the_body_of_a_yithian_has_its_own_health(
    as_alice: Client, playing: Campaign
) -> None:
    """With a deck and without one."""
    body = do.AddCard("all", "04244")
    state_fact(playing, Stated(SETUP, body, (), (), "Swapped"))
    found = as_alice.get(f"/api/v1/campaigns/{playing.pk}/play")
    for code in (ROLAND, DAISY):
        area = area_in(found, code)
        assert (area["health"], area["sanity"]) == (7, 7)


def test_the_opening_hand_of_a_deck_is_counted(
    as_alice: Client, playing: Campaign
) -> None:
    """Studious adds a card."""
    seat = playing.seats.get(investigator=ROLAND)
    assert seat.deck is not None
    revision = seat.deck.revisions.get()
    revision.list["slots"]["05276"] = 1
    revision.save()
    found = as_alice.get(f"/api/v1/campaigns/{playing.pk}/play")
    assert area_in(found)["hand"] == 6


def test_two_buttons_of_one_page_have_different_keys(
    as_alice: Client, playing: Campaign
) -> None:
    """The same button sent again, after a lost response, has not."""
    for step in ("damage+", "damage+", "clues+"):
        assert press(as_alice, playing, step, key="page").status_code == 303
    area = area_in(as_alice.get(f"/api/v1/campaigns/{playing.pk}/play"))
    assert (area["damage"], area["clues"]) == (2, 1)


def test_a_chosen_card_waits_for_its_button(
    as_alice: Client, playing: Campaign
) -> None:
    """Without scripts the whole form is sent, whatever was pressed."""
    press(as_alice, playing, "clues+", add=MACHETE)
    area = area_in(as_alice.get(f"/api/v1/campaigns/{playing.pk}/play"))
    assert (area["clues"], area["cards"]) == (1, [])


def test_a_spectator_has_no_buttons(
    as_alice: Client, as_bob: Client, playing: Campaign
) -> None:
    """Nor has anyone once the campaign is archived."""
    playing.memberships.filter(user__username="bob").update(role=Role.SPECTATOR)
    page = as_bob.get(area_at(playing)).content.decode()
    assert "You are a spectator" in page
    assert '<fieldset class="whole" disabled>' in page
    assert press(as_bob, playing, "damage+").status_code == 403
    Campaign.objects.filter(pk=playing.pk).update(archived_at=NOW)
    page = as_alice.get(area_at(playing)).content.decode()
    assert "You are a spectator" not in page
    assert "This campaign is archived" in page
    assert press(as_alice, playing, "damage+").status_code == 422


def test_areas_are_read_only_after_the_game(
    as_alice: Client, playing: Campaign
) -> None:
    """The page of the scenario shows those that were used, each in one line."""
    assert 'value="round"' in as_alice.get(area_at(playing)).content.decode()
    press(as_alice, playing, "clues+", code=DAISY)
    report(playing, as_answers(*ended("torch", 0, "R1")[:2]))
    assert 'value="round"' not in as_alice.get(area_at(playing)).content.decode()
    page = scenario_page(as_alice, playing)
    assert area_at(playing, DAISY) in page
    assert area_at(playing) not in page
    assert f"area:{DAISY}/" not in page


def test_a_stored_area_without_investigator_gets_its_own(
    as_alice: Client, playing: Campaign
) -> None:
    """Imported files may have one."""
    act(as_alice, playing, f"{ROLAND}/clues+")
    row = playing.plays.get()
    row.content["areas"] = [[ROLAND, "clues=2", 0]]
    row.save()
    area = area_in(as_alice.get(f"/api/v1/campaigns/{playing.pk}/play"))
    assert (area["clues"], area["health"]) == (2, 9)


@pytest.mark.parametrize(
    "what",
    [
        "", "/", "damage+", f"{ROLAND}/", f"{ROLAND}/card+", f"{ROLAND}/c0.__class__",
        f"{ROLAND}/lay.99999", f"{ROLAND}/lay.{ROLAND}", "01006/damage+",
        f"{ROLAND}/c٣.uses+",
    ],
)  # fmt: skip
def test_invalid_changes_are_refused(
    as_alice: Client, playing: Campaign, what: str
) -> None:
    answer = act(as_alice, playing, what)
    assert answer.status_code == 422, answer.content
    assert kept_play_or_none(playing) is None


def test_the_number_of_cards_is_limited(as_alice: Client, playing: Campaign) -> None:
    for _ in range(24):
        assert act(as_alice, playing, f"{ROLAND}/lay.{MACHETE}").status_code == 200
    answer = act(as_alice, playing, f"{ROLAND}/lay.{MACHETE}")
    assert answer.status_code == 422
    assert "24" in answer.content.decode()
    assert len(kept_play(playing).areas[0].text) < 2000


def test_a_spectator_changes_nothing(
    as_charlie: Client, as_alice: Client, playing: Campaign
) -> None:
    assert as_charlie.get(area_at(playing)).status_code == 404
    assert press(as_charlie, playing, "damage+").status_code == 404
    assert as_alice.get(area_at(playing, "01006")).status_code == 404


def test_the_outcome_is_prefilled_from_the_play_areas(
    as_alice: Client, playing: Campaign
) -> None:
    """Who resigned and who was defeated is already chosen."""
    act(as_alice, playing, f"{ROLAND}/resigned+")
    for _ in range(9):
        act(as_alice, playing, f"{DAISY}/horror+")
    report(playing, as_answers(*ended("torch", 0, "R1")[:2]))
    page = as_alice.get(f"/campaigns/{playing.pk}/").content.decode()
    assert chosen(page, ROLAND) == "resigned"
    assert chosen(page, DAISY) == "mental"


def chosen(page: str, code: str) -> str:
    """Return what is filled in for an investigator."""
    fields = re.findall(rf'<input[^>]* name="{code}"[^>]*>', page)
    (found,) = [each for each in fields if "checked" in each]
    return str(found).partition('value="')[2].partition('"')[0]


def test_an_area_is_reset_to_the_beginning_of_the_game(
    as_alice: Client, playing: Campaign
) -> None:
    """Of one investigator; older forms for its cards are stale."""
    for step in ("damage+", f"lay.{MACHETE}"):
        act(as_alice, playing, f"{ROLAND}/{step}")
    act(as_alice, playing, f"{DAISY}/clues+")
    found = act(as_alice, playing, f"{ROLAND}/reset")
    roland = area_in(found)
    assert (roland["damage"], roland["resources"], roland["cards"]) == (1, 5, [])
    assert area_in(found, DAISY)["clues"] == 1
    assert act(as_alice, playing, f"{ROLAND}/c0.uses-", seen=3).status_code == 412


@pytest.mark.parametrize(
    "text",
    [
        "", "investigator=01001&damage=2&card=01020.1.0.0.x&card=02158",
        "investigator=01001&resigned=yes&s_arcane=-1&limit=2&health=7",
    ],
)  # fmt: skip
def test_an_area_survives_a_round_trip_as_text(text: str) -> None:
    area = area_of(text, embedded_pool())
    assert area_of(query_of(area), embedded_pool()) == area


def test_steps_are_those_of_the_buttons() -> None:
    assert all(map(is_area_step, ("damage+", "c3.uses-", "round", "lay.01020")))
    assert not any(map(is_area_step, ("", "c3.clues+", "uses+", "lay.", "s_feet+")))


def test_the_cards_of_a_deck_are_shown_to_those_who_may_see_it(
    as_alice: Client, as_bob: Client, playing: Campaign
) -> None:
    """Other members type a card's name."""
    gun = "Roland's .38 Special"
    assert gun in unescape(as_alice.get(area_at(playing)).content.decode())
    assert gun not in unescape(as_bob.get(area_at(playing)).content.decode())
    assert press(as_bob, playing, "", add="01006").status_code == 303
    assert gun in unescape(as_bob.get(area_at(playing)).content.decode())


def test_pages_link_to_one_another(as_alice: Client, playing: Campaign) -> None:
    """From an area to the others; in play, from the top of the page to the areas."""
    page = as_alice.get(area_at(playing)).content.decode()
    assert f'href="{area_at(playing, DAISY)}"' in page
    assert f'href="{area_at(playing)}"' not in page
    assert 'href="#areas"' not in scenario_page(as_alice, playing)
    do_at_table(as_alice, playing, "d")
    assert 'href="#areas"' in scenario_page(as_alice, playing)


def test_an_area_with_the_maximum_of_cards_is_accepted() -> None:
    """Of damage as well."""
    pool = embedded_pool()
    shown = shown_area(area_of("investigator=01001&damage=9&hand=8", pool), pool)
    full = {each.key for each in shown.counters if each.is_full}
    assert full == {"damage"}


def test_a_hunch_deck_begins_with_its_cards(
    alice: User, as_alice: Client, campaign: Campaign
) -> None:
    """The eleven of the deck's list, one of them its weakness."""
    content = starter_deck(embedded_pool(), JOE)
    deck = deck_services.create_deck(owner=alice, content=content, now=NOW)
    sitting = services.Sitting(JOE, deck=deck)
    organiser = organiser_of(campaign)
    services.add_seat(campaign=campaign, member=organiser, sitting=sitting, now=NOW)
    report(campaign, as_answers(*begun("torch", JOE, ROLAND)))
    page = scenario_page(as_alice, campaign)
    assert "Hunch deck: Joe Diamond" in page
    (address,) = re.findall(r'href="(/table/deck/\?kind=hunch[^"]*)"', page)
    address = html.unescape(address)
    form = html.unescape(as_alice.get(address).content.decode())
    (listed,) = re.findall(r"<textarea[^>]+>([^<]+)</textarea>", form)
    assert len(listed.splitlines()) == 11
    assert "Unsolved Case" in listed
    shown = as_alice.get(f"{address}&begin=1", follow=True).content.decode()
    assert "11 cards left" in shown
