"""Effects on investigators: experience, trauma, cards, supplies, partners."""

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
    a_step,
    settled,
    starting,
    state_of,
)

ALL: Raw = {"investigator": "all"}


def people(*effects: Raw, **named: Any) -> Raw:
    """Return all investigators after these effects."""
    found: Raw = state_of([a_step(*effects)], **named)["investigators"]
    return found


def test_every_investigator_gets_the_full_experience() -> None:
    """A cost may make it negative."""
    assert people({"type": "earn_xp", **ALL, "bonus": 3}) == {
        ROLAND: {"availableXp": 3},
        DAISY: {"availableXp": 3},
    }
    assert people({"type": "earn_xp", **ALL, "bonus": -2})[ROLAND] == {
        "availableXp": -2
    }


def test_no_cost_is_paid_if_side_scenarios_are_free() -> None:
    """Only if the campaign says so."""
    cost = {"type": "earn_xp", **ALL, "bonus": -1, "side_scenario_cost": True}

    assert people(cost)[ROLAND] == {"availableXp": -1}
    assert people(cost, no_side_scenario_xp=True) == {}


def test_a_pool_of_experience_fills_empties_and_is_overdrawn() -> None:
    """What a pool can't pay is taken from the experience."""
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


def test_trauma_adds_up_and_fates_are_reported() -> None:
    once = {"type": "trauma", **ALL, "physical": 1}

    assert people(once, once, {**once, "physical": -1})[ROLAND] == {"physical": 1}
    assert people({"type": "trauma", **ALL, "killed": True})[DAISY] == {"killed": True}
    assert people({"type": "trauma", **ALL, "insane": True})[DAISY] == {"insane": True}


def test_effects_on_all_leave_out_eliminated_investigators() -> None:
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
    """With it Daisy survives 5 trauma, but Roland does not survive 7."""
    body = {"type": "add_card", **ALL, "card": "04244"}
    xp = {"type": "earn_xp", **ALL, "bonus": 1}

    five = people(body, {"type": "trauma", **ALL, "physical": 5}, xp)
    seven = people(body, {"type": "trauma", **ALL, "physical": 7}, xp)

    assert "availableXp" in five[DAISY]
    assert "availableXp" not in seven[ROLAND]


def test_trauma_is_set_or_healed_by_a_number() -> None:
    """A number from an answer heals that much; a value can be set, 0 too."""
    counted = {
        "id": "count",
        "type": "input",
        "input": {
            "type": "counter",
            "text": "How much?",
            "effects": [{"type": "trauma", **ALL, "heal_input": "mental"}],
        },
    }
    first = a_step({"type": "trauma", **ALL, "mental": 3}, step_id="first")
    found = state_of([first, counted], [{"type": "count", "step": "count", "count": 2}])

    assert found["investigators"][ROLAND] == {"mental": 1}
    assert people({"type": "trauma", **ALL, "set_physical": -2})[ROLAND] == {
        "physical": 0
    }
    assert people({"type": "trauma", **ALL, "set_physical": 2})[ROLAND] == {
        "physical": 2
    }


def test_trauma_is_never_negative() -> None:
    """Healing an unhurt investigator does not prevent the next trauma."""
    heals = {"type": "trauma", **ALL, "physical": -1, "mental": -2}
    suffers = {"type": "trauma", **ALL, "physical": 1, "mental": 2}

    assert people(heals, suffers)[ROLAND] == {"physical": 1, "mental": 2}
    assert people(suffers, heals, heals)[ROLAND] == {"physical": 0, "mental": 0}


def test_story_cards_are_added_once_and_other_cards_each_time() -> None:
    story = {"type": "add_card", **ALL, "card": "02016"}
    other = {**story, "card": "01097", "non_story": True}

    assert people(story, story)[ROLAND] == {"storyAssets": ["02016"]}
    assert people(other, other)[ROLAND] == {"addedCards": ["01097", "01097"]}
    assert people({**story, "ignore_deck_limit": True})[ROLAND] == {
        "storyAssets": ["02016"],
        "ignoreStoryAssets": ["02016"],
    }


