"""Our guide of The Innsmouth Conspiracy: the results of its resolutions and choices."""

from __future__ import annotations

from typing import Any, NamedTuple

import pytest

from arkham.rules.campaign.conditions import holds
from arkham.rules.campaign.model import course
from arkham.rules.campaign.model import effects as do
from arkham.rules.campaign.model.app_names import UNSPENT
from arkham.rules.campaign.model.guide import Ask, CampaignGuide
from arkham.rules.campaign.model.prompts import UpgradeDecks
from arkham.rules.campaign.model.scenario_steps import Scopes
from arkham.rules.campaign.reading.own import open_own_guide
from arkham.rules.campaign.state.state import State
from tests.rules.campaign.helpers.dunwich import NOTES, Left, left
from tests.rules.campaign.helpers.own_runs import reached
from tests.rules.campaign.helpers.scenes import DAISY, ROLAND, recorded, scene

MEMORIES = "memories_recovered"
HARPER, TEACHINGS, IDOL = "07083", "07151", "07179"
RELICS = (IDOL, "07180", "07181")
# The victory display is always worth 3.
GIVEN: dict[str, Any] = {
    "earn_xp": 3,
    "add_dagon_and_hydra_to_victory_display": 3,
    "ask_consumed_by_rising_tide": True,
    "ask_tide_has_grown_stronger": True,
    "ask_terror_of_devil_reef": 2,
    "ask_black_key_on_act": True,
    "ask_red_key_on_act": True,
    "ask_moon_room_resigned": {},
    "ask_final_agenda": 0,
    "ask_act_or_agenda": 0,
    "ask_dagon_asleep": 0,
    "ask_oceiros": 0,
    "check_shattering_the_alignment": 0,
    "check_successful_conspiracy_4_5": 2,
    "check_successful_conspiracy_6_7": 0,
}
CONSUMED = "innsmouth_was_consumed_by_the_rising_tide"
MAP_AND_KEY = "possess_a_map_of_yhanthlei possess_the_key_to_yhanthlei"
DROWNED = Left("deep_ones_have_flooded_the_earth", fate="killed", result="lose")
ESCAPED = "escaped_yhanthlei plot_of_the_deep_ones_was_thwarted"


class PutBy(NamedTuple):
    """The results of a resolution, and the experience saved for later."""

    left: Left
    unspent: int = 0


RESOLUTIONS = {
    "the_pit_of_despair": {
        "no_resolution_defeated": PutBy(Left(""), 3),
        "R1": PutBy(Left(""), 3),
    },
    "the_vanishing_of_elina_harper": {
        "no_resolution": PutBy(Left("mission_failed"), 3),
        "R1": PutBy(Left("mission_failed"), 3),
        **{f"R{n}": PutBy(Left("mission_succeeded"), 3) for n in range(2, 8)},
    },
    "in_too_deep": {
        "no_resolution_defeated": PutBy(Left(CONSUMED), 3),
        "R1": PutBy(Left(f"{CONSUMED} made_it_safely_to_their_vehicles"), 5),
    },
    "devil_reef": {
        "no_resolution": PutBy(Left("terror_of_devil_reef_is_dead"), 3),
        "R1": PutBy(Left("tide_has_grown_stronger terror_of_devil_reef_is_dead"), 3),
    },
    "horror_in_high_gear": {
        "no_resolution": PutBy(Left("reached_falcon_point_after_sunrise", 3)),
        "R1": PutBy(Left("reached_falcon_point_before_sunrise", 3)),
    },
    "a_light_in_the_fog": {
        "no_resolution_defeated": PutBy(Left(MAP_AND_KEY), 3),
        "R1": PutBy(Left(MAP_AND_KEY), 3),
        "R2": PutBy(Left(MAP_AND_KEY), 3),
        "R3": PutBy(Left("", fate="killed", result="lose")),
        "R4": PutBy(Left(MAP_AND_KEY), 3),
    },
    "the_lair_of_dagon": {
        "no_resolution": PutBy(Left("dagon_has_awakened", tokens="elder_thing"), 3),
        "R1": PutBy(
            Left(
                "orders_ritual_was_disrupted dagon_still_slumbers",
                tokens="elder_thing",
            ),
            3,
        ),
        "R2": PutBy(Left("", tokens="elder_thing")),
        "R3": PutBy(Left("", tokens="tablet")),
        "R4": PutBy(Left("", tokens="cultist")),
    },
    "into_the_maelstrom": {
        "no_resolution": PutBy(DROWNED),
        "R1": PutBy(Left(ESCAPED, 3, trauma=(2, 0), result="win")),
        "R8": PutBy(DROWNED),
    },
}


