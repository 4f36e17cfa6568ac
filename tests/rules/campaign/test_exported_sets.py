"""Which cards of an encounter set a scenario uses, according to guides."""

from __future__ import annotations

from typing import Any

import pytest

from arkham.rules.campaign.by_hand.facts import SIDE, campaign_facts, known_campaigns
from arkham.rules.campaign.by_hand.scenarios import cards_of
from tests.rules.campaign.facts.sets import gathered, used

Raw = dict[str, Any]
NAMES = {"woods": "The Woods"}
CARDS: dict[str, Raw] = {
    "glade": {"name": "Glade", "type_code": "location", "traits": "Forest. Spectral."},
    "mill": {"name": "Mill", "type_code": "location", "subname": "Old"},
    "new_mill": {"name": "Mill", "type_code": "location", "subname": "New"},
    "wolf": {"name": "Wolf", "type_code": "enemy", "traits": "Creature."},
    "fog": {"name": "Fog", "type_code": "treachery"},
}


def kept(text: str, *more: Raw) -> list[str]:
    """Return the cards of The Woods that are used with this text in a guide."""
    step = {"type": "encounter_sets", "encounter_sets": ["woods"], "subtext": text}
    limit = gathered({"steps": [step, *more]}, NAMES)["woods"]
    return [key for key, card in CARDS.items() if used(limit, card, CARDS.values())]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", ["glade", "mill", "new_mill", "wolf", "fog"]),
        ("When gathering <i>The Woods</i>, only gather the treacheries.", ["fog"]),
        (
            "When gathering the <i>Woods</i>, only gather the location and treachery"
            " cards. Do not gather the enemies.",
            ["glade", "mill", "new_mill", "fog"],
        ),
        ("When gathering The Woods, use only the Wolf.", ["wolf"]),
        ("When gathering The Woods, only gather the two Mill locations.",
         ["mill", "new_mill"]),
        (
            "When gathering The Woods, only gather these locations: Glade, Mill"
            " <i>(New)</i>. Do not gather the rest.",
            ["glade", "new_mill"],
        ),
        (
            "When gathering The Woods, only gather the [[Spectral]] locations. Set them"
            " aside.",
            ["glade"],
        ),
        ("When gathering The Woods, do not include any enemies.",
         ["glade", "mill", "new_mill", "fog"]),
        (
            "When gathering Other Things, only gather the enemies.",
            ["glade", "mill", "new_mill", "wolf", "fog"],
        ),
    ],
)  # fmt: skip
def test_a_text_limits_the_cards_gathered(text: str, expected: list[str]) -> None:
    assert kept(text) == expected


def test_a_set_used_completely_elsewhere_is_used_completely() -> None:
    whole = {"type": "encounter_sets", "encounter_sets": ["woods"]}
    limited = "When gathering The Woods, only gather the treacheries."
    assert len(kept(limited, whole)) == len(CARDS)


@pytest.mark.parametrize(
    ("campaign", "scenario", "removed"),
    [
        ("rttfa", "return_to_the_doom_of_eztli", {"04065", "04066", "04067"}),
        ("rttfa", "return_to_turn_back_time", {"04065", "04066", "04067"}),
        ("tdc", "one_last_job", {"01133"}),
        ("tdc", "the_western_wall", {"11725", "11726", "11728"}),
        ("tic", "a_light_in_the_fog", {"07104"}),
        (SIDE, "enthralling_encore", {"03060"}),
    ],
)
def test_no_display_lists_cards_removed_during_setup(
    campaign: str, scenario: str, removed: set[str]
) -> None:
    """Cards of a gathered set that never enter the game."""
    assert not removed & {*campaign_facts(campaign).scenarios[scenario].victory}


def test_no_display_lists_locations_of_another_scenario() -> None:
    """Other scenarios use treacheries of The Midnight Masks, or locations they name."""
    masks = {"01121b", "01129", "01131", "01133", "01134"}
    listed = {
        (campaign, each.id): masks & {*each.victory}
        for campaign in (*known_campaigns(), SIDE)
        for each in campaign_facts(campaign).scenarios.values()
    }
    assert listed["core", "arkham"] == masks
    for place in (
        ("ptc", "echoes_of_the_past"),
        ("ptc", "a_phantom_of_truth"),
        ("fhv", "the_longest_night"),
        ("tskc", "riddles_and_rain"),
        (SIDE, "all_or_nothing"),
    ):
        assert listed[place] == set(), place
    assert listed["tfa", "threads_of_fate"] == {"01129", "01134"}
    assert listed["tdc", "one_last_job"] == masks - {"01121b", "01133"}


def test_cards_without_points_are_not_listed() -> None:
    """Neither player cards nor cards of a scenario."""
    for campaign in (*known_campaigns(), SIDE):
        facts = campaign_facts(campaign)
        for each in facts.scenarios.values():
            assert all(card.points for card in cards_of(facts, each.victory)), each.id
