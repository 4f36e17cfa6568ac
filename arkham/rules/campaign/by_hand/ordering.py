"""The order of scenarios and the end of a campaign, as far as facts define them.

A group that travels says so, then says where to; the map gives the time it takes.
"""

from __future__ import annotations

from collections.abc import Iterator

from arkham.rules.campaign.by_hand.facts import SIDE, CampaignFacts, ScenarioFacts
from arkham.rules.campaign.model import conditions as ask
from arkham.rules.campaign.model import course
from arkham.rules.campaign.model import prompts as to
from arkham.rules.campaign.model.conditions import ConditionOption, ConditionOptions
from arkham.rules.campaign.model.effects import Effect, batch
from arkham.rules.campaign.model.guide import PASSING, Ask, CampaignGuide, Plain, Step
from arkham.rules.campaign.model.prompts import PromptChoice

TRAVEL, TRAVEL_RETURN = "travel", "travel_return"
OPEN_PLACES, CLOSE_PLACES = "open_places", "close_places"
DEPARTURE = "departure"
EMBARK, EMBARK_RETURN = "$embark", "$embark_return"
_CHANGES = ((OPEN_PLACES, "unlock_location"), (CLOSE_PLACES, "lock_location"))


def led_up_to(guide: CampaignGuide) -> tuple[str, ...]:
    """Return the games of a campaign after the first one, in order (STAND-06).

    Side scenarios aren't a campaign: none of them leads up to another.
    """
    if guide.id == SIDE:
        return ()
    scenarios = guide.scenarios
    listed = (each for each in guide.order if each in scenarios)
    games = [each for each in listed if not scenarios[each].is_interlude]
    return tuple(games[1:])


def departure(facts: CampaignFacts) -> Iterator[Step]:
    """Yield the step that places the group on its map."""
    if facts.map.places:
        known = course.MapChange("unlock_map"), course.Embark(facts.map.start)
        yield Plain(DEPARTURE, batch(*known))


def journeys(facts: CampaignFacts) -> Iterator[PromptChoice]:
    """Yield the choices to travel on, with or without the option to come back here."""
    if facts.map.places:
        yield PromptChoice(TRAVEL, steps=(EMBARK,))
        yield PromptChoice(TRAVEL_RETURN, steps=(EMBARK_RETURN,))


def place_steps(facts: CampaignFacts) -> Iterator[Step]:
    """Yield the steps that open places, or close them again."""
    locked = [each for each in facts.map.places.values() if each.status == "locked"]
    if not locked:
        return
    for step, change in _CHANGES:
        choices = tuple(
            PromptChoice(each.id, batches=(batch(course.MapChange(change, each.id)),))
            for each in locked
        )
        yield Ask(step, to.Checklist(choices))


RECORD, NEXT, SKIP, OVER = "record", "next", "skip", "over"


def again(step_id: str, *effects: Effect) -> PromptChoice:
    """Return a choice to record something, after which the question is asked again."""
    steps = (RECORD,) if effects else (step_id, RECORD)
    batches = (batch(*effects),) if effects else ()
    return PromptChoice(step_id, batches=batches, steps=steps, repeatable=True)


def is_listed(facts: CampaignFacts, scenario: ScenarioFacts) -> bool:
    """Return whether a scenario is part of a campaign: not a setup or side scenario."""
    return facts.id != SIDE and scenario.id in facts.scenarios


def order_steps(facts: CampaignFacts, scenario: ScenarioFacts) -> Iterator[Step]:
    """Yield the steps that ask what comes next and what won't be played."""
    yield Ask(NEXT, to.Menu(tuple(_next(facts, scenario))))
    skipped = tuple(
        PromptChoice(
            each.id, _unplayed(each.id), (batch(course.SkipScenario(each.id)),)
        )
        for each in facts.scenarios.values()
        if each.id != scenario.id and each.kind != "epilogue"
    )
    if skipped:
        yield Ask(SKIP, to.Checklist(skipped))


def order_choices(
    facts: CampaignFacts, scenario: ScenarioFacts
) -> Iterator[PromptChoice]:
    """Yield the choices of another next scenario, scenarios left out, and the end."""
    if has_successor(facts, scenario):
        yield again(NEXT)
    if len(facts.scenarios) > len(epilogues(facts)) + 1:
        yield again(SKIP)
    ended = _ended(facts)
    yield again("won", course.SetResult("win"), *ended)
    if any("survived" in each.ends for each in facts.scenarios.values()):
        yield again("survived", course.SetResult("survived"), *ended)
    remaining = ended if facts.map.places else ()
    yield again("lost", *remaining, course.SetResult("lose"))


def epilogues(facts: CampaignFacts) -> tuple[str, ...]:
    """Return the epilogues, which are read even if the campaign is lost."""
    return tuple(
        each.id for each in facts.scenarios.values() if each.kind == "epilogue"
    )


def is_on_the_way(facts: CampaignFacts, scenario: str) -> bool:
    """Return whether it is the text of a place passed through."""
    return bool(facts.map.places) and scenario == PASSING


def _ended(facts: CampaignFacts) -> tuple[Effect, ...]:
    """Return the effects after which only the epilogues are left to play."""
    remaining = epilogues(facts)
    following = tuple(course.NextScenario(each) for each in remaining[:1])
    return (course.SetScenarios(remaining), *following)


def has_successor(facts: CampaignFacts, scenario: ScenarioFacts) -> bool:
    """Return whether the order of play says what follows a scenario, or that it ends.

    It doesn't after an unlisted one, nor after the last one if some are unlisted.
    """
    listed = {*facts.order, *(each for order in facts.orders for each in order)}
    if scenario.kind == "epilogue":
        return True
    if scenario.id not in listed:
        return False
    unlisted = any(
        each.id not in listed and each.kind != "epilogue"
        for each in facts.scenarios.values()
    )
    return not unlisted or scenario.id != play_order(facts)[-1]


def play_order(facts: CampaignFacts) -> tuple[str, ...]:
    """Return the scenarios in order, if the campaign has one."""
    return facts.orders[0] if facts.orders else facts.order


def _next(facts: CampaignFacts, scenario: ScenarioFacts) -> Iterator[PromptChoice]:
    yield from journeys(facts)
    for each in facts.scenarios:
        if each != scenario.id and not is_on_the_way(facts, each):
            yield PromptChoice(
                each, _unplayed(each), (batch(course.NextScenario(each)),)
            )
    yield PromptChoice(OVER, batches=(batch(*_ended(facts)[:1]),))


def _unplayed(scenario: str) -> ask.CampaignCheck:
    return ask.CampaignCheck(
        "scenario_completed",
        ConditionOptions({False: ConditionOption(False)}),
        scenario,
    )
