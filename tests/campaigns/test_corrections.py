"""Answers are corrected, undone and restored later."""

from __future__ import annotations

import pytest

from arkham.rules.campaign.interpreter.replay import Replay
from arkham.rules.campaign.model import effects as do
from arkham.rules.campaign.model.guide import SETUP
from arkham.rules.campaign.state.answers import Answer, SideScenario, Stated
from campaigns import services
from campaigns.log import store
from campaigns.log.entries import EntryCorrection
from campaigns.log.replays import replayed
from campaigns.models import Campaign
from campaigns.services import EntryRefused
from tests.campaigns.helpers.tables import (
    NOW,
    answer_as,
    as_answers,
    experience,
    organiser_of,
    report,
    rules_of,
    sequence_of,
    who,
    write_context,
)
from tests.rules.campaign.helpers.games import begun, won
from tests.rules.campaign.helpers.small import DAISY, ROLAND, SKIDS


def test_an_answer_is_corrected(played: Campaign) -> None:
    """Later answers stay valid; the reason is an entry before it."""
    target = sequence_of(played, "victory")
    (given,) = as_answers(
        {"type": "count", "step": "victory", "scenario": "one", "count": 4}
    )
    shown = services.preview_correction(
        campaign=played, target=target, given=given._replace(sequence=0)
    )
    services.correct(
        campaign=played,
        member=organiser_of(played),
        target=target,
        given=given._replace(sequence=0),
        reason="Two more cards lay there",
        context=write_context(played),
    )

    assert [(each.code, each.experience) for each in shown.settlement.people] == [
        (ROLAND, 2),
        (DAISY, 2),
    ]
    assert (shown.changed, shown.unreached) == ((), ())
    assert experience(played, ROLAND) == 5
    assert store.entries(played)[-2] == EntryCorrection(
        target, "Two more cards lay there", played.last - 1
    )


def _who_played(*codes: str) -> Answer:
    chosen = {code: ["chosen"] for code in codes}
    raw = {"type": "string_choices", "step": "$choose_investigators", "scenario": "one"}
    (given,) = as_answers({**raw, "choices": chosen})
    return given._replace(sequence=0)


def _correct(campaign: Campaign, step: str, given: Answer) -> Replay:
    services.correct(
        campaign=campaign,
        member=organiser_of(campaign),
        target=sequence_of(campaign, step),
        given=given,
        reason="It was not so",
        context=write_context(campaign),
    )
    return replayed(campaign).replay


def test_an_investigator_corrected_to_absent_suffered_nothing(
    campaign: Campaign,
) -> None:
    """Participants who weren't asked how the game ended for them are asked now."""
    both = {ROLAND: "physical", DAISY: "mental"}
    report(campaign, as_answers(who(ROLAND, DAISY), *won("one", 2, **both)))
    step = "$choose_investigators"
    alone = _correct(campaign, step, _who_played(DAISY))

    assert ROLAND not in alone.state.people
    assert alone.state.people[DAISY].mental == 1
    joined = _correct(campaign, step, _who_played(DAISY, ROLAND, SKIDS))
    assert joined.pending is not None
    assert joined.pending.step == "$r_R1*investigator_status"
    assert joined.pending.codes == (ROLAND, DAISY, SKIDS)
    assert joined.state.people[DAISY].mental is None


def test_an_investigator_killed_by_a_correction_plays_no_later_game(
    campaign: Campaign,
) -> None:
    """Others go on; if none is left, the table is asked who plays."""
    report(campaign, as_answers(who(ROLAND, DAISY), *won("one"), *won("two")))
    report(campaign, as_answers(*begun("three", DAISY)[:2]))

    def fell(*codes: str) -> Replay:
        campaign.refresh_from_db()
        for code in codes:
            services.state_fact(
                campaign=campaign,
                member=organiser_of(campaign),
                fact=Stated("one", do.Trauma("input", killed=True), (code,), (), "So"),
                context=write_context(campaign),
            )
        return replayed(campaign).replay

    state = fell(ROLAND).state
    assert state.games["two"].players == (DAISY,)
    assert state.people[ROLAND].experience == 3
    pending = fell(DAISY).pending
    assert pending is not None
    assert (pending.scenario, pending.step) == ("two", "$choose_investigators")


