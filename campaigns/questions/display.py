"""The fields of a victory display, and the display they describe.

Cards of the scenario are ticked or counted, others are named, and a different total
needs a reason. Cards already named in the same game are filled in.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Set

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from arkham.rules.campaign.asking import Pending
from arkham.rules.campaign.by_hand.scenarios import printed_points
from arkham.rules.campaign.model.prompts import Worth
from arkham.rules.campaign.state.answers import COUNTED, LISTED, Answer
from arkham.rules.campaign.state.lookup import (
    TOTAL,
    DisplayedCard,
    Limit,
    ShownDisplay,
    limits_under,
    shown_by,
)
from arkham.rules.campaign.state.state import State
from arkham.rules.finding import Finding, gettext_noop
from arkham.rules.pool import CardPool
from arkham.rules.vocabulary import CardType, is_digits
from campaigns.models import Campaign
from campaigns.questions.question import (
    MOST_COPIES,
    OTHERS,
    Fields,
    QuestionContext,
    QuestionField,
)
from campaigns.settling.terms import read_terms
from campaigns.words.names import CampaignNames
from cardpool.catalog import current_pool


def limits_at(
    campaign: Campaign, pending: Pending | None, state: State
) -> tuple[Limit, ...]:
    """Return the taboo list's limits if every player follows one.

    The documents don't say whether a list binds players who follow none (VIC-05).
    """
    if pending is None or not pending.is_display:
        return ()
    terms, pool = read_terms(campaign.terms), current_pool()
    named = {terms.taboos.get(code, terms.taboo) for code in state.players}
    if not named or not all(is_digits(each) for each in named):
        return ()
    lists = [pool.taboo_list(each) for each in named]
    under = {limits_under(each, pool) if each else () for each in lists}
    return under.pop() if len(under) == 1 else ()


TOTAL_REASON = "total_reason"
_ON_THE_BACK = gettext_lazy("On the back of another card")
_OF_PLAYERS = gettext_lazy("Player cards")
_MORE = gettext_lazy("Other cards")
# Headings of the cards, in order; player cards and backs come last.
_GROUPS: Mapping[CardType, str | Promise] = {
    CardType.ENEMY: gettext_lazy("Enemies"),
    CardType.ENEMY_LOCATION: gettext_lazy("Enemies"),
    CardType.LOCATION: gettext_lazy("Locations in play, revealed and without clues"),
}


def display_fields(asking: QuestionContext, pending: Pending) -> Fields:
    """Return the cards with their points; the total is counted unless entered."""
    names = Counter(asking.names.card(card.code) for card in pending.worth)
    before = listed_before(asking, pending)
    cards = [_card(asking, card, names, card.code in before) for card in pending.worth]
    listed = {each.code for each in pending.worth}
    besides = [asking.names.card(code) for code in before if code not in listed]
    order = [*dict.fromkeys(map(str, _GROUPS.values())), str(_MORE)]
    order += [str(_OF_PLAYERS), str(_ON_THE_BACK)]
    cards.sort(key=lambda field: order.index(field.group))
    return (
        *cards,
        QuestionField(
            OTHERS,
            _("Other cards with victory points, one per line"),
            "cards",
            is_needed=False,
            initial="\n".join(besides),
            folded=any(card.copies is not None for card in pending.worth),
        ),
        QuestionField(
            TOTAL, _total_asked(pending), "number", (), 0, MOST_COPIES, False
        ),
        QuestionField(
            TOTAL_REASON, _("Why the total is different"), "line", (), None, 300, False
        ),
    )


def _total_asked(pending: Pending) -> str:
    """Return the label of the total; player cards alone never make it up."""
    if all(card.copies is None for card in pending.worth):
        return _("The total (we don’t know the cards of this scenario)")
    return _("Corrected total")


def _card(
    asking: QuestionContext, card: Worth, names: Counter[str], is_listed: bool
) -> QuestionField:
    """Return a card's field with its points, and its subtitle if names repeat."""
    points = ngettext("%(number)d point", "%(number)d points", card.points)
    hint = points % {"number": card.points}
    label = asking.names.card(card.code)
    if label in asking.displayed:
        hint = _("%(points)s, in a deck at this table") % {"points": hint}
    printed = asking.names.pool.get_card(card.code)
    if names[label] > 1 and printed is not None and printed.subname:
        label = f"{label}: {printed.subname}"
    group = _group(asking, card, is_listed)
    in_decks = 2 * (len(asking.replay.state.players) or 1)  # DECK-05
    return QuestionField(
        card.code,
        label,
        "tick" if card.copies == 1 else "number",
        (),
        0,
        card.copies or in_decks,
        False,
        "1" if is_listed else "",
        hint,
        group,
        folded=group == str(_ON_THE_BACK),
    )


