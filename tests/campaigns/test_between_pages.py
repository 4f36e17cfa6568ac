"""Unprompted entries of a table: side scenarios, changes by hand, deck corrections."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.test import Client

from arkham.accounts.models import User
from arkham.rules.campaign.model import effects as do
from arkham.rules.campaign.prompts.decks import held_cards
from arkham.rules.campaign.state.answers import (
    Answer,
    SideScenario,
    Stated,
    UltimatumChosen,
)
from campaigns import services
from campaigns.log.replays import replayed
from campaigns.models import Campaign, Role
from tests.campaigns.helpers.tables import (
    STORY,
    a_campaign,
    a_member,
    a_row,
    a_seat,
    as_answers,
    experience,
    organiser_of,
    report,
    who,
    write_context,
)
from tests.rules.campaign.helpers.games import a_game, begun, won
from tests.rules.campaign.helpers.small import DAISY, ROLAND, a_note, a_scenario, a_step

pytestmark = pytest.mark.django_db
GIVES = a_step(
    {"type": "add_card", "investigator": "all", "card": STORY}, step_id="story"
)
CURSES = a_step(
    {"type": "add_weakness", "investigator": "all", "weakness_traits": []},
    step_id="curse",
)
AMNESIA = "01096"
DRAWN: dict[str, Any] = {
    "type": "string_choices",
    "step": "curse_effects_weakness",
    "scenario": "one",
    "choices": {ROLAND: [AMNESIA], DAISY: ["01097"]},
}
KEPT: dict[str, Any] = {
    "type": "decision",
    "step": "save",
    "scenario": "one",
    "decision": True,
}


def _page(client: Client, campaign: Campaign) -> str:
    answer = client.get(f"/campaigns/{campaign.pk}/between/")
    assert answer.status_code == 200
    return answer.content.decode()


def _tell(client: Client, campaign: Campaign, kind: str, **filled: Any) -> Any:
    campaign.refresh_from_db()
    data = {"after": campaign.last, "key": f"k{campaign.last}", "kind": kind, **filled}
    answer = client.post(f"/campaigns/{campaign.pk}/between/", data)
    campaign.refresh_from_db()
    return answer


def _order(campaign: Campaign) -> list[str]:
    return [each.id for each in replayed(campaign).replay.scenarios]


def _link(campaign: Campaign) -> str:
    return f'href="/campaigns/{campaign.pk}/between/"'


# --- a side scenario


def test_a_side_scenario_of_the_tables_own_is_played_first(
    played: Campaign, as_alice: Client
) -> None:
    """It is paid for, and the campaign goes on afterwards."""
    table = as_alice.get(f"/campaigns/{played.pk}/").content.decode()
    assert _link(played) in table
    filled = {"scenario": "custom", "name": "A night out", "cost": 2}
    assert _tell(as_alice, played, "start_side_scenario", **filled).status_code == 303
    assert _order(played) == ["$campaign_setup", "one", "own-1", "two", "three"]
    for page in ("", "log/", "timeline/", "scenario/"):
        shown = as_alice.get(f"/campaigns/{played.pk}/{page}").content.decode()
        assert "A night out" in shown
        assert "Own 1" not in shown
    assert played.entries.latest("sequence").payload["value"] == {
        "previous": "one",
        "kind": "custom",
        "name": "A night out",
        "cost": 2,
        "journey": None,
    }
    pending = replayed(played).replay.pending
    assert pending is not None
    assert pending.scenario == "own-1"
    assert "More corrections are possible here" in _page(as_alice, played)


def test_a_side_scenario_of_the_guide_has_its_price(
    alice: User, as_alice: Client
) -> None:
    """It is shown; one that is scheduled is no longer offered."""
    aside = a_game("aside", side_scenario_type="standard", xp_cost=1)
    row = a_row(a_game("one"), a_game("two"), aside, scenarios=["one", "two"])
    campaign = a_campaign(alice, ROLAND, DAISY, guide=row)
    report(campaign, as_answers(who(ROLAND, DAISY), *won("one")))
    assert "<legend>Another side scenario</legend>" in _page(as_alice, campaign)
    assert '<option value="aside">aside – 1 experience</option>' in _page(
        as_alice, campaign
    )
    filled = {"scenario": "aside", "name": "", "cost": 0}
    assert _tell(as_alice, campaign, "start_side_scenario", **filled).status_code == 303
    assert _order(campaign) == ["$campaign_setup", "one", "aside", "two"]
    report(campaign, as_answers(*won("aside")[1:]))
    assert '<option value="aside">' not in _page(as_alice, campaign)


def test_a_side_scenario_needs_a_name(played: Campaign, as_alice: Client) -> None:
    """Nothing is written, and the form stays filled in."""
    late = _tell(
        as_alice, played, "start_side_scenario", scenario="custom", name=" ", cost=7
    )
    assert late.status_code == 422
    assert "What is it called?" in late.content.decode()
    assert 'value="7"' in late.content.decode()
    assert "own-1" not in _order(played)


def test_no_side_scenario_is_inserted_during_a_game(
    campaign: Campaign, as_alice: Client
) -> None:
    """The form is absent; sent all the same, it is refused as late."""
    report(campaign, as_answers(who(ROLAND, DAISY), *won("one")[:2]))
    assert (
        _link(campaign)
        not in as_alice.get(f"/campaigns/{campaign.pk}/").content.decode()
    )
    assert 'value="start_side_scenario"' not in _page(as_alice, campaign)
    before = campaign.last
    answer = _tell(
        as_alice, campaign, "start_side_scenario", scenario="custom", name="x"
    )
    assert answer.status_code == 409
    assert "The campaign has continued" in answer.content.decode()
    assert campaign.last == before


def test_an_interlude_comes_before_a_side_scenario(
    alice: User, as_alice: Client
) -> None:
    """The form is absent; a program is refused with the reason."""
    interlude = a_scenario("after", a_step(a_note("noted")), type="interlude")
    campaign = a_campaign(alice, ROLAND, guide=a_row(a_game("one"), interlude))
    report(campaign, as_answers(who(ROLAND, DAISY), *won("one")))
    assert 'value="start_side_scenario"' not in _page(as_alice, campaign)
    value = SideScenario("one", "custom", "Ours")
    with pytest.raises(services.EntryRefused) as refused:
        report(campaign, [Answer("start_side_scenario", "ours", "", value)])

    assert [each.rule for each in refused.value.findings] == ["side.place"]


# --- changes by hand


def _unchanged(**more: Any) -> dict[str, Any]:
    same = {
        f"{what}_{code}": value
        for code in (ROLAND, DAISY)
        for what, value in (("physical", 0), ("mental", 0), ("fate", ""))
    }
    return {**same, "notes": "", **more}


def test_trauma_fates_and_notes_are_changed(played: Campaign, as_alice: Client) -> None:
    """Only differences are written; repeated, earlier changes stay."""
    filled = _unchanged(**{f"physical_{ROLAND}": 2, "notes": "The dog came along\n\n"})
    assert _tell(as_alice, played, "inter_scenario", **filled).status_code == 303
    assert played.entries.latest("sequence").payload["value"] == {
        "trauma": [[ROLAND, 2, 0, False, False]],
        "notes": ["The dog came along"],
    }
    page = _page(as_alice, played)
    assert "The dog came along" in page
    again = _unchanged(
        **{f"physical_{ROLAND}": 2, f"fate_{DAISY}": "insane", "notes": "The dog"}
    )
    assert _tell(as_alice, played, "inter_scenario", **again).status_code == 303
    people = replayed(played).replay.state.people
    assert (people[ROLAND].physical, people[DAISY].insane) == (2, True)
    assert played.entries.latest("sequence").payload["value"]["trauma"] == [
        [ROLAND, 2, 0, False, False],
        [DAISY, 0, 0, False, True],
    ]


def test_earlier_trauma_changes_are_prefilled(
    played: Campaign, as_alice: Client
) -> None:
    """They are not added twice."""
    hurt = Stated("one", do.Trauma("input", physical=1), (ROLAND,), reason="A fall.")
    services.state_fact(
        campaign=played,
        member=organiser_of(played),
        fact=hurt,
        context=write_context(played),
    )
    filled = _unchanged(**{f"physical_{ROLAND}": 1, f"mental_{ROLAND}": 2})
    assert _tell(as_alice, played, "inter_scenario", **filled).status_code == 303
    played.refresh_from_db()
    roland = replayed(played).replay.state.people[ROLAND]

    assert (roland.physical, roland.mental) == (1, 2)


def test_an_invalid_trauma_is_refused(played: Campaign, as_alice: Client) -> None:
    """With its field; the form stays open."""
    before = played.last
    answer = _tell(
        as_alice, played, "inter_scenario", **_unchanged(**{f"mental_{ROLAND}": -1})
    )
    assert answer.status_code == 422
    assert 'id="fact-inter_scenario" open' in answer.content.decode()
    too_much = _unchanged(**{f"mental_{ROLAND}": 6})
    answer = _tell(as_alice, played, "inter_scenario", **too_much)
    assert answer.status_code == 422
    assert "less than or equal to 5" in answer.content.decode()
    notes = "\n".join(["x"] * 21)
    assert (
        _tell(as_alice, played, "inter_scenario", **_unchanged(notes=notes)).status_code
        == 422
    )
    assert played.last == before


# --- once more


def test_the_last_part_is_restarted(campaign: Campaign, as_alice: Client) -> None:
    """Never the setup; the game in progress, or the last one."""
    report(campaign, as_answers(who(ROLAND, DAISY)))
    again = f"/campaigns/{campaign.pk}/begin-again?scenario="
    assert again not in _page(as_alice, campaign)
    report(campaign, as_answers(*won("one")[:1]))
    assert f"{again}one" in _page(as_alice, campaign)
    report(campaign, as_answers(*won("one")[1:]))
    assert f"{again}one" in _page(as_alice, campaign)


# --- decks


@pytest.fixture
def upgrading(alice: User, bob: User) -> Campaign:
    """Decks are upgraded: Alice organises and plays Roland, Bob plays Daisy."""
    campaign = a_campaign(
        alice, ROLAND, guide=a_row(a_game("one", GIVES), a_game("two"))
    )
    a_seat(campaign, DAISY, a_member(campaign, bob))
    report(campaign, as_answers(who(ROLAND, DAISY), *won("one")[:-1]))
    return campaign


def test_decks_are_corrected_while_they_are_upgraded(
    upgrading: Campaign, as_alice: Client
) -> None:
    """Experience, trauma, and cards that leave; then everything is banked."""
    page = as_alice.get(f"/campaigns/{upgrading.pk}/").content.decode()
    assert "Correct a deck" in page
    filled = {
        "experience": 2,
        "physical": 1,
        "mental": 0,
        "fate": "",
        "leaves": [STORY],
    }
    assert _tell(as_alice, upgrading, f"deck-{ROLAND}", **filled).status_code == 303
    report(upgrading, as_answers(won("one")[-1]))
    person = replayed(upgrading).replay.state.people[ROLAND]
    assert (person.experience, person.physical) == (5, 1)
    assert STORY not in (person.story or ())
    assert STORY in (replayed(upgrading).replay.state.people[DAISY].story or ())


@pytest.mark.parametrize("trauma", [False, True])
def test_decks_are_corrected_while_they_are_only_saved(
    alice: User, as_alice: Client, trauma: bool
) -> None:
    """Every field of the form works: cards leave, experience waits."""
    asked = {"type": "save_decks", "trauma": trauma}
    saves = {"id": "save", "type": "input", "input": asked}
    guide = a_row(a_game("one", GIVES, CURSES, saves), a_game("two"))
    campaign = a_campaign(alice, ROLAND, guide=guide)
    report(
        campaign, as_answers(who(ROLAND, DAISY), *begun("one", ROLAND, DAISY), DRAWN)
    )
    assert _has_cards(campaign) == (True, True)
    filled = {"experience": 2, "physical": 1, "fate": "", "leaves": [STORY, AMNESIA]}
    assert _tell(as_alice, campaign, f"deck-{ROLAND}", **filled).status_code == 303
    assert _has_cards(campaign) == (False, False)
    report(campaign, as_answers(KEPT))
    person = replayed(campaign).replay.state.people[ROLAND]
    assert (person.experience, person.physical) == (2, 1)
    assert _has_cards(campaign) == (False, False)


def _has_cards(campaign: Campaign) -> tuple[bool, bool]:
    """Return whether the campaign gave Roland the story card, and the weakness."""
    held = held_cards(replayed(campaign).replay.state.people[ROLAND])
    return held.get(STORY, 0) > 0, held.get(AMNESIA, 0) > 0


def test_a_deck_is_corrected_twice(upgrading: Campaign, as_alice: Client) -> None:
    """The form is prefilled; changes of the deck by a card stay."""
    hurt = {"trauma#04109#1": (0, 1, 0), "xp": (2,), STORY: (1,)}
    deck = Answer("choice_list", "one", f"$upgrade_decks#{ROLAND}", hurt)
    report(upgrading, [deck])
    page = _page(as_alice, upgrading)
    assert re.search(r'<input[^>]*name="experience"[^>]*value="2"', page) or (
        re.search(r'<input[^>]*value="2"[^>]*name="experience"', page)
    )
    assert re.search(rf'value="{STORY}"[^>]*checked', page)
    filled = {"experience": 2, "physical": 1, "mental": 0, "fate": "", "leaves": STORY}
    assert _tell(as_alice, upgrading, f"deck-{ROLAND}", **filled).status_code == 303
    person = replayed(upgrading).replay.state.people[ROLAND]
    assert (person.experience, person.physical, person.mental) == (3 + 2, 1, 1)
    assert STORY not in (person.story or ())
    filled = {"experience": 0, "physical": 0, "mental": 0, "fate": ""}
    assert _tell(as_alice, upgrading, f"deck-{ROLAND}", **filled).status_code == 303
    person = replayed(upgrading).replay.state.people[ROLAND]
    assert (person.experience, person.physical or 0, person.mental) == (3, 0, 1)
    assert STORY in (person.story or ())
    for mental, status in ((6, 422), (3, 303), (6, 422), (2, 303)):
        filled = {"experience": 0, "physical": 0, "mental": mental, "fate": ""}
        answer = _tell(as_alice, upgrading, f"deck-{ROLAND}", **filled)
        assert answer.status_code == status
        if status == 422:
            assert "The number is too high: 6, at most 5." in answer.content.decode()


def test_a_guides_counts_at_an_upgrade_are_reported(
    alice: User, as_alice: Client
) -> None:
    """A number of each investigator's own, and how many copies of a card they have."""
    counted = {"counter": "memories", "story_cards": [STORY]}
    upgrade = {"type": "upgrade_decks", **counted}
    one = a_game("one")
    one["steps"].append({"id": "$upgrade_decks", "type": "input", "input": upgrade})
    guide = a_row(one, a_game("two"))
    campaign = a_campaign(alice, ROLAND, guide=guide)
    report(campaign, as_answers(who(ROLAND, DAISY), *won("one")[:-1]))
    page = _page(as_alice, campaign)
    assert "Memories" in page
    assert "Copies of" in page
    filled = {"experience": 0, "count": 2, f"story_{STORY}": 3, "fate": ""}
    assert _tell(as_alice, campaign, f"deck-{ROLAND}", **filled).status_code == 303
    state = replayed(campaign).replay.state
    assert state.seat_sections["memories"][ROLAND].number("$count") == 2
    assert (state.people[ROLAND].card_counts or {}) == {STORY: 3}


