"""Facts of a campaign → a guide that keeps it by hand.

The set-up asks who plays and how hard it shall be. A game asks who plays and leads, how
it ended, and for whom; what the resolution leaves behind (``recording``); what lies in
the victory display (XP-01). What follows is the engine's: experience, trauma, fates,
bag, decks.
"""

from __future__ import annotations

import hashlib
from dataclasses import replace
from functools import cache

from arkham.rules.campaign.by_hand.facts import SIDE, CampaignFacts, campaign_facts
from arkham.rules.campaign.by_hand.ordering import (
    RECORD,
    departure,
    epilogues,
    play_order,
)
from arkham.rules.campaign.by_hand.recording import (
    has_gains,
    record_steps,
    shared_steps,
)
from arkham.rules.campaign.by_hand.scenarios import Scenarios, by_id, difficulty_step
from arkham.rules.campaign.model import effects as do
from arkham.rules.campaign.model import steps as to
from arkham.rules.campaign.model.effects import batch
from arkham.rules.campaign.model.guide import SETUP, CampaignGuide, Scenario
from arkham.rules.campaign.model.steps import PromptChoice, Step

FORM = "1"  # of the guides made here: another one makes another guide of same facts
PLAYERS, PRINTING = "players", "printing"


@cache
def guide_by_hand(campaign: str) -> CampaignGuide:
    """The guide that keeps a campaign by hand. Raises :class:`KeyError`."""
    return hand_guide(campaign_facts(campaign), campaign_facts(SIDE))


def hand_guide(facts: CampaignFacts, side: CampaignFacts) -> CampaignGuide:
    """A guide of nothing but facts; ``side`` are those of side scenarios."""
    order = () if facts.id == SIDE else play_order(facts)
    told = tuple(each for each in epilogues(facts) if each not in order)
    if facts.map.places:
        told = ()  # a table travels to the end, or is told that it has come
    shared = replace(facts, cards={**side.cards, **facts.cards})
    return CampaignGuide(
        facts.id,
        facts.name,
        facts.version,
        facts.type,
        (*order, *told),
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
    """All but those of the campaign itself, each with that campaign's log."""
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
    """Side scenarios of facts alone beside a guide that is no guide of facts.

    They write into that guide's log. It lacks the steps guides of facts share, so
    each scenario has them itself.
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
    """The digest of that guide, without making it. Raises :class:`KeyError`."""
    return _digest(campaign_facts(campaign), campaign_facts(SIDE))


def _digest(facts: CampaignFacts, side: CampaignFacts) -> str:
    parts = (FORM, facts.digest, side.digest)
    return hashlib.blake2b(" ".join(parts).encode(), digest_size=16).hexdigest()


def _setup(facts: CampaignFacts) -> Scenario:
    steps: list[Step] = [to.Ask(PLAYERS, to.ChooseInvestigators())]
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
    """Which printing: the order of play differs; each goes by a scenario of its own."""
    common = set(facts.orders[0]).intersection(*facts.orders)
    choices = tuple(
        PromptChoice(
            next(each for each in order if each not in common),
            batches=(batch(do.SetScenarios(order)),),
        )
        for order in facts.orders
    )
    return to.Ask(PRINTING, to.Menu(choices))
