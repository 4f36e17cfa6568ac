"""Facts stated by hand while their scenario is still played."""

from __future__ import annotations

import pytest

from arkham.accounts.models import User
from arkham.rules.campaign.model import course
from arkham.rules.campaign.model import effects as do
from arkham.rules.campaign.model.effects import Effect
from arkham.rules.campaign.model.guide import SETUP
from arkham.rules.campaign.state.answers import Answer, Changes, Stated, UltimatumChosen
from campaigns import services
from campaigns.log.replays import replayed
from campaigns.models import Campaign
from tests.campaigns.helpers.tables import (
    a_campaign,
    a_row,
    as_answers,
    experience,
    organiser_of,
    report,
    rules_of,
    who,
    write_context,
)
from tests.rules.campaign.helpers.games import begun, ended, won
from tests.rules.campaign.helpers.small import DAISY, ROLAND

PAID = do.EarnExperience("input", bonus=2)
KILLED = do.Trauma("input", killed=True)
BLESSED = course.Tokens(("bless",) * 6, 1)


@pytest.fixture
def playing(alice: User) -> Campaign:
    """A campaign whose first scenario is being played."""
    campaign = a_campaign(alice, ROLAND, DAISY)
    report(campaign, as_answers(who(ROLAND, DAISY), *begun("one", ROLAND, DAISY)))
    return campaign


def state(campaign: Campaign, effect: Effect, *codes: str) -> None:
    """State a fact for the end of the first scenario."""
    services.state_fact(
        campaign=campaign,
        member=organiser_of(campaign),
        fact=Stated("one", effect, codes, (), "So it is."),
        context=write_context(campaign),
    )


def end(campaign: Campaign, **outcomes: str) -> None:
    """Win the first scenario with these outcomes."""
    report(campaign, as_answers(*won("one", 2, **outcomes)[3:]))


@pytest.mark.parametrize(
    ("first", "second", "rule"),
    [
        (KILLED, PAID, "log.gone"),
        (do.Trauma("input", insane=True), PAID, "log.gone"),
        (do.Trauma("input", physical=9), PAID, "log.gone"),
        (do.Trauma("input", mental=5), do.Trauma("input", mental=1), "fact.trauma"),
        (KILLED, course.Lead(), "fact.plays"),
        (do.Retire(), course.Lead(), "fact.plays"),
        (BLESSED, BLESSED, "bag.limit"),
    ],
)
def test_facts_are_judged_together_before_the_scenario_is_over(
    playing: Campaign, first: Effect, second: Effect, rule: str
) -> None:
    """They take effect at its end, where the second would be a problem of the log."""
    state(playing, first, ROLAND)
    with pytest.raises(services.EntryRefused) as refused:
        state(playing, second, ROLAND)

    assert rules_of(refused.value) == [rule]


def test_others_are_still_paid(playing: Campaign) -> None:
    """And what was paid before the investigator was killed is no problem."""
    state(playing, PAID, ROLAND)
    state(playing, KILLED, ROLAND)
    state(playing, PAID, DAISY)
    end(playing)

    assert replayed(playing).replay.problems == ()
    assert experience(playing, DAISY) == 3 + 2


def test_who_is_killed_later_in_the_game_earns_nothing(playing: Campaign) -> None:
    """The table couldn't know when it stated the experience, so it is no problem."""
    state(playing, PAID, ROLAND)
    state(playing, do.Trauma("input", physical=8), ROLAND)
    state(playing, PAID, DAISY)
    changed = Answer(
        "inter_scenario", "one", "", Changes(((ROLAND, 9, None, False, False),), ())
    )
    end(playing)
    report(playing, [changed])
    replay = replayed(playing).replay

    assert replay.problems == ()
    assert replay.state.is_killed(ROLAND)


def test_an_answer_that_kills_voids_what_was_stated_before_it(
    playing: Campaign,
) -> None:
    """Roland is defeated by damage, with 8 trauma of an earlier correction."""
    hurt = Stated(SETUP, do.Trauma("input", physical=8), (ROLAND,), (), "So it is.")
    services.state_fact(
        campaign=playing,
        member=organiser_of(playing),
        fact=hurt,
        context=write_context(playing),
    )
    state(playing, PAID, ROLAND)
    end(playing, **{ROLAND: "physical", DAISY: "alive"})
    replay = replayed(playing).replay

    assert replay.state.is_killed(ROLAND)
    assert replay.problems == ()
    assert experience(playing, ROLAND) == 0


@pytest.mark.parametrize("outcome", ["alive", "resigned", "mental"])
def test_trauma_of_those_in_play_passes_by_who_left_it(
    alice: User, outcome: str
) -> None:
    """Venom was stated before Roland was eliminated."""
    campaign = a_campaign(alice, ROLAND, DAISY, guide=a_row(id="tfa"))
    services.choose_ultimatum(
        campaign=campaign,
        member=organiser_of(campaign),
        chosen=UltimatumChosen(SETUP, "venom"),
        context=write_context(campaign),
    )
    report(campaign, as_answers(who(ROLAND, DAISY), *begun("one", ROLAND, DAISY)))
    state(campaign, do.Trauma("input", physical=1, source="venom"), ROLAND)
    both = {ROLAND: outcome, DAISY: "alive"}
    report(campaign, as_answers(*ended("one", 1, "R1", **both), *won("one")[-2:]))
    replay = replayed(campaign).replay

    assert replay.problems == ()
    assert replay.state.trauma(ROLAND)[0] == (outcome == "alive")
