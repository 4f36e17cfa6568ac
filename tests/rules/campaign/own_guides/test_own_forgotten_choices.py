"""Our guide of The Forgotten Age: supplies, poison, and the table's choices."""

from __future__ import annotations

import pytest

from arkham.rules.campaign.model import course
from arkham.rules.campaign.model import effects as do
from arkham.rules.campaign.reading.own import open_own_guide
from tests.rules.campaign.helpers.dunwich import NOTES
from tests.rules.campaign.helpers.forgotten import (
    ALEJANDRO,
    EARNED,
    FORESTALLING,
    ICHTACA,
    JOURNAL,
    POISONED,
    RELIC,
    REPOSSESS,
    bears,
    happens,
    packed,
    supply,
)
from tests.rules.campaign.helpers.scenes import DAISY, ROLAND, recorded, scene

# --- supplies


@pytest.mark.parametrize("count", [0, 1, 2])
@pytest.mark.parametrize(
    ("interlude", "line"),
    [("tfa_interlude1", "eztli"), ("tfa_interlude3", "hote"),
     ("tfa_interlude4", "doy")],
)  # fmt: skip
def test_investigators_without_provisions_go_hungry(
    interlude: str, line: str, count: int
) -> None:
    """Two investigators need two."""
    state = happens(
        interlude, "eat_provisions", before=[packed(*["provisions"] * count, "map")]
    )

    hungry = state.section("hidden").named(f"{line}_fewer_resources")
    assert supply(state, "provisions") == 0
    assert bool([each for each in hungry if each.cards]) is (count < 2)


@pytest.mark.parametrize("gasoline", [True, False])
def test_without_gasoline_there_is_no_mulligan(gasoline: bool) -> None:
    """The Jungle Beckons; one of it is used up."""
    before = [packed("gasoline", "gasoline")] if gasoline else []
    state = happens("tfa_interlude3", "use_gasoline", before=before)

    assert state.has_line("hidden", "hote_no_mulligan") is not gasoline
    if gasoline:
        assert supply(state, "gasoline") == 1


@pytest.mark.parametrize(
    ("interlude", "step", "carried", "experience", "trauma"),
    [
        ("tfa_interlude1", "choose_lookout", "binoculars", 2, (0, 0)),
        ("tfa_interlude1", "choose_lookout", "", 0, (0, 1)),
        ("tfa_interlude1", "check_blanket", "blanket", 0, (0, 0)),
        ("tfa_interlude1", "check_blanket", "", 0, (1, 0)),
        ("tfa_interlude4", "check_blanket", "", 0, (1, 0)),
        ("tfa_interlude5", "check_map_braziers", "map", 2, (0, 0)),
        ("tfa_interlude5", "check_map_braziers", "", 0, (0, 0)),
    ],
)
def test_a_supply_gives_experience_or_prevents_trauma(
    interlude: str, step: str, carried: str, experience: int, trauma: tuple[int, int]
) -> None:
    """For Roland, who has it or not."""
    state = happens(
        interlude,
        step,
        before=[EARNED, packed(*carried.split())],
        given={
            "choose_lookout": {ROLAND: ("chosen_investigator",)},
            "check_blanket_effects_trauma": dict.fromkeys(
                (ROLAND, DAISY), ("physical",)
            )
            if not carried
            else {DAISY: ("physical",)},
        },
    )
    person = state.people[ROLAND]

    assert person.experience == experience
    assert (person.physical or 0, person.mental or 0) == trauma


def test_a_sleepless_night_is_explained_before_the_trauma() -> None:
    """The text for investigators without the supply is read before its consequences."""
    everyone = {
        "check_blanket_effects_trauma": {ROLAND: ("mental",), DAISY: ("mental",)}
    }
    state = happens("tfa_interlude1", "check_blanket", given=everyone)

    read = [each.step for each in state.texts]
    assert read == ["check_blanket", "tossing_and_turning"]


