"""A campaign entered midway has the same questions as one played from its beginning."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from arkham.rules.campaign.asking import Pending
from arkham.rules.campaign.by_hand.guide import guide_by_hand
from arkham.rules.campaign.interpreter.replay import START, Replay, fold
from arkham.rules.campaign.model import effects as do
from arkham.rules.campaign.model.guide import CampaignGuide, Plain
from arkham.rules.campaign.paper import (
    EnteredInvestigator,
    Position,
    crossed_out_whole,
    entered_at,
    orderings,
)
from arkham.rules.campaign.paper.judging import findings_of, marks
from arkham.rules.campaign.reading.own import open_own_guide
from arkham.rules.campaign.state.answers import Stated
from tests.rules.campaign.helpers.paper import paper_of
from tests.rules.campaign.helpers.small import POLICIES
from tests.rules.campaign.helpers.table import PEOPLE, Table

ROLAND = "01001"


def _guide(campaign: str) -> CampaignGuide:
    return open_own_guide(campaign).guide


def _entered(campaign: str, position: Position) -> Replay:
    return fold(_guide(campaign), entered_at(_guide(campaign), position), PEOPLE)


def _stated(guide: CampaignGuide, position: Position) -> list[Stated]:
    return [e for e in entered_at(guide, position) if isinstance(e, Stated)]


def _coming(replay: Replay) -> list[str]:
    """Return the scenarios still to be played, in order."""
    return [
        each.id for each in replay.scenarios if each.status in ("playable", "locked")
    ]


def _asked(pending: Pending | None) -> tuple[object, ...]:
    if pending is None:
        return ()
    ids = {each.id for each in pending.offers}
    return (pending.scenario, pending.step, pending.prompt, ids, {*pending.codes})


def _boundaries(table: Table) -> list[int]:
    """Return the number of answers before each scenario of the guide."""
    found = []
    replay = table.folded([])
    for number in range(1, len(table.answers)):
        replay = fold(
            table.guide, table.answers[:number], PEOPLE, policy=POLICIES[True],
            scopes=table.scopes, after=replay,
        )  # fmt: skip
        pending = replay.pending
        if pending is None or pending.kind != START or "#" in pending.scenario:
            continue
        if replay.begun[1:]:
            found.append(number)
    return found


def _asked_after(table: Table, known: list[Any], said: list[Any]) -> list[Any]:
    """Return the question after each of some answers, up to a side scenario."""
    found = []
    replay = None
    entries = list(known)
    for answer in said:
        if answer.scenario.startswith("own-"):
            break
        entries.append(answer._replace(sequence=len(entries) + 1))
        replay = fold(
            table.guide, entries, PEOPLE, policy=POLICIES[True],
            scopes=table.scopes, after=replay,
        )  # fmt: skip
        found.append(_asked(replay.pending))
    return found


@pytest.mark.slow
@pytest.mark.parametrize(
    ("campaign", "seed"),
    [
        ("dwl", 2), ("ptc", 0), ("ptc", 3), ("tfa", 3), ("tcu", 2), ("tcu", 7),
        ("eoe", 0), ("rttcu", 5), ("fhv", 1),
    ],
)  # fmt: skip
def test_questions_are_the_same_as_in_a_campaign_played_from_the_beginning(
    campaign: str, seed: int
) -> None:
    table = Table(_guide(campaign), seed)
    table.play(300)
    compared = 0
    for number in _boundaries(table):
        replay = table.folded(table.answers[:number])
        if any((each.experience or 0) < 0 for each in replay.state.people.values()):
            continue  # no table owes experience
        known = list(entered_at(table.guide, paper_of(replay)))
        said = table.answers[number : number + 40]
        played = _asked_after(table, table.answers[:number], said)
        assert _asked_after(table, known, said) == played
        compared += len(played)
    assert compared > 50


def test_a_skipped_interlude_does_not_come_back() -> None:
    """The Circle Undone: not all tables read The Price of Progress."""
    played = (
        "disappearance_at_the_twilight_estate", "the_witching_hour",
        "at_deaths_doorstep",
    )  # fmt: skip
    position = Position(
        "the_secret_name", (EnteredInvestigator(ROLAND),), {}, played=played
    )
    coming = _coming(_entered("tcu", position))
    assert coming[:2] == ["the_secret_name", "the_wages_of_sin"]
    assert "the_price_of_progress" not in coming


def test_a_game_that_may_still_be_played_stays_open() -> None:
    """The Dunwich Legacy: those who play the house first may play the class."""
    position = Position(
        "the_house_always_wins",
        (EnteredInvestigator(ROLAND),),
        {},
        played=("dwl_prologue",),
    )
    assert "extracurricular_activity" in _coming(_entered("dwl", position))


def test_a_crossed_out_number_no_longer_counts() -> None:
    """The Forgotten Age: the Harbinger is gone, whatever damage it had."""
    line = ("campaign_notes", "harbinger_alive")
    position = Position(
        "the_depths_of_yoth",
        (EnteredInvestigator(ROLAND),),
        {},
        counts={".".join(line): 4},
        crossed_out=(line,),
    )
    section = _entered("tfa", position).state.section("campaign_notes")
    assert [(each.id, each.crossed_out) for each in section.lines] == [(line[1], True)]
    assert not section.has(line[1])


@pytest.mark.parametrize(
    ("campaign", "scenario", "section"),
    [
        ("tcu", "at_deaths_doorstep", "05046"),
        ("fhv", "the_longest_night", "leah"),
    ],
)
def test_a_whole_section_may_be_crossed_out(
    campaign: str, scenario: str, section: str
) -> None:
    """Those who took no part in the prologue; those who died in the Vale."""
    assert section in crossed_out_whole(_guide(campaign))
    position = Position(
        scenario, (EnteredInvestigator(ROLAND),), {}, crossed_out=((section, ""),)
    )
    found = _entered(campaign, position).state.section(section)
    assert (found.crossed_out, found.lines) == (True, ())


@pytest.mark.parametrize(
    ("campaign", "section", "may_be"),
    [("tcu", "05046", True), ("tcu", "campaign_notes", False)],
)
def test_only_sections_that_a_campaign_crosses_out_may_be_crossed_out(
    campaign: str, section: str, may_be: bool
) -> None:
    """In a campaign kept by hand any may be."""
    position = Position(
        "at_deaths_doorstep",
        (EnteredInvestigator(ROLAND),),
        {},
        crossed_out=((section, ""),),
    )
    found = findings_of(_guide(campaign), position, PEOPLE)
    assert [each.actual for each in found] == ([] if may_be else [section])
    assert findings_of(guide_by_hand(campaign), position, PEOPLE) == ()


@pytest.mark.parametrize("campaign", ["ptc", "rtptc"])
def test_the_printing_decides_the_order_and_the_questions(campaign: str) -> None:
    guide = _guide(campaign)
    later = {each.choice.id: each.order for each in orderings(guide)}["reprint"]
    now = later[later.index("ptc_interlude1_reprint") - 1]
    for order, is_later in ((later, True), ((), False)):
        position = Position(now, (EnteredInvestigator(ROLAND),), {}, order=order)
        section = _entered(campaign, position).state.sections.get("hidden")
        assert bool(section and section.has("reprint_language")) is is_later


def test_the_order_of_the_guide_implies_the_lines_of_its_printing() -> None:
    guide = _guide("ptc")
    (later,) = (e.order for e in orderings(guide) if e.choice.id == "reprint")
    guide = replace(guide, order=later)
    position = Position("the_pallid_mask", (EnteredInvestigator(ROLAND),), {})
    written = [each.effect for each in _stated(guide, position)]
    assert do.LogLine("hidden", "reprint_language") in written


@pytest.mark.parametrize(
    ("mark", "is_written"), [(do.Mark.RECORD, True), (do.Mark.CROSS_OUT, False)]
)
def test_a_recorded_name_implies_the_hidden_line_with_it(
    mark: do.Mark, is_written: bool
) -> None:
    """Crossing it out doesn't, though the name is on the sheet either way."""
    beside = do.LogLine("hidden", "beside")
    named = do.LogCards("campaign_notes", "named", codes=(ROLAND,), mark=mark)
    guide = _guide("fhv")
    played = next(iter(guide.scenarios.values()))
    step = Plain("names", do.Batch((named, beside)))
    played = replace(played, steps={**played.steps, step.id: step})
    guide = replace(guide, scenarios={**guide.scenarios, played.id: played})
    position = Position(
        "the_longest_night",
        (EnteredInvestigator(ROLAND),),
        {},
        lines=(("campaign_notes", "named"),),
        played=(played.id,),
    )
    written = [each.effect for each in _stated(guide, position)]
    assert (beside in written) is is_written


