"""Rules on what a deck needs at least: cards that others demand, and weaknesses."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import lru_cache

from arkham.rules.card import Card
from arkham.rules.finding import (
    Finding,
    Listing,
    Phrase,
    Remedy,
    Severity,
    faq,
    gettext_noop,
    ngettext_noop,
    rule,
    rules_reference,
)
from arkham.rules.investigator import class_words, type_words
from arkham.rules.legality.built import BuiltDeck
from arkham.rules.legality.compiling import PLACEHOLDER
from arkham.rules.legality.standing import IN_DECK, is_hunch
from arkham.rules.legality.tally import UNMET_HUNCH, UNMET_WEAKNESSES, Concern, wakes
from arkham.rules.modifiers import Attachment
from arkham.rules.vocabulary import CardType, Mode

MOST_CLASSES = 3  # of one card; no card is printed with more


@rule(
    "required.at-least",
    rows=("OPT-08", "OPT-23", "DECK-28"),
    cites=(rules_reference("Deckbuilding"), faq("1.16 Multi-class Cards")),
    wakes=wakes(Concern.AT_LEAST),
)
def at_least_of_classes(built: BuiltDeck) -> Iterator[Finding]:
    """A deck has as many cards of each class as the investigator's back demands.

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
    missing = [wanted.cards - count for _name, count in short]
    # The fewest cards that would do: each of as many classes as any card has.
    places = max(*missing, -(-sum(missing) // MOST_CLASSES))
    names = Listing(tuple(class_words(name) for name, _count in short))
    listed = Listing(tuple(_counted(*each, wanted.cards) for each in short))
    severity = _unless_hopeless(built, places)
    yield Finding(
        ngettext_noop(
            "{classes} class needs {cards} cards. Too few: {listed}.",
            "{classes} classes need {cards} cards each. Too few: {listed}.",
            "classes",
        ),
        severity=severity,
        actual=len(enough),
        expected=wanted.classes,
        remedy=Remedy(
            "add", values=tuple(name for name, _ in short), copies=sum(missing)
        ),
        remedy_text=_way_out(
            severity,
            gettext_noop("Add {names} cards."),
            gettext_noop("Replace other cards with {names} cards."),
        ),
        values=(
            ("classes", wanted.classes),
            ("cards", wanted.cards),
            ("listed", listed),
            ("names", names),
        ),
    )


def _counted(name: str, count: int, wanted: int) -> Phrase:
    values = (("class", class_words(name)), ("count", count), ("wanted", wanted))
    return Phrase(gettext_noop("{class} ({count} of {wanted})"), values)


def _unless_hopeless(built: BuiltDeck, places: int) -> Severity:
    """Incomplete if the deck still has room for that many cards, illegal if not."""
    room = built.frame.size - built.counted
    return Severity.ILLEGAL if places > room else Severity.INCOMPLETE


def _way_out(severity: Severity, room: str, full: str) -> str:
    """Choose the remedy for a deck that has room for the cards, or that is full."""
    return full if severity is Severity.ILLEGAL else room


def _to_come(built: BuiltDeck, is_wanted: Callable[[Card], bool]) -> int:
    """Cards still to come that may meet a demand and take no place in the deck size.

    Signatures still missing, and basic weaknesses to be drawn if any would do.
    """
    pool = built.frame.pool
    found = built.signature_match
    signatures = sum(
        max(least - found.copies(code), 0)
        for code, least, _most in found.nearest.copies
        if is_wanted(pool[code])
    )
    if not any(map(is_wanted, pool.basic_weaknesses)):
        return signatures
    drawn = built.weaknesses_there - built.deck.entries.get(PLACEHOLDER, 0)
    return signatures + max(built.weaknesses_least - drawn, 0)


def _of_type(wanted: CardType) -> Callable[[Card], bool]:
    return lambda card: card.type is wanted


def _of_hunch(hunch: Attachment) -> Callable[[Card], bool]:
    return lambda card: (
        card.type in hunch.types and not set(hunch.traits).isdisjoint(card.traits)
    )


@rule(
    "required.at-least-type",
    rows=("DECK-08",),
    cites=(rules_reference("Deckbuilding"),),
    wakes=wakes(Concern.AT_LEAST),
)
def at_least_of_type(built: BuiltDeck) -> Iterator[Finding]:
    """Some cards demand at least a certain number of cards of one type, like skills."""
    for row, _ in built.frame.modifiers:
        if row.at_least is None:
            continue
        wanted_type, wanted = row.at_least
        have = sum(
            line.copies + line.set_aside
            for line in built.of_role(*IN_DECK)
            if line.card.type is wanted_type
        )
        if have < wanted:
            coming = _to_come(built, _of_type(wanted_type))
            severity = _unless_hopeless(built, wanted - have - coming)
            yield Finding(
                ngettext_noop(
                    "{name} needs {wanted} {type} card; the deck has {have}.",
                    "{name} needs {wanted} {type} cards; the deck has {have}.",
                    "wanted",
                ),
                severity=severity,
                cards=built.listed_as(row.code),
                actual=have,
                expected=wanted,
                remedy=Remedy("add", values=(wanted_type.value,), copies=wanted - have),
                remedy_text=_way_out(
                    severity,
                    gettext_noop("Add {type} cards."),
                    gettext_noop("Replace other cards with {type} cards."),
                ),
                values=(
                    ("name", row.name),
                    ("wanted", wanted),
                    ("have", have),
                    ("type", type_words(wanted_type)),
                ),
                cites=row.cites,
            )


@rule(
    "required.hunch-deck",
    rows=("OPT-23", "DECK-19"),
    cites=(rules_reference("Hunch Deck"),),
    wakes=UNMET_HUNCH,
)
def hunch_events(built: BuiltDeck) -> Iterator[Finding]:
    """A back with a hunch deck needs eleven Insight events in the deck.

    One fewer if the weakness that belongs to it was permanently lost.
    """
    for row in built.frame.side_rows:
        hunch = row.hunch
        if hunch is None:
            continue
        have = sum(
            line.copies + line.set_aside
            for line in built.lines
            if is_hunch(hunch, line.standing)
        )
        wanted = hunch.count - (row.includes in built.frame.lost)
        if have < wanted:
            coming = _to_come(built, _of_hunch(hunch))
            severity = _unless_hopeless(built, wanted - have - coming)
            yield Finding(
                ngettext_noop(
                    "The hunch deck needs {wanted} Insight event; the deck has {have}.",
                    "The hunch deck needs {wanted} Insight events; the deck has "
                    "{have}.",
                    "wanted",
                ),
                severity=severity,
                cards=(row.code,),
                actual=have,
                expected=wanted,
                remedy=Remedy("add", values=hunch.traits, copies=wanted - have),
                remedy_text=_way_out(
                    severity,
                    gettext_noop("Add Insight events."),
                    gettext_noop("Replace other cards with Insight events."),
                ),
                values=(("wanted", wanted), ("have", have)),
                cites=row.cites,
            )


@rule(
    "weakness.required",
    rows=(
        "DECK-08",
        "DECK-09",
        "DECK-19",
        "WEAK-02",
        "WEAK-06",
        "WEAK-19",
        "WEAK-20",
        "STAND-02",
        "ULT-05",
    ),
    cites=(rules_reference("Deckbuilding"),),
    wakes=UNMET_WEAKNESSES,
)
def basic_weaknesses(built: BuiltDeck) -> Iterator[Finding]:
    """A deck has as many random basic weaknesses as its requirements ask for.

    Before it is played, a deck has no more than that. Those that a campaign permanently
    removed are no longer required.
    """
    wanted, least = built.weaknesses_wanted, built.weaknesses_least
    have = built.basic_weaknesses
    there = built.weaknesses_there  # weaknesses added by an effect are never too many
    if there < least:
        yield Finding(
            gettext_noop("Random basic weaknesses: {have} of {wanted}."),
            severity=Severity.INCOMPLETE,
            actual=there,
            expected=least,
            remedy=Remedy("add", (PLACEHOLDER,), least - there),
            remedy_text=gettext_noop("Draw the missing ones."),
            values=(("have", there), ("wanted", least)),
        )
    if have > wanted and _surplus_refused(built):
        codes = tuple(line.code for line in built.weakness_lines if line.copies)
        yield Finding(
            gettext_noop(
                "Random basic weaknesses: {have} in the deck, {wanted} required."
            ),
            cards=codes,
            actual=have,
            expected=wanted,
            remedy=Remedy("remove", codes, have - wanted),
            remedy_text=gettext_noop("Remove the extra ones."),
            values=(("have", have), ("wanted", wanted)),
        )


def _surplus_refused(built: BuiltDeck) -> bool:
    """True if no effect can have added a weakness since the deck was built.

    After some transformations any number may have replaced signatures.
    """
    became = built.frame.transformation
    if became is not None and became.spares_signatures:
        return False
    refused = built.frame.rulings["weaknesses.campaign-surplus"] == "refused"
    return refused or built.frame.mode is Mode.START


@rule(
    "weakness.gained",
    rows=("WEAK-09", "WEAK-20", "STAND-06", "ULT-18"),
    cites=(rules_reference("Weakness"), rules_reference("Standalone Mode")),
    wakes=UNMET_WEAKNESSES,
)
def weaknesses_gained(built: BuiltDeck) -> Iterator[Finding]:
    """We assume weaknesses beyond those required were gained in play and say so."""
    surplus = built.basic_weaknesses - built.weaknesses_wanted
    if surplus <= 0 or _surplus_refused(built):
        return
    yield Finding(
        gettext_noop(
            "Random basic weaknesses: {have} in the deck, {wanted} required. We "
            "assume you gained the rest in play."
        ),
        severity=Severity.ADVICE,
        cards=tuple(line.code for line in built.weakness_lines),
        actual=built.basic_weaknesses,
        expected=built.weaknesses_wanted,
        values=(
            ("have", built.basic_weaknesses),
            ("wanted", built.weaknesses_wanted),
        ),
    )


@rule(
    "weakness.undrawn",
    rows=("WEAK-02", "DECK-09"),
    cites=(rules_reference("Deckbuilding"),),
    wakes=wakes(Concern.PLACEHOLDER),
)
def weakness_undrawn(built: BuiltDeck) -> Iterator[Finding]:
    """You draw random basic weaknesses once the rest of the deck is final."""
    count = built.deck.entries.get(PLACEHOLDER, 0)
    if count:
        yield _to_be_drawn(count)


@lru_cache(maxsize=16)  # nearly every unfinished deck has this finding
def _to_be_drawn(count: int) -> Finding:
    found = Finding(
        ngettext_noop(
            "The deck still needs {count} random basic weakness.",
            "The deck still needs {count} random basic weaknesses.",
            "count",
        ),
        severity=Severity.ADVICE,
        cards=(PLACEHOLDER,),
        actual=count,
        expected=0,
        remedy=Remedy("draw", (PLACEHOLDER,), count),
        remedy_text=gettext_noop("Draw at random once the rest of the deck is final."),
        values=(("count", count),),
    )
    return found.stamped(weakness_undrawn.id, weakness_undrawn.cites)
