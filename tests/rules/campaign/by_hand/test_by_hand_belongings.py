"""Things that only some campaigns record can be recorded by hand and undone."""

from __future__ import annotations

import pytest

from arkham.rules.campaign import judging
from arkham.rules.campaign.interpreter.replay import START
from arkham.rules.campaign.judging.answers import findings_of
from arkham.rules.campaign.judging.between_games import destinations, journey
from arkham.rules.campaign.settlement import PersonDifference, settlement
from arkham.rules.campaign.state.answers import Answer, Retracted, SideScenario
from arkham.rules.campaign.state.lookup import copies_in, owners_of_line
from tests.rules.campaign.helpers.by_hand import (
    DYER,
    EXPEDITION,
    FIRST_TEKELI_LI,
    KENSLER,
    Keeping,
    set_up,
    words_by_hand,
)
from tests.rules.campaign.helpers.small import DAISY, ROLAND


def taken_back(table: Keeping) -> Keeping:
    """Undo the last answer."""
    table.entries.append(Retracted(len(table.entries), len(table.entries) + 1))
    return table


def test_tekeli_li_cards_are_added_up_to_their_number_of_copies() -> None:
    """Sixteen with one title, distinguished by their numbers (CYC-EE4)."""
    table = set_up("eoe", *EXPEDITION)
    assert words_by_hand("eoe").choice("", "tekeli_li", FIRST_TEKELI_LI) == (
        "Tekeli-li 223"
    )
    before = table.replay
    table.writes("tekeli_li", ("tekeli_li", {ROLAND: {FIRST_TEKELI_LI: 2}}))
    assert settlement(before, table.replay).people == (
        PersonDifference(ROLAND, gained=(FIRST_TEKELI_LI, FIRST_TEKELI_LI)),
    )
    assert copies_in(table.state, ROLAND, FIRST_TEKELI_LI) == 2
    table.says("record", "tekeli_li")
    pending = table.replay.pending
    assert pending is not None
    assert sum(most or 0 for _card, _least, most in pending.limits) == 16
    most = {card: most or 0 for card, _, most in pending.limits}[FIRST_TEKELI_LI]

    def rules(**counts: int) -> list[str]:
        value = {
            code.lstrip("_"): {FIRST_TEKELI_LI: count} for code, count in counts.items()
        }
        given = Answer("supplies", pending.scenario, pending.step, value)
        found = findings_of(given, pending, table.state)
        return [finding.rule for finding in found]

    assert rules(_01002=most - 2) == []
    assert rules(_01002=most - 1) == ["answer.copies"]
    assert rules(_01001=0, _01002=most) == []
    table.says("tekeli_li", {ROLAND: {FIRST_TEKELI_LI: 0}})
    assert copies_in(table.state, ROLAND, FIRST_TEKELI_LI) == 0
    assert copies_in(taken_back(table).state, ROLAND, FIRST_TEKELI_LI) == 2


def test_a_partner_can_be_resolute_hurt_healed_and_eliminated() -> None:
    """A line can be recorded about a partner, too."""
    table = set_up("eoe", *EXPEDITION)
    table.writes("partner_states", ("partner_states", {KENSLER: ("resolute",)}))
    state = table.state
    assert state.limits(KENSLER, state.people[KENSLER]) == (3, 4)
    table.writes("partners", ("partners", {KENSLER: (2, 0)}))
    assert not table.state.is_eliminated(KENSLER)
    table.writes("partner_states", ("partner_states", {KENSLER: ("heal_damage",)}))
    assert table.state.people[KENSLER].physical == 1
    table.writes("partner_states", ("partner_states", {DYER: ("eliminated",)}))
    assert table.state.is_eliminated(DYER)
    assert not taken_back(table).state.is_eliminated(DYER)
    killed = "campaign_notes.killed_in_plane_crash"
    table.says("partner_states", {DYER: ("mia",)})
    table.writes("named", ("named", {DYER: (killed,)}))
    (line,) = table.state.section("campaign_notes").lines
    assert line.cards == ((DYER, 1),)


def test_a_task_belongs_to_one_investigator_and_can_pass_to_another() -> None:
    table = set_up("tdc", "tdc_prologue", "one_last_job", "an_offer_you_cant_refuse")
    task = "task_progress.do_no_harm"
    table.writes("tasks", ("tasks", {task: (ROLAND,)}))
    assert owners_of_line(table.state, task) == [ROLAND]
    table.writes("tasks", ("tasks", {task: (DAISY,)}))
    assert owners_of_line(table.state, task) == [DAISY]


def test_a_glyph_has_the_meaning_the_table_found() -> None:
    table = set_up("tdc", "tdc_prologue")
    rune = "glyphs.glyphs.tdc_rune_b"
    table.writes("glyphs", ("glyphs", rune), (rune, "Water"))
    (line,) = table.state.section("glyphs").lines
    assert (line.id, line.text) == ("tdc_rune_b", "Water")


