"""Judge an answer or a fact at a table, against its state now or earlier."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping

from arkham.rules.campaign import judging
from arkham.rules.campaign.asking import with_choice
from arkham.rules.campaign.interpreter.replay import Replay
from arkham.rules.campaign.model.scenario_steps import CHOOSE_INVESTIGATORS
from arkham.rules.campaign.state import answers
from arkham.rules.campaign.state.answers import (
    Answer,
    Asserted,
    Fact,
    SideScenario,
    Stated,
    effective,
)
from arkham.rules.campaign.state.lookup import Limit
from arkham.rules.finding import Finding, Severity
from arkham.rules.finding import gettext_noop as _
from arkham.rules.upgrade.facts import copies_by_card
from campaigns.log.entries import folded
from campaigns.log.replays import Folded, folded_over
from campaigns.models import Campaign
from campaigns.people.rights import EntryRefused
from campaigns.questions.cards import unknown_cards
from campaigns.questions.display import limits_at, misvalued
from campaigns.settling.cards import at_most_by_cards, with_decks
from campaigns.settling.outcome import total_experience, unsettled
from campaigns.settling.terms import decks_of, misnamed
from cardpool.catalog import current_pool
from decks.models import Deck
from decks.queries import latest
from decks.services.beginning import to_spend
from decks.services.ledger import bought_after


def unspent_of(
    campaign: Campaign, known: Folded, then: Replay, given: Answer
) -> dict[str, int]:
    """Return the payers' experience when the question was asked, as of ``then``.

    What they earned or bought in later games doesn't count.
    """
    now, place = _unspent(campaign, then, given), _place(known, given)
    if then is known.replay or not now or not place:
        return now
    moment = campaign.entries.get(sequence=place).recorded_at
    return {
        seat.investigator: now[seat.investigator]
        + total_experience(then, seat.investigator)
        - total_experience(known.replay, seat.investigator)
        + bought_after(seat.deck, moment)
        for seat in with_decks(campaign, now)
        if seat.deck is not None
    }


def _unspent(campaign: Campaign, replay: Replay, given: Answer) -> dict[str, int]:
    """Return the experience of those who pay for something, if their decks are here.

    For a side scenario these are the last players as it begins, and then those who are
    to play it; else the people asked, with what they earned that is not yet settled in
    their decks.
    """
    asked = replay.pending
    if asked is not None and asked.prices and asked.is_answered_by(given):
        left = _left_in_decks(campaign, asked.codes)
        return {
            seat.investigator: left[seat.investigator]
            + unsettled(replay, seat.investigator)
            + at_most_by_cards(seat, replay, asked)
            for seat in with_decks(campaign, left)
        }
    if isinstance(given.value, SideScenario):
        paying = replay.state.alive()
    elif given.step == CHOOSE_INVESTIGATORS and given.kind == "string_choices":
        paying = [*given.value]
    else:
        return {}
    return _left_in_decks(campaign, paying)


def _left_in_decks(campaign: Campaign, paying: Iterable[str]) -> dict[str, int]:
    seats = campaign.seats.filter(deck__isnull=False, investigator__in=[*paying])
    decks = {
        seat.investigator: seat.deck
        for seat in seats.select_related("deck")
        if seat.deck is not None
    }
    held = Deck.objects.filter(pk__in=[deck.pk for deck in decks.values()])
    left = {each.deck_id: to_spend(each) for each in latest(held)}
    return {code: left.get(deck.pk, 0) for code, deck in decks.items()}


def cards_of(campaign: Campaign, paying: Collection[str]) -> dict[str, Counter[str]]:
    """Return the cards in the decks of a table if anyone pays for something."""
    decks, pool = decks_of(campaign) if paying else {}, current_pool()
    held = {code: each.deck["slots"] for code, each in decks.items()}
    return {code: copies_by_card(slots, pool) for code, slots in held.items()}


def judge(
    given: answers.Entry,
    known: Folded,
    unspent: Mapping[str, int] | None = None,
    limits: tuple[Limit, ...] = (),
    cards: Mapping[str, Collection[str]] | None = None,
) -> None:
    """Raise EntryRefused if any finding is more severe than advice."""
    log_before = tuple(folded(known.entries))
    found = judging.findings_of(given, known.replay, log_before, unspent, limits, cards)
    if not found and isinstance(given, Answer | Stated):
        found = _misnamed(given, known.replay)
    if any(each.severity is not Severity.ADVICE for each in found):
        raise EntryRefused(*found)


def judged_again(campaign: Campaign, known: Folded, given: Answer) -> Answer:
    """Judge an answer by what was asked when the question was first answered."""
    if given.kind in _STARTS:
        before = _before(campaign, known, given)
        unspent = unspent_of(campaign, known, before.replay, given)
        judge(given, before, unspent, cards=cards_of(campaign, unspent))
        return given
    asked = replay_asking(campaign, known, given)
    if asked is None or asked.pending is None:
        # Answers that need no question.
        unknown = unknown_cards(given, known.replay, current_pool())
        by_hand = judging.EnteredByHand(given, known.replay)
        if found := (*unknown, *judging.is_within_health(by_hand)):
            raise EntryRefused(*found)
        return given
    limits = limits_at(campaign, asked.pending, asked.state)
    unspent = unspent_of(campaign, known, asked, given)
    cards = cards_of(campaign, unspent)
    judge(given, known._replace(replay=asked), unspent, limits, cards)
    return with_choice(given, asked.pending)


def _misnamed(given: Answer | Stated, asked: Replay) -> tuple[Finding, ...]:
    """Return findings on the cards an answer names, by what is printed on them."""
    pool = current_pool()
    found = unknown_cards(given, asked, pool)
    if found or not isinstance(given, Answer):
        return found
    return misnamed(given, asked.pending) or misvalued(given, asked.pending, pool)


_STARTS = frozenset({"start_scenario", "start_side_scenario"})


def _before(campaign: Campaign, known: Folded, given: Answer) -> Folded:
    """Return the campaign as a scenario begins: with all entries before it in force.

    Corrected entries, or those given again after a return, come later in the log.
    """
    order = [each.id for each in known.replay.scenarios]
    if given.scenario in order:
        order = order[: order.index(given.scenario)]
    entries = tuple(
        entry
        for entry in entries_in_force(known).values()
        if entry.scenario in ("", *order)
        and not (isinstance(entry, Answer) and entry.question == given.question)
    )
    return Folded(entries, folded_over(campaign, entries), known.last, "")


def _place(known: Folded, given: Answer) -> int:
    """Return the number of a question's first answer, else of its scenario's first."""
    answers = [each for each in known.entries if isinstance(each, Answer)]
    first = [each for each in answers if each.question == given.question]
    first = first or [each for each in answers if each.scenario == given.scenario]
    return min((each.sequence for each in first), default=0)


def replay_asking(campaign: Campaign, known: Folded, answer: Answer) -> Replay | None:
    """Return the campaign as it was when an answer's question was asked.

    None if no question asks for it, such as for answers allowed at any time.
    """
    without = [
        entry
        for entry in known.entries
        if not isinstance(entry, Answer) or entry.question != answer.question
    ]
    asked = folded_over(campaign, without)
    if asked.pending is None or asked.pending.question != answer.question:
        return None
    return asked.as_asked


def require_begun(scenario: str, known: Folded) -> None:
    """Raise EntryRefused if a scenario has not begun."""
    if scenario not in known.replay.begun:
        raise EntryRefused(not_begun(scenario))


def judge_stated(campaign: Campaign, known: Folded, fact: Fact) -> None:
    """Refuse a fact that means nothing or that the rules make impossible.

    It is judged with the facts already stated for the end of its scenario, even if the
    scenario goes on: a killed investigator earns nothing.
    """
    over = judging.as_if_over(known.replay, fact.scenario)
    judge(fact, known._replace(replay=over))
    if isinstance(fact, Asserted):
        return
    new = fact._replace(sequence=known.last + 1)
    after = folded_over(campaign, (*known.entries, new), after=known.replay)
    after = judging.as_if_over(after, fact.scenario)
    had = {(each.rule, each.scenario, each.found) for each in over.problems}
    found = dict.fromkeys(
        Finding(_("This isn’t possible."), rule=each.rule, actual=each.found)
        for each in after.problems
        if (each.rule, each.scenario, each.found) not in had
    )
    if found:
        raise EntryRefused(*found)


def entries_in_force(known: Folded) -> dict[int, answers.EffectiveEntry]:
    """Return the answers and facts in force, by their number in the log."""
    return {each.sequence: each for each in effective(folded(known.entries))}


def not_begun(scenario: str) -> Finding:
    """Return the finding that a scenario has not begun."""
    return Finding(
        _("This scenario hasn’t begun."), rule="log.scenario", actual=scenario
    )
