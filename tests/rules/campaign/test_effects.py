"""What each effect does to a campaign, and what it leaves alone."""

from __future__ import annotations

from typing import Any

import pytest

from arkham.rules.campaign.interpreter.replay import fold
from arkham.rules.campaign.state.ledger import COST
from tests.rules.campaign.small import (
    DAISY,
    MAP,
    PEOPLE,
    ROLAND,
    SKIDS,
    WHO,
    a_guide,
    does,
    line,
    notes,
    settled,
    starting,
    state_of,
    when,
)

Raw = dict[str, Any]
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


def test_lines_are_written_crossed_out_restored_removed_and_circled() -> None:
    """Crossing out hits every line of that id, also one written twice."""
    first = [line("a"), line("a"), line("b")]

    assert notes(state_of([does(*first)])) == ["a", "a", "b"]
    crossed = state_of([does(*first, line("a", cross_out=True))])
    assert notes(crossed) == ["-a", "-a", "b"]
    restored = state_of(
        [does(*first, line("a", cross_out=True), line("a", cross_out=False))]
    )
    assert notes(restored) == ["a", "a", "b"]
    assert notes(state_of([does(*first, line("a", remove=True))])) == ["b"]
    circled = state_of([does(*first, line("b", decorate="circle"))])
    assert circled["sections"]["campaign_notes"]["decoration"] == {"b": "circle"}


def test_a_hidden_section_is_there_once_something_stands_in_it() -> None:
    """And a section can be crossed out as a whole, which hides its lines."""
    assert "hidden" not in state_of([does()])["sections"]
    written = state_of([does(line("a", "hidden"))])
    assert written["sections"]["hidden"] == {"entries": [{"type": "basic", "id": "a"}]}
    crossed = state_of(
        [
            does(
                line("a"),
                {
                    "type": "campaign_log",
                    "section": "campaign_notes",
                    "cross_out": True,
                },
            ),
            when({"type": "campaign_log", "section": "campaign_notes", "id": "a"}),
        ]
    )
    assert crossed["sections"]["campaign_notes"] == {
        "entries": [{"type": "basic", "id": "a"}, {"type": "basic", "id": "no"}],
        "sectionCrossedOut": True,
    }


@pytest.mark.parametrize(
    ("cards", "expected"),
    [
        ({"cards": "$all_investigators"}, [ROLAND, DAISY]),
        ({"cards": "$fixed_codes", "codes": ["x", "y"]}, ["x", "y"]),
        ({}, ["met"]),
    ],
)
def test_lines_name_cards(cards: Raw, expected: list[str]) -> None:
    """One line for each card; without any the id is the card."""
    effect = {
        "type": "campaign_log_cards",
        "section": "campaign_notes",
        "id": "met",
        **cards,
    }
    found = state_of([does(effect)])["sections"]["campaign_notes"]["entries"]

    assert found == [
        {"type": "card", "id": "met", "cards": [{"card": card, "count": 1}]}
        for card in expected
    ]


def test_crossing_out_with_cards_hits_only_lines_with_one_of_them() -> None:
    """Daisy's line stays."""
    effect = {
        "type": "campaign_log_cards",
        "section": "campaign_notes",
        "id": "met",
        "cards": "$fixed_codes",
    }
    found = state_of(
        [
            does(
                {**effect, "codes": [ROLAND, DAISY]},
                {**effect, "codes": [ROLAND], "cross_out": True},
            )
        ]
    )

    entries = found["sections"]["campaign_notes"]["entries"]
    assert [entry.get("crossedOut") for entry in entries] == [True, None]


@pytest.mark.parametrize(
    ("effects", "expected"),
    [
        ([{"operation": "add", "value": 2}, {"operation": "add", "value": -1}], 1),
        ([{"operation": "set", "value": 5}, {"operation": "set", "value": 3}], 3),
        ([{"operation": "add", "value": -2, "min": 0}], 0),
        ([{"operation": "add", "value": 1_000_000}] * 1_001, 1_000_000_000),
        ([{"operation": "add", "value": -1_000_000}] * 1_001, -1_000_000_000),
    ],
)
def test_numbers_of_sections_and_of_lines(effects: list[Raw], expected: int) -> None:
    """Both count alike; a least value holds, and none grows without end."""
    whole = [{"type": "campaign_log_count", "section": "doubt", **e} for e in effects]
    lines = [{**e, "section": "campaign_notes", "id": "marks"} for e in whole]

    assert state_of([does(*whole)])["counts"] == {"doubt": expected}
    assert state_of([does(*lines)])["sections"]["campaign_notes"]["entries"] == [
        {"type": "count", "id": "marks", "count": expected}
    ]


def test_a_line_can_have_a_second_number() -> None:
    """It is counted beside the first."""
    effect = {
        "type": "campaign_log_count",
        "section": "campaign_notes",
        "id": "marks",
        "operation": "set",
        "value": 4,
    }
    found = state_of([does(effect, {**effect, "value": 7, "alternate": True})])

    assert found["sections"]["campaign_notes"]["entries"] == [
        {"type": "count", "id": "marks", "count": 4, "otherCount": 7}
    ]


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