def test_a_player_corrects_their_own_deck(upgrading: Campaign, as_bob: Client) -> None:
    """Other decks are neither offered nor changed."""
    page = _page(as_bob, upgrading)
    assert f'value="deck-{DAISY}"' in page
    assert f'value="deck-{ROLAND}"' not in page
    filled = {"experience": 1, "physical": 0, "mental": 0, "fate": ""}
    assert _tell(as_bob, upgrading, f"deck-{ROLAND}", **filled).status_code == 403
    assert _tell(as_bob, upgrading, f"deck-{DAISY}", **filled).status_code == 303
    report(upgrading, as_answers(won("one")[-1]))
    assert (experience(upgrading, DAISY), experience(upgrading, ROLAND)) == (4, 3)


def test_an_empty_correction_is_refused(upgrading: Campaign, as_alice: Client) -> None:
    """The page says so."""
    filled = {"experience": 0, "physical": "", "mental": 0, "fate": ""}
    answer = _tell(as_alice, upgrading, f"deck-{ROLAND}", **filled)
    assert answer.status_code == 422
    assert "This wouldn’t change anything." in answer.content.decode()


# --- all of them


def test_the_same_form_sent_twice_is_written_once(
    played: Campaign, as_alice: Client
) -> None:
    """Its key is known."""
    data = {"after": played.last, "key": "once", "kind": "start_side_scenario"}
    data |= {"scenario": "custom", "name": "A night out", "cost": 0}
    for _time in range(2):
        answer = as_alice.post(f"/campaigns/{played.pk}/between/", data)
        assert answer.status_code == 303
    assert Campaign.objects.get().last == played.last + 1


