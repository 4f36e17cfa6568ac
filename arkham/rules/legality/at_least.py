"""Does the deck hold as many cards of a kind as something in it demands?"""

from __future__ import annotations

from collections.abc import Iterator

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
from arkham.rules.legality.standing import Role
from arkham.rules.legality.tally import Concern, wakes

# What a demand for cards of a kind counts: a weakness of that type is one as well.
_HELD = (Role.ORDINARY, Role.SIGNATURE, Role.STORY, Role.BASIC_WEAKNESS)


@rule(
    "required.at-least",
    rows=("OPT-08", "OPT-23", "DECK-28"),
    cites=(rules_reference("Deckbuilding"), faq("1.16 Multi-class Cards")),
    wakes=wakes(Concern.AT_LEAST),
)
def at_least_of_classes(built: BuiltDeck) -> Iterator[Finding]:
    """A deck holds as many cards of each of so many classes as the back demands.

    A multi-class card counts for each of its classes.
    """
    wanted = built.frame.at_least
    if wanted is None:
        return
    counts = sorted(built.class_counts().items(), key=lambda item: -item[1])
    enough = [name for name, count in counts if count >= wanted.cards]
    if len(enough) >= wanted.classes:
        return
    short = counts[len(enough) : wanted.classes]
    listed = ", ".join(f"{name.capitalize()} {count}" for name, count in short)
    yield Finding(
        gettext_noop(
            "{classes} classes must have {cards} cards each; still short: {listed}."
        ),
        severity=_unless_full(built),
        actual=len(enough),
        expected=wanted.classes,
        remedy=Remedy("add", values=tuple(name for name, _ in short)),
        remedy_text=gettext_noop("Add cards of {listed}."),
        values=(
            ("classes", wanted.classes),
            ("cards", wanted.cards),
            ("listed", listed),
        ),
    )


def _unless_full(built: BuiltDeck) -> Severity:
    """A demand that a deck with room can still meet leaves it unfinished."""
    full = built.counted >= built.frame.size
    return Severity.ILLEGAL if full else Severity.INCOMPLETE


@rule(
    "required.at-least-type",
    rows=("DECK-08",),
    cites=(rules_reference("Deckbuilding"),),
    wakes=wakes(Concern.AT_LEAST),
)
def at_least_of_type(built: BuiltDeck) -> Iterator[Finding]:
    """A card in the deck may demand a number of cards of a type (skills)."""
    for row, _ in built.frame.modifiers:
        if row.at_least is None:
            continue
        wanted_type, wanted = row.at_least
        have = sum(
            line.copies
            for line in built.of_role(*_HELD)
            if line.card.type is wanted_type
        )
        if have < wanted:
            yield Finding(
                gettext_noop(
                    "{name} needs {wanted} {type} cards; the deck has {have}."
                ),
                severity=_unless_full(built),
                cards=built.listed_as(row.code),
                actual=have,
                expected=wanted,
                remedy=Remedy("add", values=(wanted_type.value,), copies=wanted - have),
                remedy_text=gettext_noop("Add {type} cards."),
                values=(
                    ("name", row.name),
                    ("wanted", wanted),
                    ("have", have),
                    ("type", wanted_type.value),
                ),
                cites=row.cites,
            )


@rule(
    "required.hunch-deck",
    rows=("OPT-23",),
    cites=(rules_reference("Hunch Deck"),),
    wakes=wakes(Concern.ATTACHED),
)
def hunch_events(built: BuiltDeck) -> Iterator[Finding]:
    """A back that makes a hunch deck needs eleven Insight events in the deck."""
    for row in built.frame.side_rows:
        hunch = row.hunch
        if hunch is None:
            continue
        have = sum(
            line.copies
            for line in built.of_role(*_HELD)
            if not line.standing.traits.isdisjoint(hunch.traits)
            and line.card.type in hunch.types
        )
        if have < hunch.count:
            yield Finding(
                gettext_noop(
                    "The hunch deck needs {wanted} Insight events; {have} found."
                ),
                severity=_unless_full(built),
                cards=(row.code,),
                actual=have,
                expected=hunch.count,
                remedy=Remedy("add", values=hunch.traits, copies=hunch.count - have),
                remedy_text=gettext_noop("Add Insight events."),
                values=(("wanted", hunch.count), ("have", have)),
                cites=row.cites,
            )
