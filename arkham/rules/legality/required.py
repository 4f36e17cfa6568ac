"""Rules on the signature cards that a deck must include."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

from arkham.rules.card import Card
from arkham.rules.finding import (
    Finding,
    Phrase,
    Remedy,
    Severity,
    Value,
    faq,
    gettext_noop,
    ngettext_noop,
    rule,
    rules_reference,
)
from arkham.rules.legality.built import BuiltDeck
from arkham.rules.legality.standing import CardRole
from arkham.rules.legality.tally import UNMET_SIGNATURES, Concern, wakes
from arkham.rules.legality.verdict import by_card, must_leave
from arkham.rules.modifiers import SideRow
from arkham.rules.vocabulary import Mode, SignatureKind

_SIGNATURES = (faq("Signature Cards"),)


@rule(
    "required.side-cards",
    rows=("DECK-08", "DECK-12", "DECK-19"),
    cites=_SIGNATURES,
    wakes=wakes(Concern.SIGNATURES_VARY),
)
def side_cards(built: BuiltDeck) -> Iterator[Finding]:
    """If a side of the investigator adds cards, the deck has the number that side says.

    Directives, the Tidal Memento, Disciplines. One that a campaign permanently removed
    is no longer required, and no other replaces it.
    """
    for row in built.frame.side_rows:
        if row.among:
            yield from _side_row(built, row)


def _side_row(built: BuiltDeck, row: SideRow) -> Iterator[Finding]:
    held = {
        code: copies
        for code in row.among
        if (copies := built.signatures_held.get(code, 0))
    }
    there = sum(built.signatures_aside.get(code, 0) for code in row.among)
    there += sum(held.values())
    lost = len(built.frame.lost.intersection(row.among))
    least, most = (max(n - lost, 0) for n in (row.least, most_beside(built, row)))
    left = tuple(code for code in held if code not in built.frame.lost)
    if there < least:
        yield _too_few(built, row, there, least)
    if len(left) > most:
        yield _too_many(built, row, left, most)
    for code, copies in held.items():
        if code in built.frame.lost:
            yield _lost(built, row, code, copies)
        elif copies > 1:
            yield _twice(built, row, code, copies, len(held))
    if row.weakness:
        yield from _weakness_for_each(built, row, max(len(held), least), lost)
    unknown = built.circumstances.experience_earned is None
    if unknown and built.frame.mode is Mode.CAMPAIGN and row.per_experience:
        yield from _earned_assumed(row, tuple(held))


def most_beside(built: BuiltDeck, row: SideRow) -> int:
    """The most of the cards a side adds that may be in the deck by now."""
    if not row.per_experience:
        return row.most
    earned = built.circumstances.experience_earned
    if earned is None and built.frame.mode is Mode.START:
        earned = 0
    elif earned is None and built.frame.mode is Mode.STANDALONE:
        by_total = built.frame.rulings["standalone.disciplines"] == "by-total"
        earned = built.standalone_total if by_total else 0
    if earned is None:
        return row.most
    return min(row.most, row.least + earned // row.per_experience)


def _side_words(card: Card) -> Value:
    """An investigator's name, marked if the side is parallel."""
    facts = card.investigator
    if facts is None or not facts.parallel:
        return card.name
    return Phrase(gettext_noop("{name} (parallel)"), (("name", card.name),))


def _too_few(built: BuiltDeck, row: SideRow, count: int, least: int) -> Finding:
    choices = ", ".join(built.name_of(code) for code in row.among)
    return Finding(
        gettext_noop(
            "{investigator} must include {least} of {choices}; the deck has {count}."
        )
        if row.among[1:]
        else gettext_noop("{investigator} must include {choices}."),
        severity=Severity.INCOMPLETE,
        cards=row.among,
        actual=count,
        expected=least,
        remedy=Remedy("add", row.among, least - count),
        remedy_text=gettext_noop("Add {missing} of them.")
        if row.among[1:]
        else gettext_noop("Add {choices}."),
        values=(
            ("count", count),
            ("least", least),
            ("missing", least - count),
            ("choices", choices),
            ("investigator", _side_words(built.frame.pool[row.code])),
        ),
        cites=row.cites,
    )