def test_another_change_from_the_same_form_is_written(
    upgrading: Campaign, as_alice: Client
) -> None:
    """Back shows the page with its old key, which doesn't swallow a new change."""
    code, address = ROLAND, f"/campaigns/{upgrading.pk}/between/"
    data = {"after": upgrading.last, "key": "once", "kind": f"deck-{code}"}
    data |= {"experience": 0, "physical": 1, "mental": 0, "fate": ""}
    for _time in range(2):
        assert as_alice.post(address, data).status_code == 303
    other = as_alice.post(address, data | {"physical": 0, "mental": 1})
    page = other.content.decode()
    assert other.status_code == 422
    assert "This form was already sent with a different answer." in page
    assert Campaign.objects.get().last == upgrading.last + 1

    (key,) = re.findall(rf'name="key" value="([^"]*-deck-{code})"', page)
    again = {"after": upgrading.last + 1, "key": key, "physical": 0, "mental": 1}
    assert as_alice.post(address, data | again).status_code == 303
    assert Campaign.objects.get().last == upgrading.last + 2


def test_a_late_answer_gets_a_message(played: Campaign, as_alice: Client) -> None:
    """409, with the form filled in."""
    before = played.last
    services.choose_ultimatum(
        campaign=played,
        member=organiser_of(played),
        chosen=UltimatumChosen("two", "dread"),
        context=write_context(played),
    )
    data = {"after": before, "key": "late", "kind": "start_side_scenario"}
    data |= {"scenario": "custom", "name": "A night out", "cost": 0}
    late = as_alice.post(f"/campaigns/{played.pk}/between/", data)
    assert late.status_code == 409
    assert "Your entry isn’t saved yet" in late.content.decode()
    assert 'value="A night out"' in late.content.decode()


