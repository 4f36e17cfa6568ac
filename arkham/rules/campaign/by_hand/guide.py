"""Makes a guide from facts alone, with which a campaign is kept by hand.

The setup asks for players and difficulty. A game asks for players and lead, how it
ended, and for whom; what the resolution leaves behind (``recording``); and the victory
display (XP-01). The engine does the rest: experience, trauma, fates, bag, decks.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from functools import cache
from types import MappingProxyType

from arkham.rules.campaign.by_hand.facts import (
    SIDE,
    CampaignFacts,
    ResolutionFacts,
    ScenarioFacts,
    campaign_facts,
)
from arkham.rules.campaign.by_hand.recording import (
    has_gains,
    record_steps,
    shared_steps,
)
from arkham.rules.campaign.by_hand.scenarios import (
    EMBARK,
    NEXT,
    RECORD,
    cards_of,
    departure,
    epilogues,
    has_successor,
    is_on_the_way,
    play_order,
)
from arkham.rules.campaign.model import conditions as ask
from arkham.rules.campaign.model import course, scenario_steps
from arkham.rules.campaign.model import effects as do
from arkham.rules.campaign.model import prompts as to
from arkham.rules.campaign.model.conditions import ConditionOption, ConditionOptions
from arkham.rules.campaign.model.effects import Effect, batch
from arkham.rules.campaign.model.guide import (
    SETUP,
    Ask,
    Branch,
    CampaignGuide,
    Plain,
    Resolution,
    Scenario,
    Step,
)
from arkham.rules.campaign.model.prompts import PromptChoice
from arkham.rules.chaos.starting import Bags, Difficulty

DIFFICULTY = "difficulty"
AFTER_DEFEAT = "after_defeat"
EXPERIENCE, VICTORY, REPLAYED = "experience", "victory", "replayed"
DECKS, ONWARD, PAY, TEXT = "decks", "onward", "pay_cost", "told"
UPGRADE = "$upgrade_decks"
NO_RESOLUTION = "no_resolution"


class Scenarios(Mapping[str, Scenario]):
    """The scenarios of some facts, each made on first access.

    Each has the ``shared`` steps besides its own.
    """

    def __init__(
        self,
        facts: CampaignFacts,
        ids: tuple[str, ...],
        shared: Mapping[str, Step] = MappingProxyType({}),
    ) -> None:
        self._facts = facts
        self._shared = shared
        self._ids = dict.fromkeys(ids)
        self._made: dict[str, Scenario] = {}

    def __getitem__(self, scenario_id: str) -> Scenario:
        found = self._made.get(scenario_id)
        if found is None:
            if scenario_id not in self._ids:
                raise KeyError(scenario_id)
            facts = self._facts.scenarios[scenario_id]
            found = _scenario(self._facts, facts)
            if self._shared:
                found = replace(found, steps={**self._shared, **found.steps})
            self._made[scenario_id] = found
        return found

    def __contains__(self, scenario_id: object) -> bool:
        return scenario_id in self._ids

    def __iter__(self) -> Iterator[str]:
        return iter(self._ids)

    def __len__(self) -> int:
        return len(self._ids)


def by_id(steps: Iterable[Step]) -> dict[str, Step]:
    """Return steps as the mapping that a scenario needs."""
    return {step.id: step for step in steps}


def difficulty_step(bags: Bags) -> Step:
    """Return the choice of the difficulty, which also sets the bag (BAG-01)."""
    choices = tuple(
        PromptChoice(each.value, batches=(batch(*_bag(bags, each)),))
        for each in Difficulty
        if each in bags
    )
    return Ask(DIFFICULTY, to.ChooseOne(choices))


def _bag(bags: Bags, difficulty: Difficulty) -> Iterator[Effect]:
    yield course.SetDifficulty(difficulty.value)
    counts = bags[difficulty].counts
    tokens = tuple(token.value for token, count in counts for _ in range(count))
    yield course.Tokens(tokens, 1)


def _scenario(facts: CampaignFacts, scenario: ScenarioFacts) -> Scenario:
    if scenario.is_played:
        return _game(facts, scenario)
    if is_on_the_way(facts, scenario.id):
        return Scenario(
            scenario.id, scenario.name, scenario.kind, (TEXT, EMBARK),
            by_id((Plain(TEXT, batch(do.Shown())),)),
        )  # fmt: skip
    steps = (
        Plain(TEXT, batch(do.Shown())),
        *record_steps(facts, scenario),
        *_afterwards(facts, scenario),
    )
    # Text first: applying it removes this scenario from those to play next.
    first = (TEXT, RECORD, DECKS, *_onward(facts, scenario))
    return Scenario(
        scenario.id, scenario.name, scenario.kind, first, by_id(steps),
        allow_side_scenario=scenario.between,
    )  # fmt: skip


def _game(facts: CampaignFacts, scenario: ScenarioFacts) -> Scenario:
    resolutions = _resolutions(facts, scenario)
    bags = scenario.bags or facts.bags
    first = (PAY, scenario_steps.PLAY) if facts.id == SIDE else (scenario_steps.PLAY,)
    return Scenario(
        scenario.id,
        scenario.name,
        "",
        first,
        by_id(_game_steps(facts, scenario, bags, [*resolutions])),
        (DIFFICULTY, scenario_steps.PLAY) if bags else (scenario_steps.PLAY,),
        resolutions,
        scenario.side if facts.id == SIDE else "",
        scenario.cost,
        scenario.between,
        named_costs=scenario.named_costs,
        discount=scenario.discount,
    )


def _game_steps(
    facts: CampaignFacts, scenario: ScenarioFacts, bags: Bags, endings: list[str]
) -> Iterator[Step]:
    single = endings[0] if len(endings) == 1 else ""
    yield Ask(scenario_steps.PLAY, to.PlayScenario(single_resolution=single))
    yield from _experience(facts, scenario)
    yield from record_steps(facts, scenario)
    yield from _afterwards(facts, scenario)
    if bags:
        yield difficulty_step(bags)
    if facts.id == SIDE:
        yield from _paid(scenario)


def _paid(scenario: ScenarioFacts) -> Iterator[Step]:
    """Yield the payment for a side scenario: once, however often it is played again.

    Investigators it names pay more than others; those with a certain card may pay less.
    """
    cost = -(scenario.cost or 0)
    paid = [do.EarnExperience("all", bonus=cost, side_scenario_cost=True)]
    for code, more in scenario.named_costs:
        paid.append(do.EarnExperience("fixed", code, -more, side_scenario_cost=True))
    discount = scenario.discount
    asked = (discount.step,) if discount else ()
    first = ConditionOptions({False: ConditionOption(False, (batch(*paid),), asked)})
    yield Branch(PAY, ask.CampaignCheck("scenario_replayed", first, scenario.id))
    if discount:
        less = do.EarnExperience("input", bonus=discount.less, side_scenario_cost=True)
        has = PromptChoice(discount.cards[0], batches=(batch(less),))
        yield Ask(discount.step, to.SeatChoice("choice", (has,)))


def _resolutions(
    facts: CampaignFacts, scenario: ScenarioFacts
) -> dict[str, Resolution]:
    """Return all resolutions, and one for no resolution.

    What is read first after a defeat isn't an ending: it may only order a replay.
    """
    asides = [each for each in scenario.resolutions if _is_aside(each)]
    otherwise = AFTER_DEFEAT if any(each.replay for each in asides) else EXPERIENCE
    listed = [each for each in scenario.resolutions if not _is_aside(each)]
    if not any(each.id.startswith(NO_RESOLUTION) for each in listed):
        listed.append(ResolutionFacts(NO_RESOLUTION))
    after = (DECKS, *_onward(facts, scenario))
    return {
        each.id: Resolution(
            each.id,
            (RECORD, REPLAYED if each.replay else otherwise, *after),
            each.statuses,
        )
        for each in listed
    }


def _is_aside(resolution: ResolutionFacts) -> bool:
    return resolution.id == scenario_steps.DEFEAT


def _experience(facts: CampaignFacts, scenario: ScenarioFacts) -> Iterator[Step]:
    """Yield the step for the victory display, left out in standalone games (XP-24)."""
    yield from _replayed(scenario)
    yield Branch(EXPERIENCE, _in_campaign(VICTORY))
    earned = batch(do.EarnExperience("all", victory=True))
    cards = cards_of(facts, scenario.victory)
    yield Ask(VICTORY, to.VictoryDisplay((earned,), cards))


def _replayed(scenario: ScenarioFacts) -> Iterator[Step]:
    """Yield the question of a replay, in which case no experience is paid (XP-20)."""
    ordering = [each for each in scenario.resolutions if each.replay]
    if not ordering:
        return
    again = batch(course.ReplayScenario(scenario.id))
    choices = (
        PromptChoice("played_again", batches=(again,)),
        PromptChoice("goes_on", steps=(EXPERIENCE,)),
    )
    yield Ask(REPLAYED, to.Menu(choices))
    if any(_is_aside(each) for each in ordering):
        ways = {True: ConditionOption(True, steps=(REPLAYED,))}
        unhurt = ConditionOption(False, steps=(EXPERIENCE,))
        defeated = ask.OutcomeCheck("defeated", "", ConditionOptions(ways, unhurt))
        yield Branch(AFTER_DEFEAT, defeated)


def _afterwards(facts: CampaignFacts, scenario: ScenarioFacts) -> Iterator[Step]:
    spent = scenario.upgrade or facts.id == SIDE
    yield Branch(DECKS, _in_campaign(UPGRADE if spent else "save_decks"))
    if _onward(facts, scenario):
        unknown = ConditionOptions({False: ConditionOption(False, steps=(NEXT,))})
        yield Branch(ONWARD, ask.CampaignCheck("next_scenario", unknown))


def _in_campaign(step_id: str) -> ask.CampaignCheck:
    """Return a check that leads to a step, except in a standalone scenario."""
    return ask.CampaignCheck(
        "standalone",
        ConditionOptions({False: ConditionOption(False, steps=(step_id,))}),
    )


def _onward(facts: CampaignFacts, scenario: ScenarioFacts) -> tuple[str, ...]:
    """Return the step that asks what comes next, unless the order says it."""
    if facts.id == SIDE or has_successor(facts, scenario):
        return ()
    return (ONWARD,)


FORM = "1"  # changes if the same facts would give a different guide
PLAYERS, PRINTING = "players", "printing"


@cache
def guide_by_hand(campaign: str) -> CampaignGuide:
    """Return the guide for keeping a campaign by hand. Raises :class:`KeyError`."""
    return hand_guide(campaign_facts(campaign), campaign_facts(SIDE))


def hand_guide(facts: CampaignFacts, side: CampaignFacts) -> CampaignGuide:
    """Return a guide made from facts; ``side`` are those of side scenarios."""
    order = () if facts.id == SIDE else play_order(facts)
    at_end = tuple(each for each in epilogues(facts) if each not in order)
    if facts.map.places:
        at_end = ()  # the end is reached by travelling or by a text
    shared = replace(facts, cards={**side.cards, **facts.cards})
    return CampaignGuide(
        facts.id,
        facts.name,
        facts.version,
        facts.type,
        (*order, *at_end),
        facts.sections,
        _setup(shared),
        Scenarios(shared, tuple(facts.scenarios)),
        {step.id: step for step in shared_steps(shared)},
        _side_scenarios(shared, side),
        free_side_scenarios=facts.free_side,
        map=facts.map.places,
        fast_card=facts.map.fast,
        achievements=facts.achievements,
        cards={card.code: card.name for card in shared.cards.values()},
        digest=_digest(facts, side),
    )


def _side_scenarios(facts: CampaignFacts, side: CampaignFacts) -> Scenarios:
    """Return side scenarios that use this campaign's log, without its own scenarios."""
    played = replace(
        side,
        sections=facts.sections,
        numbers=facts.numbers,
        cards=facts.cards,
        supplies=facts.supplies,
        keys=facts.keys,
        glyphs=facts.glyphs,
        days=facts.days,
        pools=facts.pools,
        redirect=facts.redirect,
    )
    own = (
        each.id
        for each in side.scenarios.values()
        if each.side and each.is_played and each.id not in facts.scenarios
    )
    return Scenarios(played, tuple(own))


