"""Rules on cards set aside under another card, and on the branded spell."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from arkham.rules.card import Card
from arkham.rules.finding import (
    Citation,
    Finding,
    Remedy,
    Severity,
    gettext_noop,
    ngettext_noop,
    rule,
    rules_reference,
)
from arkham.rules.legality.built import BuiltDeck
from arkham.rules.legality.standing import CardRole, Line
from arkham.rules.legality.tally import Concern, wakes
from arkham.rules.modifiers import Attachment, DeckModifier
from arkham.rules.vocabulary import Mode

_SET_APART = (rules_reference("Hunch Deck"),)


def _attachments(
    built: BuiltDeck,
) -> Iterator[tuple[str, Attachment, Mapping[str, int]]]:
    """Yield each holder, its attachment and the cards set aside under it, by code."""
    for holder in sorted(built.deck.attachments):
        card = built.frame.pool.get_card(holder)
        asked = built.frame.attachments.get(card.code) if card else None
        if asked is not None:
            yield holder, asked, built.deck.attachments[holder]


@rule(
    "attached.holder",
    rows=("CARD-18",),
    cites=_SET_APART,
    wakes=wakes(Concern.ATTACHED),
)
def attached_to_something(built: BuiltDeck) -> Iterator[Finding]:
    """Cards are set aside only under a card of the deck that asks for them."""
    asked = {holder for holder, _, _ in _attachments(built)}
    for holder in sorted(set(built.deck.attachments) - asked):
        if built.deck.attachments[holder]:
            yield Finding(
                gettext_noop("In this deck no cards can be set aside for {holder}."),
                severity=Severity.ADVICE,
                cards=(holder,),
                actual=sum(built.deck.attachments[holder].values()),
                expected=0,
                values=(("holder", built.name_of(holder)),),
            )


def _lost(built: BuiltDeck, holder: str) -> frozenset[str]:
    """The holder's own card, if it was permanently lost (DECK-19)."""
    lost, rows = built.frame.lost, built.frame.side_rows
    if not lost:
        return lost
    return lost & {row.includes for row in rows if row.code == holder and row.includes}


@rule(
    "attached.count",
    rows=("OPT-23", "CARD-03", "DECK-19"),
    cites=_SET_APART,
    wakes=wakes(Concern.ATTACHED),
)
def attached_count(built: BuiltDeck) -> Iterator[Finding]:
    """As many cards are set aside as the card says.

    One fewer is enough if the card that belongs to them was permanently lost.
    """
    for holder, asked, attached in _attachments(built):
        lost = _lost(built, holder)
        found = sum(copies for code, copies in attached.items() if code not in lost)
        least = 0 if asked.up_to else asked.count - len(lost)
        if least <= found <= asked.count:
            continue
        yield Finding(
            gettext_noop(
                "Cards set aside for {holder}: {found}, but it takes {count}."
            ),
            severity=Severity.ILLEGAL if found > asked.count else Severity.INCOMPLETE,
            cards=(holder, *sorted(attached)),
            actual=found,
            expected=asked.count,
            remedy=Remedy("change", (holder,)),
            remedy_text=gettext_noop("Set aside {count}."),
            values=(
                ("found", found),
                ("count", asked.count),
                ("holder", built.frame.pool[holder].name),
            ),
        )


@rule(
    "attached.card",
    rows=("OPT-23", "DECK-19", "DECK-27", "KW-05"),
    cites=_SET_APART,
    wakes=wakes(Concern.ATTACHED),
)
def attached_fit(built: BuiltDeck) -> Iterator[Finding]:
    """Cards set aside come from the deck and are of the kind the card names."""
    taken: dict[str, int] = {}  # by all holders together
    for holder, asked, attached in _attachments(built):
        lost = _lost(built, holder)
        for code in sorted(attached):
            card = built.frame.pool.get_card(code)
            first = card.code if card else code
            if first in lost:
                continue  # the list names a card that the campaign removed
            taken[first] = taken.get(first, 0) + attached[code]
            held = built.copies_held(card) if card else 0
            if card is not None and not held and _has_left(built, holder):
                continue
            absent = card is None or held < taken[first]
            if absent:
                message = gettext_noop("{name}: {taken} set aside, {held} in the deck.")
            elif card is not None and not suits(built, asked, card):
                message = gettext_noop("{name} can’t be set aside for {holder}.")
            else:
                continue
            yield Finding(
                message,
                # Another card can be chosen; the deck itself is not affected.
                severity=Severity.INCOMPLETE if absent else Severity.ILLEGAL,
                cards=(code,),
                actual=taken[first],
                expected=held,
                remedy=Remedy("change", (holder,)),
                remedy_text=gettext_noop("Set aside another card."),
                values=(
                    ("name", built.name_of(code)),
                    ("taken", taken[first]),
                    ("held", held),
                    ("holder", built.frame.pool[holder].name),
                ),
            )


def _has_left(built: BuiltDeck, holder: str) -> bool:
    """True if the recorded card may have left the deck since: a branded spell."""
    if built.frame.mode is not Mode.CAMPAIGN:
        return False
    code = built.frame.pool[holder].code
    return any(row.branded and row.code == code for row, _ in built.frame.modifiers)


