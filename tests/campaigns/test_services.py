"""Answers are checked by the rules, and written once."""

from __future__ import annotations

import pytest

from arkham.accounts.models import User
from arkham.rules.campaign.model import course
from arkham.rules.campaign.model import effects as do
from arkham.rules.campaign.model.guide import SETUP
from arkham.rules.campaign.state.answers import (
    Answer,
    Asserted,
    Changes,
    Stated,
    UltimatumChosen,
)
from campaigns import services
from campaigns.log import store
from campaigns.log.replays import replayed
from campaigns.models import Campaign
from campaigns.services import EntryRefused, LogMoved
from tests.campaigns.helpers.tables import (
    a_campaign,
    answer_as,
    as_answers,
    experience,
    organiser_of,
    report,
    rules_of,
    who,
    write_context,
)
from tests.rules.campaign.helpers.games import begun, won
from tests.rules.campaign.helpers.small import DAISY, ROLAND, SKIDS

PEOPLE = who(ROLAND, DAISY)
UPGRADING = "$upgrade_decks"


def _state(campaign: Campaign, code: str, experience: int, reason: str = "So") -> None:
    fact = Stated(
        "one", do.EarnExperience("input", bonus=experience), (code,), (), reason
    )
    services.state_fact(
        campaign=campaign,
        member=organiser_of(campaign),
        fact=fact,
        context=write_context(campaign),
    )


# --- answers


def test_a_campaign_begins_with_its_first_question(campaign: Campaign) -> None:
    """Without an entry."""
    pending = replayed(campaign).replay.pending

    assert pending is not None
    assert (pending.scenario, pending.step) == (SETUP, "who")
    assert campaign.last == 1


def test_a_standalone_scenario_begins_at_once(alice: User) -> None:
    """If the guide has it."""
    alone = a_campaign(alice, standalone="two")
    assert replayed(alone).replay.scenarios[0].id == "two"

    with pytest.raises(EntryRefused) as refused:
        a_campaign(alice, guide=alone.guide, standalone="nowhere")
    assert rules_of(refused.value) == ["log.scenario"]


def test_an_answer_to_another_question_is_refused(campaign: Campaign) -> None:
    """And nothing is written."""
    member = organiser_of(campaign)
    with pytest.raises(EntryRefused) as refused:
        answer_as(campaign, member, {"type": "count", "step": "victory", "count": 2})

    assert rules_of(refused.value) == ["answer.not-asked"]
    assert campaign.last == 1


def test_a_game_is_answered_and_settled(played: Campaign) -> None:
    """Both earned two victory points and one more."""
    assert (experience(played, ROLAND), experience(played, DAISY)) == (3, 3)


def test_a_repeated_answer_is_written_once(campaign: Campaign) -> None:
    """The phone was offline; entries written since don't matter."""
    member = organiser_of(campaign)
    (given,) = as_answers(PEOPLE)
    context = write_context(campaign, "phone-1")
    first = services.answer(
        campaign=campaign, member=member, given=given, context=context
    )
    report(campaign, as_answers({"type": "start_scenario", "scenario": "one"}))
    again = services.answer(
        campaign=campaign, member=member, given=given, context=context
    )

    assert (first.is_new, again.is_new) == (True, False)
    assert [row.sequence for row in again.entries] == [2]
    assert campaign.last == 3


def test_two_devices_answer_at_once(campaign: Campaign) -> None:
    """The second gets what the first wrote, and writes nothing."""
    context = write_context(campaign)
    report(campaign, as_answers(PEOPLE))
    with pytest.raises(LogMoved) as moved:
        services.answer(
            campaign=Campaign.objects.get(pk=campaign.pk),
            member=organiser_of(campaign),
            given=as_answers(who(SKIDS))[0],
            context=context,
        )

    assert [row.kind for row in moved.value.missed] == ["string_choices"]


def test_decks_are_corrected_while_they_are_upgraded(campaign: Campaign) -> None:
    """Unprompted; at other times it is refused."""
    member = organiser_of(campaign)
    report(campaign, as_answers(PEOPLE, *won("one")[:-1]))
    raw = {
        "type": "choice_list",
        "step": f"{UPGRADING}#{ROLAND}",
        "scenario": "one",
        "choices": {"xp": [2]},
    }
    answer_as(campaign, member, raw)
    report(campaign, as_answers(won("one")[-1]))
    assert experience(campaign, ROLAND) == 5

    with pytest.raises(EntryRefused):
        answer_as(campaign, member, raw)