def test_a_task_is_somebodys_and_counts_in_a_section_of_theirs() -> None:
    """The line names whose it is and where it is counted."""
    pick = {
        "id": "pick",
        "type": "input",
        "input": {
            "type": "investigator_choice",
            "source": "scenario",
            "investigator": "any",
            "choices": [
                {
                    "id": "task",
                    "text": "Take it",
                    "effects": [
                        {
                            "type": "campaign_log_assign_task",
                            "section": "hidden",
                            "id": "toil",
                            "investigator": "$input_value",
                            "task_section": "memories",
                            "task_id": "$count",
                        }
                    ],
                }
            ],
        },
    }
    count = does(
        {
            "type": "campaign_log_task",
            "section": "hidden",
            "id": "toil",
            "operation": "add",
            "value": 3,
        },
        step_id="count",
    )
    answer = {"type": "string_choices", "step": "pick", "choices": {DAISY: ["task"]}}
    found = state_of([pick, count], [answer])

    assert found["sections"]["hidden"]["entries"] == [
        {
            "type": "task",
            "id": "toil",
            "investigator": DAISY,
            "task_section": "memories",
            "task_id": "$count",
        }
    ]
    assert found["investigator_sections"]["memories"] == {
        DAISY: {"entries": [{"type": "count", "id": "$count", "count": 3}]}
    }


def test_tokens_go_in_and_out_of_the_bag() -> None:
    """There are never fewer than none."""
    into = {"type": "add_chaos_token", "tokens": ["skull", "skull", "-1"]}
    out = {"type": "remove_chaos_token", "tokens": ["skull", "0"]}

    assert state_of([does(into, out)])["chaos_bag"] == {"skull": 1, "-1": 1}


def test_bags_are_exchanged() -> None:
    """The other one may begin empty."""
    into = {"type": "add_chaos_token", "tokens": ["skull"]}
    swap = {"type": "campaign_data", "setting": "swap_chaos_bag"}
    found = state_of([does(into, {**swap, "initialize": True})])
    back = state_of([does(into, {**swap, "initialize": True}, swap)])

    assert (found["chaos_bag"], found["swap_chaos_bag"]) == ({}, {"skull": 1})
    assert (back["chaos_bag"], back["swap_chaos_bag"]) == ({"skull": 1}, {})


@pytest.mark.parametrize(
    ("setting", "key", "expected"),
    [
        ({"setting": "result", "value": "win"}, "result", "win"),
        ({"setting": "difficulty", "value": "hard"}, "difficulty", "hard"),
        ({"setting": "next_scenario", "scenario": "x"}, "next_scenario_stack", ["x"]),
        ({"setting": "replay_scenario", "scenario": "x"}, "replay_counts", {"x": 1}),
    ],
)
def test_the_campaign_itself(setting: Raw, key: str, expected: object) -> None:
    """Result, difficulty, what comes next, what is played again."""
    assert state_of([does({"type": "campaign_data", **setting})])[key] == expected


def test_a_scenario_is_skipped() -> None:
    """It says so."""
    found = state_of(
        [does({"type": "campaign_data", "setting": "skip_scenario", "scenario": "x"})]
    )

    assert found["scenario_status"] == {"$campaign_setup": "completed", "x": "skipped"}


def test_what_is_kept_aside_holds_again() -> None:
    """Everything between is forgotten."""
    found = state_of(
        [
            does(line("a"), {"type": "backup_state", "operation": "save"}),
            does(line("b"), step_id="later"),
            does({"type": "backup_state", "operation": "restore"}, step_id="back"),
        ]
    )

    assert notes(found) == ["a"]


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


def test_what_is_only_shown_changes_nothing() -> None:
    """The steps it names are not walked."""
    shown = does({"type": "story_step", "steps": ["secret"]})
    secret = does(line("secret"), step_id="secret")

    assert notes(state_of([shown, secret], setup=["does"])) == []


def test_the_map_is_unlocked_and_keys_are_borne() -> None:
    """A stolen key remembers its bearer, a returned one has it again."""
    key = {"type": "scarlet_key", "section": "keys", "scarlet_key": "eye"}
    found = state_of(
        [
            does(
                {"type": "campaign_data", "setting": "unlock_map"},
                {
                    "type": "campaign_data",
                    "setting": "unlock_location",
                    "value": "rome",
                },
                {"type": "campaign_data", "setting": "unlock_dossier", "value": "d"},
                {"type": "campaign_data", "setting": "hide_dossier", "value": "d"},
                {**key, "bearer_type": "enemy", "enemy_code": "z"},
                {**key, "bearer_type": "return"},
                {**key, "bearer_type": "steal", "enemy_code": "y"},
            )
        ],
        map=MAP,
    )

    assert found["scarlet"] == {
        "visitedLocations": [],
        "unlockedLocations": ["rome"],
        "unlockedDossiers": [],
        "keyStatus": {"eye": {"enemy": "y"}},
        "embark": False,
        "showMap": True,
    }