def test_all_provisions_and_medicine_are_lost_in_the_dark() -> None:
    before = [packed("provisions", "medicine", "map")]
    state = happens("tfa_interlude5", "provisions_and_medicine_gone", before=before)

    own = state.seat_sections["supplies"][ROLAND]
    assert own.has("map")
    assert not own.has("provisions")
    assert not own.has("medicine")


# --- poison


@pytest.mark.parametrize("medicine", [True, False])
def test_poison_spreads_if_no_medicine_is_used(medicine: bool) -> None:
    """1 physical trauma for each investigator who is still poisoned."""
    state = happens(
        "tfa_interlude1",
        "use_medicine",
        "check_poison_spreads",
        before=[bears(POISONED), packed("medicine")],
        given={
            "use_medicine": {ROLAND: (int(medicine),)},
            "use_medicine_effects_investigator": {ROLAND: ("chosen_investigator",)},
        },
    )

    assert (POISONED in (state.people[ROLAND].story or ())) is not medicine
    assert (state.people[ROLAND].physical or 0) == (0 if medicine else 1)


def test_medicine_is_not_offered_if_no_deck_is_poisoned() -> None:
    state = happens(
        "tfa_interlude1",
        "use_medicine",
        before=[packed("medicine")],
        given={
            "use_medicine": {ROLAND: (1,)},
            "use_medicine_effects_investigator": {ROLAND: ("chosen_investigator",)},
        },
    )

    assert state.seat_sections["supplies"][ROLAND].number("medicine") == 1


def test_the_hospital_takes_experience() -> None:
    """3 for Poisoned, 5 for a trauma; resupply points exist in the Return only."""
    state = happens(
        "threads_of_fate",
        "choose_to_heal_poison",
        "choose_to_heal_trauma",
        before=[
            bears(POISONED),
            do.EarnExperience("input", bonus=9),
            do.Trauma("input", mental=2),
        ],
        given={
            "choose_to_heal_poison": {ROLAND: ("remove_poison",)},
            "choose_to_heal_trauma": {ROLAND: ("remove_mental",)},
        },
    )
    person = state.people[ROLAND]

    assert (person.experience, person.mental, person.story) == (1, 1, ())
    assert state.pool(ROLAND, "resupply_points") == 0


# --- the table's choices


@pytest.mark.parametrize("taken", [True, False])
def test_the_journal_may_join_the_lead_investigators_deck(taken: bool) -> None:
    """In Threads of Fate; it is optional."""
    step = "earn_expedition_journal"
    answer = {ROLAND: ("chosen_investigator",)} if taken else {}
    state = happens(
        "threads_of_fate",
        step,
        before=[EARNED],
        given={f"{step}_effects_investigator": answer},
    )

    assert (state.people[ROLAND].story or ()) == ((JOURNAL,) if taken else ())


@pytest.mark.parametrize("alone", [True, False])
def test_on_your_own_path_experience_replaces_the_allies(alone: bool) -> None:
    """2 for each of the two, who join no deck."""
    answer = {ROLAND: ("chosen_investigator",)}
    state = happens(
        "threads_of_fate",
        "check_act_cd",
        "check_act_ef",
        before=[EARNED, *([recorded("forging_own_path")] if alone else [])],
        given={
            "check_act_cd": 0,
            "check_act_ef": 0,
            "earn_alejandro_effects_investigator": answer,
            "earn_ichtaca_effects_investigator": answer,
        },
    )
    person = state.people[ROLAND]

    assert person.experience == (4 if alone else 0)
    assert set(person.story or ()) == (set() if alone else {ALEJANDRO, ICHTACA})


@pytest.mark.parametrize(
    ("choice", "tokens"), [(0, "elder_thing"), (1, "cultist tablet tablet")]
)
def test_your_own_path_changes_the_bag(choice: int, tokens: str) -> None:
    """Cultists and tablets leave the bag."""
    state = happens(
        "threads_of_fate",
        "choose_forging_own_path",
        before=[course.Tokens(("cultist", "tablet", "tablet"), 1)],
        given={"choose_forging_own_path": choice},
    )
    bag = [token for token, count in state.bag.items() for _ in range(count)]

    assert bag == tokens.split()