def test_two_corrections_do_not_drop_each_other(
    played: Campaign,
) -> None:
    """Neither the first answer nor its replacement counts as a dropped one."""
    target = sequence_of(played, "victory")

    def counted(number: int) -> Answer:
        raw = {"type": "count", "step": "victory", "scenario": "one", "count": number}
        (given,) = as_answers(raw)
        return given._replace(sequence=0)

    services.correct(
        campaign=played,
        member=organiser_of(played),
        target=target,
        given=counted(4),
        reason="",
        context=write_context(played),
    )
    for corrected in (target, played.last):
        shown = services.preview_correction(
            campaign=played, target=corrected, given=counted(3)
        )
        assert (shown.changed, shown.unreached, shown.reached) == ((), (), ())


def test_a_preview_shows_answers_that_will_be_dropped(played: Campaign) -> None:
    """Had the game not been won, there would be no victory display.

    Each investigator's status is asked at another step, and keeps its answer.
    """
    target = sequence_of(played, "$choose_resolution")
    (given,) = as_answers(
        {"type": "choice", "step": "$choose_resolution", "scenario": "one", "choice": 0}
    )
    shown = services.preview_correction(
        campaign=played, target=target, given=given._replace(sequence=0)
    )

    assert shown.unreached == (sequence_of(played, "victory"),)
    assert shown.again == (sequence_of(played, "$r_R1*investigator_status"),)
    assert shown.pending is not None
    assert (shown.pending.scenario, shown.pending.kind) == ("two", "start_scenario")
    assert experience(played, ROLAND) == 3


def test_a_correction_is_checked_like_an_answer(played: Campaign) -> None:
    """A resolution the scenario does not have."""
    (given,) = as_answers(
        {"type": "choice", "step": "$choose_resolution", "scenario": "one", "choice": 9}
    )
    with pytest.raises(EntryRefused) as refused:
        services.preview_correction(
            campaign=played,
            target=sequence_of(played, "$choose_resolution"),
            given=given._replace(sequence=0),
        )

    assert rules_of(refused.value) == ["answer.choice"]


def test_a_side_scenario_is_not_corrected_into_a_loop(played: Campaign) -> None:
    """Nor into an unaffordable one; those possible then are possible now."""

    def aside(previous: str, cost: int) -> Answer:
        (given,) = as_answers(
            {
                "type": "start_side_scenario",
                "scenario": "own-1",
                "previousScenarioId": previous,
                "sideScenarioType": "custom",
                "name": "A night out",
                "xpCost": cost,
            }
        )
        return given._replace(sequence=0)

    report(played, [aside("one", 1)])
    target = played.last
    report(
        played,
        as_answers(
            {
                "type": "string_choices",
                "step": "$choose_investigators",
                "scenario": "own-1",
                "choices": {ROLAND: ["chosen"]},
            }
        ),
    )

    for previous, cost, rules in (
        ("own-1", 1, ["side.after", "side.once"]),
        ("two", 1, ["side.after"]),
        ("one", -4, ["side.price"]),
    ):
        with pytest.raises(EntryRefused) as refused:
            services.preview_correction(
                campaign=played, target=target, given=aside(previous, cost)
            )
        assert rules_of(refused.value) == rules
    services.correct(
        campaign=played,
        member=organiser_of(played),
        target=target,
        given=aside("one", 2),
        reason="",
        context=write_context(played),
    )
    assert experience(played, ROLAND) == 1


def test_a_side_scenario_is_corrected_after_an_earlier_game_was(
    played: Campaign,
) -> None:
    """That game's correction is later in the log, and is valid all the same."""
    member = organiser_of(played)

    def aside(cost: int) -> Answer:
        value = SideScenario("one", "custom", "A night out", cost)
        return Answer("start_side_scenario", "own-1", "", value)

    report(played, [aside(1)])
    services.return_to_start(
        campaign=played, member=member, scenario="one", context=write_context(played)
    )
    report(played, [*as_answers(*won("one"))[1:], aside(1)])
    who = "string_choices", "own-1", "$choose_investigators"
    report(played, [Answer(*who, {ROLAND: ("chosen",)})])
    assert experience(played, ROLAND) == 2
    services.correct(
        campaign=played,
        member=member,
        target=played.last - 1,
        given=aside(2),
        reason="",
        context=write_context(played),
    )
    assert experience(played, ROLAND) == 1
    services.retract(
        campaign=played,
        member=member,
        target=max(
            each.sequence
            for each in store.entries(played)
            if isinstance(each, Answer) and each.step == "$upgrade_decks"
        ),
        context=write_context(played),
    )
    with pytest.raises(EntryRefused) as refused:
        services.preview_correction(
            campaign=played, target=played.last - 1, given=aside(0)
        )
    assert "side.after" in rules_of(refused.value)