def test_without_an_order_the_first_with_the_scenario_is_used() -> None:
    """The Path to Carcosa continues after the scenario that was entered."""
    position = Position("the_pallid_mask", (EnteredInvestigator(ROLAND),), {})
    assert _coming(_entered("ptc", position))[:3] == [
        "the_pallid_mask", "black_stars_rise", "dim_carcosa",
    ]  # fmt: skip


def test_a_task_belongs_to_its_investigator() -> None:
    """The Drowned City: the task is asked about in its scenario."""
    person = EnteredInvestigator(
        ROLAND, counts={"task_progress": 2}, lines=(("task_progress", "do_no_harm"),)
    )
    played = ("one_last_job", "an_offer_you_cant_refuse")
    position = Position("the_western_wall", (person,), {}, played=played)
    section = _entered("tdc", position).state.section("hidden")
    (task,) = section.named("do_no_harm")
    assert task.task == (ROLAND, "task_progress", "$count")


def test_a_line_of_the_log_implies_the_hidden_lines_with_it() -> None:
    """Edge of the Earth: the shelter of the camp, and memories discovered."""
    lines = (
        ("campaign_notes", "camp_icy_wastes"), ("memories_discovered", "airfield"),
    )  # fmt: skip
    position = Position(
        "to_the_forbidden_peaks",
        (EnteredInvestigator(ROLAND),),
        {},
        lines=lines,
        played=("ice_and_death", "ice_and_death_part_1", "fatal_mirage"),
    )
    section = _entered("eoe", position).state.section("hidden")
    assert section.number("camp_shelter") == 4
    assert section.has("discovered_airfield")


