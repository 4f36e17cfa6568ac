"""Questions about cards, things and lines of the log, and the cards they allow.

Also about the experience from cards in decks.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from django.http import QueryDict
from django.utils.translation import gettext as _

from arkham.rules.campaign.asking import Pending
from arkham.rules.campaign.by_hand.facts import (
    CampaignFacts,
    ScenarioFacts,
    facts_about,
    known_campaigns,
)
from arkham.rules.campaign.interpreter.replay import Replay
from arkham.rules.campaign.model import effects as do
from arkham.rules.campaign.model.guide import CampaignGuide
from arkham.rules.campaign.model.prompts import NO_ONE, CardQuery
from arkham.rules.campaign.prompts.decks import cards_reported, held_cards
from arkham.rules.campaign.reading.references import cards_named, cards_of
from arkham.rules.campaign.state.answers import Answer, Stated
from arkham.rules.campaign.state.lookup import copies_in, owners_of_line
from arkham.rules.campaign.state.state import State
from arkham.rules.card import Card
from arkham.rules.finding import Finding, gettext_noop
from arkham.rules.pool import CardPool
from campaigns.models import Campaign
from campaigns.questions.form import Cleaned, QuestionForm
from campaigns.questions.kinds import (
    QuestionKind,
    Rows,
    named,
    number_fields,
    number_of_each,
    of_each,
    of_these,
    offered,
    one,
    unlisted,
)
from campaigns.questions.question import (
    ANSWER,
    NO_CHOICE,
    FieldOption,
    Fields,
    FormQuestion,
    QuestionContext,
    QuestionField,
)
from campaigns.settling.cards import CardLine, slots_of, with_decks
from campaigns.words.names import CampaignNames
from decks.services.ledger import MOST_EARNED

DECK, SCENARIO = "deck", "scenario"


def cards_in_reach(
    campaign: Campaign, replay: Replay, names: CampaignNames
) -> tuple[str, ...]:
    """Return the cards the question allows that the guide doesn't list itself."""
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
    """Yield the cards in the players' decks, and story cards that the log knows of."""
    state = replay.state
    for seat in with_decks(campaign, state.players):
        yield from slots_of(seat)
    for code in state.players:
        person = state.people.get(code)
        yield from (person.story or ()) if person is not None else ()


def _of_scenario(
    query: CardQuery, facts: CampaignFacts, known: ScenarioFacts, names: CampaignNames
) -> Iterable[str]:
    """Return the cards of the encounter sets; for vengeance, those that have it."""
    if query.vengeance:
        return [
            code
            for code in known.victory
            if code in facts.victory and facts.victory[code].vengeance
        ]
    sets = frozenset(known.sets)
    return [card.code for card in names.pool.values() if card.encounter_set in sets]


def _fits(card: Card, query: CardQuery) -> bool:
    """Return whether a card matches a question's conditions."""
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
    """Return findings on cards named by an entry that aren't known."""
    named = _answered(entry, asked) if isinstance(entry, Answer) else _stated(entry)
    new = (
        card for card in named if card not in pool and not _is_held(card, asked.state)
    )
    return tuple(unknown_card_findings(new, asked.state.guide, pool, "log.card"))


def unknown_card_findings(
    cards: Iterable[str], guide: CampaignGuide, pool: CardPool, rule: str
) -> Iterator[Finding]:
    """Yield a finding for each card that neither the pool nor the guide has."""
    unknown = [card for card in dict.fromkeys(cards) if card not in pool]
    of_the_guide = cards_named(guide) if unknown else ()
    for card in unknown:
        if card not in of_the_guide:
            yield Finding(
                gettext_noop("We don’t know this card."), rule=rule, actual=card
            )


