"""Defects of the field's guides, corrected so that the guides can be compared."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from arkham.rules.campaign.model import course
from arkham.rules.campaign.model import effects as do
from arkham.rules.campaign.model.conditions import (
    CampaignCheck,
    ConditionOption,
    ConditionOptions,
    TaskCheck,
    TraumaCheck,
)
from arkham.rules.campaign.model.guide import (
    Ask,
    Branch,
    CampaignGuide,
    Plain,
    Scenario,
)
from arkham.rules.campaign.model.prompts import (
    CardChoice,
    Checklist,
    ChooseOne,
    SeatChoice,
)
from arkham.rules.campaign.reading.own import open_own_guide
from tests.rules.campaign.helpers.dreams import MENDED
from tests.rules.campaign.helpers.guides import shared_library
from tests.rules.campaign.helpers.own_guides import found_or_failed


def upgraded_once(scenario: Scenario) -> Scenario:
    """Correct The Essex County Express without a resolution.

    It is Resolution 2, which ends with an upgrade of decks. The field's guide has
    another upgrade after it and counts the table's corrections twice.
    """
    found = scenario.resolutions["no_resolution"]
    assert found.steps == ("resolution_2", "$upgrade_decks")
    once = replace(found, steps=("resolution_2",))
    return replace(
        scenario, resolutions={**scenario.resolutions, "no_resolution": once}
    )


def upgraded_whoever_leads(scenario: Scenario) -> Scenario:
    """Correct The Gathering, Resolution 3: always upgrade the decks.

    The field's guide asks for it only if the lead investigator was killed.
    """
    check = "check_lead_investigator_killed"
    found = scenario.steps[check]
    assert isinstance(found, Branch)
    assert isinstance(found.condition, TraumaCheck)
    assert [*found.condition.options.by_key] == [True]
    lives = ConditionOption(False, steps=("$upgrade_decks",))
    options = replace(found.condition.options, default=lives)
    condition = replace(found.condition, options=options)
    mended = replace(found, condition=condition)
    return replace(scenario, steps={**scenario.steps, check: mended})


def statues_crossed_out(scenario: Scenario) -> Scenario:
    """Correct Fatal Mirage: the Mo'ai Statues, once banished, are crossed out.

    The field's guide crosses out a line that no guide records.
    """
    step, wrong = "record_memories_banished", "moai_statue"
    found = scenario.steps[step]
    assert isinstance(found, Ask)
    assert isinstance(found.prompt, Checklist)
    choices = tuple(
        replace(
            each,
            batches=tuple(
                do.batch(
                    *(
                        replace(effect, id="moai_statues")
                        if isinstance(effect, do.LogLine) and effect.id == wrong
                        else effect
                        for effect in batch.plain
                    )
                )
                for batch in each.batches
            ),
        )
        for each in found.prompt.choices
    )
    assert choices != found.prompt.choices
    mended = replace(found, prompt=replace(found.prompt, choices=choices))
    return replace(scenario, steps={**scenario.steps, step: mended})


def asked_once_of_the_tide(scenario: Scenario) -> Scenario:
    """Correct In Too Deep without a resolution.

    It is Resolution 1, which asks whether the tide consumed Innsmouth. The field's
    guide also asks before it and records the line twice.
    """
    found = scenario.resolutions["no_resolution_defeated"]
    assert found.steps == ("ask_consumed_by_rising_tide", "resolution_1")
    once = replace(found, steps=("resolution_1",))
    return replace(scenario, resolutions={**scenario.resolutions, found.id: once})


def won_with_or_without_harper(scenario: Scenario) -> Scenario:
    """Correct Into the Maelstrom, Resolution 2: the campaign is won.

    The field's guide has the sentence, but wins only if one of two other acts leads on
    to Resolution 4 or 5.
    """
    found = scenario.steps["check_successful_conspiracy_4_5"]
    assert isinstance(found, Ask)
    assert isinstance(found.prompt, ChooseOne)
    *others, neither = found.prompt.choices
    assert (neither.id, neither.steps) == ("neither", ("$upgrade_decks",))
    won = replace(neither, steps=("$upgrade_decks", "win"))
    mended = replace(found, prompt=replace(found.prompt, choices=(*others, won)))
    return replace(scenario, steps={**scenario.steps, found.id: mended})


def lost_with_its_epilogue(scenario: Scenario) -> Scenario:
    """Correct At Death's Doorstep, Resolution 3, without survivors: it is the end.

    The field's guide skips the epilogue of another campaign instead of this one's.
    """
    lost = scenario.steps["lose_campaign"]
    assert isinstance(lost, Plain)
    assert lost.batch is not None
    other, result = lost.batch.plain
    assert other == course.SkipScenario("ptc_epilogue")
    batch = do.batch(course.SkipScenario("tcu_epilogue"), result)
    mended = replace(lost, batch=batch)
    return replace(scenario, steps={**scenario.steps, lost.id: mended})


def marks_to_erase(scenario: Scenario) -> Scenario:
    """Correct Twist of Fate in the Return: erase a mark only if there is one.

    The field's guide counts down to −1.
    """
    steps = dict(scenario.steps)
    for name in ("remove_skull", "remove_neg_one_token"):
        found = steps[name]
        assert isinstance(found, Plain)
        assert found.batch is not None
        mark, token = found.batch.plain
        assert isinstance(mark, do.LogCount)
        assert (mark.value, mark.least) == (-1, None)
        steps[name] = replace(found, batch=do.batch(replace(mark, least=0), token))
    return replace(scenario, steps=steps)


def bound_with_bad_luck(scenario: Scenario) -> Scenario:
    """Correct The Heist, Resolutions 2 and 3: record who is bound with bad luck.

    The field's guide says what to record, but does not record it.
    """
    order = "fortunes_chosen_bound_you_with_bad_luck"
    assert scenario.steps[order] == Plain(order)
    line = do.batch(do.LogLine("campaign_notes", "fof_bound_with_bad_luck"))
    return replace(scenario, steps={**scenario.steps, order: Plain(order, line)})


def paid_and_taken_freely(scenario: Scenario) -> Scenario:
    """Correct Threads of Fate: the price of St. Mary's Hospital, and the journal.

    The field's guide says that removing Poisoned costs experience, but takes resupply
    points, which exist in the Return only. It also says that the Expedition Journal may
    join a deck, but never asks.
    """
    heal = "choose_to_heal_poison"
    asked = scenario.steps[heal]
    assert isinstance(asked, Ask)
    assert isinstance(asked.prompt, SeatChoice)
    (choice,) = asked.prompt.choices
    (batch,) = choice.batches
    price, poisoned = batch.plain
    assert isinstance(price, do.EarnExperience)
    assert (price.bonus, price.pool) == (-3, "resupply_points")
    paid = replace(choice, batches=(do.batch(replace(price, pool=""), poisoned),))
    prompt = replace(asked.prompt, choices=(paid,))
    steps = {**scenario.steps, heal: replace(asked, prompt=prompt)}
    return taken_freely(replace(scenario, steps=steps))


def taken_freely(scenario: Scenario) -> Scenario:
    """Correct Threads of Fate: ask whether to take the Expedition Journal."""
    journal = "earn_expedition_journal"
    taken = Plain(journal, do.batch(do.AddCard("lead", "04148")))
    assert scenario.steps[journal] == taken
    freely = Plain(journal, do.batch(do.AddCard("lead", "04148", optional=True)))
    return replace(scenario, steps={**scenario.steps, journal: freely})


def alone_with_four_decks(scenario: Scenario) -> Scenario:
    """Correct Return to Threads of Fate as a standalone: set up the fourth act deck.

    The field's guide uses the setup of the original scenario and later asks how far
    that missing deck advanced. The journal is optional here, too.
    """
    assert scenario.standalone_setup is not None
    *others, last = scenario.standalone_setup
    assert last == "$play_scenario"
    assert "setup_act_gh" not in others
    together = (*others, "setup_act_gh", last)
    return taken_freely(replace(scenario, standalone_setup=together))


def played_again(scenario: Scenario) -> Scenario:
    """Correct Return to Heart of the Elders, Part 1: no introduction on a replay.

    The field's guide asks whether the original scenario was played before.
    """
    found = scenario.steps["maybe_do_intro"]
    assert isinstance(found, Branch)
    assert isinstance(found.condition, CampaignCheck)
    assert found.condition.value == scenario.id.removeprefix("return_to_")
    condition = replace(found.condition, value=scenario.id)
    mended = replace(found, condition=condition)
    return replace(scenario, steps={**scenario.steps, found.id: mended})


def standard_alone(scenario: Scenario) -> Scenario:
    """Correct The Depths of Yoth as a standalone: the bag is for Standard.

    The field's guide sets the difficulty to Hard.
    """
    found = scenario.steps["setup_standalone_bag"]
    assert isinstance(found, Plain)
    assert found.batch is not None
    hard, tokens = found.batch.plain
    assert hard == course.SetDifficulty("hard")
    standard = replace(found, batch=do.batch(course.SetDifficulty("standard"), tokens))
    return replace(scenario, steps={**scenario.steps, found.id: standard})


def earned_by_the_others(scenario: Scenario) -> Scenario:
    """Correct Obsidian Canyons: investigators who didn't help earn less.

    The field's guide says so, but gives 1 experience to everyone.
    """
    found = scenario.steps["record_prove_your_worth_loss"]
    assert isinstance(found, Branch)
    assert isinstance(found.condition, TaskCheck)
    option = found.condition.options.by_key[True]
    less = do.EarnExperience("input", bonus=-1, bonus_only=True)
    option = replace(option, batches=(do.batch(*option.batches[0].plain, less),))
    condition = replace(found.condition, options=ConditionOptions({True: option}))
    mended = replace(found, condition=condition)
    return replace(scenario, steps={**scenario.steps, found.id: mended})


def noted_of_river(scenario: Scenario) -> Scenario:
    """Correct The First Evening: record River's ambitions in River's own notes.

    The text of the field's guide says so; its effect uses the campaign notes.
    """
    found = scenario.steps["river_shared_their_ambitions"]
    assert isinstance(found, Plain)
    mended = replace(found, batch=do.batch(do.LogLine("river", found.id)))
    return replace(scenario, steps={**scenario.steps, found.id: mended})


def asked_of_listed_cultists(scenario: Scenario) -> Scenario:
    """Correct The Midnight Masks: ask which cultists got away while one is left.

    The field's guide searches all cards, and asks even if all were interrogated.
    """
    guide_id = "core" if scenario.id == "arkham" else "rtnotz"
    ours = open_own_guide(guide_id).guide.scenarios[scenario.id]
    asked = {}
    for step in ("cultists_got_away_r1", "cultists_got_away_r2"):
        found, listed = scenario.steps[step], ours.steps[step]
        assert isinstance(found, Ask)
        assert isinstance(found.prompt, CardChoice)
        assert isinstance(listed, Ask)
        assert isinstance(listed.prompt, CardChoice)
        assert not any(query.codes for query in found.prompt.queries)
        prompt = replace(found.prompt, queries=listed.prompt.queries)
        asked[step] = replace(found, prompt=prompt)
    return replace(scenario, steps={**scenario.steps, **asked})


def fates_asked_at_the_end(scenario: Scenario) -> Scenario:
    """Correct the prologue of The Circle Undone: ask for each participant's fate.

    The field's guide asks only if the table reports each elimination.
    """
    ours = open_own_guide("tcu").guide.scenarios[scenario.id]
    found = scenario.resolutions["no_resolution"]
    asked = ours.resolutions["no_resolution"].steps[:4]
    steps = {**scenario.steps, **{each: ours.steps[each] for each in asked}}
    ended = replace(found, steps=(*asked, *found.steps))
    resolutions = {**scenario.resolutions, found.id: ended}
    return replace(scenario, steps=steps, resolutions=resolutions)


# Scenarios and their corrections. Each has a test in ``test_own_guides_runs.py`` or
# in the tests of its guide.
DEFECTS: dict[str, dict[str, Callable[[Scenario], Scenario]]] = {
    "core": {
        "torch": upgraded_whoever_leads,
        "arkham": asked_of_listed_cultists,
    },
    "dwl": {
        "essex_county_express": upgraded_once,
    },
    "fhv": {
        "the_first_evening": noted_of_river,
    },
    "fof": {
        "fortune_and_folly_part_2": bound_with_bad_luck,
    },
    "rtdwl": {
        "return_to_essex_county_express": upgraded_once,
    },
    "rtnotz": {
        "return_to_the_gathering": upgraded_whoever_leads,
        "return_to_the_midnight_masks": asked_of_listed_cultists,
    },
    "rttcu": {
        "disappearance_at_the_twilight_estate": fates_asked_at_the_end,
        "return_to_at_deaths_doorstep": lost_with_its_epilogue,
        "twist_of_fate": marks_to_erase,
    },
    "rttfa": {
        "return_to_heart_of_the_elders_part_1": played_again,
        "return_to_the_depths_of_yoth": standard_alone,
        "return_to_threads_of_fate": alone_with_four_decks,
    },
    "eoe": {
        "fatal_mirage": statues_crossed_out,
        "fatal_mirage_2": statues_crossed_out,
        "fatal_mirage_3": statues_crossed_out,
    },
    "tcu": {
        "disappearance_at_the_twilight_estate": fates_asked_at_the_end,
        "at_deaths_doorstep": lost_with_its_epilogue,
    },
    "tdc": {
        "obsidian_canyons": earned_by_the_others,
    },
    **MENDED,
    "tfa": {
        "the_depths_of_yoth": standard_alone,
        "threads_of_fate": paid_and_taken_freely,
    },
    "tic": {
        "in_too_deep": asked_once_of_the_tide,
        "into_the_maelstrom": won_with_or_without_harper,
    },
}


def field_guide(guide_id: str) -> CampaignGuide:
    """Return the field's guide of a campaign, with its defects corrected."""
    guides = shared_library().guides
    found = found_or_failed(guides, guide_id, "the field's guides")
    mended = {
        scenario: mend(found.scenarios[scenario])
        for scenario, mend in DEFECTS.get(guide_id, {}).items()
    }
    return replace(found, scenarios={**found.scenarios, **mended})
