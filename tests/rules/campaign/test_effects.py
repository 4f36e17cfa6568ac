"""What effects do to investigators: experience, trauma, cards, supplies, partners."""

from __future__ import annotations

from typing import Any

from arkham.rules.campaign.interpreter.replay import fold
from arkham.rules.campaign.state.ledger import COST
from tests.rules.campaign.helpers.small import (
    DAISY,
    PEOPLE,
    ROLAND,
    SKIDS,
    WHO,
    Raw,
    a_guide,
    does,
    settled,
    starting,
    state_of,
)

ALL: Raw = {"investigator": "all"}


def people(*effects: Raw, **named: Any) -> Raw:
    """Everybody after these effects."""
    found: Raw = state_of([does(*effects)], **named)["investigators"]
    return found


def test_experience_goes_to_everybody_in_full() -> None:
    """Not divided; a cost may leave less than nothing."""
    assert people({"type": "earn_xp", **ALL, "bonus": 3}) == {
        ROLAND: {"availableXp": 3},
        DAISY: {"availableXp": 3},
    }
    assert people({"type": "earn_xp", **ALL, "bonus": -2})[ROLAND] == {
        "availableXp": -2
    }


def test_a_cost_is_not_paid_where_side_scenarios_are_free() -> None:
    """The campaign says so; otherwise it is paid."""
    cost = {"type": "earn_xp", **ALL, "bonus": -1, "side_scenario_cost": True}

    assert people(cost)[ROLAND] == {"availableXp": -1}
    assert people(cost, no_side_scenario_xp=True) == {}


def test_a_pool_of_experience_fills_empties_and_is_overdrawn() -> None:
    """What a pool cannot pay is paid from the experience one has."""
    into = {"type": "earn_xp", **ALL, "bonus": 2, "special_xp": "supply_points"}
    out = {**into, "bonus": -3}
    moved = {"type": "earn_xp", **ALL, "transfer_special_xp": "supply_points"}

    assert people(into)[ROLAND] == {"specialXp": {"supply_points": 2}}
    assert people(into, out)[ROLAND] == {
        "specialXp": {"supply_points": 0},
        "availableXp": -1,
    }
    assert people(into, moved)[ROLAND] == {
        "specialXp": {"supply_points": 0},
        "availableXp": 2,
    }


def test_trauma_adds_up_and_fates_are_said() -> None:
    """Nothing is clamped; nothing is said that was not."""
    once = {"type": "trauma", **ALL, "physical": 1}

    assert people(once, once, {**once, "physical": -1})[ROLAND] == {"physical": 1}
    assert people({"type": "trauma", **ALL, "killed": True})[DAISY] == {"killed": True}
    assert people({"type": "trauma", **ALL, "insane": True})[DAISY] == {"insane": True}


def test_the_killed_and_the_insane_are_no_longer_everybody() -> None:
    """Daisy has 5 health: 5 physical trauma kill her, and she earns nothing more."""
    found = people(
        {"type": "trauma", **ALL, "physical": 5},
        {"type": "earn_xp", **ALL, "bonus": 1},
    )

    assert found == {
        ROLAND: {"physical": 5, "availableXp": 1},
        DAISY: {"physical": 5},
    }


def test_a_yithian_body_has_seven_health_and_sanity() -> None:
    """With it Daisy survives 5 trauma and Roland does not survive 7."""
    body = {"type": "add_card", **ALL, "card": "04244"}
    xp = {"type": "earn_xp", **ALL, "bonus": 1}

    five = people(body, {"type": "trauma", **ALL, "physical": 5}, xp)
    seven = people(body, {"type": "trauma", **ALL, "physical": 7}, xp)

    assert "availableXp" in five[DAISY]
    assert "availableXp" not in seven[ROLAND]