def innsmouth() -> CampaignGuide:
    return open_own_guide("tic").guide


def memories(state: State) -> str:
    """Return the memories in a state, separated by spaces."""
    return " ".join(line.id for line in state.section(MEMORIES).lines)


def remembered(*lines: str) -> list[do.Effect]:
    """Effects that record memories."""
    return [recorded(line, MEMORIES) for line in lines]


@pytest.mark.parametrize("scenario_id", RESOLUTIONS)
def test_a_resolution_has_its_results(scenario_id: str) -> None:
    """Lines of the log, experience, tokens, trauma, fates, the campaign's result."""
    found = {}
    for resolution in RESOLUTIONS[scenario_id]:
        state = scene(
            innsmouth(),
            scenario_id,
            resolution=resolution,
            before=[do.EarnExperience("input")],
            given=GIVEN,
        )
        found[resolution] = PutBy(left(state), state.pool(ROLAND, UNSPENT))

    assert found == RESOLUTIONS[scenario_id]


@pytest.mark.parametrize(
    ("parted", "act", "lines", "experience", "trauma"),
    [
        (0, 0, f"{ESCAPED} agent_harpers_mission_is_complete", 6, (2, 0)),
        (0, 1, f"{ESCAPED} riches_of_the_deep_are_lost_forever", 6, (2, 0)),
        (0, 2, ESCAPED, 3, (2, 0)),
        (
            1,
            0,
            "escaped_yhanthlei flood_has_begun"
            " agent_harpers_mission_is_complete_at_what_cost",
            3,
            (2, 2),
        ),
        (
            1,
            1,
            "escaped_yhanthlei flood_has_begun"
            " riches_of_the_deep_are_destroyed_at_what_cost",
            3,
            (2, 2),
        ),
    ],
)
def test_the_campaign_is_won_by_each_way_out(
    parted: int, act: int, lines: str, experience: int, trauma: tuple[int, int]
) -> None:
    """Resolution 2 wins with either of two other acts, and without them."""
    state = scene(
        innsmouth(),
        "into_the_maelstrom",
        resolution="R1",
        before=[do.EarnExperience("input")],
        given={
            **GIVEN,
            "check_shattering_the_alignment": parted,
            "check_successful_conspiracy_4_5": act,
            "check_successful_conspiracy_6_7": act,
        },
    )

    assert left(state) == Left(lines, experience, trauma=trauma, result="win")


def test_decks_are_upgraded_only_when_the_guide_says_so() -> None:
    """XP-22: after other games experience is saved for later."""
    guide = innsmouth()
    scopes = Scopes(guide)
    found: dict[str, bool] = {}
    for scenario in guide.scenarios.values():
        scope = scopes.scope(scenario, standalone=False)
        for step_id in reached(scope):
            step = scope.steps[step_id]
            if isinstance(step, Ask) and isinstance(step.prompt, UpgradeDecks):
                found[scenario.id] = not step.prompt.skip_decks

    assert found == {
        "the_pit_of_despair": False,
        "the_vanishing_of_elina_harper": True,  # in its setup
        "the_syzygy": True,
        "in_too_deep": False,
        "beneath_the_waves": True,
        "horror_in_high_gear": True,
        "a_light_in_the_fog": False,
        "hidden_truths": True,
        "into_the_maelstrom": True,
    }


@pytest.mark.parametrize(
    ("scenario_id", "step"),
    [
        ("the_vanishing_of_elina_harper", "investigator_setup"),
        ("the_syzygy", "spend_xp"),
        ("beneath_the_waves", "spend_xp"),
        ("hidden_truths", "spend_xp"),
    ],
)
def test_saved_experience_can_be_spent(scenario_id: str, step: str) -> None:
    """All of it."""
    state = scene(
        innsmouth(),
        scenario_id,
        [step],
        before=[do.EarnExperience("input", bonus=4, pool=UNSPENT)],
    )

    assert state.people[ROLAND].experience == 4
    assert state.pool(ROLAND, UNSPENT) == 0


