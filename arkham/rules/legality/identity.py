"""Rules on the investigator, and on which cards a deck can include at all."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from arkham.rules.deck import DeckList
from arkham.rules.finding import (
    Finding,
    Phrase,
    Remedy,
    Severity,
    faq,
    gettext_noop,
    ngettext_noop,
    rule,
    rules_reference,
)
from arkham.rules.legality.built import BuiltDeck
from arkham.rules.legality.compiling import DECK_TYPES
from arkham.rules.legality.tally import Concern, wakes
from arkham.rules.legality.verdict import by_card, must_leave, with_product
from arkham.rules.modifiers import TRANSFORMATIONS
from arkham.rules.pool import CardPool
from arkham.rules.vocabulary import Mode

MOST_NAMED = 5  # cards in one sentence

_SIDES = {"front": gettext_noop("front"), "back": gettext_noop("back")}


@rule(
    "deck.investigator",
    rows=("DECK-01", "CARD-14", "CARD-20"),
    cites=(rules_reference("Deckbuilding"),),
)
def investigator_known(subject: tuple[DeckList, CardPool]) -> Iterator[Finding]:
    """A deck has exactly one investigator card, one that can build a deck."""
    deck, pool = subject
    card = pool.get_card(deck.investigator)
    values = (("code", deck.investigator), ("name", card.name if card else ""))
    if card is not None:
        message = gettext_noop("{name} isn’t an investigator you can build a deck for.")
    elif deck.investigator:
        message = gettext_noop("No card has the code {code}.")
    else:
        message = gettext_noop("The deck has no investigator yet.")
    yield Finding(
        message,
        cards=(deck.investigator,) if card else (),
        actual=card.type.value if card else deck.investigator,
        expected=Phrase(gettext_noop("an investigator with a deck")),
        remedy=Remedy("choose"),
        remedy_text=gettext_noop("Choose an investigator."),
        values=values,
    )


@rule(
    "deck.sides",
    rows=("CARD-14", "DECK-30", "GAP-02"),
    cites=(faq("Transfiguration"),),
    wakes=wakes(Concern.CHOICE),
)
def sides_belong_together(built: BuiltDeck) -> Iterator[Finding]:
    """Front and back belong to the same investigator, each the original or the
    parallel one."""
    for assumption in built.assumptions:
        if assumption.kind == "side":
            pool = built.frame.pool
            other = pool.get_card(assumption.found)
            yield Finding(
                gettext_noop("{name} can’t use the {side} of {found}."),
                cards=(assumption.found,),
                actual=assumption.found,
                expected=assumption.assumed,
                remedy=Remedy("choose", codes=(assumption.assumed,)),
                remedy_text=gettext_noop("Use {name}’s own {side}."),
                values=(
                    ("found", with_product(other, pool) if other else assumption.found),
                    ("side", Phrase(_SIDES[assumption.key])),
                    ("name", built.frame.front.name),
                ),
            )
        elif assumption.kind == "sides":
            yield Finding(
                gettext_noop("This front and this back of {name} don’t go together."),
                cards=tuple(assumption.found.split("/")),
                actual=assumption.found,
                expected=assumption.assumed,
                remedy=Remedy("choose", codes=(assumption.assumed,)),
                remedy_text=gettext_noop("Use the front and back of the same card."),
                values=(("name", built.frame.front.name),),
            )


@rule(
    "deck.unknown-card",
    rows=("CARD-23",),
    cites=(rules_reference("Deckbuilding"),),
    wakes=wakes(Concern.UNKNOWN),
)
def cards_known(built: BuiltDeck) -> Iterator[Finding]:
    """Every card of a deck is a card of the game."""
    unknown = (line.code for line in built.concerned(Concern.UNKNOWN))
    return unknown_cards(built.deck, unknown)


def unknown_cards(deck: DeckList, unknown: Iterable[str]) -> Iterator[Finding]:
    """Yield a finding for every code of a list that is no card's."""
    for code in unknown:
        copies = deck.entries[code]
        yield Finding(
            gettext_noop("No card has the code {code}."),
            cards=(code,),
            actual=copies,
            expected=0,
            remedy=Remedy("remove", (code,), copies),
            remedy_text=gettext_noop("Remove {code}, or correct the code."),
            values=(("code", code),),
        )


@rule(
    "deck.card-type",
    rows=("DECK-24", "DECK-25", "CARD-08", "CARD-22"),
    cites=(rules_reference("Investigator Deck"),),
    wakes=wakes(Concern.OUTSIDE),
)
def cards_of_a_deck(built: BuiltDeck) -> Iterator[Finding]:
    """An investigator deck has only assets, events, skills and weaknesses."""
    message = gettext_noop("{name} can’t be in a deck.")
    outside = built.concerned(Concern.OUTSIDE)
    for held in by_card([line for line in outside if not line.card.bonded_to]):
        kind = held.card.type
        if kind in DECK_TYPES:
            yield must_leave(held, message)
        else:
            yield must_leave(
                held,
                message,
                actual=kind.value,
                expected=Phrase(gettext_noop("asset, event, skill")),
            )


