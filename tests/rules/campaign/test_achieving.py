"""What a log shows about achievements, by each kind of fact."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import fields
from typing import Any

import pytest

from arkham.rules.campaign.achievements import Known, known_of, rows
from arkham.rules.campaign.by_hand.facts import campaign_facts
from arkham.rules.campaign.by_hand.guide import guide_by_hand
from arkham.rules.campaign.interpreter.replay import Replay, fold
from arkham.rules.campaign.model import course
from arkham.rules.campaign.model import effects as do
from arkham.rules.campaign.model.guide import SETUP
from arkham.rules.campaign.paper import EnteredInvestigator, Position, entered_at
from arkham.rules.campaign.state.answers import Answer, Entry, Stated, UltimatumChosen
from arkham.rules.campaign.state.state import Printed
from arkham.rules.snapshot import embedded_pool
from arkham.rules.ultimatums import ALL, UltimatumKind

ROLAND, PATRICE = "01001", "06005"
PEOPLE = {
    ROLAND: Printed(9, 5, "guardian", ("agency",), "Roland Banks"),
    PATRICE: Printed(7, 7, "survivor", ("cursed", "deep one"), "Patrice Hathaway"),
}
BOON = next(each.id for each in ALL.values() if each.kind is UltimatumKind.BOON)
WON, LOST = course.SetResult("win"), course.SetResult("lose")


def played(
    campaign: str,
    *effects: do.Effect,
    people: tuple[str, ...] = (ROLAND,),
    oaths: Iterable[str] = (),
    **known: Any,
) -> Replay:
    """A campaign kept by hand, entered at its position, with effects stated there."""
    guide = guide_by_hand(campaign)
    position = Position(
        known.pop("at", guide.order[-1]),
        tuple(map(EnteredInvestigator, people)),
        {},
        **known,
    )
    entries: list[Entry] = list(entered_at(guide, position))
    entries += [
        UltimatumChosen(SETUP, oath, "", None, 900 + n) for n, oath in enumerate(oaths)
    ]
    entries += [
        Stated(SETUP, effect, (), (), "so it was", 1000 + number)
        for number, effect in enumerate(effects)
    ]
    return fold(guide, entries, PEOPLE)


def one(campaign: str, achievement: str, *effects: do.Effect, **known: Any) -> Known:
    """Return what the log shows about an achievement."""
    return known_of(played(campaign, *effects, **known))[achievement]


def line(where: str) -> do.Effect:
    section, _point, name = where.partition(".")
    return do.LogLine(section, name)


def tokens(**counts: int) -> do.Effect:
    return course.Tokens(tuple(t for t, n in counts.items() for _each in range(n)), 1)


def test_every_row_is_an_achievement_of_its_campaign() -> None:
    """The scenarios, sections, lines and items in it exist there."""
    for campaign, named in rows().items():
        facts = campaign_facts(campaign)
        listed = {each.id: each for each in facts.achievements}
        scenarios = set(facts.scenarios)
        sections = {each.id for each in facts.sections}
        for name, row in named.items():
            assert any(getattr(row, each.name) for each in fields(row)), name
            assert {*row.played, *row.unplayed} <= scenarios, name
            items: Mapping[str, str] = row.items or {}
            assert set(items) <= set(listed[name].items)
            wanted = (*row.lines, *row.without, *items.values())
            numbers = (each for number in row.numbers for each in number["of"])
            for where in (*wanted, *numbers):
                assert where.partition(".")[0] in {*sections, "key"}, (campaign, where)


def test_every_card_a_row_names_is_in_the_pool() -> None:
    """Under the code that its campaign records; each side of a card has a code."""
    lines = {
        where.rpartition(".")[2]
        for named in rows().values()
        for row in named.values()
        for where in (*row.lines, *row.without, *(row.items or {}).values())
    }
    codes = {each for each in lines if each[:5].isdigit()}

    assert codes
    assert codes <= set(embedded_pool())


def test_a_line_of_the_log_ticks_an_achievement_and_is_shown() -> None:
    house = "campaign_notes.house_burned"
    known = one("rtnotz", "insurance", line(house))

    assert known.holds
    assert known.facts[0].noted == (("line", "campaign_notes", "house_burned"),)
    assert not one("rtnotz", "insurance").holds


def test_a_crossed_out_line_ticks_no_achievement() -> None:
    crossed = do.LogLine("campaign_notes", "house_burned", do.Mark.CROSS_OUT)

    found = one("rtnotz", "insurance", line("campaign_notes.house_burned"), crossed)
    assert not found.holds


def test_expertise_needs_a_win_on_expert() -> None:
    assert one("rtnotz", "arkham_expertise", WON, difficulty="expert").holds
    assert not one("rtnotz", "arkham_expertise", WON, difficulty="hard").holds
    assert not one("rtnotz", "arkham_expertise", LOST, difficulty="expert").holds
    assert not one("rtnotz", "arkham_expertise", difficulty="expert").holds


@pytest.mark.parametrize(
    ("oaths", "holds"),
    [
        (("agony", "broken-promises", "chaos"), True),
        (("agony", "broken-promises"), False),
        (("agony", "broken-promises", BOON), False),
    ],
)
def test_an_achievement_may_need_three_ultimatums_and_no_boon(
    oaths: tuple[str, ...], holds: bool
) -> None:
    known = one("rtnotz", "notz_line_in_the_sand", WON, oaths=oaths)

    assert known.facts[1].least == 3
    assert known.holds is holds


def test_an_achievement_may_need_sums_within_bounds() -> None:
    def doubt(number: int, conviction: int) -> dict[str, bool]:
        counts = {"doubt": number, "conviction": conviction}
        found = known_of(
            played("rtptc", WON, counts=counts, at="return_to_dim_carcosa")
        )
        paths = ("path_is_false", "path_is_real", "path_is_mine")
        return {each: found[each].holds for each in paths}

    assert doubt(8, 0) == {
        "path_is_false": True, "path_is_real": False, "path_is_mine": False,
    }  # fmt: skip
    assert doubt(1, 0)["path_is_mine"]
    assert not doubt(1, 1)["path_is_mine"]
    assert doubt(7, 9)["path_is_real"]


def test_an_achievement_may_need_tokens_in_the_bag() -> None:
    cold, hell = "the_cold_never_bothered_me", "hell_froze_over"

    assert one("eoe", cold, WON, tokens(frost=8)).holds
    assert not one("eoe", cold, WON, tokens(frost=7)).holds
    assert one("eoe", hell, WON).holds
    assert not one("eoe", hell, WON, tokens(frost=1)).holds


def test_an_achievement_may_need_a_surviving_investigator() -> None:
    dead = do.Trauma("all", killed=True)

    assert one("fhv", "captivating_scream", WON, people=(PATRICE,)).holds
    assert not one("fhv", "captivating_scream", WON).holds
    assert not one("fhv", "captivating_scream", WON, dead, people=(PATRICE,)).holds
    assert one("rttic", "something_smells_fishy", WON, people=(PATRICE,)).holds
    assert not one("rttic", "something_smells_fishy", WON).holds


def test_an_achievement_may_need_skipped_scenarios() -> None:
    first = "return_to_heart_of_the_elders_part_1"
    second = "return_to_heart_of_the_elders_part_2"

    assert one("rttfa", "scenario_5_what", played=(second,)).holds
    assert not one("rttfa", "scenario_5_what", played=(first, second)).holds
    assert not one("rttfa", "scenario_5_what", played=(first,)).holds


def test_an_achievement_may_need_a_line_never_recorded() -> None:
    gates = "beyond_the_gates_of_sleep"
    strayed = line("campaign_notes.strayed_from_the_path")
    undone = do.LogLine("campaign_notes", "strayed_from_the_path", do.Mark.CROSS_OUT)

    assert one("tdea", "follow_orders", played=(gates,)).holds
    assert not one("tdea", "follow_orders", strayed, played=(gates,)).holds
    assert not one("tdea", "follow_orders", strayed, undone, played=(gates,)).holds
    assert not one("tdea", "follow_orders", at=gates).holds


def test_an_achievement_may_need_some_of_many_lines() -> None:
    who = ("leah", "simeon", "william", "river")
    danced = [line(f"{each}.{each}_shared_a_dance") for each in who]

    assert one("fhv", "dancing_queen", *danced).holds
    assert not one("fhv", "dancing_queen", *danced[1:]).holds


def test_items_are_ticked_one_by_one() -> None:
    known = one("rttcu", "case_closed", line("05046.alive"), line("05048.alive"))

    assert known.ticked == ("valentino", "gavriella")
    assert not known.holds
    every = [line(f"0504{number}.alive") for number in (6, 7, 8, 9)]
    assert one("rttcu", "case_closed", *every).holds


def test_a_campaign_may_have_no_achievements() -> None:
    guide = guide_by_hand("core")
    begun = Answer("start_scenario", SETUP, "", None, 1)

    assert known_of(fold(guide, [begun], PEOPLE)) == {}
