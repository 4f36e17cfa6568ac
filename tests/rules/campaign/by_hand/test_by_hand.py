"""Campaigns kept by hand: The Path to Carcosa to its epilogue, and edge cases."""

from __future__ import annotations

import pytest

from arkham.rules.campaign.judging.answers import findings_of
from arkham.rules.campaign.model import effects as do
from arkham.rules.campaign.model.guide import SETUP
from arkham.rules.campaign.settlement import Fate, fate_of, settlement
from arkham.rules.campaign.state.answers import Answer, Retracted, SideScenario, Stated
from arkham.rules.campaign.state.ledger import VICTORY
from arkham.rules.campaign.state.lookup import Reason, reasons
from tests.rules.campaign.helpers.by_hand import (
    Keeping,
    carcosa,
    curtain_call,
    experience,
    words_by_hand,
)
from tests.rules.campaign.helpers.small import DAISY, ROLAND, SKIDS

BAGS = {
    "easy": {
        "+1": 2, "0": 3, "-1": 3, "-2": 2, "skull": 3, "auto_fail": 1, "elder_sign": 1,
    },
    "standard": {
        "+1": 1, "0": 2, "-1": 3, "-2": 2, "-3": 1, "-4": 1,
        "skull": 3, "auto_fail": 1, "elder_sign": 1,
    },
    "hard": {
        "0": 3, "-1": 2, "-2": 2, "-3": 2, "-4": 1, "-5": 1,
        "skull": 3, "auto_fail": 1, "elder_sign": 1,
    },
    "expert": {
        "0": 1, "-1": 2, "-2": 2, "-3": 2, "-4": 2, "-5": 1, "-6": 1, "-8": 1,
        "skull": 3, "auto_fail": 1, "elder_sign": 1,
    },
}  # fmt: skip
ROYAL_EMISSARY, BALCONY, AGENT = "03060", "03051", "03099"


@pytest.mark.parametrize("difficulty", BAGS)
def test_the_difficulty_sets_the_bag(difficulty: str) -> None:
    state = carcosa(difficulty).state
    assert state.difficulty == difficulty
    assert state.bag == BAGS[difficulty]


