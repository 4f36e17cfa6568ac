"""A backup whose guide is missing is kept by hand, with all its contents."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from arkham.accounts.models import User
from arkham.rules.campaign.state.state import HARD_TIMES
from campaigns import services
from campaigns.log.replays import replayed
from campaigns.models import Campaign, Guide, WaitingBackup
from campaigns.people.table import Visitor
from campaigns.queries import usable_guides
from tests.campaigns.backups.helpers import INPUTS, PLAYED, backup_of, restore
from tests.campaigns.helpers.tables import NOW, have_our_guides
from tests.rules.campaign.helpers.small import DAISY, ROLAND, Raw

pytestmark = pytest.mark.django_db
AS_WRITTEN: dict[str, Any] = {
    "difficulty": "hard",
    "chaosBag": {"skull": 2, "-1": 3, "auto_fail": 1, "unheard of": 1},
    "investigatorData": {
        ROLAND: {"physical": 2, "mental": 1, "availableXp": 9, "spentXp": 4},
        DAISY: {"insane": True, "storyAssets": ["04019"], "availableXp": 3},
        "x": {"physical": 1},
    },
    "campaignNotes": {
        "sections": [{"title": "Campaign Notes", "notes": ["It rained for days."]}],
    },
}


def test_investigators_killed_by_trauma_are_not_among_the_living(
    alice: User,
) -> None:
    """As much trauma as health or sanity kills, whatever is ticked."""
    have_our_guides(without="eoe")
    data = {
        ROLAND: {"physical": 9, "availableXp": 1},
        DAISY: {"mental": 9, "availableXp": 2},
        "02003": {"physical": 7, "storyAssets": [HARD_TIMES]},
        "02004": {"availableXp": 4},
        "02005": {"availableXp": 5},
        "03003": {"availableXp": 6},
        "03004": {"availableXp": 7},
    }
    restore(alice, backup_of(investigatorData=data))
    waiting, usable = WaitingBackup.objects.get(), usable_guides(Visitor(alice))
    (campaign,) = services.keep_by_hand(waiting=waiting, usable=usable, now=NOW)
    people = replayed(campaign).replay.state.people

    assert set(data) <= people.keys()
    assert [people[code].experience for code in list(data)[-2:]] == [6, 7]


def test_investigators_who_sit_out_keep_everything(alice: User) -> None:
    """Four play at most; other living ones can return later."""
    have_our_guides(without="eoe")
    codes = (ROLAND, DAISY, "02003", "02004", "02005", "03003")
    data = {
        code: {"physical": 1, "availableXp": number, "storyAssets": ["04019"]}
        for number, code in enumerate(codes, 3)
    }
    restore(alice, backup_of(investigatorData=data))
    waiting, usable = WaitingBackup.objects.get(), usable_guides(Visitor(alice))
    (campaign,) = services.keep_by_hand(waiting=waiting, usable=usable, now=NOW)
    replay = replayed(campaign).replay
    people = replay.state.people

    assert [people[code].experience for code in codes] == [3, 4, 5, 6, 7, 8]
    assert {people[code].physical for code in codes} == {1}
    assert {people[code].story for code in codes} == {("04019",)}
    assert replay.problems == ()
    assert tuple(replay.state.players) == codes[:4]
    assert set(campaign.seats.values_list("investigator", flat=True)) == set(codes)


def test_a_campaign_kept_by_hand_has_everything_in_the_backup(
    alice: User, as_alice: Client
) -> None:
    """Experience, trauma, fates, cards, difficulty, bag, log, what was played."""
    have_our_guides(without="eoe")
    restore(alice, backup_of(**AS_WRITTEN))
    waiting = WaitingBackup.objects.get()
    answer = as_alice.post(f"/campaigns/bring/{waiting.pk}/", {"act": "by_hand"})
    campaign = Campaign.objects.get()
    state = replayed(campaign).replay.state
    roland, daisy = state.people[ROLAND], state.people[DAISY]

    assert answer.status_code == 303
    assert campaign.guide.origin == Guide.Origin.FACTS
    assert campaign.name == "Ours"
    assert (roland.experience, roland.physical, roland.mental) == (5, 2, 1)
    assert (daisy.experience, daisy.insane) == (3, True)
    assert {token: n for token, n in state.bag.items() if n} == {
        "skull": 2,
        "-1": 3,
        "auto_fail": 1,
    }
    assert state.difficulty == "hard"
    notes = [line.text for line in state.sections["campaign_notes"].lines]
    assert "It rained for days." in notes
    assert state.statuses[PLAYED] == "completed"
    assert replayed(campaign).replay.problems == ()
    assert set(campaign.seats.values_list("investigator", flat=True)) == {ROLAND, DAISY}
    assert WaitingBackup.objects.get().is_by_hand


def test_missing_summaries_are_derived_from_the_records(alice: User) -> None:
    """Trauma of defeats, experience that was counted, results reached."""
    have_our_guides(without="eoe")
    restore(alice, backup_of())
    usable = usable_guides(Visitor(alice))
    (campaign,) = services.keep_by_hand(
        waiting=WaitingBackup.objects.get(), usable=usable, now=NOW
    )
    state = replayed(campaign).replay.state

    assert set(state.players) == {ROLAND, DAISY}
    assert replayed(campaign).replay.problems == ()


def test_results_are_put_in_words(alice: User) -> None:
    """As the log of a campaign kept by hand has them."""
    have_our_guides(without="eoe")
    data = backup_of()
    data["guides"][0]["inputs"] += [
        {
            "type": "string_choices",
            "scenario": PLAYED,
            "step": f"$r_{reached}*investigator_status",
            "choices": {ROLAND: ["alive"]},
        }
        for reached in ("no_resolution", "R2")
    ]
    restore(alice, data)
    usable = usable_guides(Visitor(alice))
    (campaign,) = services.keep_by_hand(
        waiting=WaitingBackup.objects.get(), usable=usable, now=NOW
    )
    section = replayed(campaign).replay.state.sections["campaign_notes"]
    told = [line.text.partition(": ")[2] for line in section.lines]

    assert told == ["No resolution was reached", "Resolution 2"]


def test_replaced_investigators_and_side_scenarios_are_in_the_records(
    alice: User,
) -> None:
    """Those who no longer play keep their fate; a side scenario its result."""
    have_our_guides(without="eoe")
    data, aside = backup_of(), "curse_of_the_rougarou"
    chosen = {"type": "string_choices", "step": "$choose_investigators"}
    data["guides"][0]["inputs"] += [
        {
            "type": "start_side_scenario",
            "scenario": aside,
            "previousScenarioId": PLAYED,
            "sideScenarioType": "official",
        },
        {**chosen, "scenario": aside, "choices": {"02003": ["chosen"]}},
        {**SETTLED, "scenario": aside, "choices": {"02003": ["killed"]}},
        {**chosen, "scenario": PLAYED, "choices": {DAISY: ["chosen"]}},
    ]
    restore(alice, data)
    usable = usable_guides(Visitor(alice))
    (campaign,) = services.keep_by_hand(
        waiting=WaitingBackup.objects.get(), usable=usable, now=NOW
    )
    state = replayed(campaign).replay.state
    notes = [line.text for line in state.sections["campaign_notes"].lines]
    seated = campaign.seats.values_list("investigator", flat=True)

    assert (state.people["02003"].killed, list(state.players)) == (True, [DAISY])
    assert set(seated) == {DAISY, "02003"}
    assert "Curse of the Rougarou: Resolution 1" in notes


SETTLED: Raw = {
    "type": "string_choices",
    "step": "$r_R1*investigator_status",
    "choices": {ROLAND: ["alive"]},
}


def _started(*scenarios: str) -> list[Raw]:
    """Scenarios that were begun in order, all but the last of them settled."""
    found: list[Raw] = []
    for each in scenarios:
        found += [{"type": "start_scenario", "scenario": each}]
        found += [{**SETTLED, "scenario": each}]
    return found[:-1]


@pytest.mark.parametrize(
    ("guide", "records", "coming"),
    [
        # The game was abandoned.
        ("tcu", _started("the_witching_hour"), "the_witching_hour"),
        ("dwl", _started("the_house_always_wins"), "the_house_always_wins"),
        # Its outcome was entered.
        (
            "dwl",
            _started("the_house_always_wins", "extracurricular_activity", "")[:-1],
            "armitages_fate",
        ),
        (
            "dwl",
            _started("dwl_prologue", "the_house_always_wins", "")[:-1],
            "extracurricular_activity",
        ),
        # In the order of the later printing.
        (
            "ptc",
            _started("the_last_king", "ptc_interlude1_reprint", "echoes_of_the_past"),
            "echoes_of_the_past",
        ),
    ],
)
def test_a_campaign_kept_by_hand_continues_where_it_was(
    alice: User, guide: str, records: list[Raw], coming: str
) -> None:
    have_our_guides(without="eoe")
    Guide.objects.filter(guide_id=guide).exclude(origin=Guide.Origin.FACTS).delete()
    data = backup_of(guide)
    data["guides"][0]["inputs"] = [*INPUTS[:2], *records]
    restore(alice, data)
    usable = usable_guides(Visitor(alice))
    (campaign,) = services.keep_by_hand(
        waiting=WaitingBackup.objects.get(), usable=usable, now=NOW
    )
    replay = replayed(campaign).replay

    assert replay.pending is not None
    assert (replay.pending.scenario, replay.problems) == (coming, ())


def test_an_unknown_choice_becomes_one_of_the_difficulties(
    alice: User,
) -> None:
    """Fortune and Folly has two; here its guide isn’t ours."""
    have_our_guides(without="eoe")
    Guide.objects.filter(guide_id="fof", origin="ours").delete()
    data = backup_of("fof")
    level = {"type": "choice", "step": "difficulty", "choice": 1}
    data["guides"][0]["inputs"] = [
        *INPUTS[:2],
        {**level, "scenario": "$campaign_setup"},
    ]
    restore(alice, data)
    usable = usable_guides(Visitor(alice))
    (campaign,) = services.keep_by_hand(
        waiting=WaitingBackup.objects.get(), usable=usable, now=NOW
    )

    assert replayed(campaign).replay.state.difficulty == "hard"