def test_a_player_sees_who_may_record(
    played: Campaign, as_bob: Client, bob: User
) -> None:
    """Instead of the forms."""
    a_member(played, bob, Role.PLAYER)
    page = _page(as_bob, played)
    assert "The organiser or a scribe records side scenarios" in page
    assert 'name="kind"' not in page
    assert _link(played) not in as_bob.get(f"/campaigns/{played.pk}/").content.decode()
    filled = {"scenario": "custom", "name": "A night out", "cost": 0}
    assert _tell(as_bob, played, "start_side_scenario", **filled).status_code == 403


def test_a_stranger_gets_404(played: Campaign, as_charlie: Client) -> None:
    assert as_charlie.get(f"/campaigns/{played.pk}/between/").status_code == 404


@pytest.mark.parametrize(
    "data",
    [
        {},
        {"kind": "spell", "after": "1"},
        {"kind": "start_side_scenario", "after": "x"},
        {"kind": "start_side_scenario", "after": "1", "scenario": "nowhere"},
        {"kind": "inter_scenario", "after": "1", "physical_01001": "many"},
        {"kind": "deck-01001", "after": "1", "experience": "1e9"},
    ],
)
def test_an_invalid_form_is_refused(
    played: Campaign, as_alice: Client, data: dict[str, str]
) -> None:
    """With a reason, and nothing is written."""
    answer = as_alice.post(f"/campaigns/{played.pk}/between/", data)
    assert answer.status_code in (400, 409, 422)
    assert Campaign.objects.get().last == played.last