def sides_beside(guide: CampaignGuide, side: CampaignFacts) -> Scenarios:
    """Return side scenarios made from facts for a guide that isn't made from facts.

    They use that guide's log. It lacks the steps that guides from facts share, so each
    scenario has these itself.
    """
    shown = tuple(each for each in guide.sections if not each.hidden)
    played = replace(side, sections=shown)
    own = (
        each.id
        for each in side.scenarios.values()
        if each.side and each.is_played and each.id not in guide.scenarios
    )
    return Scenarios(played, tuple(own), by_id(shared_steps(played)))


@cache
def digest_by_hand(campaign: str) -> str:
    """Return the digest of that guide without making it. Raises :class:`KeyError`."""
    return _digest(campaign_facts(campaign), campaign_facts(SIDE))


def _digest(facts: CampaignFacts, side: CampaignFacts) -> str:
    parts = (FORM, facts.digest, side.digest)
    return hashlib.blake2b(" ".join(parts).encode(), digest_size=16).hexdigest()


def _setup(facts: CampaignFacts) -> Scenario:
    steps: list[Step] = [Ask(PLAYERS, to.ChooseInvestigators())]
    if facts.bags:
        steps.append(difficulty_step(facts.bags))
    if len(facts.orders) > 1:
        steps.append(_printing(facts))
    steps += departure(facts)
    first = [step.id for step in steps]
    if has_gains(facts.setup):
        first += [RECORD, "save_decks"]
        steps += record_steps(facts, facts.setup)
    return Scenario(SETUP, facts.name, "interlude", tuple(first), by_id(steps))


def _printing(facts: CampaignFacts) -> Step:
    """Ask for the printing, which sets the order; a scenario unique to it names it."""
    common = set(facts.orders[0]).intersection(*facts.orders)
    choices = tuple(
        PromptChoice(
            next(each for each in order if each not in common),
            batches=(batch(course.SetScenarios(order)),),
        )
        for order in facts.orders
    )
    return Ask(PRINTING, to.Menu(choices))
