"""Rules on the spell that a card brands."""

from __future__ import annotations

from collections.abc import Iterator

from arkham.rules.card import Card
from arkham.rules.finding import (
    Citation,
    Finding,
    Remedy,
    Severity,
    gettext_noop,
    rule,
)
from arkham.rules.legality.attachments import suits
from arkham.rules.legality.built import BuiltDeck
from arkham.rules.legality.entry import Line
from arkham.rules.legality.standing import Role
from arkham.rules.legality.tally import Concern, wakes
from arkham.rules.modifiers import DeckModifier
from arkham.rules.vocabulary import Mode

_HELD = (Role.ORDINARY, Role.STORY)


@rule(
    "copies.branded",
    rows=("CARD-18",),
    cites=(Citation("Card", "Eldritch Brand", "11080"),),
    wakes=wakes(Concern.ATTACHED, Concern.MODIFIER),
)
def one_branded(built: BuiltDeck) -> Iterator[Finding]:
    """A deck holds no more than one copy of the branded spell.

    It was in the deck when it was branded; in a campaign it may have left since.
    """
    for row, _copies in built.frame.modifiers:
        if not row.branded:
            continue
        told = _told(built, row)
        for card in told:
            yield from _judged(built, row, card)
        if not told:
            yield from _untold(built, row)


def _told(built: BuiltDeck, row: DeckModifier) -> tuple[Card, ...]:
    """The cards that the list names as branded, each title once."""
    pool = built.frame.pool
    codes = (
        code
        for printing in pool[row.code].printings
        for code in built.deck.attachments.get(printing.code, ())
    )
    cards = (pool.get_card(code) for code in sorted(codes))
    return tuple({card.title: card for card in cards if card is not None}.values())


def _copies_of(built: BuiltDeck, title: str) -> list[Line]:
    return [
        line
        for line in built.of_role(*_HELD)
        if line.standing.title == title and line.copies
    ]


def _judged(built: BuiltDeck, row: DeckModifier, card: Card) -> Iterator[Finding]:
    lines = _copies_of(built, card.title)
    found = sum(line.copies for line in lines)
    codes = tuple(line.code for line in lines)
    if found > 1:
        yield Finding(
            gettext_noop("{found} copies of {title}, which is branded."),
            cards=codes,
            actual=found,
            expected=1,
            remedy=Remedy("remove", codes, found - 1),
            remedy_text=gettext_noop("Remove all but one of {title}."),
            values=(("title", card.title), ("found", found)),
        )
    elif not found and built.frame.mode is Mode.CAMPAIGN:
        yield Finding(
            gettext_noop("{title} was branded and is in the deck no more."),
            severity=Severity.ADVICE,
            cards=built.listed_as(row.code),
            actual=0,
            values=(("title", card.title),),
        )


def _untold(built: BuiltDeck, row: DeckModifier) -> Iterator[Finding]:
    """Nothing is named: some card that can be branded must be there once."""
    asked = row.attaches
    assert asked is not None
    copies: dict[str, int] = {}
    for line in built.of_role(*_HELD):
        if suits(built, asked, line.card):
            title = line.standing.title
            copies[title] = copies.get(title, 0) + line.copies
    if 1 in copies.values():
        return
    if built.frame.mode is Mode.CAMPAIGN:
        severity = Severity.ADVICE
    else:
        full = built.counted >= built.frame.size
        severity = Severity.ILLEGAL if full else Severity.INCOMPLETE
    yield Finding(
        gettext_noop("No {trait} asset is in the deck once, to be the one branded.")
        if severity is not Severity.ADVICE
        else gettext_noop(
            "No {trait} asset is in the deck once: the branded one is taken as gone."
        ),
        severity=severity,
        cards=built.listed_as(row.code),
        actual=0,
        expected=1,
        remedy=Remedy("record", built.listed_as(row.code)),
        remedy_text=gettext_noop(
            "Have one {trait} asset exactly once and record it under {name}."
        ),
        values=(("trait", asked.traits[0].capitalize()), ("name", row.name)),
    )
