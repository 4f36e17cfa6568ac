"""A campaign that began on paper is entered at its position, on a page."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.test import Client

from arkham.accounts.models import User
from arkham.rules.campaign.reading.files import Words
from arkham.rules.campaign.settlement import Fate, fate_of
from campaigns import services
from campaigns.log.replays import replayed
from campaigns.models import Campaign, Guide, Role
from tests.campaigns.helpers.tables import (
    NOW,
    a_campaign,
    a_member,
    a_row,
    as_answers,
    have_our_guides,
    report,
    who,
)
from tests.rules.campaign.helpers.small import DAISY, ROLAND, SECTIONS

TOKENS = {"token skull": "2", "token 0": "3", "token -4": "1", "token frost": ""}


@pytest.fixture
def carcosa(alice: User) -> Campaign:
    """Alice's Path to Carcosa, kept by hand, without any answers."""
    guide = services.guide_by_hand(campaign="ptc", now=NOW)
    return a_campaign(alice, ROLAND, DAISY, guide=guide)


def address(campaign: Campaign) -> str:
    """Return the address of the page."""
    return f"/campaigns/{campaign.pk}/enter/"


def place(**more: str) -> dict[str, str]:
    """Before the third scenario, in the later printing."""
    return {
        "scenario": "echoes_of_the_past",
        "difficulty": "hard",
        "printing": "printing.ptc_interlude1_reprint",
        **more,
    }


def sheet(campaign: Campaign, **more: Any) -> dict[str, Any]:
    """What the sheet of paper says."""
    return {
        **place(),
        "after": str(campaign.last),
        "key": "a",
        "reason": "Begun on paper.",
        "played": ["ptc_prologue", "curtain_call", "the_last_king"],
        f"experience {ROLAND}": "7",
        f"physical {ROLAND}": "1",
        f"cards {ROLAND}": "The Man in the Pallid Mask",
        f"mental {DAISY}": "2",
        f"cards {DAISY}": "Paranoia",
        **TOKENS,
        "count doubt": "5",
        "lines campaign_notes": ["police_are_suspicious"],
        "words vips_slain": "Jordan Perry\n\nIshimaru Haruko",
        **more,
    }


def test_the_scenario_is_asked_first(as_alice: Client, carcosa: Campaign) -> None:
    page = as_alice.get(address(carcosa)).content.decode()
    assert "Echoes of the Past" in page
    assert "Which of these does your campaign guide have?" in page
    assert "Interlude I: Reality&#x27;s Shadow" in page
    assert "Chaos bag" not in page


def test_the_sheet_follows_with_the_initial_bag(
    as_alice: Client, carcosa: Campaign
) -> None:
    response = as_alice.get(address(carcosa), place())
    form = response.context["standing"]
    labels = [each.label for each in next(form.people).figures]
    assert labels == ["Unspent experience", "Physical", "Mental"]
    bag = {each.label: each.initial for each in form.tokens if each.initial}
    assert bag == {
        "0": 3, "−1": 2, "−2": 2, "−3": 2, "−4": 1, "−5": 1,
        "Skull": 3, "Auto-fail": 1, "Elder sign": 1,
    }  # fmt: skip
    assert form["played"].initial == [
        "ptc_prologue",
        "curtain_call",
        "the_last_king",
        "ptc_interlude1_reprint",
    ]


def test_lines_of_unplayed_scenarios_are_hidden(
    as_alice: Client, carcosa: Campaign
) -> None:
    page = as_alice.get(address(carcosa), place()).content.decode()
    assert "the police are suspicious of you." in page
    assert "you opened the path above." not in page


def test_the_sheet_is_recorded(as_alice: Client, carcosa: Campaign) -> None:
    response = as_alice.post(address(carcosa), sheet(carcosa))
    assert response.status_code == 303
    replay = replayed(Campaign.objects.get()).replay
    state = replay.state

    assert replay.problems == ()
    assert replay.pending is not None
    assert replay.pending.scenario == "echoes_of_the_past"
    assert state.difficulty == "hard"
    assert {token: count for token, count in state.bag.items() if count} == {
        "skull": 2,
        "0": 3,
        "-4": 1,
    }
    roland, daisy = state.people[ROLAND], state.people[DAISY]
    assert (roland.experience, roland.physical, roland.story) == (7, 1, ("03059",))
    assert (daisy.experience or 0, daisy.mental, daisy.added) == (0, 2, ["01097"])
    assert state.counts["doubt"] == 5
    assert state.has_line("campaign_notes", "police_are_suspicious")
    assert state.has_line("vips_slain", "Ishimaru Haruko")
    assert "ptc_interlude1_reprint" not in state.statuses


