"""Rules on the signature cards a deck must hold."""

from __future__ import annotations

from collections.abc import Iterator

from arkham.rules.card import Card
from arkham.rules.finding import (
    Finding,
    Remedy,
    Severity,
    faq,
    gettext_noop,
    rule,
    rules_reference,
)
from arkham.rules.legality.built import BuiltDeck
from arkham.rules.legality.remedies import by_card, taken_out
from arkham.rules.legality.standing import Role
from arkham.rules.legality.tally import UNMET_SIGNATURES, Concern, wakes
from arkham.rules.vocabulary import SignatureKind

_SIGNATURES = (faq("Signature Cards"),)


def _version(card: Card) -> str:
    """A signature's name, and which version it is where there are several."""
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
    """The signature cards listed in the requirements are in the deck, all of them."""
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
            remedy_text=gettext_noop("Add {name}."),
            values=(("name", name), ("have", have), ("least", least)),
        )


@rule(
    "required.copies",
    rows=("DECK-12", "DECK-13"),
    cites=_SIGNATURES,
    wakes=UNMET_SIGNATURES | wakes(Concern.SIGNATURE),
)
def signatures_exact(built: BuiltDeck) -> Iterator[Finding]:
    """A deck holds exactly the listed number of each signature card, not more."""
    if built.signature_match.blended:
        return
    most_of = {code: most for code, _, most in built.signature_match.nearest.copies}
    for code, have in built.signature_match.held.items():
        most = most_of.get(code, 0)
        card = built.frame.pool[code]
        if have <= most or card.title in built.frame.gone_titles:
            continue  # what is lost is said by itself
        name = _version(built.frame.pool[code])
        yield Finding(
            gettext_noop("{name}: {have} in the deck, {most} required."),
            cards=built.listed_as(code),
            actual=have,
            expected=most,
            remedy=Remedy("remove", built.listed_as(code), have - most),
            remedy_text=gettext_noop("Remove {surplus} of {name}."),
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
    codes = tuple(
        listed
        for code in built.signature_match.held
        for listed in built.listed_as(code)
    )
    yield Finding(
        gettext_noop("Original and advanced signatures are mixed."),
        cards=codes,
        actual="original, advanced",
        expected="original or advanced",
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
    for held in by_card(built.of_role(Role.UNLISTED)):
        if held.card.title in built.frame.gone_titles:
            continue  # lost, which is said by itself
        second = built.frame.printed_back.side_deck
        beside = second is not None and held.card.code in second.required
        found = taken_out(
            held,
            gettext_noop("{name} belongs in the second deck, not in this one.")
            if beside
            else gettext_noop(
                "{name} is not asked for by this version of {investigator}."
            ),
            investigator=built.frame.front.name,
        )
        yield found._replace(
            remedy_text=gettext_noop("Move {name} to the second deck.")
            if beside
            else gettext_noop("Remove {name}, or play the side that asks for it.")
        )