def _too_many(
    built: BuiltDeck, row: SideRow, held: tuple[str, ...], most: int
) -> Finding:
    listed = tuple(code for each in held for code in built.listed_as(each))
    return Finding(
        gettext_noop("At most {most} of these cards may be in the deck: {names}."),
        cards=listed,
        actual=len(held),
        expected=most,
        remedy=Remedy("remove", listed, len(held) - most),
        remedy_text=gettext_noop("Remove {surplus} of them."),
        values=(
            ("most", most),
            ("surplus", len(held) - most),
            ("names", ", ".join(built.name_of(code) for code in held)),
        ),
        cites=row.cites,
    )


def _twice(
    built: BuiltDeck, row: SideRow, code: str, copies: int, different: int
) -> Finding:
    return Finding(
        ngettext_noop(
            "{copies} copy of {name}; each of these cards may be included once.",
            "{copies} copies of {name}; each of these cards may be included once.",
            "copies",
        ),
        cards=built.listed_as(code),
        actual=copies,
        expected=1,
        remedy=Remedy("remove", built.listed_as(code), copies - 1),
        remedy_text=gettext_noop("Choose a different one.")
        if different < row.least
        else gettext_noop("Remove the extra ones."),
        values=(("copies", copies), ("name", built.name_of(code))),
        cites=row.cites,
    )


def _lost(built: BuiltDeck, row: SideRow, code: str, copies: int) -> Finding:
    return Finding(
        gettext_noop("{name} was removed from this campaign."),
        cards=built.listed_as(code),
        actual=copies,
        expected=0,
        remedy=Remedy("remove", built.listed_as(code), copies),
        remedy_text=gettext_noop("Remove {name}."),
        values=(("name", built.name_of(code)),),
        cites=row.cites,
    )


def _earned_assumed(row: SideRow, held: tuple[str, ...]) -> Iterator[Finding]:
    """Say that cards which come with experience were assumed earned."""
    beyond = len(held) - row.least
    if beyond > 0:
        yield Finding(
            ngettext_noop(
                "{count} of these cards is in the deck: we assume you have earned "
                "{needed} experience.",
                "{count} of these cards are in the deck: we assume you have earned "
                "{needed} experience.",
                "count",
            ),
            severity=Severity.ADVICE,
            cards=held,
            actual=len(held),
            expected=row.least,
            values=(("count", len(held)), ("needed", beyond * row.per_experience)),
            cites=row.cites,
        )


def _weakness_for_each(
    built: BuiltDeck, row: SideRow, wanted: int, lost: int
) -> Iterator[Finding]:
    """Check that there are as many weaknesses as cards; those of lost cards may stay.

    Weaknesses that were lost themselves are no longer required.
    """
    gone = built.frame.copies_lost.get(row.weakness, 0)
    least, most = (max(n - gone, 0) for n in (wanted, wanted + lost))
    have = built.signatures_held.get(row.weakness, 0)
    aside = built.signatures_aside.get(row.weakness, 0)
    missing, surplus = least - have - aside, have - most
    if max(missing, surplus) <= 0:
        return
    message = gettext_noop("{name}: {have} in the deck, {wanted} required.")
    remedy, way_out = Remedy("add", (row.weakness,), missing), _add(missing)
    if surplus > 0:
        message = gettext_noop("{name}: {have} in the deck, {wanted} allowed.")
        remedy = Remedy("remove", built.listed_as(row.weakness), surplus)
        way_out, least = gettext_noop("Remove the extra ones."), most
    yield Finding(
        message,
        severity=Severity.ILLEGAL if surplus > 0 else Severity.INCOMPLETE,
        cards=remedy.codes,
        actual=have,
        expected=least,
        remedy=remedy,
        remedy_text=way_out,
        values=(
            ("name", built.frame.pool[row.weakness].name),
            ("have", have),
            ("wanted", least),
            ("missing", missing),
        ),
        cites=row.cites,
    )


def _add(missing: int) -> str:
    """The remedy if copies of a card are missing."""
    if missing == 1:
        return gettext_noop("Add {name}.")
    return gettext_noop("Add {missing} × {name}.")


def _version(card: Card) -> str:
    """A signature's name, and its version if there are several."""
    if card.signature is SignatureKind.ADVANCED:
        return f"{card.name} (advanced)"
    return card.name


