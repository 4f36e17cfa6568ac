"""The cards a question can mean: those of the decks, or of the scenario.

A guide says of what kind they are. Decks kept here and the facts of the scenario list
them; what they do not know, as a deck on paper, is still named by the table.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from arkham.rules.campaign.by_hand.facts import (
    CampaignFacts,
    ScenarioFacts,
    facts_about,
)
from arkham.rules.campaign.interpreter.replay import Replay
from arkham.rules.campaign.model.steps import CardQuery
from arkham.rules.card import Card
from campaigns.models import Campaign
from campaigns.settling.cards import slots_of, with_decks
from campaigns.words.names import Names

DECK, SCENARIO = "deck", "scenario"


def cards_in_reach(campaign: Campaign, replay: Replay, names: Names) -> tuple[str, ...]:
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
    query: CardQuery, campaign: Campaign, replay: Replay, names: Names
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
    query: CardQuery, facts: CampaignFacts, known: ScenarioFacts, names: Names
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