def _answered(given: Answer, asked: Replay) -> Iterable[str]:
    """Return the cards an answer names that couldn't be listed for it."""
    pending, whose = asked.pending, given.step.rpartition("#")[2]
    if given.kind == "choice_list" and whose in asked.state.investigators:
        # A correction of one deck during upgrades.
        return cards_reported(given.value)
    if pending is None or pending.prompt != "card_choice" or not pending.others:
        return ()
    is_of_scenario = any(query.source == SCENARIO for query in pending.queries)
    if is_of_scenario and asked.state.guide.id not in known_campaigns():
        return ()  # only the players of a custom campaign know its cards
    return [code for code in given.value if code not in pending.keys]


def _stated(fact: Stated) -> Iterable[str]:
    """Return the cards that a stated fact adds, removes or counts."""
    named = cards_of(fact.effect)
    return fact.codes if named == (do.INPUT,) else named


def _is_held(card: str, state: State) -> bool:
    """Return whether an investigator has a card, or had it, by the log."""
    return any(card in held_cards(person) for person in state.people.values())


def _cards(asking: QuestionContext, pending: Pending) -> Fields:
    """Return fields for cards with a choice each; unlisted cards are typed."""
    options = tuple(offered(asking, pending))
    keys = (*pending.keys, *asking.in_reach)
    if not keys and not pending.others:
        return ()  # all of them were answered for already
    if not keys:
        label = options[0].label if len(options) == 1 else _("Cards, one per line")
        return (QuestionField(ANSWER, label, "cards", options, is_needed=False),)
    listed = _listed(asking, pending, keys, options)
    return (*listed, unlisted(options)) if pending.others else listed


def _listed(
    asking: QuestionContext,
    pending: Pending,
    keys: tuple[str, ...],
    options: tuple[FieldOption, ...],
) -> Fields:
    """Return fields for listed cards: tick boxes if there is only one choice."""
    names = asking.names
    if len(options) == 1:
        ticks = tuple(FieldOption(key, names.card(key)) for key in keys)
        least = 0 if pending.others else min(pending.least or 0, len(keys))
        return (of_these(options[0].label, ticks, least, pending.most),)
    left_out = (*options, FieldOption(NO_CHOICE, _("Neither")))
    return tuple(
        one(names.card(key), left_out, name=key)._replace(is_needed=False)
        for key in keys
    )


def _cards_chosen(question: FormQuestion, cleaned: Cleaned) -> dict[str, Any]:
    """Return cards with their choice, typed ones included."""
    found: dict[str, Any] = {}
    for field in question.fields:
        value = cleaned[field.name]
        if field.kind == "cards":
            choice = field.options[0].value if field.options else "1"
            found |= dict.fromkeys(value, (choice,))
        elif field.name == ANSWER:
            chosen = value if field.kind == "several" else filter(None, [value])
            found |= dict.fromkeys(chosen, (question.pending.offers[0].id,))
        elif value != NO_CHOICE:
            found[field.name] = (value,)
    return found


def _lines(asking: QuestionContext, pending: Pending) -> Fields:
    """Return a field for the log's lines, or sections, that can be chosen."""
    options = tuple(_standing(asking, pending.keys))
    label = _("Choose all that apply")
    return (QuestionField(ANSWER, label, "several", options, 0, len(options)),)


def _standing(asking: QuestionContext, places: Iterable[str]) -> Iterator[FieldOption]:
    state, names = asking.replay.state, asking.names
    for place in places:
        section, point, line_id = place.partition(".")
        if not point:
            yield FieldOption(place, names.section(section))
            continue
        line = next(
            each
            for each in state.section(section).lines
            if each.id == line_id and not each.crossed_out
        )
        yield FieldOption(
            place, f"{names.section(section)}: {names.line(section, line)}"
        )