def test_cards_are_removed_and_exiled() -> None:
    """Story cards leave the list; others leave the deck, or are exiled."""
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


def test_nothing_is_removed_from_an_investigator_who_never_played() -> None:
    """Even if the guide names them."""
    named = {"investigator": "$fixed_investigator", "fixed_investigator": SKIDS}

    assert (
        people({"type": "remove_card", **named, "card": "x", "non_story": True}) == {}
    )


def test_an_investigator_named_by_the_guide_must_play() -> None:
    """Otherwise they gain and pay nothing; the app only looks at the code."""
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


def test_an_investigator_named_by_the_guide_may_be_another_version() -> None:
    """A parallel investigator counts as the original (CARD-01)."""
    known = dict(PEOPLE)
    known[ROLAND] = known["90024"] = PEOPLE[ROLAND]._replace(title="Roland Banks")
    named = {"investigator": "$fixed_investigator", "fixed_investigator": ROLAND}
    step = a_step({"type": "earn_xp", **named, "bonus": 1})
    guide = a_guide(setup=["who", "does"], steps=[WHO, step])
    replay = fold(guide, starting("90024", DAISY), known)

    earned = {code: each.experience for code, each in replay.state.people.items()}
    assert earned == {"90024": 1}


def test_the_surcharge_of_a_named_investigator_is_part_of_the_price() -> None:
    """It is not paid if side scenarios are free, except in the app."""
    price = [
        {"type": "earn_xp", **ALL, "bonus": -1, "side_scenario_cost": True},
        {"type": "earn_xp", "investigator": "$fixed_investigator",
         "fixed_investigator": ROLAND, "bonus": -2},
    ]  # fmt: skip
    paid = settled([a_step(*price)]).state
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


def test_a_card_is_replaced_in_its_place() -> None:
    """For all, or only for those who have a certain card."""
    given = [
        {"type": "add_card", **ALL, "card": "a"},
        {"type": "add_card", **ALL, "card": "b"},
    ]
    swap = {"type": "replace_card", **ALL, "old_card": "a", "new_card": "c"}

    assert people(*given, swap)[ROLAND] == {"storyAssets": ["c", "b"]}
    assert people(*given, {**swap, "has_card": "z"})[ROLAND] == {
        "storyAssets": ["a", "b"]
    }


def test_each_investigator_has_a_number() -> None:
    """It can be crossed out."""
    effect = {
        "type": "campaign_log_investigator_count",
        "section": "memories",
        "id": "$count",
        **ALL,
        "operation": "add",
        "value": 1,
    }
    found = state_of([a_step(effect, effect)])["investigator_sections"]["memories"]
    crossed = state_of([a_step(effect, {**effect, "operation": "cross_out"})])

    assert found[DAISY] == {"entries": [{"type": "count", "id": "$count", "count": 2}]}
    assert crossed["investigator_sections"]["memories"][DAISY]["entries"] == [
        {"type": "count", "id": "$count", "count": 1, "crossedOut": True}
    ]


def test_supplies_are_gained_and_lost() -> None:
    """Gained by some investigators, crossed out for all."""
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
    lose = a_step(
        {
            "type": "lose_supplies",
            "section": "supplies",
            "supply": "rope",
            "investigator": "all",
        },
        step_id="lose",
    )
    give = a_step({"type": "add_card", **ALL, "card": "map"}, step_id="give")
    had = state_of([give, gain])["investigator_sections"]["supplies"]
    lost = state_of([give, gain, lose])["investigator_sections"]["supplies"]

    assert had[ROLAND] == {"entries": [{"type": "count", "id": "rope", "count": 1}]}
    assert lost[ROLAND]["entries"][0]["crossedOut"] is True


def test_partners_are_marked_healed_and_eliminated() -> None:
    """Statuses are listed like cards; healing never goes below 0."""
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