def test_earlier_answers_are_undone(as_alice: Client, carcosa: Campaign) -> None:
    """So that the bag's tokens aren't added twice."""
    answers = [{**each, "step": "players"} for each in (who(ROLAND, DAISY),)]
    hard = {"type": "choice", "step": "difficulty", "choice": 2}
    report(carcosa, as_answers(*answers, hard))
    assert replayed(carcosa).replay.state.bag["skull"] == 3
    carcosa.refresh_from_db()

    assert as_alice.post(address(carcosa), sheet(carcosa)).status_code == 303

    assert replayed(Campaign.objects.get()).replay.state.bag["skull"] == 2


def test_departed_investigators_play_no_more(
    as_alice: Client, carcosa: Campaign
) -> None:
    data = sheet(carcosa, killed='"Skids" O\'Toole', insane="Agnes Baker")
    assert as_alice.post(address(carcosa), data).status_code == 303
    state = replayed(Campaign.objects.get()).replay.state
    assert fate_of(state, "01003") is Fate.KILLED
    assert fate_of(state, "01004") is Fate.DRIVEN_INSANE
    assert state.alive() == [ROLAND, DAISY]


@pytest.mark.parametrize(
    ("more", "word"),
    [
        (
            {f"cards {ROLAND}": "Nobody’s Card"},
            "We couldn’t find a card called “Nobody’s Card”.",
        ),
        ({"token skull": "-1"}, "greater than or equal to 0"),
        ({"token frost": "9"}, "less than or equal to 8"),
        ({"played": ["nowhere"]}, "not one of the available choices"),
        ({f"experience {ROLAND}": "many"}, "whole number"),
    ],
)
def test_an_impossible_entry_is_reported_at_its_field(
    as_alice: Client, carcosa: Campaign, more: dict[str, Any], word: str
) -> None:
    response = as_alice.post(address(carcosa), sheet(carcosa, **more))
    assert response.status_code == 422
    assert word in response.content.decode()
    assert Campaign.objects.get().last == 1


def test_the_page_opens_at_the_first_refused_field(
    as_alice: Client, carcosa: Campaign
) -> None:
    """Refused fields are not folded away."""
    wrong = {f"cards {ROLAND}": "Amnsia", "killed": "Nobody", "reason": ""}
    page = as_alice.post(address(carcosa), sheet(carcosa, **wrong)).text
    (marked,) = re.findall(r"<[^<>]+ autofocus[^<>]*>", page)
    assert f'name="cards {ROLAND}"' in marked
    counted = re.findall(r'name="(count [^"]+)"', page)[0]
    folded = as_alice.post(address(carcosa), sheet(carcosa, **{counted: "-7"})).text
    before = folded[: folded.index(f'name="{counted}"')]
    assert "open" in before[before.rindex("<details") :].partition(">")[0]


def test_the_timeline_says_that_it_was_entered(
    as_alice: Client, carcosa: Campaign
) -> None:
    """Its first answer has words of its own."""
    as_alice.post(address(carcosa), sheet(carcosa))
    page = as_alice.get(f"/campaigns/{carcosa.pk}/timeline/").text
    assert "Enter the log as it is on paper?" in page
    assert "What happened?" not in page


@pytest.mark.parametrize("scenario", ["", "nowhere"])
def test_an_unknown_scenario_is_refused(
    as_alice: Client, carcosa: Campaign, scenario: str
) -> None:
    data = sheet(carcosa, scenario=scenario)
    assert as_alice.post(address(carcosa), data).status_code == 400
    assert as_alice.get(address(carcosa), place(scenario=scenario)).status_code == 200


def test_a_campaign_in_progress_is_not_entered(
    as_alice: Client, carcosa: Campaign
) -> None:
    as_alice.post(address(carcosa), sheet(carcosa))
    carcosa.refresh_from_db()
    page = as_alice.get(address(carcosa)).content.decode()
    assert "You have already continued this campaign here." in page
    again = as_alice.post(address(carcosa), sheet(carcosa, key="b"))
    assert again.status_code == 422
    assert "This campaign already has answers" in again.content.decode()