def test_trauma_is_set_or_healed_by_a_number() -> None:
    """A number that was given heals as much; a value that is set holds, 0 too."""
    counted = {
        "id": "count",
        "type": "input",
        "input": {
            "type": "counter",
            "text": "How much?",
            "effects": [{"type": "trauma", **ALL, "heal_input": "mental"}],
        },
    }
    first = does({"type": "trauma", **ALL, "mental": 3}, step_id="first")
    found = state_of([first, counted], [{"type": "count", "step": "count", "count": 2}])

    assert found["investigators"][ROLAND] == {"mental": 1}
    assert people({"type": "trauma", **ALL, "set_physical": -2})[ROLAND] == {
        "physical": 0
    }
    assert people({"type": "trauma", **ALL, "set_physical": 2})[ROLAND] == {
        "physical": 2
    }


def test_nobody_has_less_than_no_trauma() -> None:
    """What heals somebody unhurt does not save them from the next trauma."""
    heals = {"type": "trauma", **ALL, "physical": -1, "mental": -2}
    suffers = {"type": "trauma", **ALL, "physical": 1, "mental": 2}

    assert people(heals, suffers)[ROLAND] == {"physical": 1, "mental": 2}
    assert people(suffers, heals, heals)[ROLAND] == {"physical": 0, "mental": 0}


def test_story_cards_are_had_once_others_as_often_as_they_are_given() -> None:
    """A story asset is a set's; a card that is none is counted."""
    story = {"type": "add_card", **ALL, "card": "02016"}
    other = {**story, "card": "01097", "non_story": True}

    assert people(story, story)[ROLAND] == {"storyAssets": ["02016"]}
    assert people(other, other)[ROLAND] == {"addedCards": ["01097", "01097"]}
    assert people({**story, "ignore_deck_limit": True})[ROLAND] == {
        "storyAssets": ["02016"],
        "ignoreStoryAssets": ["02016"],
    }


def test_cards_are_taken_back_removed_and_exiled() -> None:
    """A story card is no longer had; another leaves the deck, or the collection."""
    story = {"type": "add_card", **ALL, "card": "02016"}
    gone = {"type": "remove_card", "card": "02016"}
    aside = {"type": "remove_card", **ALL, "card": "01000", "non_story": True}

    assert people(story, gone)[ROLAND] == {"storyAssets": []}
    assert people({**aside, "investigator": "all"})[ROLAND] == {
        "addedCards": [],
        "removedCards": ["01000"],
        "exiledCards": [],
    }
    assert people({**aside, "exile": True})[ROLAND] == {
        "addedCards": [],
        "removedCards": [],
        "exiledCards": ["01000"],
    }


def test_nothing_is_removed_from_somebody_nobody_has_heard_of() -> None:
    """A named investigator who does not play, and never did, has nothing to lose."""
    named = {"investigator": "$fixed_investigator", "fixed_investigator": SKIDS}

    assert (
        people({"type": "remove_card", **named, "card": "x", "non_story": True}) == {}
    )


def test_whom_a_guide_names_has_to_play() -> None:
    """Else nothing comes to them, and they pay nothing; the app knows but the code."""
    named = {"investigator": "$fixed_investigator", "fixed_investigator": SKIDS}
    card = {"type": "add_card", **named, "card": "x", "non_story": True}
    paid = {"type": "earn_xp", **named, "bonus": -2}

    assert people(card, paid) == {}
    assert people(card, paid, strict=False) == {
        SKIDS: {"addedCards": ["x"], "availableXp": -2}
    }
    assert people(card, paid, codes=(SKIDS,)) == {
        SKIDS: {"addedCards": ["x"], "availableXp": -2}
    }


def test_whom_a_guide_names_may_be_another_version_of_the_same() -> None:
    """A parallel investigator is one with the original (CARD-01)."""
    known = dict(PEOPLE)
    known[ROLAND] = known["90024"] = PEOPLE[ROLAND]._replace(title="Roland Banks")
    named = {"investigator": "$fixed_investigator", "fixed_investigator": ROLAND}
    step = does({"type": "earn_xp", **named, "bonus": 1})
    guide = a_guide(setup=["who", "does"], steps=[WHO, step])
    replay = fold(guide, starting("90024", DAISY), known)

    earned = {code: each.experience for code, each in replay.state.people.items()}
    assert earned == {"90024": 1}


