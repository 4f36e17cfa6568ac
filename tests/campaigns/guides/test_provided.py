"""The guides that come with Orne are stored like all others."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from arkham.accounts.models import User
from arkham.rules.campaign.model.guide import Ask
from arkham.rules.campaign.model.prompts import Menu
from arkham.rules.campaign.reading.own import open_own_guide
from campaigns.guides import opening
from campaigns.guides.keeping import provide_guides
from campaigns.models import Guide
from campaigns.views.starting import singles_of
from tests.campaigns.helpers.tables import a_campaign, organiser_of
from tests.rules.campaign.helpers.small import ROLAND

NOW = datetime(2026, 2, 1, 20, tzinfo=UTC)
pytestmark = pytest.mark.django_db


def a_provided(guide_id: str, origin: str) -> Guide:
    """Return a public guide."""
    return Guide.objects.get(guide_id=guide_id, origin=origin)


def test_our_guides_and_facts_of_every_campaign_are_provided() -> None:
    """For everyone, once, however often they are provided."""
    new = provide_guides(now=NOW)

    assert provide_guides(now=NOW) == 0
    assert Guide.objects.count() == new
    assert not Guide.objects.exclude(owner=None).exists()
    assert opening.opened(a_provided("ptc", "facts")).order[0] == "ptc_prologue"
    zealot = opening.opened(a_provided("core", "ours"))
    assert zealot.order[0] == "torch"
    assert zealot.side, "side scenarios can be put in"


def test_their_words_are_for_all_members(alice: User) -> None:
    """They are our own."""
    provide_guides(now=NOW)
    campaign = a_campaign(alice, ROLAND, guide=a_provided("core", "ours"))

    words = opening.words_at(organiser_of(campaign))

    assert words.choice("$campaign_setup", "difficulty_choice", "hard") == "Hard"
    by_hand = a_campaign(alice, ROLAND, guide=a_provided("ptc", "facts"))
    words = opening.words_at(organiser_of(by_hand))
    assert words.step("$campaign_setup", "players")["prompt"] == "Who plays?"


def test_a_newer_guide_keeps_versions_in_use(alice: User) -> None:
    """And replaces the others."""
    provide_guides(now=NOW)
    played = a_provided("core", "ours")
    unplayed = a_provided("boa", "ours")
    campaign = a_campaign(alice, ROLAND, guide=played)
    Guide.objects.filter(pk=played.pk).update(digest="0" * 64)
    Guide.objects.filter(pk=unplayed.pk).update(digest="1" * 64)

    assert provide_guides(now=NOW) == 2

    kept = Guide.objects.filter(guide_id__in=["core", "boa"], origin="ours")
    assert kept.count() == 3
    assert campaign.guide_id in kept.values_list("pk", flat=True)


def test_side_scenarios_of_our_guides_have_steps_and_words() -> None:
    """They write into the campaign's log, in words, without dead ends."""
    provide_guides(now=NOW)
    row = a_provided("dwl", "ours")
    guide, words = opening.opened(row), opening.words_of(row)
    stone = guide.side["the_black_stone"]
    record = stone.steps["record"]
    assert isinstance(record, Ask)
    assert isinstance(record.prompt, Menu)

    offered = [each for each in record.prompt.choices if each.steps]
    core = {step for each in offered for step in each.steps if step[0] != "$"}
    assert core <= stone.steps.keys()
    assert not any(each.id.startswith("number.") for each in offered)
    assert words.choice("the_black_stone", "record", "lines") == "Lines"
    line = "rougarou_destroyed_and_curse_is_lifted"
    assert "Rougarou is destroyed" in words.line("campaign_notes", line)
    by_hand = opening.words_of(a_provided("ptc", "facts"))
    assert "Rougarou is destroyed" in by_hand.line("campaign_notes", line)
    assert line not in by_hand.lines("campaign_notes")


def test_no_scenario_leads_to_a_side_scenario() -> None:
    provide_guides(now=NOW)
    side = a_provided("side", "facts")
    zealot = a_provided("core", "ours")
    assert not any(each.after_the_rest for each in singles_of(side, opening.NO_WORDS))
    after = [e.id for e in singles_of(zealot, opening.NO_WORDS) if e.after_the_rest]
    assert after == ["arkham", "tentacles"]


def test_older_side_scenarios_stay_while_in_use(alice: User) -> None:
    """Campaigns don't name them; their guides do."""
    provide_guides(now=NOW)
    side, zealot = a_provided("side", "facts"), a_provided("core", "ours")
    a_campaign(alice, ROLAND, guide=zealot)
    Guide.objects.filter(pk=side.pk).update(digest="2" * 64)
    Guide.objects.filter(pk=zealot.pk).update(side_digest="2" * 64)

    provide_guides(now=NOW)

    assert Guide.objects.filter(pk=side.pk).exists()
    assert "red_tide_rising" in opening.opened(Guide.objects.get(pk=zealot.pk)).side


def test_our_side_scenarios_are_played_with_a_guide() -> None:
    """Beside each guide of ours, and alone; all others by hand."""
    provide_guides(now=NOW)
    row = a_provided("dwl", "ours")
    side, words = opening.opened(row).side, opening.words_of(row)

    assert "xp_cost" in side["curse_of_the_rougarou"].steps
    assert words.step("curse_of_the_rougarou", "set_aside_cards")["cites"]
    assert "record" in side["the_black_stone"].steps
    assert [each.id for each in singles_of(a_provided("side", "ours"), words)] == [
        name
        for name in open_own_guide("side").guide.order
        if name != "fortune_and_folly_part_1"  # a campaign of its own
    ]


def test_guides_are_sorted_ignoring_case() -> None:
    """And the article."""
    names = ["The beyond", "apart", "Zenith", "Cold"]
    guides = [
        Guide(pk=pk, guide_id=name, name=name, brought_at=NOW)
        for pk, name in enumerate(names)
    ]
    found = [each.name for each in opening.newest(guides)]
    assert found == ["apart", "The beyond", "Cold", "Zenith"]