def test_a_side_scenario_is_inserted_between_two_others(played: Campaign) -> None:
    """One of the table's own; not during another."""
    member = organiser_of(played)
    raw = {
        "type": "start_side_scenario",
        "scenario": "own-1",
        "previousScenarioId": "one",
        "sideScenarioType": "custom",
        "name": "A night out",
        "xpCost": 1,
    }
    answer_as(played, member, raw)
    assert [each.id for each in replayed(played).replay.scenarios][2] == "own-1"

    with pytest.raises(EntryRefused):
        answer_as(played, member, {**raw, "scenario": "own-2"})


# --- facts


def test_a_fact_has_a_reason(played: Campaign) -> None:
    """And is applied at the end of its scenario."""
    with pytest.raises(EntryRefused) as refused:
        _state(played, ROLAND, 2, " ")
    assert rules_of(refused.value) == ["log.reason"]

    _state(played, ROLAND, 2)
    assert experience(played, ROLAND) == 5


def test_a_fact_belongs_to_a_scenario_that_was_begun(played: Campaign) -> None:
    """Not to a later one."""
    with pytest.raises(EntryRefused) as refused:
        services.state_fact(
            campaign=played,
            member=organiser_of(played),
            fact=Asserted("three", "experience", ROLAND, 3),
            context=write_context(played),
        )

    assert rules_of(refused.value) == ["log.scenario"]


def test_an_impossible_fact_is_refused(played: Campaign) -> None:
    """An eleventh bless token."""
    with pytest.raises(EntryRefused) as refused:
        services.state_fact(
            campaign=played,
            member=organiser_of(played),
            fact=Stated("one", course.Tokens(("bless",) * 11, 1), reason="So"),
            context=write_context(played),
        )

    assert rules_of(refused.value) == ["bag.limit"]


def test_those_killed_by_hand_are_given_nothing_afterwards(played: Campaign) -> None:
    """The fact is judged at its place in the log: after the change by hand."""
    killed = Changes(((ROLAND, None, None, True, False),), ())
    services.answer(
        campaign=played,
        member=organiser_of(played),
        given=Answer("inter_scenario", "one", "", killed),
        context=write_context(played),
    )
    with pytest.raises(EntryRefused) as refused:
        _state(played, ROLAND, 2)

    assert rules_of(refused.value) == ["log.gone"]


def test_a_wrong_assertion_is_a_problem_of_the_log(played: Campaign) -> None:
    """It is written all the same, as the table's statement."""
    for value in (3, 11):
        services.state_fact(
            campaign=played,
            member=organiser_of(played),
            fact=Asserted("one", "experience", ROLAND, value),
            context=write_context(played),
        )

    problems = replayed(played).replay.problems
    assert [(each.rule, each.sequence) for each in problems] == [
        ("log.assertion", played.last)
    ]


def test_a_repeated_release_is_written_once(campaign: Campaign) -> None:
    """Another ultimatum with the same key is another request."""
    member = organiser_of(campaign)
    agony, dread = UltimatumChosen(SETUP, "agony"), UltimatumChosen(SETUP, "dread")
    context = write_context(campaign, "oath")
    services.choose_ultimatum(
        campaign=campaign, member=member, chosen=agony, context=context
    )
    with pytest.raises(services.KeyReused):
        services.choose_ultimatum(
            campaign=campaign, member=member, chosen=dread, context=context
        )
    sworn, context = campaign.last, write_context(campaign, "release")
    for is_new in (True, False):
        done = services.retract(
            campaign=campaign,
            member=member,
            target=sworn,
            reason="By mistake",
            context=context,
        )
        assert done.is_new is is_new


def test_a_choice_sent_by_its_number_is_written_with_its_id(campaign: Campaign) -> None:
    """Repeated it is the same answer; another number is another one."""
    member = organiser_of(campaign)
    report(campaign, as_answers(PEOPLE, *begun("one", ROLAND, DAISY)))
    (given,) = as_answers(
        {"type": "choice", "step": "$play_scenario", "scenario": "one", "choice": -2}
    )
    given = given._replace(sequence=0)
    context = write_context(campaign, "hub")

    def answered(value: int) -> store.Appended:
        one = given._replace(value=value)
        return services.answer(
            campaign=campaign, member=member, given=one, context=context
        )

    first, second = answered(-2), answered(-2)
    assert (first.is_new, second.is_new) == (True, False)
    assert [row.payload["choice"] for row in second.entries] == ["$finish"]
    with pytest.raises(services.KeyReused):
        answered(-4)
