"""What was filled in below the victory display → its cards, and the answer it gives."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from django.http import QueryDict
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from arkham.rules.campaign.asking import Pending
from arkham.rules.campaign.by_hand.displays import printed_points
from arkham.rules.campaign.state.answers import Answer
from arkham.rules.campaign.state.victory import TOTAL, ShownDisplay
from arkham.rules.pool import CardPool
from campaigns.questions.display import (
    TOTAL_REASON,
    display_answer,
    display_told,
    points_by,
)
from campaigns.questions.field_reading import (
    LONGEST_WORDS,
    Misfilled,
    lines_in,
    number_in,
)
from campaigns.questions.question import OTHERS, Asking, Question
from campaigns.words.names import Names
from cardpool.misspelt import meant, with_meant
from decks.lists.content import whole


def display_of(asking: Asking, question: Question, data: QueryDict) -> Answer:
    """The answer: cards, a total with its reason, or a number. Raises Misfilled."""
    shown = shown_in(asking, question, data)
    reason = whole(data.get(TOTAL_REASON, "")).strip()[:LONGEST_WORDS]
    if shown.cards and shown.is_corrected and not reason:
        told = _("%(points)s: say why the total is another one.")
        raise Misfilled(TOTAL_REASON, told % {"points": come_to(shown)})
    return display_answer(question.pending, shown, reason)


def come_to(shown: ShownDisplay) -> str:
    """What the cards that are named come to."""
    told = ngettext(
        "These cards come to %(count)d victory point",
        "These cards come to %(count)d victory points",
        shown.counted,
    )
    return told % {"count": shown.counted}


def shown_in(asking: Asking, question: Question, data: QueryDict) -> ShownDisplay:
    """The victory display as it is filled in. Raises Misfilled."""
    copies: Counter[str] = Counter()
    total = None
    for field in question.fields:
        if field.name == OTHERS:
            for name in lines_in(field, data):
                copies[_code_of(name, question.pending, asking.names)] += 1
        elif field.name != TOTAL_REASON and data.get(field.name, "").strip():
            number = 1 if field.kind == "tick" else number_in(field, data)
            if field.name == TOTAL:
                total = number
            else:
                copies[field.name] += number
    return display_told(asking, question.pending, copies, total)


def named_as(code: str, pending: Pending, pool: CardPool) -> str:
    """By what a card is filled in: its name, or its code where that is another's."""
    card = pool.get_card(code)
    name = card.name if card is not None else code
    return name if _worth(_called(name, pending, pool), pending, pool) == code else code


def _code_of(name: str, pending: Pending, names: Names) -> str:
    """The card of this name, or code, that has victory points. Raises Misfilled."""
    pool = names.pool
    called = [*_called(name, pending, pool)] or [*_called_in_full(name, names)]
    if (code := _worth(called, pending, pool)) is not None:
        return code
    if called:
        told = _("“%(name)s” has no victory points.") % {"name": name[:60]}
        raise Misfilled(OTHERS, told)
    points = points_by(pending, pool)
    known = (card.name for code, card in pool.items() if points(code) is not None)
    told = _("No card is called “%(name)s”.") % {"name": name[:60]}
    raise Misfilled(OTHERS, with_meant(told, meant(name, known)))


def _worth(codes: Iterable[str], pending: Pending, pool: CardPool) -> str | None:
    """The first of these cards that has victory points."""
    points = points_by(pending, pool)
    return next((code for code in codes if points(code) is not None), None)


def _called_in_full(name: str, names: Names) -> Iterator[str]:
    """The cards with points that are called so where a page tells them apart."""
    wanted = name.casefold()
    for code in printed_points():
        if names.card(code).casefold() == wanted:
            yield code


def _called(name: str, pending: Pending, pool: CardPool) -> Iterator[str]:
    """The cards of this name, or code; first those expected."""
    if name in pool:
        yield name
    wanted = name.casefold()
    for each in pending.worth:
        card = pool.get_card(each.code)
        if card is not None and card.name.casefold() == wanted:
            yield each.code
    yield from (card.code for card in pool.values() if card.name.casefold() == wanted)