def test_the_link_is_shown_until_then(as_alice: Client, carcosa: Campaign) -> None:
    table = f"/campaigns/{carcosa.pk}/"
    assert "Already started on paper?" in as_alice.get(table).content.decode()
    as_alice.post(address(carcosa), sheet(carcosa))
    assert "Already started on paper?" not in as_alice.get(table).content.decode()


def test_a_late_form_is_refused(as_alice: Client, carcosa: Campaign) -> None:
    data = sheet(carcosa)
    report(carcosa, as_answers({**who(ROLAND, DAISY), "step": "players"}))
    response = as_alice.post(address(carcosa), data)
    assert response.status_code == 409
    assert "Your entry isn’t saved yet" in response.content.decode()


def test_only_the_organiser_enters(
    client: Client, carcosa: Campaign, bob: User
) -> None:
    a_member(carcosa, bob, Role.PLAYER)
    client.force_login(bob)
    table = f"/campaigns/{carcosa.pk}/"
    assert "Already started on paper?" not in client.get(table).content.decode()
    assert client.post(address(carcosa), sheet(carcosa)).status_code == 403
    assert Campaign.objects.get().last == 1


def test_strangers_get_404(client: Client, carcosa: Campaign, bob: User) -> None:
    client.force_login(bob)
    assert client.get(address(carcosa)).status_code == 404
    assert client.post(address(carcosa), sheet(carcosa)).status_code == 404


def test_a_campaign_without_investigators_is_not_entered(
    as_alice: Client, alice: User
) -> None:
    empty = a_campaign(alice, guide=Guide.objects.filter(guide_id="ptc").first())
    assert "First choose who plays." in as_alice.get(address(empty)).content.decode()


def test_supplies_and_crossed_out_lines_are_entered(
    as_alice: Client, alice: User
) -> None:
    """Of The Forgotten Age, each investigator's own."""
    guide = services.guide_by_hand(campaign="tfa", now=NOW)
    campaign = a_campaign(alice, ROLAND, DAISY, guide=guide)
    chosen = {"scenario": "the_boundary_beyond", "difficulty": "hard"}
    page = as_alice.get(address(campaign), chosen).content.decode()
    assert page.count("Provisions") == 2
    data = {
        **chosen,
        "after": str(campaign.last),
        "key": "a",
        "reason": "Begun on paper.",
        f"own supplies.provisions {ROLAND}": "3",
        "struck campaign_notes": "Wrong turn",
        "crossed campaign_notes": ["alejandro_remained_at_camp"],
    }
    response = as_alice.post(address(campaign), data)
    assert response.status_code == 303
    state = replayed(Campaign.objects.get()).replay.state
    assert state.seat_sections["supplies"][ROLAND].number("provisions") == 3
    lines = state.section("campaign_notes").lines
    assert [(each.id, each.crossed_out) for each in lines] == [
        ("alejandro_remained_at_camp", True),
        ("Wrong turn", True),
    ]


def test_partners_are_entered_with_their_status(as_alice: Client, alice: User) -> None:
    """And a Tekeli-li card by its number."""
    guide = services.guide_by_hand(campaign="eoe", now=NOW)
    campaign = a_campaign(alice, ROLAND, DAISY, guide=guide)
    data = {
        "scenario": "ice_and_death_part_2",
        "difficulty": "hard",
        "after": str(campaign.last),
        "key": "a",
        "reason": "Begun on paper.",
        f"cards {ROLAND}": "Tekeli-li 224",
        "damage 08720": "1",
        "states 08720": ["resolute", "safe"],
    }
    for name, most in (("damage 08720", 3), ("horror 08714", 6), ("physical 01001", 9)):
        answer = as_alice.post(address(campaign), data | {name: str(most + 1)})
        assert answer.status_code == 422
        assert f"less than or equal to {most}" in answer.content.decode()
    assert as_alice.post(address(campaign), data).status_code == 303
    state = replayed(Campaign.objects.get()).replay.state
    assert state.people["08720"].story == ("resolute", "safe")
    assert state.people[ROLAND].story == ("08724",)
    page = as_alice.get(f"/campaigns/{campaign.pk}/log/").content.decode()
    assert "damage 1/3, horror 0/4, resolute, safe" in page


