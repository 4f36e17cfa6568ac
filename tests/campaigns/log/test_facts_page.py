"""Changes by hand: experience, trauma, tokens, a lost campaign."""

from __future__ import annotations

import pytest
from django.test import Client

from arkham.accounts.models import User
from arkham.rules.campaign.model import effects as do
from arkham.rules.campaign.model.guide import SETUP
from arkham.rules.campaign.state.answers import Stated, UltimatumChosen
from campaigns import services
from campaigns.log.replays import replayed
from campaigns.models import Campaign, Role
from tests.campaigns.helpers.tables import (
    a_member,
    as_answers,
    experience,
    organiser_of,
    report,
    write_context,
)
from tests.campaigns.log.helpers import page_of, post_to, state_fact
from tests.rules.campaign.helpers.small import ROLAND


def test_experience_is_corrected_by_hand(played: Campaign, as_alice: Client) -> None:
    """With a reason, which is kept."""
    answer = post_to(
        as_alice, played, "fact/", kind="person", scenario="one", who=ROLAND,
        what="experience", amount="-1", reason="Spent it",
    )  # fmt: skip
    assert answer.status_code == 303
    assert experience(Campaign.objects.get(), ROLAND) == 2
    assert "Spent it" in page_of(as_alice, played, "timeline/")


@pytest.mark.parametrize(
    ("fields", "wrong"),
    [
        ({"kind": "person", "who": ROLAND, "what": "mental", "amount": "0"}, "Nothing"),
        ({"kind": "person", "who": "nobody", "what": "mental", "amount": "1"}, "valid"),
        ({"kind": "tokens", "token": "skull", "way": "1", "count": "11"}, "less than"),
        ({"kind": "words", "section": "hidden", "words": "x"}, "valid"),
    ],
)
def test_an_invalid_change_is_refused(
    played: Campaign, as_alice: Client, fields: dict[str, str], wrong: str
) -> None:
    """The form shows the fault; nothing is written."""
    answer = post_to(as_alice, played, "fact/", scenario="one", reason="So", **fields)
    assert answer.status_code == 422
    assert wrong in answer.content.decode()
    assert Campaign.objects.get().last == played.last


def test_trauma_by_ultimatums_is_shown(played: Campaign, as_alice: Client) -> None:
    """Effects of a boon that is not in force are neither offered nor accepted."""
    told = {
        "kind": "person", "scenario": "one", "who": ROLAND, "what": "mental",
        "amount": "1", "source": "osiris", "reason": "Nearly defeated",
    }  # fmt: skip
    assert "Osiris" not in page_of(as_alice, played, "fact/")
    assert post_to(as_alice, played, "fact/", **told).status_code == 422

    services.choose_ultimatum(
        campaign=played,
        member=organiser_of(played),
        chosen=UltimatumChosen(SETUP, "osiris"),
        context=write_context(played),
    )
    assert "Boon of Osiris" in page_of(as_alice, played, "fact/")
    assert send_fact(as_alice, played, told | {"what": "experience"}) == 422
    assert send_fact(as_alice, played, told) == 303
    assert "1 mental trauma (Boon of Osiris)" in page_of(as_alice, played, "timeline/")
    assert send_fact(as_alice, played, told) == 422  # once in a game
    person = replayed(Campaign.objects.get()).replay.state.people[ROLAND]
    assert (person.physical, person.mental) == (None, 1)


def test_a_table_without_investigators_records_its_defeat(
    played: Campaign, as_alice: Client
) -> None:
    """TRA-10: offered once an investigator has to be replaced."""
    title = "No investigators are left: the campaign is lost"
    assert title not in page_of(as_alice, played, "fact/")

    killed = do.Trauma("input", killed=True)
    state_fact(played, Stated("one", killed, (ROLAND,), reason="So it was."))
    assert title in page_of(as_alice, played, "fact/")
    lost = {"kind": "result", "scenario": "one", "reason": "We have nobody else"}
    assert send_fact(as_alice, played, lost) == 303
    assert replayed(Campaign.objects.get()).replay.state.campaign_result == "lose"
    assert "The campaign is lost" in page_of(as_alice, played, "timeline/")
    assert title not in page_of(as_alice, played, "fact/")


def send_fact(client: Client, campaign: Campaign, fields: dict[str, str]) -> int:
    """Send a change, with the latest sequence."""
    campaign.refresh_from_db()
    key = f"k{campaign.last}{fields.get('what')}"
    status: int = post_to(client, campaign, "fact/", key=key, **fields).status_code
    return status


@pytest.mark.parametrize(
    ("way", "said"),
    [
        ("-1", "Recorded, but it changed nothing."),
        ("1", "Recorded."),
    ],
)
def test_a_change_without_effect_says_so(
    played: Campaign, as_alice: Client, way: str, said: str
) -> None:
    """There is no skull that could leave the bag."""
    fields = {"kind": "tokens", "scenario": "one", "way": way, "reason": "So"}
    answer = post_to(as_alice, played, "fact/", **fields, token="skull", count="1")
    page = as_alice.get(answer["Location"])

    assert [str(each) for each in page.context["messages"]] == [said]


def test_a_change_after_a_scenario_in_play_waits_for_its_end(
    played: Campaign, as_alice: Client
) -> None:
    """It shows nowhere yet, so the message says when it will."""
    start = {"type": "start_scenario", "scenario": "two"}
    report(played, as_answers(start))
    answer = post_to(
        as_alice, played, "fact/", kind="person", scenario="two", who=ROLAND,
        what="physical", amount="1", reason="Fell",
    )  # fmt: skip
    page = as_alice.get(answer["Location"])
    said = [str(each) for each in page.context["messages"]]
    assert said == ["Recorded. Changes by hand take effect when the scenario is over."]


def test_a_change_without_a_reason_is_refused(
    played: Campaign, as_alice: Client
) -> None:
    answer = post_to(
        as_alice, played, "fact/", kind="words", scenario="one",
        section="campaign_notes", words="We were late",
    )  # fmt: skip
    assert answer.status_code == 422


def test_an_eleventh_bless_token_is_refused(played: Campaign, as_alice: Client) -> None:
    """By the rules of the bag."""
    fields = {"kind": "tokens", "scenario": "one", "way": "1", "reason": "So"}
    post_to(as_alice, played, "fact/", **fields, token="bless", count="10")
    campaign = Campaign.objects.get()
    answer = post_to(
        as_alice, campaign, "fact/", **fields, token="bless", count="1", key="two"
    )
    assert answer.status_code == 422
    assert "This isn’t possible." in answer.content.decode()


def test_a_spectator_changes_nothing(
    played: Campaign, bob: User, as_bob: Client
) -> None:
    """They read."""
    a_member(played, bob, Role.SPECTATOR)
    answer = post_to(
        as_bob, played, "fact/", kind="assert", scenario="one",
        about=f"experience {ROLAND}", value="3",
    )  # fmt: skip
    assert answer.status_code == 403
