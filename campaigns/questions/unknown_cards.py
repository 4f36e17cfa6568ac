"""Finds cards named in an entry that neither the pool nor the guide knows.

Neither the card pool nor the guide has them: what is said of them means nothing. What
stands in a log already is taken as it is.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from arkham.rules.campaign.by_hand.facts import known_campaigns
from arkham.rules.campaign.interpreter.replay import Replay
from arkham.rules.campaign.model import effects as do
from arkham.rules.campaign.model.guide import CampaignGuide
from arkham.rules.campaign.prompts.decks import cards_told, held_cards
from arkham.rules.campaign.reading.references import cards_named, cards_of
from arkham.rules.campaign.state.answers import Answer, Stated
from arkham.rules.campaign.state.state import State
from arkham.rules.finding import Finding
from arkham.rules.finding import gettext_noop as _
from arkham.rules.pool import CardPool
from campaigns.questions.card_lists import SCENARIO


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
    """The cards an answer names that nobody could list for it beforehand."""
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