def test_the_path_to_carcosa_from_setup_to_epilogue() -> None:
    """Scenario by scenario: order, experience, trauma, fates, doubt and conviction."""
    table = carcosa()
    curtain_call(table)
    table.writes("lines", ("lines", {"campaign_notes.police_are_suspicious": ("x",)}))
    table.writes("number.doubt", ("number.doubt", 1))
    table.writes("number.conviction", ("number.conviction", 2))
    table.shows(_03060=1, _03051=1)
    assert experience(table.state) == {ROLAND: 3, DAISY: 3}
    assert table.state.people[DAISY].mental == 1
    assert (table.state.counts["doubt"], table.state.counts["conviction"]) == (1, 2)

    table.begins("the_last_king").plays(DAISY, ROLAND)
    table.ends("no_resolution_resigned", _01001="physical", _01002="resigned")
    table.writes("experience_all", ("experience_all", 2))
    table.writes("own_words", ("own_words", "own_words.vips_slain"),
                 ("own_words.vips_slain", "Jordan Perry"))  # fmt: skip
    table.writes("number.doubt", ("number.doubt", 3)).shows()
    assert experience(table.state) == {ROLAND: 5, DAISY: 5}
    assert table.state.people[ROLAND].physical == 1
    assert table.state.has_line("vips_slain", "Jordan Perry")

    table.begins("ptc_interlude1_reprint").writes("number.doubt", ("number.doubt", -2))
    table.done()
    assert table.state.counts["doubt"] == 2

    table.begins("echoes_of_the_past").plays(ROLAND, DAISY)
    table.ends("R2", _01001="alive", _01002="alive")
    table.writes("cards", ("cards", {DAISY: ("03142",)}))
    table.writes("tokens", ("tokens", {"cultist": ("two_in",), "-4": ("one_out",)}))
    table.shows(_03139=1, _03140=1)
    assert experience(table.state) == {ROLAND: 9, DAISY: 9}
    assert table.state.people[DAISY].story == ("03142",)
    assert (table.state.bag["cultist"], table.state.bag["-4"]) == (2, 0)

    table.begins("the_unspeakable_oath").plays(ROLAND, DAISY)
    table.ends("no_resolution", _01001="mental", _01002="physical")
    table.writes("trauma", ("trauma", {ROLAND: ("two_mental",)}))
    table.writes("trauma", ("trauma", {ROLAND: ("two_mental",)})).shows(_03173=1)
    assert fate_of(table.state, ROLAND) is Fate.DRIVEN_INSANE  # 5 mental trauma
    assert experience(table.state) == {ROLAND: 9, DAISY: 10}

    table.begins("ptc_interlude2").done()
    table.begins("a_phantom_of_truth").plays(SKIDS, DAISY)
    table.ends("R3", _01003="resigned", _01002="alive").shows(_01175=2)
    assert experience(table.state) == {ROLAND: 9, DAISY: 12, SKIDS: 2}

    for scenario in ("the_pallid_mask", "black_stars_rise"):
        table.begins(scenario).plays(SKIDS, DAISY)
        table.ends("R1", _01003="alive", _01002="alive").shows()
    table.begins("dim_carcosa").plays(DAISY, SKIDS)
    table.ends("R4", _01002="physical", _01003="alive").writes("won").shows()
    assert table.state.campaign_result == "win"

    table.begins("ptc_epilogue").done()
    replay = table.replay
    assert (replay.pending, replay.problems) == (None, ())
    assert [each.id for each in replay.scenarios] == [
        SETUP, "ptc_prologue", "curtain_call", "the_last_king",
        "ptc_interlude1_reprint", "echoes_of_the_past", "the_unspeakable_oath",
        "ptc_interlude2", "a_phantom_of_truth", "the_pallid_mask", "black_stars_rise",
        "dim_carcosa", "ptc_epilogue",
    ]  # fmt: skip
    assert {each.status for each in replay.scenarios} == {"completed"}


def test_every_experience_point_has_its_source() -> None:
    table = curtain_call(carcosa()).shows(_03060=1)
    at = len(table.entries) - 1  # the last entry upgraded the decks
    assert reasons(table.state, "experience", DAISY) == [
        Reason(2, "curtain_call", "victory", at, VICTORY)
    ]


def test_another_total_may_be_given_with_a_reason() -> None:
    table = curtain_call(carcosa()).shows("A card of our own.", _03060=1, total=4)
    assert experience(table.state) == {ROLAND: 4, DAISY: 4}


def test_a_total_without_a_reason_is_asked_for_one() -> None:
    """As in logs written before both were entered together."""
    table = curtain_call(carcosa()).says("record", "done")
    given = Answer(
        "choice_list", "curtain_call", "victory", {"03060": (1,), "total": (4,)}, 99
    )
    table.entries.append(given)
    assert table.asked == ("curtain_call", "victory_reason")
    assert experience(table.state) == {DAISY: 0}
    table.says("victory_reason", "A card of our own.")
    assert experience(table.state) == {ROLAND: 4, DAISY: 4}


def test_the_total_of_the_cards_does_not_need_a_reason() -> None:
    table = curtain_call(carcosa()).shows(_03060=1, total=2)
    assert table.asked == ("the_last_king", "")


def test_other_cards_and_too_many_copies_in_the_victory_display_are_found() -> None:
    table = curtain_call(carcosa()).says("record", "done")
    replay = table.replay
    assert replay.pending is not None
    given = Answer(
        "choice_list", "curtain_call", "victory", {ROYAL_EMISSARY: (2,), "01001": (1,)}
    )
    found = findings_of(given, replay.pending, replay.state)
    assert [(each.rule, each.cards) for each in found] == [
        ("answer.number", (ROYAL_EMISSARY,)),
        ("answer.display-card", ("01001",)),
    ]
    assert {card.code: card.points for card in replay.pending.worth} == {
        "02111": 1, "03016": 1, "03051": 1, "03053": 1, "03055": 1, "03057": 1,
        "03058": 1, "03060": 2, "03099": 1,
    }  # fmt: skip