@pytest.mark.parametrize(("time", "is_read"), [(20, False), (26, True)])
def test_a_report_is_read_at_the_time_marked_for_it(time: int, is_read: bool) -> None:
    """The Scarlet Keys: Theta is marked six boxes after Havana."""
    assert set(marks(_guide("tskc"))) == {
        "hidden.sr_theta_time", "hidden.sr_psi_time", "hidden.sr_psi_plus_10_time",
        "hidden.delta_time_cutoff",
    }  # fmt: skip
    position = Position(
        "ybor_city",
        (EnteredInvestigator(ROLAND),),
        {},
        lines=(("campaign_notes", "know_the_passphrase"),),
        counts={"time": time, "hidden.sr_theta_time": 24},
    )
    assert findings_of(_guide("tskc"), position, PEOPLE) == ()
    section = _entered("tskc", position).state.section("hidden")
    assert section.number("sr_theta_time") == 24
    assert section.has("read_sr_theta") is is_read


def test_other_hidden_numbers_cannot_be_entered() -> None:
    counts = {"hidden.yay_votes": 2}
    position = Position("ybor_city", (EnteredInvestigator(ROLAND),), {}, counts=counts)
    (finding,) = findings_of(_guide("tskc"), position, PEOPLE)
    assert (finding.rule, finding.actual) == ("log.entered-unknown", "hidden")


@pytest.mark.parametrize("is_named", [True, False])
def test_a_line_is_about_those_it_names(is_named: bool) -> None:
    """The Feast of Hemlock Vale: who ate, and who did not."""
    named = {"campaign_notes.eat": (ROLAND,)} if is_named else {}
    people = (EnteredInvestigator(ROLAND), EnteredInvestigator("01002"))
    position = Position("dawn_of_the_second_day", people, {}, named=named)
    assert findings_of(_guide("fhv"), position, PEOPLE) == ()
    section = _entered("fhv", position).state.section("campaign_notes")
    assert section.cards("eat") == ([(ROLAND, 1)] if is_named else [])


@pytest.mark.parametrize(
    ("campaign", "scenario", "which", "card"),
    [
        ("dwl", "dwl_interlude2", "sacrificed", "02040"),
        ("tskc", "tokyo", "campaign_notes.erased_from_existence_dm", "01121"),
    ],
)
def test_banished_cards_stay_banished(
    campaign: str, scenario: str, which: str, card: str
) -> None:
    lines = () if "." in which else ((which, card),)
    named = {which: (card,)} if "." in which else {}
    position = Position(
        scenario, (EnteredInvestigator(ROLAND),), {}, lines=lines, named=named
    )
    state = _entered(campaign, position).state
    assert list(state.banished) == [card]
    assert state.section(which.partition(".")[0]).lines[0].cards == ((card, 1),)


def test_other_lines_cannot_name_investigators() -> None:
    named = {"campaign_notes.yog_sothoth_fled": (ROLAND,)}
    position = Position("dwl_epilogue", (EnteredInvestigator(ROLAND),), {}, named=named)
    (finding,) = findings_of(_guide("dwl"), position, PEOPLE)
    assert (finding.rule, finding.actual) == ("log.entered-unknown", *named)


def test_unspent_experience_can_be_entered_where_the_campaign_has_it() -> None:
    """Only in The Innsmouth Conspiracy."""
    person = EnteredInvestigator(ROLAND, 2, waiting=3)
    position = Position("puzzle_pieces", (person,), {})
    found = _entered("tic", position).state.people[ROLAND]
    assert (found.experience, found.pools) == (2, {"unspect_xp": 3})
    (finding,) = findings_of(
        _guide("ptc"), Position("dim_carcosa", (person,), {}), PEOPLE
    )
    assert (finding.rule, finding.actual) == ("log.entered-unknown", "waiting")


@pytest.mark.parametrize("played", [None, ()])
def test_by_default_all_earlier_scenarios_were_played(
    played: tuple[str, ...] | None,
) -> None:
    position = Position("arkham", (EnteredInvestigator(ROLAND),), {}, played=played)
    coming = _coming(_entered("core", position))
    assert ("torch" in coming) is (played is not None)


def test_an_enemy_may_have_a_key() -> None:
    """The Scarlet Keys: it matters in that enemy's scenario."""
    keys = {"sable_glass": "ztsk_thorne", "bale_engine": ROLAND, "last_blossom": ""}
    position = Position("buenos_aires", (EnteredInvestigator(ROLAND),), {}, keys=keys)
    assert findings_of(_guide("tskc"), position, PEOPLE) == ()
    assert _entered("tskc", position).state.map.keys == (
        ("sable_glass", "", "ztsk_thorne"),
        ("bale_engine", ROLAND, ""),
        ("last_blossom", "", ""),
    )
    position = position._replace(keys={"sable_glass": "01121"})
    (finding,) = findings_of(_guide("tskc"), position, PEOPLE)
    assert finding.actual == "01121"