@pytest.mark.parametrize(
    ("scenario_id", "number", "line", "given", "tokens"),
    [
        ("the_pit_of_despair", 1, "meeting_with_thomas_dawson", {}, {}),
        ("the_pit_of_despair", 2, "battle_with_a_horrifying_devil", {}, {"cultist": 2}),
        ("the_pit_of_despair", 3, "decision_to_stick_together", {}, {"tablet": 2}),
        (
            "the_pit_of_despair",
            4,
            "encounter_with_a_secret_cult",
            {},
            {"elder_thing": 2},
        ),
        ("in_too_deep", 5, "a_deal_with_joe_sargent", {}, {}),
        ("in_too_deep", 7, "an_intervention", {}, {"+1": 1}),
        (
            "in_too_deep",
            8,
            "a_jailbreak",
            {"flashback_8_choice": 2},
            {"elder_thing": 2},
        ),
        (
            "a_light_in_the_fog",
            12,
            "conversation_with_mr_moore",
            {"flashback_12_tokens": 1},
            {"tablet": 2},
        ),
        (
            "a_light_in_the_fog",
            13,
            "lifecycle_of_a_deep_one",
            {"flashback_13_tokens": 0},
            {"cultist": 2},
        ),
        ("into_the_maelstrom", 14, "stinging_betrayal", {}, {}),
    ],
)
def test_a_flashback_records_a_memory(
    scenario_id: str,
    number: int,
    line: str,
    given: dict[str, Any],
    tokens: dict[str, int],
) -> None:
    """And often changes the bag."""
    symbols = ("cultist", "tablet", "elder_thing")
    guide = innsmouth()
    play = guide.scenarios[scenario_id].steps["$play_scenario"]
    assert isinstance(play, Ask)
    (branch,) = (
        each
        for each in getattr(play.prompt, "branches", ())
        if each.id == f"flashback_{number}"
    )
    state = scene(
        guide,
        scenario_id,
        branch.steps,
        before=[course.Tokens(symbols * 3, 1)],
        given=given,
    )

    assert memories(state) == line
    bag = {token: count for token, count in state.bag.items() if count}
    assert bag == {**dict.fromkeys(symbols, 3), **tokens}


@pytest.mark.parametrize(
    ("suspect", "hideout", "right"), [(0, 0, 2), (0, 1, 1), (1, 0, 1), (1, 1, 0)]
)
def test_a_correct_accusation_counts(suspect: int, hideout: int, right: int) -> None:
    """The truth is circled in the log, and counts if it was named."""
    state = scene(
        innsmouth(),
        "the_vanishing_of_elina_harper",
        ["ask_suspect", "ask_hideout", "ask_true_suspect", "ask_true_hideout"],
        before=[
            *(recorded(each, "possible_suspects") for each in ("gilman", "marsh")),
            *(
                recorded(each, "possible_hideouts")
                for each in ("innsmouth_jail", "sawbone_alley")
            ),
        ],
        given={
            "ask_suspect": 0,
            "ask_hideout": 0,
            "ask_true_suspect": suspect,
            "ask_true_hideout": hideout,
        },
    )

    assert state.number("hidden", "correct_guesses") == right
    sections = ("possible_suspects", "possible_hideouts")
    circled = [line for each in sections for line in state.section(each).circled]
    assert circled == [
        ("gilman", "marsh")[suspect],
        ("innsmouth_jail", "sawbone_alley")[hideout],
    ]


@pytest.mark.parametrize(
    ("suspect", "hideout", "offered"),
    [
        ("", "sawbone_alley", False),
        ("marsh", "", False),
        ("marsh", "sawbone_alley", True),
    ],
)
def test_those_who_crossed_out_every_lead_accuse_no_one(
    suspect: str, hideout: str, offered: bool
) -> None:
    """One of each is under the card, and can't have been seen."""
    guide, scenario = innsmouth(), "the_vanishing_of_elina_harper"
    leads = {"possible_suspects": suspect, "possible_hideouts": hideout}
    left = [recorded(line, section) for section, line in leads.items() if line]
    state = scene(guide, scenario, before=left)
    play = guide.scenarios[scenario].steps["$play_scenario"]
    assert isinstance(play, Ask)
    branches = {each.id: each for each in getattr(play.prompt, "branches", ())}

    assert holds(state, branches["the_accusation"].condition) is offered


