"""The rule on the size of a deck."""

from __future__ import annotations

from collections.abc import Iterator

from arkham.rules.finding import (
    Finding,
    Remedy,
    Severity,
    gettext_noop,
    rule,
    rules_reference,
)
from arkham.rules.legality.built import BuiltDeck
from arkham.rules.legality.tally import UNMET_SIZE


@rule(
    "deck.size",
    rows=("DECK-03", "DECK-04", "DECK-27", "KW-05", "WEAK-11", "OPT-16", "TABOO-M01"),
    cites=(rules_reference("Deckbuilding"),),
    wakes=UNMET_SIZE,
)
def deck_size(built: BuiltDeck) -> Iterator[Finding]:
    """A deck has exactly as many cards as its Deck Size asks for.

    Weaknesses, required and story cards and permanents do not count.
    """
    found, wanted = built.counted, built.frame.size
    if found == wanted or not built.frame.size_judged:
        return
    values = (
        ("found", found),
        ("wanted", wanted),
        ("excess", abs(found - wanted)),
        ("name", built.frame.front.name),
    )
    if found < wanted:
        yield Finding(
            gettext_noop("The deck has {found} of the {wanted} cards it needs."),
            severity=Severity.INCOMPLETE,
            actual=found,
            expected=wanted,
            remedy=Remedy("add", copies=wanted - found),
            remedy_text=gettext_noop("Add {excess} more."),
            values=values,
        )
        return
    yield Finding(
        gettext_noop("The deck has {found} cards; exactly {wanted} are allowed."),
        actual=found,
        expected=wanted,
        remedy=Remedy("remove", copies=found - wanted),
        remedy_text=gettext_noop("Remove {excess}."),
        values=values,
    )
