"""Rules on the spirit deck, the second deck that a back asks for."""

from __future__ import annotations

from collections.abc import Iterator

from arkham.rules.card import Card
from arkham.rules.finding import (
    Citation,
    Finding,
    Listing,
    Remedy,
    Severity,
    gettext_noop,
    ngettext_noop,
    rule,
)
from arkham.rules.investigator import SideDeckBack, option_label
from arkham.rules.legality.built import BuiltDeck
from arkham.rules.legality.standing import CardRole, Standing, fits
from arkham.rules.legality.tally import Concern, wakes
from arkham.rules.vocabulary import Mode

_SPIRIT = (Citation("Card", "Jim Culver (parallel)", "90049"),)
_SIDE = wakes(Concern.SIDE_DECK)


def _side_deck(
    built: BuiltDeck,
) -> Iterator[tuple[SideDeckBack, list[tuple[str, Card, int]]]]:
    """Yield the second deck the back asks for, if any, and the cards known in it."""
    asked = built.frame.printed_back.side_deck
    if asked is None:
        return
    known = [
        (code, card, built.deck.side_deck[code])
        for code in sorted(built.deck.side_deck)
        if (card := built.frame.pool.get_card(code)) is not None
    ]
    yield asked, known


@rule("side-deck.unasked", rows=("CARD-14",), cites=_SPIRIT, wakes=_SIDE)
def side_deck_asked(built: BuiltDeck) -> Iterator[Finding]:
    """Only an investigator whose back asks for one has a spirit deck."""
    if built.frame.printed_back.side_deck is None and built.deck.side_deck:
        yield Finding(
            gettext_noop("{name} has no spirit deck; we ignore the one listed."),
            severity=Severity.ADVICE,
            cards=tuple(sorted(built.deck.side_deck)),
            actual=sum(built.deck.side_deck.values()),
            expected=0,
            values=(("name", built.frame.back.name),),
        )


@rule("side-deck.unknown-card", rows=("CARD-23",), cites=_SPIRIT, wakes=_SIDE)
def side_deck_known(built: BuiltDeck) -> Iterator[Finding]:
    """Every card of a spirit deck is a card of the game."""
    for code in sorted(built.deck.side_deck):
        if code not in built.frame.pool:
            yield Finding(
                gettext_noop("No card has the code {code}."),
                cards=(code,),
                actual=built.deck.side_deck[code],
                expected=0,
                remedy=Remedy("remove", (code,), built.deck.side_deck[code]),
                remedy_text=gettext_noop("Remove {code}, or correct the code."),
                values=(("code", code),),
            )


@rule("side-deck.size", rows=("DECK-03",), cites=_SPIRIT, wakes=_SIDE)
def side_deck_size(built: BuiltDeck) -> Iterator[Finding]:
    """A spirit deck has exactly the size printed for it."""
    for asked, _ in _side_deck(built):
        found = sum(built.deck.side_deck.values())
        missing = set(asked.required) - {
            card.code
            for code in built.deck.side_deck
            if (card := built.frame.pool.get_card(code)) is not None
        }
        wanted = asked.size - len(missing)  # another rule reports what is missing
        if found == wanted:
            continue
        short = found < wanted
        yield Finding(
            gettext_noop("Cards in the spirit deck: {found} of {wanted}.")
            if not missing
            else gettext_noop(
                "Cards in the spirit deck besides {names}: {found} of {wanted}."
            ),
            severity=Severity.INCOMPLETE if short else Severity.ILLEGAL,
            cards=tuple(sorted(built.deck.side_deck)),
            actual=found,
            expected=wanted,
            remedy=Remedy("add" if short else "remove", copies=abs(found - wanted)),
            remedy_text=ngettext_noop(
                "Add {count} card.", "Add {count} cards.", "count"
            )
            if short
            else ngettext_noop(
                "Remove {count} card.", "Remove {count} cards.", "count"
            ),
            values=(
                ("found", found),
                ("wanted", wanted),
                ("count", abs(found - wanted)),
                ("names", ", ".join(map(built.name_of, sorted(missing)))),
            ),
        )


@rule("side-deck.required", rows=("DECK-08", "DECK-19"), cites=_SPIRIT, wakes=_SIDE)
def side_deck_required(built: BuiltDeck) -> Iterator[Finding]:
    """A spirit deck has each card printed as part of it exactly once.

    One that a campaign permanently removed is no longer required.
    """
    for asked, known in _side_deck(built):
        for code in asked.required:
            have = sum(copies for _, card, copies in known if card.code == code)
            if have == 1 or (not have and code in built.frame.lost):
                continue
            name = built.frame.pool[code].name
            yield Finding(
                gettext_noop(
                    "{name}: {have} in the spirit deck; exactly 1 is required."
                ),
                severity=Severity.ILLEGAL if have else Severity.INCOMPLETE,
                cards=(code,),
                actual=have,
                expected=1,
                remedy=Remedy("remove" if have else "add", (code,), abs(have - 1)),
                remedy_text=gettext_noop("Include {name} once."),
                values=(("have", have), ("name", name)),
            )


def fits_second_deck(asked: SideDeckBack, card: Card, mode: Mode) -> bool:
    """True if a card is required in the second deck or fits its options."""
    standing = Standing(
        card,
        CardRole.ORDINARY,
        level=None if card.weakness else card.level,
        traits=frozenset(card.traits),
        slots=card.slots,
    )
    return card.code in asked.required or any(
        fits(option, card, standing, mode) for option in asked.options
    )


@rule("side-deck.access", rows=("DECK-06",), cites=_SPIRIT, wakes=_SIDE)
def side_deck_access(built: BuiltDeck) -> Iterator[Finding]:
    """Every card of a spirit deck fits the options of that deck."""
    for asked, known in _side_deck(built):
        options = Listing(tuple(map(option_label, asked.options)), "; ")
        for code, card, copies in known:
            if fits_second_deck(asked, card, built.frame.mode):
                continue
            yield Finding(
                gettext_noop("{name} can’t be in the spirit deck: {options}."),
                cards=(code,),
                actual=copies,
                expected=options,
                remedy=Remedy("remove", (code,), copies),
                remedy_text=gettext_noop("Remove {name}."),
                values=(("name", card.name), ("options", options)),
            )


@rule("side-deck.different", rows=("CARD-03",), cites=_SPIRIT, wakes=_SIDE)
def side_deck_different(built: BuiltDeck) -> Iterator[Finding]:
    """The cards of a spirit deck are different: no title appears twice."""
    for asked, known in _side_deck(built):
        held: dict[str, list[tuple[str, int]]] = {}
        for code, card, copies in known:
            if card.code not in asked.required:
                held.setdefault(card.title, []).append((code, copies))
        for title, entries in held.items():
            copies = sum(count for _, count in entries)
            if copies > 1:
                codes = tuple(code for code, _ in entries)
                yield Finding(
                    ngettext_noop(
                        "{copies} copy of {title} is in the spirit deck.",
                        "{copies} copies of {title} are in the spirit deck.",
                        "copies",
                    ),
                    cards=codes,
                    actual=copies,
                    expected=1,
                    remedy=Remedy("remove", codes, copies - 1),
                    remedy_text=gettext_noop("Keep 1 {title}."),
                    values=(("copies", copies), ("title", title)),
                )