def test_lines_read_as_in_the_log(
    as_alice: Client, alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Tokens by their names, without markup; hidden lines are not asked."""
    line = {"opened": "The [elder_thing] gate is <i>open</i>."}
    words = Words({"log": {"campaign_notes": line}})
    monkeypatch.setattr("campaigns.guides.opening.words_at", lambda _member: words)
    hidden = {"id": "curse", "type": "investigator_count", "hidden": True}
    guide = a_row(campaign_log=[*SECTIONS, {**hidden, "title": "Curse"}])
    campaign = a_campaign(alice, ROLAND, guide=guide)
    chosen = {"scenario": "one", "difficulty": "hard"}
    page = as_alice.get(address(campaign), chosen).content.decode()
    assert "The Elder Thing gate is open." in page
    assert "own curse.$count" not in page


def test_a_whole_section_is_crossed_out(as_alice: Client, alice: User) -> None:
    """The Circle Undone: two took no part in the prologue."""
    have_our_guides()
    guide = Guide.objects.get(guide_id="tcu", origin=Guide.Origin.OURS)
    campaign = a_campaign(alice, ROLAND, guide=guide)
    chosen = {"scenario": "at_deaths_doorstep", "difficulty": "hard"}
    page = as_alice.get(address(campaign), chosen).content.decode()
    assert page.count("The whole section") == 4
    data = {
        **chosen,
        "after": str(campaign.last),
        "key": "a",
        "reason": "Begun on paper.",
        "crossed 05046": [""],
        "lines 05047": ["taken_by_the_watcher"],
    }
    assert as_alice.post(address(campaign), data).status_code == 303
    state = replayed(Campaign.objects.get()).replay.state
    section = state.section("05046")
    assert (section.crossed_out, section.lines) == (True, ())
    assert not state.section("05047").crossed_out
    log = as_alice.get(f"/campaigns/{campaign.pk}/log/").content.decode()
    assert "<s>Missing Persons - Gavriella Mizrah</s>" in log
    assert "Jerome Davids was taken by the Watcher" in log


def test_our_guide_asks_for_the_printing_too(as_alice: Client, alice: User) -> None:
    """The Path to Carcosa continues in the order of the chosen printing."""
    have_our_guides()
    guide = Guide.objects.get(guide_id="ptc", origin=Guide.Origin.OURS)
    campaign = a_campaign(alice, ROLAND, guide=guide)
    page = as_alice.get(address(campaign), place()).content.decode()
    assert "Which printing do you use?" in page
    assert "The campaign expansion in one box" in page
    data = sheet(campaign, printing="ask_reprint.reprint")
    assert as_alice.post(address(campaign), data).status_code == 303
    replay = replayed(Campaign.objects.get()).replay
    assert replay.state.section("hidden").has("reprint_language")
    assert [each.id for each in replay.scenarios][-3:] == [
        "black_stars_rise",
        "dim_carcosa",
        "ptc_epilogue",
    ]


def test_times_marked_on_the_track_are_asked_for(as_alice: Client, alice: User) -> None:
    """The Scarlet Keys: when Theta is read, and where Hong Kong is too late."""
    have_our_guides()
    guide = Guide.objects.get(guide_id="tskc", origin=Guide.Origin.OURS)
    campaign = a_campaign(alice, ROLAND, guide=guide)
    chosen = {"scenario": "ybor_city", "difficulty": "hard"}
    page = as_alice.get(address(campaign), chosen).content.decode()
    assert "Time Passed: Theta is written at" in page
    data = {
        **chosen,
        "after": str(campaign.last),
        "key": "a",
        "reason": "Begun on paper.",
        "count time": "20",
        "count hidden.sr_theta_time": "24",
    }
    assert as_alice.post(address(campaign), data).status_code == 303
    section = replayed(Campaign.objects.get()).replay.state.section("hidden")
    assert section.number("sr_theta_time") == 24


def test_body_of_a_yithian_changes_how_much_trauma_is_possible(
    as_alice: Client, alice: User
) -> None:
    """Roland's sanity is 5, with the card 7."""
    guide = services.guide_by_hand(campaign="tfa", now=NOW)
    campaign = a_campaign(alice, ROLAND, DAISY, guide=guide)
    data = {
        "scenario": "the_depths_of_yoth",
        "difficulty": "hard",
        "after": str(campaign.last),
        "key": "a",
        "reason": "Begun on paper.",
        f"mental {ROLAND}": "6",
    }
    refused = as_alice.post(address(campaign), data)
    assert refused.status_code == 422
    assert "The number is too high." in refused.content.decode()
    data[f"cards {ROLAND}"] = "Body of a Yithian"
    assert as_alice.post(address(campaign), data).status_code == 303
    person = replayed(Campaign.objects.get()).replay.state.people[ROLAND]
    assert (person.mental, person.story) == (6, ("04244",))