def test_killed_investigators_earn_nothing_and_cannot_play() -> None:
    table = carcosa()
    for _ in range(2):
        table.entries.append(
            Stated(
                "ptc_prologue",
                do.Trauma("input", physical=2),
                (DAISY,),
                sequence=len(table.entries) + 1,
            )
        )
    table.begins("curtain_call").plays(ROLAND, DAISY)
    table.ends("R1", _01001="alive", _01002="physical").shows(_03060=1)
    assert fate_of(table.state, DAISY) is Fate.KILLED
    assert table.state.people[ROLAND].experience == 2
    assert not table.state.people[DAISY].experience

    table.begins("the_last_king")
    pending = table.replay.pending
    assert pending is not None
    chosen = dict.fromkeys((ROLAND, DAISY), ("chosen",))
    given = Answer("string_choices", "the_last_king", "$choose_investigators", chosen)
    assert [each.rule for each in findings_of(given, pending, table.state)] == [
        "answer.players"
    ]


def test_printed_lines_and_own_lines_can_be_crossed_out() -> None:
    table = curtain_call(carcosa())
    table.writes("lines", ("lines", {"campaign_notes.police_are_suspicious": ("x",)}))
    table.writes("own_words", ("own_words", "own_words.campaign_notes"),
                 ("own_words.campaign_notes", "A word of ours."))  # fmt: skip
    table.says("record", "cross_out")
    pending = table.replay.pending
    assert pending is not None
    assert pending.keys == (
        "campaign_notes.police_are_suspicious",
        "campaign_notes.A word of ours.",
    )
    table.says("cross_out", {"campaign_notes.A word of ours.": ("chosen",)})
    state = table.state
    assert state.has_line("campaign_notes", "police_are_suspicious")
    assert not state.has_line("campaign_notes", "A word of ours.")


def test_crossing_out_is_not_asked_if_the_log_has_no_lines() -> None:
    table = curtain_call(carcosa()).says("record", "cross_out")
    assert table.asked == ("curtain_call", "record")


def test_a_recorded_line_is_not_offered_again() -> None:
    table = curtain_call(carcosa())
    table.writes("lines", ("lines", {"campaign_notes.police_are_suspicious": ("x",)}))
    table.says("record", "lines")
    pending = table.replay.pending
    assert pending is not None
    assert [offer.id for offer in pending.offers] == [
        "campaign_notes.chose_not_to_warn_police",
        "campaign_notes.stranger_is_on_to_you",
        "campaign_notes.tried_to_warn_police",
    ]


def test_another_scenario_may_be_next_and_none_is_played_twice() -> None:
    """The Dunwich Legacy begins with either of its first two scenarios."""
    table = Keeping("dwl")
    table.begins(SETUP).says("players", {ROLAND: ("chosen",)})
    table.says("difficulty", "easy")
    table.begins("dwl_prologue").writes("next", ("next", "the_house_always_wins"))
    table.done().begins("the_house_always_wins").plays(ROLAND)
    table.ends("R1", _01001="alive")
    table.writes("next", ("next", "extracurricular_activity")).shows()
    table.begins("extracurricular_activity").plays(ROLAND)
    table.ends("R1", _01001="alive").shows()
    table.begins("armitages_fate")
    assert table.replay.problems == ()


def test_a_scenario_can_be_skipped() -> None:
    table = carcosa()
    table.begins("curtain_call").plays(ROLAND, DAISY)
    table.ends("R1", _01001="alive", _01002="alive")
    table.writes("skip", ("skip", {"the_last_king": ("checked",)})).shows()
    replay = table.replay
    statuses = {each.id: each.status for each in replay.scenarios}
    assert statuses["the_last_king"] == "skipped"
    table.begins("ptc_interlude1_reprint")