@pytest.mark.parametrize(
    ("known", "earned"),
    [
        ((), 0),
        (("meeting_with_thomas_dawson", "a_jailbreak"), 1),
        (("decision_to_stick_together", "encounter_with_a_secret_cult"), 2),
    ],
)
def test_memories_are_worth_experience(known: tuple[str, ...], earned: int) -> None:
    """Puzzle Pieces: each memory of the first scenario."""
    guide = innsmouth()
    state = scene(
        guide,
        "puzzle_pieces",
        guide.scenarios["puzzle_pieces"].setup,
        before=[do.EarnExperience("input"), *remembered(*known)],
    )

    assert state.pool(ROLAND, UNSPENT) == earned


def test_keys_found_in_the_reef_are_worth_experience() -> None:
    """Beneath the Waves: each key gives a line, a token and 2 experience."""
    keys = {"purple": True, "white": False, "black": True}
    state = scene(
        innsmouth(),
        "beneath_the_waves",
        [f"ask_{key}_key" for key in keys],
        before=[do.EarnExperience("input")],
        given={f"ask_{key}_key": held for key, held in keys.items()},
    )

    assert left(state) == Left(
        "idol_brought_to_the_lighthouse headdress_brought_to_the_lighthouse",
        tokens="cultist elder_thing",
    )
    assert state.pool(ROLAND, UNSPENT) == 4


def test_the_lighthouse_gives_relics_and_diving_suits() -> None:
    """Roland escaped by The Moon Room; one of the relics had been found."""
    state = scene(
        innsmouth(),
        "a_light_in_the_fog",
        resolution="R1",
        before=[recorded("idol_brought_to_the_lighthouse")],
        outcomes={ROLAND: "resigned", DAISY: "resigned"},
        given={
            **GIVEN,
            "ask_moon_room_resigned": {
                ROLAND: ("moon_room",),
                DAISY: ("falcon_point",),
            },
            "ask_idol": True,
            "ask_idol_effects_investigator": {DAISY: ("chosen_investigator",)},
        },
    )

    assert state.people[DAISY].story == (IDOL,)
    (suits,) = (
        line
        for line in state.section(NOTES).lines
        if line.id == "possesses_a_diving_suit"
    )
    assert [code for code, _count in suits.cards] == [ROLAND]


def test_only_experience_that_is_saved_is_called_unspent() -> None:
    """After Horror in High Gear decks are upgraded at once."""
    own = open_own_guide("tic")
    asked = {
        name: "spend it yet" in own.words.step(name, "earn_xp").get("text", "")
        for name, scenario in own.guide.scenarios.items()
        if "earn_xp" in scenario.steps
    }

    assert asked == {
        name: UNSPENT in repr(own.guide.scenarios[name].steps["earn_xp"])
        for name in asked
    }
    assert not asked["horror_in_high_gear"]


@pytest.mark.parametrize("relic", [*RELICS, ""])
@pytest.mark.parametrize("defeated", [True, False])
def test_the_gateway_recognizes_its_keeper(relic: str, defeated: bool) -> None:
    """If the gatekeeper was defeated and one of the three relics is in a deck."""
    line = "gateway_to_yhanthlei_recognizes_you_as_its_rightful_keeper"
    before: list[do.Effect] = []
    if relic:
        before.append(do.AddCard("input", relic))
    if defeated:
        before.append(recorded("gatekeeper_has_been_defeated"))
    state = scene(
        innsmouth(),
        "hidden_truths",
        ["check_guardian_and_story_assets"],
        before=before,
    )

    assert state.has_line(NOTES, line) is (defeated and relic != "")


@pytest.mark.parametrize(("missing", "truth"), [(0, True), (1, False)])
def test_all_fourteen_memories_reveal_the_truth(missing: int, truth: bool) -> None:
    """In the epilogue."""
    lines = [*open_own_guide("tic").raw_words["log"][MEMORIES]]
    assert lines.pop() == "horrific_truth"
    known = lines[missing:]
    guide = innsmouth()
    state = scene(
        guide,
        "tic_epilogue",
        guide.scenarios["tic_epilogue"].setup,
        before=remembered(*known),
    )

    assert len(lines) == 14
    assert state.has_line(MEMORIES, "horrific_truth") is truth