@pytest.mark.parametrize("alone", [True, False])
def test_the_relic_changes_twice(alone: bool) -> None:
    """When it is found; and in the dark, if you go your own way."""
    found = [recorded("investigators_recovered_relic"), recorded("found_missing_relic")]
    before = [*found, *([recorded("forging_own_path")] if alone else [])]
    beyond = happens(
        "the_boundary_beyond",
        "check_found_missing_relic",
        before=[bears(RELIC), *before],
    )
    dark = happens(
        "tfa_interlude5",
        "check_found_missing_relic",
        before=[bears(FORESTALLING), *before],
    )

    assert beyond.people[ROLAND].story == (FORESTALLING,)
    assert dark.people[ROLAND].story == (REPOSSESS if alone else FORESTALLING,)


@pytest.mark.parametrize(
    ("tablets", "rescued", "custodian"),
    [(2, True, True), (3, True, True), (1, True, True), (2, False, True),
     (2, True, False)],
)  # fmt: skip
def test_alejandro_remembers_if_all_three_are_true(
    tablets: int, rescued: bool, custodian: bool
) -> None:
    """Otherwise he leaves his deck."""
    state = happens(
        "tfa_interlude4",
        "ask_custodian",
        "check_mind_recovered",
        before=[
            bears(ALEJANDRO),
            course.Tokens(("tablet",) * tablets, 1),
            *([recorded("rescued_alejandro")] if rescued else []),
        ],
        given={"ask_custodian": custodian},
    )
    remembers = tablets > 1 and rescued and custodian

    assert state.has_line(NOTES, "alejandro_remembers_everything") is remembers
    assert state.has_line(NOTES, "alejandro_set_against") is not remembers
    assert state.bag["tablet"] == tablets + remembers
    assert state.people[ROLAND].story == ((ALEJANDRO,) if remembers else ())


@pytest.mark.parametrize(
    ("depth", "experience", "trauma", "killed"),
    [(1, 0, 0, True), (2, 2, 2, False), (3, 3, 1, False), (4, 4, 0, False)],
)
def test_the_depth_of_the_fall_has_its_results(
    depth: int, experience: int, trauma: int, killed: bool
) -> None:
    """At depth 2 there is an Injury, too."""
    state = happens(
        "the_depths_of_yoth",
        "record_final_depth",
        "check_final_depth",
        before=[EARNED],
        given={
            "record_final_depth": depth,
            "depth_2_fall_effects_weakness": {
                ROLAND: ("01098",),
                DAISY: ("01099",),
            },
        },
    )
    person = state.people[ROLAND]

    assert (person.experience, person.physical or 0) == (experience, trauma)
    assert bool(person.killed) is killed
    assert state.campaign_result == ("lose" if killed else "")


def test_turning_back_time_keeps_the_first_lines_only() -> None:
    """The relic leaves its deck."""
    guide = happens.guide
    first = {
        "wait_for_additional_supplies", "cleared_path_to_temple",
        "ichtaca_observed_progress", "ichtaca_is_wary", "earned_ichtacas_trust",
        "alejandro_followed_to_ruins", "alejandro_remained_at_camp",
    }  # fmt: skip
    lines = set(open_own_guide("tfa").words.lines(NOTES))
    later = lines - first - {"sealed_relic_of_ages_forever", "fabric_of_time_unwoven"}
    state = scene(
        guide,
        "turn_back_time",
        ["cross_off_everything", "remove_relic_from_deck"],
        before=[bears(REPOSSESS), *map(recorded, sorted(first | later))],
    )

    assert {line for line in lines if state.has_line(NOTES, line)} == first
    words = open_own_guide("tfa").words.line(NOTES, "turned_back_time")
    assert words == "the investigators turned back time"  # a mistake in the field's
    assert state.people[ROLAND].story == ()


def test_the_depths_of_yoth_as_a_standalone_has_the_standard_bag() -> None:
    """With a cultist and a tablet."""
    state = happens("the_depths_of_yoth", "setup_standalone_bag")

    assert state.difficulty == "standard"
    assert sum(state.bag.values()) == 16