def test_the_next_scenario_is_asked_if_there_is_no_order() -> None:
    """In The Feast of Hemlock Vale players choose each day."""
    table = Keeping("fhv")
    table.begins(SETUP).says("players", {ROLAND: ("chosen",)})
    table.says("difficulty", "hard")
    table.begins("fhv_prologue").plays(ROLAND).ends("R1", _01001="alive")
    table.shows()
    assert table.asked == ("fhv_prologue", "next")
    table.says("next", "hemlock_house").begins("hemlock_house")


def test_a_scenario_to_be_replayed_gives_no_experience() -> None:
    """The Doom of Eztli may be replayed (XP-20); its trauma stays."""
    table = Keeping("tfa")
    table.begins(SETUP).says("players", {ROLAND: ("chosen",)})
    table.says("difficulty", "easy")
    table.begins("tfa_prologue").writes("next", ("next", "eztli")).done()
    table.begins("eztli").plays(ROLAND).ends("R3", _01001="physical")
    table.says("record", "done").says("replayed", "played_again")
    state = table.state
    assert state.people[ROLAND].physical == 1
    assert not state.people[ROLAND].experience
    assert table.asked == ("eztli#1", "")

    table.begins("eztli#1").plays(ROLAND).ends("R1", _01001="alive")
    table.shows(_02111=1)
    assert table.state.people[ROLAND].experience == 1


def test_a_side_scenario_costs_experience_and_returns_to_the_campaign() -> None:
    table = carcosa()
    table.begins("curtain_call").plays(ROLAND, DAISY)
    table.ends("R1", _01001="alive", _01002="alive").shows(_03060=1)
    aside = SideScenario("curtain_call", "official")
    table.entries.append(
        Answer("start_side_scenario", "curse_of_the_rougarou", "", aside, 99)
    )
    table.plays(ROLAND, DAISY)
    assert experience(table.state) == {ROLAND: 1, DAISY: 1}
    table.ends("R1", _01001="alive", _01002="alive").shows()
    table.begins("the_last_king")


def test_the_investigator_of_a_challenge_pays_more() -> None:
    """Roland for By the Book; the others pay the usual price."""
    table = carcosa()
    table.begins("curtain_call").plays(ROLAND, DAISY)
    table.ends("R1", _01001="alive", _01002="alive").shows(_03060=1)
    before = experience(table.state)
    aside = SideScenario("curtain_call", "official")
    table.entries.append(Answer("start_side_scenario", "by_the_book", "", aside, 99))
    table.plays(ROLAND, DAISY)
    paid = {code: before[code] - n for code, n in experience(table.state).items()}
    assert paid == {ROLAND: 3, DAISY: 1}


def test_a_card_in_the_deck_lowers_the_price_of_a_challenge_by_hand() -> None:
    """Olive McBride's owner is asked for; the others pay 2 for Anything Once."""
    table = carcosa()
    table.begins("curtain_call").plays(ROLAND, DAISY)
    table.ends("R1", _01001="alive", _01002="alive").shows(_03060=1)
    before = experience(table.state)
    aside = SideScenario("curtain_call", "official")
    table.entries.append(Answer("start_side_scenario", "anything_once", "", aside, 99))
    table.plays(ROLAND, DAISY)
    assert table.asked == ("anything_once", "discount")
    words = words_by_hand("ptc")
    assert words.choice("anything_once", "discount", "04197") == "Olive McBride"
    table.says("discount", {ROLAND: ("04197",)})
    paid = {code: before[code] - n for code, n in experience(table.state).items()}
    assert paid == {ROLAND: 1, DAISY: 2}


def test_only_the_epilogue_follows_a_lost_campaign() -> None:
    table = carcosa()
    table.begins("curtain_call").plays(ROLAND, DAISY)
    table.ends("no_resolution", _01001="mental", _01002="mental")
    table.writes("lost")
    assert table.asked == ("ptc_epilogue", "")
    assert table.state.campaign_result == "lose"