def test_a_correction_answers_the_same_question(played: Campaign) -> None:
    """Not another one, nor one that is no longer valid."""
    (given,) = as_answers(
        {"type": "count", "step": "victory", "scenario": "two", "count": 1}
    )
    for target, rule in (
        (sequence_of(played, "victory"), "log.correction"),
        (99, "log.entry"),
    ):
        with pytest.raises(EntryRefused) as refused:
            services.preview_correction(campaign=played, target=target, given=given)
        assert rules_of(refused.value) == [rule]


def test_an_undone_entry_can_be_restored(played: Campaign) -> None:
    """A retraction is an entry, and can be retracted."""
    member = organiser_of(played)
    target = sequence_of(played, "victory")

    def retract(sequence: int) -> None:
        services.retract(
            campaign=played,
            member=member,
            target=sequence,
            context=write_context(played),
        )

    retract(target)
    assert experience(played, ROLAND) == 0
    retract(played.last)
    assert experience(played, ROLAND) == 3
    for gone in (played.last - 1, 99):
        with pytest.raises(EntryRefused) as refused:
            retract(gone)
        assert rules_of(refused.value) == ["log.entry"]


def test_a_scenario_is_restarted(played: Campaign) -> None:
    """Its answers are undone; those before it stay."""
    report(played, as_answers(*won("two", 5)))
    assert experience(played, ROLAND) == 9
    shown = services.preview_return(campaign=played, scenario="two")
    services.return_to_start(
        campaign=played,
        member=organiser_of(played),
        scenario="two",
        context=write_context(played),
    )
    replay = replayed(played).replay

    assert [(each.code, each.experience) for each in shown.settlement.people] == [
        (ROLAND, -6),
        (DAISY, -6),
    ]
    assert experience(played, ROLAND) == 3
    assert replay.pending is not None
    assert (replay.pending.scenario, replay.pending.prompt) == (
        "two",
        "choose_investigators",
    )
    with pytest.raises(EntryRefused):
        services.preview_return(campaign=played, scenario="nowhere")


def test_restoring_leaves_out_what_became_unreachable(played: Campaign) -> None:
    """A side scenario that is no longer reached goes with what is undone."""
    member = organiser_of(played)
    aside = {
        "type": "start_side_scenario",
        "scenario": "own-1",
        "previousScenarioId": "one",
        "sideScenarioType": "custom",
        "name": "A night out",
        "xpCost": 1,
    }
    answer_as(played, member, aside)
    services.retract(
        campaign=played,
        member=member,
        target=sequence_of(played, "victory"),
        context=write_context(played),
    )
    assert "own-1" not in [each.id for each in replayed(played).replay.scenarios]
    services.return_to_start(
        campaign=played, member=member, scenario="one", context=write_context(played)
    )
    report(played, as_answers(*won("one"))[1:])
    order = [each.id for each in replayed(played).replay.scenarios]

    assert order == [SETUP, "one", "two", "three"]
    assert experience(played, ROLAND) == 3


def test_a_long_scenario_is_undone_by_its_start(played: Campaign) -> None:
    """However many corrections it has, all is undone at once, and once."""
    member = organiser_of(played)
    count = next(
        each
        for each in store.entries(played)
        if isinstance(each, Answer) and each.step == "victory"
    )
    store.append(played, [count] * 600, after=played.last, author=member, now=NOW)
    before, context = played.last, write_context(played, "again")

    def back(scenario: str) -> store.Appended:
        return services.return_to_start(
            campaign=played, member=member, scenario=scenario, context=context
        )

    first, second = back("one"), back("one")
    assert (first.is_new, second.is_new) == (True, False)
    assert len(first.entries) == played.last - before > 600
    assert [row.pk for row in second.entries] == [row.pk for row in first.entries]
    assert experience(played, ROLAND) == 0
    with pytest.raises(services.KeyReused):
        back("two")