def _group(asking: QuestionContext, card: Worth, is_listed: bool) -> str:
    """Return a card's heading; backs that weren't listed yet have their own."""
    if card.copies is None:
        return str(_OF_PLAYERS)
    printed = asking.names.pool.get_card(card.code)
    if printed is None:
        return str(_MORE)
    if printed.hidden and not is_listed:
        return str(_ON_THE_BACK)
    return str(_GROUPS.get(printed.type, _MORE))


# -- answers given before --


def listed_before(asking: QuestionContext, pending: Pending) -> tuple[str, ...]:
    """Return the cards that earlier answers of this game put into the display."""
    codes = dict.fromkeys((*(card.code for card in pending.worth), *printed_points()))
    found: list[str] = []
    for answer in asking.replay.used:
        if isinstance(answer, Answer) and answer.scenario == pending.scenario:
            found += _said_by(answer, asking.names, codes)
    return tuple(dict.fromkeys(found))


def _said_by(
    answer: Answer, names: CampaignNames, codes: Iterable[str]
) -> Iterable[str]:
    """Return the cards an answer names for the display, by the step's text."""
    if answer.kind not in ("string_choices", "decision") or not answer.value:
        return ()
    words = names.words.step(answer.scenario, answer.step)
    asked = " ".join(str(words.get(each, "")) for each in ("prompt", "title", "text"))
    if _NAMES_IT not in asked.casefold():
        return ()
    if answer.kind == "string_choices":
        return [code for code in codes if code in answer.value]
    by_name: dict[str, str] = {}
    for code in codes:
        card = names.pool.get_card(code)
        if card is not None and re.search(rf"\b{re.escape(card.name)}\b", asked):
            by_name.setdefault(card.name, code)
    return by_name.values()


_NAMES_IT = "victory display"  # in the texts of a guide


# -- values entered --


def display_from(
    asking: QuestionContext,
    pending: Pending,
    copies: Mapping[str, int],
    total: int | None,
) -> ShownDisplay:
    """Return the display as entered: copies of each card, and perhaps a total."""
    value: dict[str, tuple[int, ...]] = {
        code: (count,) for code, count in copies.items() if count
    }
    if total is not None:
        value[TOTAL] = (total,)
    given = Answer(LISTED, pending.scenario, pending.step, value)
    return shown_by(given, points_by(pending, asking.names.pool))


def display_answer(pending: Pending, shown: ShownDisplay, reason: str) -> Answer:
    """Return the answer for a display; just a number if no card is named.

    Cards unknown to the facts are given with their points.
    """
    place = pending.scenario, pending.step
    if not shown.cards and shown.stated is not None and not reason:
        return Answer(COUNTED, *place, shown.stated)
    known = {card.code for card in pending.worth} | printed_points().keys()
    value = {each.code: _numbers(each, known) for each in shown.cards}
    if not shown.is_corrected:
        return Answer(LISTED, *place, value)
    return Answer(LISTED, *place, {**value, TOTAL: (shown.total,)}, reason=reason)


def _numbers(card: DisplayedCard, known: Set[str]) -> tuple[int, ...]:
    return (card.copies,) if card.code in known else (card.copies, card.points)


def points_by(pending: Pending, pool: CardPool) -> Callable[[str], int | None]:
    """Return a function for a card's points: as expected, from facts, or printed."""
    listed = {card.code: card.points for card in pending.worth}

    def points(code: str) -> int | None:
        found = listed.get(code, printed_points().get(code))
        card = pool.get_card(code) if found is None else None
        return card.victory if card is not None else found

    return points


def misvalued(
    given: Answer, pending: Pending | None, pool: CardPool
) -> tuple[Finding, ...]:
    """Return findings on points that differ from those printed on a card."""
    if pending is None or not pending.is_display or given.kind != LISTED:
        return ()
    points = points_by(pending, pool)
    return tuple(
        Finding(
            gettext_noop(
                "The victory points printed on the card {card} are different."
            ),
            rule="answer.display-points",
            cards=(code,),
            actual=numbers[1],
            expected=points(code),
            values=(("card", code),),
        )
        for code, numbers in given.value.items()
        if len(numbers) > 1 and points(code) != numbers[1]
    )
