"""Judges whether an answer fits the question that is asked.

Answers are judged before they are added to the log; the fold itself accepts whatever it
can make sense of.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from arkham.rules.campaign.asking import (
    GUIDE,
    AnswerContext,
    Pending,
    not_offered,
    out_of_bounds,
)
from arkham.rules.campaign.judging.roster import Roster
from arkham.rules.campaign.prompts import PROMPTS, kind_of
from arkham.rules.campaign.prompts.kinds import AnswerNames
from arkham.rules.campaign.prompts.supplies import HARMS
from arkham.rules.campaign.state.answers import Answer
from arkham.rules.campaign.state.lookup import Limit
from arkham.rules.campaign.state.state import State
from arkham.rules.finding import (
    Finding,
    Rule,
    Severity,
    faq,
    ngettext_noop,
    rule,
    rules_reference,
)
from arkham.rules.finding import gettext_noop as _


@rule("answer.not-asked", rows=("CAMP-03",), cites=GUIDE)
def is_asked(given: AnswerContext) -> Iterator[Finding]:
    """An answer answers the question the guide asks next, in the form it asks for."""
    asked = given.pending
    if asked is not None and asked.is_from_linked:
        yield Finding(_("The other campaign answers this."), actual=given.answer.kind)
        return
    if given.fits:
        return
    expected = f"{asked.kind} {asked.step}".strip() if asked else "nothing"
    yield Finding(
        _("This isn’t the question the campaign asks now."),
        actual=f"{given.answer.kind} {given.answer.step}".strip(),
        expected=expected,
    )


@rule("answer.choice", rows=("CAMP-24",), cites=GUIDE)
def can_be_had(given: AnswerContext) -> Iterator[Finding]:
    """You can choose only an option or resolution that is offered now."""
    asked, value = given.pending, given.answer.value
    if not given.fits or asked is None:
        return
    if asked.kind == "choice":
        numbers = [offer.number for offer in asked.open_offers]
        ids = [offer.id for offer in asked.open_offers]
        if value not in numbers:
            yield not_offered(value, ids)
        elif given.answer.choice and given.answer.choice not in ids:
            yield not_offered(given.answer.choice, ids)
    elif asked.kind == "string_choices" and asked.by_code:
        offered = dict(asked.by_code)
        for code in given.keys:
            for choice in value[code]:
                if code in offered and choice not in offered[code]:
                    yield not_offered(choice, offered[code], code)
    elif asked.others:
        for key in given.keys:
            if _is_left_out(asked, key):
                yield not_offered(key, asked.keys)
    elif kind_of(asked).names is AnswerNames.THINGS:
        listed = list(asked.keys) or [offer.id for offer in asked.offers]
        for key in given.keys:
            if key not in listed:
                yield not_offered(key, listed)


def _is_left_out(asked: Pending, card: str) -> bool:
    """Return whether a card is neither listed nor among the other cards meant."""
    if card in asked.keys or not asked.queries:
        return False
    return all(card in query.excluded for query in asked.queries)


@rule("answer.number", rows=("LOG-02",), cites=GUIDE)
def within_bounds(given: AnswerContext) -> Iterator[Finding]:
    """A number is between the lowest and the highest the guide allows."""
    asked, value = given.pending, given.answer.value
    if not given.fits or asked is None:
        return
    if given.answer.kind == "count":
        numbers = [("", 0, value)]
    elif asked.kind == "choice_list":
        # For cards in the victory display only the copies; the points come second.
        so_many = 1 if asked.is_display else None
        numbers = [
            (code, place, each)
            for code, all_ in value.items()
            for place, each in enumerate(all_[:so_many])
        ]
    else:
        return
    low, high = asked.least, asked.most
    if kind_of(asked).names is AnswerNames.THINGS:
        low, high = 0, None  # these limit how many are named
    copies = {card.code: card.copies for card in asked.worth}
    limits = {code: (least, most) for code, least, most in asked.limits}
    for code, place, number in numbers:
        own = limits.get(f"{code}.{HARMS[min(place, 1)]}") or limits.get(code)
        least, most = own or (low, copies.get(code, high))
        wrong = out_of_bounds(number, least, most, code)
        if wrong is not None:
            yield wrong
    if kind_of(asked).in_all:
        total = sum(number for *_code, number in numbers)
        wrong = out_of_bounds(total, asked.least, asked.most, is_total=True)
        if wrong is not None:
            yield wrong


@rule("answer.person", rows=("TRA-08", "CAMP-01"), cites=(rules_reference("Trauma"),))
def may_answer(given: AnswerContext) -> Iterator[Finding]:
    """Investigators who aren't asked don't answer, nor do those killed or driven
    insane."""
    asked = given.pending
    if not given.fits or asked is None:
        return
    if not asked.codes and kind_of(asked).names is not AnswerNames.PEOPLE:
        return  # the answer names things, or new players
    for code in given.keys:
        if code not in asked.codes:
            yield Finding(
                _("This question isn’t for this investigator."),
                cards=(code,),
                actual=code,
                expected=", ".join(asked.codes),
            )


@rule("answer.everybody", rows=("ELIM-14",), cites=GUIDE)
def all_have_answered(given: AnswerContext) -> Iterator[Finding]:
    """If each investigator is asked, each one answers."""
    asked = given.pending
    if not given.fits or asked is None or not asked.each:
        return
    able = [code for code, ids in asked.by_code if ids]
    if not asked.by_code:
        able = list(asked.codes)
    missing = [code for code in able if code not in given.keys]
    if missing:
        yield Finding(
            _("Not every investigator has answered yet."),
            Severity.INCOMPLETE,
            cards=tuple(missing),
            actual=len(given.keys),
            expected=len(able),
        )


@rule("answer.how-many", rows=("CAMP-03",), cites=GUIDE)
def so_many(given: AnswerContext) -> Iterator[Finding]:
    """You choose as many as the guide asks for."""
    asked = given.pending
    if not given.fits or asked is None or asked.kind != "string_choices" or asked.each:
        return
    count = len(given.keys)
    if asked.least is not None and count < min(asked.least, _able(asked)):
        yield Finding(
            ngettext_noop(
                "Choose at least {bound}.", "Choose at least {bound}.", "bound"
            ),
            Severity.INCOMPLETE,
            actual=count,
            expected=asked.least,
            values=(("count", count), ("bound", asked.least)),
        )
    if asked.most is not None and count > asked.most:
        yield Finding(
            ngettext_noop(
                "You chose {count}; choose at most {bound}.",
                "You chose {count}; choose at most {bound}.",
                "count",
            ),
            actual=count,
            expected=asked.most,
            values=(("count", count), ("bound", asked.most)),
        )


def _able(asked: Pending) -> int:
    if kind_of(asked).names is AnswerNames.PEOPLE:
        return sum(bool(ids) for _code, ids in asked.by_code) or len(asked.codes)
    return len(asked.offers) or len(asked.keys) or len(asked.codes)


@rule("answer.each-one", rows=("ELIM-14", "TRA-02", "STAND-02"), cites=GUIDE)
def each_says_so_many(given: AnswerContext) -> Iterator[Finding]:
    """Each investigator gives one answer, or one card for each they drew."""
    asked = given.pending
    if not given.fits or asked is None or asked.kind != "string_choices":
        return
    if not kind_of(asked).says_each:
        return
    for code, said in given.answer.value.items():
        if len(said) != asked.many:
            yield Finding(
                _("{found} answers given; {count} expected."),
                cards=(code,),
                actual=len(said),
                expected=asked.many,
                values=(("found", len(said)), ("count", asked.many)),
            )


@rule(
    "answer.banished",
    rows=("ULT-14", "ULT-46"),
    cites=(faq("Ultimatum of The Scream"), faq("Ultimatum of Spoilage")),
)
def is_not_banished(given: AnswerContext) -> Iterator[Finding]:
    """You can't choose a card again that was lost for the campaign."""
    gone = given.state.banished
    if not gone or not given.fits:
        return
    value = given.answer.value
    named = [each for many in value.values() for each in many] if given.keys else []
    for card in gone:
        if card in given.keys or card in named:
            yield Finding(_("This card is lost for the campaign."), cards=(card,))


_OF_ALL: tuple[Rule[AnswerContext], ...] = (
    is_asked,
    can_be_had,
    within_bounds,
    may_answer,
    all_have_answered,
    so_many,
    each_says_so_many,
)
_OF_EACH_PROMPT = dict.fromkeys(own for kind in PROMPTS.values() for own in kind.rules)
ANSWER_RULES: tuple[Rule[AnswerContext], ...] = (
    *_OF_ALL,
    *_OF_EACH_PROMPT,
    is_not_banished,
)


def findings_of(
    answer: Answer,
    pending: Pending | None,
    state: State,
    limits: tuple[Limit, ...] = (),
    unspent: Mapping[str, int] | None = None,
) -> tuple[Finding, ...]:
    """Return all findings against an answer.

    ``limits`` are those of the victory display, ``unspent`` is the experience of those
    who answer, as far as it is known.
    """
    gone = Roster(state).gone
    given = AnswerContext(answer, pending, state, limits, unspent or {}, gone)
    own = kind_of(pending).rules if pending is not None else ()
    rules = (*_OF_ALL, *own, is_not_banished)
    return tuple(finding for each in rules for finding in each(given))
