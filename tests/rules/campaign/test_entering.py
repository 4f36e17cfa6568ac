"""A campaign that began on paper is entered at its current position."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arkham.rules.campaign.by_hand.facts import known_campaigns
from arkham.rules.campaign.by_hand.guide import guide_by_hand
from arkham.rules.campaign.interpreter.replay import START, Replay, fold
from arkham.rules.campaign.model import effects as do
from arkham.rules.campaign.model.guide import SETUP, CampaignGuide
from arkham.rules.campaign.paper import EnteredInvestigator, Position, entered_at
from arkham.rules.campaign.paper.judging import plays_on
from arkham.rules.campaign.reading.own import open_own_guide
from arkham.rules.campaign.settlement import Fate, fate_of
from arkham.rules.campaign.state.answers import (
    Answer,
    Entry,
    Retracted,
    SideScenario,
    Stated,
)
from arkham.rules.campaign.state.ledger import CORRECTION
from arkham.rules.campaign.state.lookup import Reason, reasons
from arkham.rules.campaign.state.state import HARD_TIMES
from arkham.rules.chaos.bag import LIMITS
from arkham.rules.replaying import reported
from tests.rules.campaign.helpers.guides import shared_library
from tests.rules.campaign.helpers.laws import shape
from tests.rules.campaign.helpers.small import DAISY, PEOPLE, ROLAND, SKIDS
from tests.rules.campaign.helpers.table import Table

HERE = Position(
    "echoes_of_the_past",
    (
        EnteredInvestigator(ROLAND, 7, 1, 0, cards=("03059",)),
        EnteredInvestigator(DAISY, 4, 0, 2, weaknesses=("01097",)),
        EnteredInvestigator(SKIDS, fate=Fate.DRIVEN_INSANE),
    ),
    {"0": 2, "-1": 3, "skull": 3, "cultist": 2, "auto_fail": 1, "elder_sign": 1},
    "hard",
    lines=(("campaign_notes", "police_are_suspicious"),),
    crossed_out=(("vips_interviewed", "Jordan Perry"),),
    words=(("vips_interviewed", "Jordan Perry"), ("vips_slain", "Jordan Perry")),
    counts={"doubt": 5, "conviction": 1},
)


def carcosa(position: Position = HERE) -> Replay:
    """The Path to Carcosa, entered at a position and not continued."""
    guide = guide_by_hand("ptc")
    return fold(guide, entered_at(guide, position), PEOPLE)


def test_the_state_is_exactly_what_was_entered() -> None:
    found = reported(carcosa())
    assert found["difficulty"] == "hard"
    assert found["chaos_bag"] == HERE.bag
    assert found["counts"] == {
        "chasing_the_stranger": 0, "doubt": 5, "conviction": 1,
    }  # fmt: skip
    assert found["investigators"] == {
        ROLAND: {"availableXp": 7, "physical": 1, "storyAssets": ["03059"]},
        DAISY: {"availableXp": 4, "mental": 2, "addedCards": ["01097"]},
        SKIDS: {"insane": True},
    }
    lines: dict[str, Any] = {
        name: [(line["id"], line.get("crossedOut")) for line in section["entries"]]
        for name, section in found["sections"].items()
    }
    assert lines == {
        "campaign_notes": [("police_are_suspicious", None)],
        "vips_interviewed": [("Jordan Perry", True)],
        "vips_slain": [("Jordan Perry", None)],
    }


def test_scenarios_played_before_are_not_asked_about() -> None:
    replay = carcosa()
    assert replay.problems == ()
    assert replay.pending is not None
    assert (replay.pending.scenario, replay.pending.kind) == (HERE.scenario, START)
    assert [(each.id, each.status) for each in replay.scenarios][:6] == [
        (SETUP, "completed"),
        ("ptc_prologue", "completed"),
        ("curtain_call", "completed"),
        ("the_last_king", "completed"),
        ("ptc_interlude1", "completed"),
        ("echoes_of_the_past", "playable"),
    ]


def test_no_experience_is_unbanked_and_fates_apply() -> None:
    state = carcosa().state
    assert [state.earned(code) for code in (ROLAND, DAISY)] == [0, 0]
    assert fate_of(state, SKIDS) is Fate.DRIVEN_INSANE
    assert state.players == (ROLAND, DAISY, SKIDS)


def test_each_value_has_its_entry_as_reason() -> None:
    guide = guide_by_hand("ptc")
    entries = entered_at(guide, HERE, reason="Begun on paper.", after=10)
    assert [each.sequence for each in entries] == list(range(11, 11 + len(entries)))
    assert {each.reason for each in entries if isinstance(each, Stated)} == {
        "Begun on paper."
    }
    found = reasons(fold(guide, entries, PEOPLE).state, "experience", ROLAND)
    place = next(
        each.sequence
        for each in entries
        if isinstance(each, Stated) and each.codes == (ROLAND,)
    )
    assert found == [Reason(7, SETUP, "$inter_scenario_changes", place, CORRECTION)]


def test_a_single_fact_can_be_undone() -> None:
    guide = guide_by_hand("ptc")
    entries = entered_at(guide, HERE)
    bag = next(
        each.sequence
        for each in entries
        if isinstance(each, Stated) and type(each.effect).__name__ == "Tokens"
    )
    assert not fold(guide, [*entries, Retracted(bag, 99)], PEOPLE).state.bag


def test_a_position_may_have_another_order_and_skipped_scenarios() -> None:
    """Earlier scenarios that were not played stay open; the position is next anyway."""
    position = HERE._replace(
        played=("ptc_prologue", "curtain_call", "the_last_king"),
        order=guide_by_hand("ptc").order,
    )
    replay = carcosa(position)
    assert replay.pending is not None
    assert replay.pending.scenario == "echoes_of_the_past"


def test_a_later_scenario_may_have_been_played_already() -> None:
    """Players who went to the house first go to the class now, then on to Armitage."""
    guide = guide_by_hand("dwl")
    now, next_one = "extracurricular_activity", "armitages_fate"
    played = ("dwl_prologue", "the_house_always_wins")
    position = Position(now, (EnteredInvestigator(ROLAND),), {"0": 1}, played=played)
    entries = entered_at(guide, position)
    replay = fold(guide, entries, PEOPLE)
    assert replay.pending is not None
    assert (replay.pending.scenario, replay.pending.kind) == (now, START)
    places = [each.id for each in replay.scenarios]
    assert [each for each in places if each not in (SETUP, *played)][:2] == [
        now,
        next_one,
    ]


def test_a_scenario_outside_the_order_can_be_entered() -> None:
    """A day of The Feast of Hemlock Vale."""
    guide = guide_by_hand("fhv")
    position = Position(
        "hemlock_house",
        (EnteredInvestigator(ROLAND),),
        {"0": 1},
        played=("fhv_prologue",),
    )
    replay = fold(guide, entered_at(guide, position), PEOPLE)
    assert replay.pending is not None
    assert (replay.pending.scenario, replay.pending.kind) == ("hemlock_house", START)
    begun = Answer(START, "hemlock_house", "", None, 90)
    replay = fold(guide, [*entered_at(guide, position), begun], PEOPLE)
    assert replay.pending is not None
    assert replay.pending.step == "$choose_investigators"


def test_a_campaign_with_the_fields_guide_is_entered_the_same_way() -> None:
    """Its setup asks nothing, and its conditions know which scenarios were played."""
    guide = shared_library().guides["dwl"]
    position = Position(
        "essex_county_express",
        (EnteredInvestigator(ROLAND, 5),),
        {"0": 3, "skull": 2},
        "easy",
    )
    replay = fold(guide, entered_at(guide, position), PEOPLE)
    assert replay.problems == ()
    assert replay.pending is not None
    assert replay.pending.scenario == "essex_county_express"
    assert replay.state.bag == {"0": 3, "skull": 2}
    assert "blood_on_the_altar" not in replay.state.statuses
    assert replay.state.statuses["the_miskatonic_museum"] == "completed"


def test_continuing_an_entered_campaign_is_the_same_fold() -> None:
    guide = guide_by_hand("ptc")
    entries = entered_at(guide, HERE)
    half = fold(guide, entries[:5], PEOPLE)
    assert shape(fold(guide, entries, PEOPLE, after=half)) == shape(
        fold(guide, entries, PEOPLE)
    )


ROUGAROU = "curse_of_the_rougarou"
PLAYED_BY_HAND = (("ptc", HERE), ("fhv", Position(
    "hemlock_house", (EnteredInvestigator(ROLAND),), {"0": 1}, played=("fhv_prologue",
    "written_in_rock"),
)))  # fmt: skip


def begun_aside(previous: str, sequence: int) -> Answer:
    """Start Curse of the Rougarou after a scenario."""
    value = SideScenario(previous, "official")
    return Answer("start_side_scenario", ROUGAROU, "", value, sequence)


@pytest.mark.parametrize(("campaign", "position"), PLAYED_BY_HAND)
def test_a_side_scenario_follows_a_scenario_played_on_paper(
    campaign: str, position: Position
) -> None:
    guide = guide_by_hand(campaign)
    entries = entered_at(guide, position)
    played = [each.id for each in fold(guide, entries, PEOPLE).scenarios]
    last = played[played.index(position.scenario) - 1]
    replay = fold(guide, [*entries, begun_aside(last, 100)], PEOPLE)

    assert replay.problems == ()
    assert replay.pending is not None
    assert (replay.pending.scenario, replay.pending.step) == (
        ROUGAROU,
        "$choose_investigators",
    )
    status = {each.id: each.status for each in replay.scenarios}
    assert status[ROUGAROU] == "started"
    due = (*replay.state.next_scenarios, *replay.state.guide.order)
    assert position.scenario in due
    assert status.get(position.scenario, "locked") == "locked"


def test_a_side_scenario_after_entering_is_paid() -> None:
    guide = guide_by_hand("ptc")
    entries: list[Entry] = [
        *entered_at(guide, HERE),
        begun_aside("ptc_interlude1", 100),
        Answer(
            "string_choices", ROUGAROU, "$choose_investigators",
            {ROLAND: ("chosen",), DAISY: ("chosen",)}, 101,
        ),
        Answer(
            "string_choices", ROUGAROU, "$lead_investigator", {ROLAND: ("chosen",)},
            102,
        ),
    ]  # fmt: skip
    replay = fold(guide, entries, PEOPLE)
    assert [replay.state.earned(code) for code in (ROLAND, DAISY)] == [-1, -1]


def test_facts_about_a_scenario_played_on_paper_apply() -> None:
    guide = guide_by_hand("ptc")
    entries = entered_at(guide, HERE)
    hurt = Stated("the_last_king", do.Trauma("input", mental=3), (ROLAND,), (), "", 100)
    half = fold(guide, entries, PEOPLE)
    replay = fold(guide, [*entries, hurt], PEOPLE)
    assert half.state.person(ROLAND).mental in (None, 0)
    assert replay.state.person(ROLAND).mental == 3
    assert hurt in replay.used
    assert shape(fold(guide, [*entries, hurt], PEOPLE, after=half)) == shape(replay)


@pytest.mark.parametrize("campaign", known_campaigns())
@settings(max_examples=5, deadline=None)
@given(data=st.data())
def test_any_campaign_can_be_entered_anywhere(
    campaign: str, data: st.DataObject
) -> None:
    guide = guide_by_hand(campaign)
    scenario = data.draw(st.sampled_from(sorted(guide.scenarios)))
    numbers = st.integers(0, 4)
    tokens = st.sampled_from(("+1", "0", "-3", "skull", "frost", "elder_sign"))
    bag = data.draw(st.dictionaries(tokens, st.integers(1, 4)))
    people = tuple(
        EnteredInvestigator(
            code, data.draw(numbers), data.draw(numbers), data.draw(numbers)
        )
        for code in (ROLAND, SKIDS)
    )
    position = Position(scenario, people, bag)
    replay = fold(guide, entered_at(guide, position), PEOPLE)

    assert replay.problems == ()
    assert replay.pending is not None
    assert (replay.pending.scenario, replay.pending.kind) == (scenario, START)
    assert replay.state.bag == bag
    assert all(bag.get(token, 0) <= most for token, most in LIMITS.items())
    for each in people:
        person = replay.state.person(each.code)
        assert (
            person.experience or 0,
            person.physical or 0,
            person.mental or 0,
        ) == (each.experience, each.physical, each.mental)


@pytest.mark.parametrize(
    ("physical", "mental", "cards", "plays"),
    [
        (8, 4, (), True),
        (9, 0, (), False),
        (0, 5, (), False),
        (6, 6, (HARD_TIMES,), True),
        (7, 0, (HARD_TIMES,), False),
    ],
)
def test_an_investigator_continues_with_less_trauma_than_their_limits(
    physical: int, mental: int, cards: tuple[str, ...], plays: bool
) -> None:
    """Roland has 9 health and 5 sanity; as a Body of a Yithian 7 of each."""
    person = EnteredInvestigator(ROLAND, 0, physical, mental, cards=cards)
    assert plays_on(person, PEOPLE[ROLAND]) is plays


# --- on a map


@pytest.mark.parametrize("scenario", ["riddles_and_rain", "the_foundation"])
def test_without_a_place_the_table_is_where_the_campaign_begins(scenario: str) -> None:
    """The Scarlet Keys: every journey begins at a place."""
    guide = open_own_guide("tskc").guide
    position = HERE._replace(
        scenario=scenario, lines=(), crossed_out=(), words=(), counts={}
    )
    table = Table(guide, 1)
    table.codes = [ROLAND, DAISY]
    entries: list[Any] = [*entered_at(guide, position)]
    table.answers = entries
    table.replay = table.next()
    assert (table.replay.state.map.location, table.replay.state.map.visited) == (
        "london",
        (),
    )

    table.play(80)
    assert "the_foundation" in table.replay.begun
    assert table.replay.state.map.visited


def test_at_a_place_of_the_map_everything_before_the_first_journey_was_played() -> None:
    """The table is at the place of the scenario."""
    guide = open_own_guide("tskc").guide
    position = Position("marrakesh", (EnteredInvestigator(ROLAND),), {})
    replay = fold(guide, entered_at(guide, position), PEOPLE)

    assert replay.state.map.location == "marrakesh"
    assert {each.id: each.status for each in replay.scenarios}["the_foundation"] == (
        "completed"
    )


def _guide(campaign: str, origin: str) -> CampaignGuide:
    ours = origin == "ours"
    return open_own_guide(campaign).guide if ours else shared_library().guides[campaign]


def _unseen(replay: Replay) -> dict[str, int]:
    """Return the hidden lines of the log; lines without a number have 0."""
    lines = reported(replay)["sections"]["hidden"]["entries"]
    return {each["id"]: each.get("count", 0) for each in lines}


@pytest.mark.parametrize("origin", ["ours", "field"])
@pytest.mark.parametrize(
    ("time", "read", "opened"),
    [
        (6, set(), ()),
        (12, {"alpha", "epsilon"}, ()),
        (24, {"alpha", "epsilon", "beta", "zeta", "gamma"}, ("tunguska",)),
    ],
)
def test_events_of_past_times_do_not_happen_again(
    origin: str, time: int, read: set[str], opened: tuple[str, ...]
) -> None:
    """Status reports add no second token and steal no keys, and places stay open."""
    guide = _guide("tskc", origin)
    position = Position(
        "marrakesh",
        (EnteredInvestigator(ROLAND),),
        {"cultist": 4},
        counts={"time": time},
    )
    entries: list[Any] = [*entered_at(guide, position)]
    replay = fold(guide, entries, PEOPLE)
    reports = {f"read_sr_{each}" for each in read}
    assert {each for each in _unseen(replay) if "read" in each} == reports
    assert replay.state.map.unlocked == opened
    assert replay.state.counts["time"] == time
    assert replay.state.bag == {"cultist": 4}


@pytest.mark.parametrize("origin", ["ours", "field"])
@pytest.mark.parametrize(
    ("campaign", "scenario", "line", "unseen"),
    [
        ("tskc", "tunguska", (), {"always_true": 0}),
        ("fhv", "the_lost_sister", (), {"always_true": 0, "day": 1}),
        (
            "fhv",
            "written_in_rock",
            (("current_day", "day_2_day"),),
            {"always_true": 0, "day": 3},
        ),
        (
            "fhv",
            "the_longest_night",
            (("current_day", "day_3_night"),),
            {"always_true": 0, "day": 6},
        ),
        ("tdc", "one_last_job", (), {}),
        ("tdc", "obsidian_canyons", (), {"tasks_active": 0}),
    ],
)
def test_hidden_lines_follow_from_the_position(
    origin: str,
    campaign: str,
    scenario: str,
    line: tuple[tuple[str, str], ...],
    unseen: dict[str, int],
) -> None:
    """The day from the log, and lines that earlier scenarios always record."""
    position = Position(scenario, (EnteredInvestigator(ROLAND),), {}, lines=line)
    if campaign == "tdc" and unseen:
        position = position._replace(played=("an_offer_you_cant_refuse",))
    entries: list[Any] = [*entered_at(_guide(campaign, origin), position)]
    replay = fold(_guide(campaign, origin), entries, PEOPLE)
    if unseen:
        assert _unseen(replay) == unseen
    else:
        assert "hidden" not in reported(replay)["sections"]


def test_the_first_place_can_be_returned_to() -> None:
    """Unless it was visited again."""
    guide = open_own_guide("tskc").guide
    position = Position(
        "the_foundation", (EnteredInvestigator(ROLAND),), {}, location="london"
    )
    for visited in ((), ("london",)):
        there = position._replace(visited=visited)
        state = fold(guide, entered_at(guide, there), PEOPLE).state
        assert (state.map.location, state.map.visited) == ("london", visited)
