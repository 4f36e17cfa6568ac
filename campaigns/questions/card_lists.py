"""The cards a question can mean, and cards in an entry that are unknown.

A guide says of what kind they are. Decks kept here and the facts of the scenario list
them; others, as those of a deck on paper, are still named by the table. A new entry
names no card that neither the card pool nor the guide knows; what stands in a log
already is taken as it is.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from arkham.rules.campaign.by_hand.facts import (
    CampaignFacts,
    ScenarioFacts,
    facts_about,
    known_campaigns,
)
from arkham.rules.campaign.interpreter.replay import Replay
from arkham.rules.campaign.model import effects as do
from arkham.rules.campaign.model.guide import CampaignGuide
from arkham.rules.campaign.model.steps import CardQuery
from arkham.rules.campaign.prompts.decks import cards_told, held_cards
from arkham.rules.campaign.reading.references import cards_named, cards_of
from arkham.rules.campaign.state.answers import Answer, Stated
from arkham.rules.campaign.state.state import State
from arkham.rules.card import Card
from arkham.rules.finding import Finding
from arkham.rules.finding import gettext_noop as _
from arkham.rules.pool import CardPool
from campaigns.models import Campaign
from campaigns.settling.cards import slots_of, with_decks
from campaigns.words.names import CampaignNames

DECK, SCENARIO = "deck", "scenario"


def cards_in_reach(
    campaign: Campaign, replay: Replay, names: CampaignNames
) -> tuple[str, ...]:
    """The cards that what is asked now can mean and the guide does not list itself."""
    asked = replay.pending
    queries = asked.queries if asked is not None else ()
    if asked is None or not queries:
        return ()
    found: dict[str, str] = {}
    for query in queries:
        for code in _codes(query, campaign, replay, names):
            card = names.pool.get(code)
            if card is not None and _fits(card, query) and code not in asked.keys:
                found.setdefault(code, card.name)
    return tuple(sorted(found, key=lambda code: (found[code], code)))


def _codes(
    query: CardQuery, campaign: Campaign, replay: Replay, names: CampaignNames
) -> Iterable[str]:
    assert replay.pending is not None
    scenario = replay.pending.scenario.partition("#")[0]
    if query.source == DECK:
        return _of_decks(campaign, replay)
    if query.source != SCENARIO:
        return ()
    for facts in facts_about(names.guide.id):
        known = facts.scenarios.get(scenario)
        if known is not None:
            return _of_scenario(query, facts, known, names)
    return ()


def _of_decks(campaign: Campaign, replay: Replay) -> Iterator[str]:
    """The decks of those who play, and the story cards the log knows they have."""
    state = replay.state
    for seat in with_decks(campaign, state.players):
        yield from slots_of(seat)
    for code in state.players:
        person = state.people.get(code)
        yield from (person.story or ()) if person is not None else ()


def _of_scenario(
    query: CardQuery, facts: CampaignFacts, known: ScenarioFacts, names: CampaignNames
) -> Iterable[str]:
    """The cards of the encounter sets; where vengeance is meant, those that have it."""
    if query.vengeance:
        return [
            code
            for code in known.victory
            if code in facts.victory and facts.victory[code].vengeance
        ]
    sets = frozenset(known.sets)
    return [card.code for card in names.pool.values() if card.encounter_set in sets]


def _fits(card: Card, query: CardQuery) -> bool:
    """Whether a card is of the kind a question is about."""
    return (
        card.code not in query.excluded
        and (not query.traits or bool({*query.traits} & {*card.traits}))
        and (not query.types or card.type.value in query.types)
        and (card.unique or not query.unique)
        and not (query.no_story and card.reward)
    )


def unknown_cards(
    entry: Answer | Stated, asked: Replay, pool: CardPool
) -> tuple[Finding, ...]:
    """What stands against the cards that an entry names as the campaign is asked."""
    named = _answered(entry, asked) if isinstance(entry, Answer) else _stated(entry)
    new = (
        card for card in named if card not in pool and not _is_held(card, asked.state)
    )
    return tuple(nobody_knows(new, asked.state.guide, pool, "log.card"))


def nobody_knows(
    cards: Iterable[str], guide: CampaignGuide, pool: CardPool, rule: str
) -> Iterator[Finding]:
    """A finding for each of these cards that neither the pool nor the guide has."""
    unknown = [card for card in dict.fromkeys(cards) if card not in pool]
    of_the_guide = cards_named(guide) if unknown else ()
    for card in unknown:
        if card not in of_the_guide:
            yield Finding(_("Nobody knows this card."), rule=rule, actual=card)


def _answered(given: Answer, asked: Replay) -> Iterable[str]:
    """The cards an answer names that could not be listed for it beforehand."""
    pending, whose = asked.pending, given.step.rpartition("#")[2]
    if given.kind == "choice_list" and whose in asked.state.investigators:
        return cards_told(given.value)  # of one deck, while it is brought up to date
    if pending is None or pending.prompt != "card_choice" or not pending.others:
        return ()
    is_of_scenario = any(query.source == SCENARIO for query in pending.queries)
    if is_of_scenario and asked.state.guide.id not in known_campaigns():
        return ()  # only the players of a campaign of their own know its cards
    return [code for code in given.value if code not in pending.keys]


def _stated(fact: Stated) -> Iterable[str]:
    """The cards that come, go, or are counted by what a table states."""
    named = cards_of(fact.effect)
    return fact.codes if named == (do.INPUT,) else named


def _is_held(card: str, state: State) -> bool:
    """Whether an investigator has a card, or had it, by the log."""
    return any(card in held_cards(person) for person in state.people.values())