def _holders(asking: QuestionContext, pending: Pending) -> Fields:
    """Return fields for who has each thing, which may be left as it is."""
    names = asking.names
    options = (
        FieldOption(NO_CHOICE, _("as it is")),
        *(FieldOption(each.id, _holder(names, each.id)) for each in pending.offers),
    )
    return tuple(
        QuestionField(
            key,
            names.choice(pending.scenario, pending.step, key),
            "pick",
            options,
            is_needed=False,
            hint=", ".join(map(names.card, owners_of_line(asking.replay.state, key))),
        )
        for key in pending.keys
    )


def _holder(names: CampaignNames, code: str) -> str:
    return _("No one") if code == NO_ONE else names.card(code)


def _card_counts(asking: QuestionContext, pending: Pending) -> Fields:
    """Return fields for the copies of each card in each deck, as far as known."""
    names, state = asking.names, asking.replay.state
    return tuple(
        QuestionField(
            f"{code}.{card}",
            names.card(card),
            "number",
            (),
            0,
            most,
            initial=str(copies_in(state, code, card)),
            group=names.card(code),
        )
        for code in pending.codes
        for card, _least, most in pending.limits
    )


def _copies(question: FormQuestion, cleaned: Cleaned) -> dict[str, Any]:
    """Return the copies of cards in decks whose number has changed."""
    found: dict[str, dict[str, int]] = {}
    for field in question.fields:
        code, _dot, card = field.name.partition(".")
        if cleaned[field.name] != int(field.initial):
            found.setdefault(code, {})[card] = cleaned[field.name]
    return found


CARDS: Rows = {
    ("card_choice", "string_choices"): QuestionKind(_cards, _cards_chosen),
    ("card_choice", "choice_list"): QuestionKind(number_fields, number_of_each),
    ("card_counts", "supplies"): QuestionKind(_card_counts, _copies),
    ("choose_lines", "string_choices"): QuestionKind(_lines, named("chosen")),
    ("holders", "string_choices"): QuestionKind(_holders, of_each),
}


def own_lines(asking: QuestionContext) -> list[CardLine]:
    """Return the cards of decks that the visitor may report on."""
    return [line for line in asking.lines if line.investigator in asking.own]


def of_others(asking: QuestionContext, line: CardLine) -> str:
    """Return what another player's card gave, or that they must still enter it."""
    values = {
        "who": asking.names.card(line.investigator),
        "card": line.name,
        "amount": line.amount,
    }
    if line.is_reported:
        return _("%(who)s: %(amount)d experience from %(card)s.") % values
    return _("%(who)s still has to enter the experience from %(card)s.") % values


def line_name(line: CardLine) -> str:
    """Return the name of a card's field."""
    return f"card.{line.investigator}.{line.card}"


def card_line(asking: QuestionContext, line: CardLine) -> QuestionField:
    """Return the field for the experience from a card."""
    who = asking.names.card(line.investigator)
    label = _("%(who)s: experience from %(card)s") % {"who": who, "card": line.name}
    amount, hint = str(line.amount), line.hint
    return QuestionField(
        line_name(line), label, "number", (), -99, 99, initial=amount, hint=hint
    )


def deck_fields(asking: QuestionContext) -> Fields:
    """Return a field for each card of a deck that the visitor may report on."""
    return tuple(card_line(asking, line) for line in own_lines(asking))


def card_gains(
    asking: QuestionContext, question: FormQuestion, data: QueryDict
) -> dict[str, dict[str, int]]:
    """Return the experience cards gave, by investigator and card. Raises Misfilled."""
    if not question.is_upgrade:
        return {}
    form = QuestionForm(asking, question, data)
    form.full_clean()
    for name, amount in [*form.cleaned_data.items()]:
        if abs(amount) > MOST_EARNED:
            form.add_error(
                name,
                _("Enter a number from −%(most)d to %(most)d.") % {"most": MOST_EARNED},
            )
    cleaned = form.read()
    found: dict[str, dict[str, int]] = {}
    for line in own_lines(asking):
        if line_name(line) in cleaned:
            found.setdefault(line.investigator, {})[line.card] = cleaned[
                line_name(line)
            ]
    return found