def suits(built: BuiltDeck, asked: Attachment, card: Card) -> bool:
    """True if a card is of the kind that can be set aside."""
    if asked.types and card.type not in asked.types:
        return False
    standing = built.standing_of(card.code)
    if asked.traits and standing.traits.isdisjoint(asked.traits):
        return False
    if card.weakness is not None and not asked.weaknesses:
        return False
    if card.permanent and not asked.permanents:
        return False
    return asked.signatures or card.code not in built.frame.signatures


@rule(
    "attached.different",
    rows=("CARD-03",),
    cites=_SET_APART,
    wakes=wakes(Concern.ATTACHED),
)
def attached_different(built: BuiltDeck) -> Iterator[Finding]:
    """If the cards set aside must be different, no title appears twice."""
    for holder, asked, attached in _attachments(built):
        if not asked.different:
            continue
        held: dict[str, int] = {}
        for code, copies in attached.items():
            card = built.frame.pool.get_card(code)
            title = card.title if card else code
            held[title] = held.get(title, 0) + copies
        for title, copies in sorted(held.items()):
            if copies > 1:
                yield Finding(
                    ngettext_noop(
                        "{copies} copy of {title} is set aside for {holder}.",
                        "{copies} copies of {title} are set aside for {holder}.",
                        "copies",
                    ),
                    cards=(holder,),
                    actual=copies,
                    expected=1,
                    remedy=Remedy("change", (holder,)),
                    remedy_text=gettext_noop("Set aside different cards."),
                    values=(
                        ("title", title),
                        ("copies", copies),
                        ("holder", built.frame.pool[holder].name),
                    ),
                )


@rule(
    "attached.hunch", rows=("OPT-23",), cites=_SET_APART, wakes=wakes(Concern.ATTACHED)
)
def hunch_includes(built: BuiltDeck) -> Iterator[Finding]:
    """A hunch deck includes the weakness printed for it."""
    for row in built.frame.side_rows:
        attached = built.deck.attachments.get(row.code)
        if not attached or not row.includes or row.includes in built.frame.lost:
            continue
        included = built.frame.pool[row.includes]
        if attached.keys().isdisjoint(each.code for each in included.printings):
            name = included.name
            yield Finding(
                gettext_noop("{name} belongs in the hunch deck."),
                cards=(row.includes,),
                actual=0,
                expected=1,
                remedy=Remedy("change", (row.code,)),
                remedy_text=gettext_noop("Set {name} aside with the others."),
                values=(("name", name),),
            )


_HELD = (CardRole.ORDINARY, CardRole.STORY)


@rule(
    "copies.branded",
    rows=("CARD-18",),
    cites=(Citation("Card", "Eldritch Brand", "11080"),),
    wakes=wakes(Concern.ATTACHED, Concern.MODIFIER),
)
def one_branded(built: BuiltDeck) -> Iterator[Finding]:
    """A deck has at most one copy of the branded spell.

    It was in the deck when it was branded; in a campaign it may have left since.
    """
    for row, _copies in built.frame.modifiers:
        if not row.branded:
            continue
        branded = _branded_cards(built, row)
        for card in branded:
            yield from _judged(built, row, card)
        if not branded:
            yield from _none_named(built, row)


def _branded_cards(built: BuiltDeck, row: DeckModifier) -> tuple[Card, ...]:
    """The cards that the list names as branded and that can be, one for each title."""
    pool, asked = built.frame.pool, row.attaches
    codes = (
        code
        for printing in pool[row.code].printings
        for code in built.deck.attachments.get(printing.code, ())
    )
    cards = (pool.get_card(code) for code in sorted(codes))
    fit = (card for card in cards if card and asked and suits(built, asked, card))
    return tuple({card.title: card for card in fit}.values())


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
            ngettext_noop(
                "{found} copy of {title}, which is branded.",
                "{found} copies of {title}, which is branded.",
                "found",
            ),
            cards=codes,
            actual=found,
            expected=1,
            remedy=Remedy("remove", codes, found - 1),
            remedy_text=gettext_noop("Remove all but one of {title}."),
            values=(("title", card.title), ("found", found)),
        )
    elif not found and built.frame.mode is Mode.CAMPAIGN:
        yield Finding(
            gettext_noop("{title} was branded and is no longer in the deck."),
            severity=Severity.ADVICE,
            cards=built.listed_as(row.code),
            actual=0,
            values=(("title", card.title),),
        )


def _none_named(built: BuiltDeck, row: DeckModifier) -> Iterator[Finding]:
    """With none named, exactly one copy of a card that can be branded is needed."""
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
        gettext_noop(
            "The deck has no {trait} asset with exactly one copy, so none "
            "can be the branded one."
        )
        if severity is not Severity.ADVICE
        else gettext_noop(
            "The deck has no {trait} asset with exactly one copy: we assume the "
            "branded one is gone."
        ),
        severity=severity,
        cards=built.listed_as(row.code),
        actual=0,
        expected=1,
        remedy=Remedy("record", built.listed_as(row.code)),
        remedy_text=gettext_noop(
            "Keep exactly one copy of a {trait} asset and record it for {name}."
        ),
        values=(("trait", asked.traits[0].capitalize()), ("name", row.name)),
    )