@rule(
    "required.signatures",
    rows=("DECK-08", "DECK-12", "DECK-19", "CARD-09", "TABOO-M01", "OPT-16"),
    cites=(rules_reference("Deckbuilding"), *_SIGNATURES),
    wakes=UNMET_SIGNATURES | wakes(Concern.SIGNATURE),
)
def signatures_present(built: BuiltDeck) -> Iterator[Finding]:
    """All signature cards listed in the requirements are in the deck."""
    if built.signature_match.blended:
        return
    for code, least, _ in built.signature_match.nearest.copies:
        have = built.signature_match.copies(code)
        if have >= least:
            continue
        name = _version(built.frame.pool[code])
        yield Finding(
            gettext_noop("{name} is required: {have} of {least} in the deck."),
            severity=Severity.INCOMPLETE,
            cards=(code,),
            actual=have,
            expected=least,
            remedy=Remedy("add", (code,), least - have),
            remedy_text=_add(least - have),
            values=(
                ("name", name),
                ("have", have),
                ("least", least),
                ("missing", least - have),
            ),
        )


@rule(
    "required.copies",
    rows=("DECK-12", "DECK-13"),
    cites=_SIGNATURES,
    wakes=UNMET_SIGNATURES | wakes(Concern.SIGNATURE),
)
def signatures_exact(built: BuiltDeck) -> Iterator[Finding]:
    """A deck has exactly the listed number of each signature card, not more."""
    if built.signature_match.blended:
        return
    most_of = {code: most for code, _, most in built.signature_match.nearest.copies}
    for code, have in built.signature_match.held.items():
        most = most_of.get(code, 0)
        card = built.frame.pool[code]
        if have <= most or built.frame.is_gone(card):
            continue  # another rule reports what was lost
        name = _version(built.frame.pool[code])
        yield Finding(
            gettext_noop("{name}: {have} in the deck, {most} allowed."),
            cards=built.listed_as(code),
            actual=have,
            expected=most,
            remedy=Remedy("remove", built.listed_as(code), have - most),
            remedy_text=gettext_noop("Remove {surplus} × {name}."),
            values=(
                ("name", name),
                ("have", have),
                ("most", most),
                ("surplus", have - most),
            ),
        )


@rule(
    "required.versions",
    rows=("GAP-01", "KW-24"),
    cites=_SIGNATURES,
    wakes=wakes(Concern.SIGNATURE),
)
def versions_in_pairs(built: BuiltDeck) -> Iterator[Finding]:
    """Advanced signatures come together, not mixed with the originals."""
    if not built.signature_match.blended:
        return
    codes = tuple(chain(*map(built.listed_as, built.signature_match.held)))
    yield Finding(
        gettext_noop("The deck mixes original and advanced signatures."),
        cards=codes,
        actual=Phrase(gettext_noop("original, advanced")),
        expected=Phrase(gettext_noop("original or advanced")),
        remedy=Remedy("change", codes),
        remedy_text=gettext_noop("Use all the originals or all the advanced versions."),
    )


@rule(
    "required.not-listed",
    rows=("DECK-12", "DECK-14", "CARD-09"),
    cites=_SIGNATURES,
    wakes=wakes(Concern.SIGNATURE),
)
def unlisted_signatures(built: BuiltDeck) -> Iterator[Finding]:
    """A signature is in the deck only if the sides in use ask for it."""
    for held in by_card(built.of_role(CardRole.UNLISTED)):
        if built.frame.is_gone(held.card):
            continue  # another rule reports what was lost
        second = built.frame.printed_back.side_deck
        beside = second is not None and held.card.code in second.required
        who, became = built.frame.front.name, built.frame.transformation
        if beside:
            message = gettext_noop("{name} belongs in the spirit deck.")
            way_out = gettext_noop("Move {name} to the spirit deck.")
        elif became is not None and became.spares_signatures:
            who = became.name
            message = gettext_noop("{investigator} doesn’t use {name}.")
            way_out = gettext_noop("Replace {name} with a random basic weakness.")
        else:
            message = gettext_noop("This version of {investigator} doesn’t use {name}.")
            way_out = gettext_noop(
                "Remove {name}, or choose the side that requires it."
            )
        found = must_leave(held, message, investigator=who)
        yield found._replace(remedy_text=way_out)