def test_a_correction_changes_what_follows_from_it() -> None:
    """Doubt is added up, so a correction of an early entry moves all later totals."""
    table = curtain_call(carcosa())
    table.writes("number.doubt", ("number.doubt", 1))
    place = len(table.entries)
    table.writes("number.doubt", ("number.doubt", 2))
    wrong = table.entries[place - 1]
    assert isinstance(wrong, Answer)
    table.entries.append(wrong._replace(value=5, sequence=90))
    assert table.state.counts["doubt"] == 7
    table.entries.append(Retracted(90, 91))
    assert table.state.counts["doubt"] == 3


def test_a_settlement_shows_the_results_of_a_game() -> None:
    table = carcosa()
    before = table.replay
    table.begins("curtain_call").plays(ROLAND, DAISY)
    table.ends("R1", _01001="alive", _01002="mental").shows(_03060=1)
    found = settlement(before, table.replay)
    people = {each.code: (each.experience, each.mental) for each in found.people}
    assert people == {ROLAND: (2, 0), DAISY: (2, 1)}
    assert found.next_scenario == "the_last_king"


def test_a_standalone_scenario_sets_its_bag_and_gives_no_experience() -> None:
    """No experience is earned (XP-24), and no deck is upgraded."""
    table = Keeping("side", standalone="curse_of_the_rougarou")
    table.begins("curse_of_the_rougarou").plays(ROLAND)
    assert table.asked[1] == "$draw_standalone_weakness"
    table.says("$draw_standalone_weakness", {ROLAND: (0,)})
    table.says("difficulty", "standard")
    assert sum(table.state.bag.values()) == 24
    table.ends("R1", _01001="alive")
    assert table.asked[1] == "record"
    table.says("record", "done")
    assert table.replay.pending is None
    assert (
        not table.state.people.get(ROLAND) or not table.state.people[ROLAND].experience
    )


def test_texts_are_names_phrases_and_a_few_of_our_own() -> None:
    words = words_by_hand("ptc")
    assert words.step("curtain_call", "victory#1")["prompt"] == (
        "What is in the victory display?"
    )
    assert words.choice("curtain_call", "victory", ROYAL_EMISSARY) == "Royal Emissary"
    assert words.choice("curtain_call", "next", "the_last_king") == (
        "Scenario II: The Last King"
    )
    assert words.resolution("curtain_call", "R2") == {"title": "Resolution 2"}
    assert words.line("campaign_notes", "police_are_suspicious") == (
        "the police are suspicious of you."
    )
    assert words.choice("curtain_call", "record", "number.doubt") == "Doubt"


def test_numbers_of_the_same_name_are_distinguished() -> None:
    words = words_by_hand("fhv")
    assert words.choice("hemlock_house", "numbers", "number.rachel.$relationship") == (
        "Mother Rachel: Relationship"
    )


def test_the_next_scenario_is_asked_each_time() -> None:
    """The Drowned City asks for each scenario, not only the first."""
    table = Keeping("tdc")
    table.begins(SETUP).says("players", {ROLAND: ("chosen",)})
    table.says("difficulty", "easy")
    table.begins("tdc_prologue").done()
    table.begins("one_last_job").plays(ROLAND).ends("R1", _01001="alive").shows()
    table.begins("an_offer_you_cant_refuse").done()
    table.says("next", "expedition_to_ryleh").begins("expedition_to_ryleh").done()
    for scenario in ("the_western_wall", "the_apiary", "the_grand_vault"):
        table.says("next", scenario).begins(scenario)
        table.plays(ROLAND).ends("R1", _01001="alive").shows()
    assert table.asked == ("the_grand_vault", "next")
    table.says("next", "over")
    assert table.asked == ("tdc_epilogue", "")


def test_a_next_scenario_named_early_is_not_asked_for_again() -> None:
    table = Keeping("fhv")
    table.begins(SETUP).says("players", {ROLAND: ("chosen",)})
    table.says("difficulty", "hard").begins("fhv_prologue").plays(ROLAND)
    table.ends("R1", _01001="alive").shows().says("next", "hemlock_house")
    table.begins("hemlock_house").plays(ROLAND).ends("R1", _01001="alive").shows()
    assert table.asked == ("hemlock_house", "next")