@rule(
    "deck.below-zero",
    rows=("DECK-03",),
    cites=(rules_reference("Deckbuilding"),),
    wakes=wakes(Concern.CHOICE),
)
def copies_below_zero(built: BuiltDeck) -> Iterator[Finding]:
    """We read a number of copies below 0 as none and say so."""
    codes = tuple(
        assumption.key
        for assumption in built.assumptions
        if assumption.kind == "copies"
    )
    if not codes:
        return
    names = [built.name_of(code) for code in codes[:MOST_NAMED]]
    more = ["…"] if len(codes) > MOST_NAMED else []
    yield Finding(
        ngettext_noop(
            "The list has fewer than 0 copies of {names}: we read that as none.",
            "The list has fewer than 0 copies of {names}: we read that as none.",
            "count",
        ),
        severity=Severity.ADVICE,
        cards=codes,
        actual=len(codes),
        expected=0,
        values=(("names", ", ".join([*names, *more])), ("count", len(codes))),
    )


@rule(
    "deck.bonded",
    rows=("KW-13", "DECK-22", "DECK-04"),
    cites=(faq("1.19 Bonded Card Limit"),),
    wakes=wakes(Concern.OUTSIDE),
)
def bonded_stay_out(built: BuiltDeck) -> Iterator[Finding]:
    """Bonded cards are never in the deck; they begin the game set aside."""
    outside = built.concerned(Concern.OUTSIDE)
    bonded = (line for line in outside if line.card.bonded_to)
    for held in by_card(bonded, aside=True):
        found = must_leave(
            held,
            gettext_noop(
                "{name} is bonded to {owner}: set it aside, outside the deck."
            ),
            owner=", ".join(held.card.bonded_to),
        )
        yield found._replace(
            remedy_text=gettext_noop("Remove {name}; it comes with {owner}.")
        )


@rule(
    "deck.transformed",
    rows=("DECK-29", "DECK-30", "DECK-31"),
    cites=(faq("The City of Archives"), faq("Lost Homunculus")),
    wakes=wakes(Concern.TRANSFORMED),
)
def transformed(built: BuiltDeck) -> Iterator[Finding]:
    """An investigator who became another card keeps the deckbuilding rules of the
    original back."""
    became = built.deck.transformed_into
    if not became:
        return
    name = built.frame.back.name
    if built.frame.transformation is None:
        yield Finding(
            gettext_noop("{code} isn’t a card an investigator can become."),
            cards=(became,),
            actual=became,
            expected=", ".join(TRANSFORMATIONS),
            remedy=Remedy("change", tuple(TRANSFORMATIONS)),
            remedy_text=gettext_noop("Choose the card {name} became, or none."),
            values=(("code", became), ("name", name)),
        )
    else:
        yield _judged_by_own_back(built)._replace(
            cards=(became,),
            actual=became,
            expected=built.frame.back.code,
            values=(("name", name),),
            cites=built.frame.transformation.cites,
        )


def _judged_by_own_back(built: BuiltDeck) -> Finding:
    if built.frame.mode is Mode.START:
        return Finding(
            gettext_noop(
                "{name} can’t have become another card before the first scenario."
            ),
            remedy=Remedy("change", (built.frame.back.code,)),
            remedy_text=gettext_noop("Play as {name}."),
        )
    return Finding(
        gettext_noop(
            "The deck follows the back of {name}, whatever the investigator has become."
        ),
        severity=Severity.ADVICE,
    )


@rule(
    "deck.set-aside",
    rows=("DECK-04", "DECK-18", "DECK-33"),
    cites=(faq("1.36"),),
    wakes=wakes(Concern.SET_ASIDE),
)
def set_aside_copies(built: BuiltDeck) -> Iterator[Finding]:
    """Copies added to the deck by a card effect or a scenario don't count toward
    its size."""
    for code in sorted(built.deck.set_aside):
        card = built.frame.pool.get_card(code)
        over = built.deck.set_aside[code] - built.deck.entries.get(code, 0)
        if over > 0:
            held = built.copies_held(card) if card else built.deck.entries.get(code, 0)
            wanted = held + over  # copies beyond an entry have filled all others
            yield Finding(
                gettext_noop(
                    "Copies of {name} that don’t count: {wanted}; in the deck: {held}."
                ),
                cards=(code,),
                actual=wanted,
                expected=held,
                remedy=Remedy("change", codes=(code,)),
                remedy_text=gettext_noop(
                    "At most {held} can be left out of the count."
                ),
                values=(
                    ("name", built.name_of(code)),
                    ("held", held),
                    ("wanted", wanted),
                ),
            )
    codes = tuple(line.code for line in built.lines if line.set_aside)
    if codes:
        yield _taken_as_added(built, codes)


def _taken_as_added(built: BuiltDeck, codes: tuple[str, ...]) -> Finding:
    """Say that an effect added the copies set aside, if there was time for one."""
    found = sum(line.set_aside for line in built.lines)
    values = (("found", found),)
    # With experience to spend, an upgrade may have set aside a lower version already.
    if built.frame.mode is Mode.START and not built.experience_granted:
        return Finding(
            ngettext_noop(
                "{found} copy isn’t counted, but a starting deck has no extras.",
                "{found} copies aren’t counted, but a starting deck has no extras.",
                "found",
            ),
            cards=codes,
            actual=found,
            expected=0,
            remedy=Remedy("change", codes),
            remedy_text=gettext_noop("Count all copies."),
            values=values,
        )
    return Finding(
        ngettext_noop(
            "{found} copy isn’t counted: we assume that an effect added it.",
            "{found} copies aren’t counted: we assume that effects added them.",
            "found",
        ),
        severity=Severity.ADVICE,
        cards=codes,
        actual=found,
        values=values,
    )