def test_only_one_day_is_recorded_at_a_time() -> None:
    """The days of The Feast of Hemlock Vale (CYC-HV1)."""
    table = set_up("fhv", "fhv_prologue")
    table.writes("day", ("day", "current_day.day_1_day"))
    table.writes("day", ("day", "current_day.day_1_night"))
    lines = [line.id for line in table.state.section("current_day").lines]
    assert lines == ["day_1_night"]
    assert words_by_hand("fhv").choice("", "day", "current_day.day_1_night") == (
        "Night 1"
    )


def test_lines_are_circled_and_sections_crossed_out() -> None:
    table = set_up("fhv", "fhv_prologue")
    table.writes("own_words", ("own_words", "own_words.judith"),
                 ("own_words.judith", "She is wary"))  # fmt: skip
    table.writes("circle", ("circle", {"judith.She is wary": ("chosen",)}))
    assert [*table.state.section("judith").circled] == ["She is wary"]
    table.writes("cross_section", ("cross_section", {"judith": ("chosen",)}))
    assert table.state.section("judith").crossed_out
    assert not taken_back(table).state.section("judith").crossed_out


def test_resupply_points_are_separate_from_experience() -> None:
    table = set_up("rttfa", "tfa_prologue")
    points = "pool.resupply_points"
    table.writes(points, (points, {ROLAND: (3,)}))
    assert table.state.pool(ROLAND, "resupply_points") == 3
    assert not table.state.people[ROLAND].experience


@pytest.mark.parametrize("back", [False, True])
def test_a_table_travels_by_the_map(back: bool) -> None:
    """From London on, with the time it takes."""
    table = set_up("tskc", "riddles_and_rain", "the_foundation")
    assert table.state.map.location == "london"
    table.writes("open_places", ("open_places", {"reykjavik": ("checked",)}))
    table.says("record", "done")
    if table.asked[1] == "save_decks":
        table.says("save_decks", True)
    table.says("next", "travel_return" if back else "travel")
    replay = table.replay
    assert replay.pending is not None
    assert (replay.pending.kind, replay.pending.prompt) == (START, "embark")
    times = {each.place: each.time for each in destinations(table.guide, replay)}
    assert (times["rome"], times["reykjavik"]) == (1, 2)  # through Venice

    chosen = journey(table.guide, replay, "rome", fast=False, passing=False)
    assert chosen is not None
    place = len(table.entries) + 1
    table.entries.append(Answer(START, chosen.next_scenario, "", chosen, place))
    state = table.state
    assert (state.map.location, state.counts["time"]) == ("rome", 1)
    assert table.asked == ("rome", "record")
    assert ("london" in state.map.visited) is not back


def test_travel_continues_from_a_place_without_scenario() -> None:
    """Venice only has side scenarios: one is inserted there, or the place is passed."""
    table = set_up("tskc", "riddles_and_rain", "the_foundation")
    table.says("record", "done")
    if table.asked[1] == "save_decks":
        table.says("save_decks", True)
    table.says("next", "travel")
    chosen = journey(table.guide, table.replay, "venice_it", fast=False, passing=False)
    assert chosen is not None
    place = len(table.entries) + 1
    table.entries.append(Answer(START, chosen.next_scenario, "", chosen, place))
    replay = table.replay
    assert replay.problems == ()
    assert replay.pending is not None
    assert (replay.pending.prompt, replay.state.map.location) == ("embark", "venice_it")
    aside = SideScenario(chosen.next_scenario, "official")
    rougarou = Answer("start_side_scenario", "curse_of_the_rougarou", "", aside, 99)
    assert judging.findings_of(rougarou, replay) == ()


def test_travel_continues_after_a_side_scenario() -> None:
    """From where it began, whether or not that is recorded again."""
    table = set_up("tskc", "riddles_and_rain", "the_foundation")
    table.says("record", "done")
    if table.asked[1] == "save_decks":
        table.says("save_decks", True)
    table.says("next", "travel")
    aside = SideScenario("the_foundation", "custom", "Ours", 0)
    place = len(table.entries) + 1
    table.entries.append(Answer("start_side_scenario", "ours", "", aside, place))
    table.plays(ROLAND, DAISY).says("$play_scenario", "$finish")
    table.says("$end_of_scenario_status", dict.fromkeys((ROLAND, DAISY), ("alive",)))
    table.says("$earn_xp", {})
    table.says("$upgrade_decks", True)
    asked = table.replay.pending
    assert asked is not None
    assert asked.prompt == "embark"

    chosen = journey(table.guide, table.replay, "rome", fast=False, passing=False)
    assert chosen is not None
    assert chosen.previous == "the_foundation"
    place = len(table.entries) + 1
    table.entries.append(Answer(START, chosen.next_scenario, "", chosen, place))
    assert table.state.map.location == "rome"
    assert table.asked == ("rome", "record")