def test_what_one_who_is_named_pays_more_is_part_of_the_price() -> None:
    """It is due at once, and never where side scenarios are free; to the app it is."""
    price = [
        {"type": "earn_xp", **ALL, "bonus": -1, "side_scenario_cost": True},
        {"type": "earn_xp", "investigator": "$fixed_investigator",
         "fixed_investigator": ROLAND, "bonus": -2},
    ]  # fmt: skip
    paid = settled([does(*price)]).state
    assert [each.origin for each in paid.changes if each.what == "experience"] == [
        COST,
        COST,
        COST,
    ]
    assert {code: each.experience for code, each in paid.people.items()} == {
        ROLAND: -3,
        DAISY: -1,
    }
    assert people(*price, no_side_scenario_xp=True) == {}
    assert people(*price, no_side_scenario_xp=True, strict=False) == {
        ROLAND: {"availableXp": -2}
    }


def test_a_card_becomes_another_where_it_lay() -> None:
    """For all, or only for those who hold some card."""
    given = [
        {"type": "add_card", **ALL, "card": "a"},
        {"type": "add_card", **ALL, "card": "b"},
    ]
    swap = {"type": "replace_card", **ALL, "old_card": "a", "new_card": "c"}

    assert people(*given, swap)[ROLAND] == {"storyAssets": ["c", "b"]}
    assert people(*given, {**swap, "has_card": "z"})[ROLAND] == {
        "storyAssets": ["a", "b"]
    }


def test_everybody_has_a_number_of_their_own() -> None:
    """And it can be crossed out."""
    effect = {
        "type": "campaign_log_investigator_count",
        "section": "memories",
        "id": "$count",
        **ALL,
        "operation": "add",
        "value": 1,
    }
    found = state_of([does(effect, effect)])["investigator_sections"]["memories"]
    crossed = state_of([does(effect, {**effect, "operation": "cross_out"})])

    assert found[DAISY] == {"entries": [{"type": "count", "id": "$count", "count": 2}]}
    assert crossed["investigator_sections"]["memories"][DAISY]["entries"] == [
        {"type": "count", "id": "$count", "count": 1, "crossedOut": True}
    ]


def test_supplies_are_gained_and_lost() -> None:
    """Gained by those it concerns, crossed out for all."""
    gain = {
        "id": "gain",
        "type": "branch",
        "condition": {
            "type": "has_card",
            "investigator": "any",
            "card": "map",
            "options": [
                {
                    "boolCondition": True,
                    "effects": [
                        {
                            "type": "gain_supplies",
                            "section": "supplies",
                            "supplies": [
                                {"id": "rope", "name": "", "description": "", "cost": 1}
                            ],
                            "investigator": "$input_value",
                        }
                    ],
                }
            ],
        },
    }
    lose = does(
        {
            "type": "lose_supplies",
            "section": "supplies",
            "supply": "rope",
            "investigator": "all",
        },
        step_id="lose",
    )
    give = does({"type": "add_card", **ALL, "card": "map"}, step_id="give")
    had = state_of([give, gain])["investigator_sections"]["supplies"]
    lost = state_of([give, gain, lose])["investigator_sections"]["supplies"]

    assert had[ROLAND] == {"entries": [{"type": "count", "id": "rope", "count": 1}]}
    assert lost[ROLAND]["entries"][0]["crossedOut"] is True


def test_partners_are_marked_healed_and_eliminated() -> None:
    """Words stand among what they have; healing never goes below nothing."""
    effect = {
        "type": "partner_status",
        "section": "team",
        "partner": "$fixed_partner",
        "fixed_partner": "p1",
        "operation": "add",
    }

    assert people({**effect, "status": "resolute"}) == {
        "p1": {"storyAssets": ["resolute"]}
    }
    assert people(
        {**effect, "status": "safe"},
        {**effect, "status": "safe", "operation": "remove"},
    ) == {"p1": {"storyAssets": []}}
    assert people({**effect, "status": "heal_damage"}) == {"p1": {"physical": 0}}
    assert people({**effect, "status": "eliminated"}) == {"p1": {"killed": True}}
