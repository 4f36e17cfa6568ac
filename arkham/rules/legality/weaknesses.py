"""Rules on the weaknesses a deck must hold."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from arkham.rules.finding import (
    Finding,
    Remedy,
    Severity,
    gettext_noop,
    rule,
    rules_reference,
)
from arkham.rules.legality.built import BuiltDeck
from arkham.rules.legality.compiling import PLACEHOLDER
from arkham.rules.legality.tally import UNMET_WEAKNESSES, Concern, wakes
from arkham.rules.vocabulary import Mode


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
    """A deck holds the random basic weaknesses its requirements ask for.

    A deck that has not been played has no more of them. One that a campaign took for
    good is asked for no more.
    """
    wanted, least = built.weaknesses_wanted, built.weaknesses_least
    have = built.basic_weaknesses
    there = built.weaknesses_there  # those an effect added are never too many
    if there < least:
        yield Finding(
            gettext_noop("Random basic weaknesses in the deck: {have} of {wanted}."),
            severity=Severity.INCOMPLETE,
            actual=there,
            expected=least,
            remedy=Remedy("add", (PLACEHOLDER,), least - there),
            remedy_text=gettext_noop("Random basic weaknesses to draw: {missing}."),
            values=(("have", there), ("wanted", least), ("missing", least - there)),
        )
    if have > wanted and _surplus_refused(built):
        codes = tuple(line.code for line in built.weakness_lines)
        yield Finding(
            gettext_noop(
                "Random basic weaknesses in the deck: {have}; required: {wanted}."
            ),
            cards=codes,
            actual=have,
            expected=wanted,
            remedy=Remedy("remove", codes, have - wanted),
            remedy_text=gettext_noop("Remove the surplus."),
            values=(("have", have), ("wanted", wanted)),
        )


def _surplus_refused(built: BuiltDeck) -> bool:
    """Whether nothing can have added a weakness since the deck was built.

    How many took the place of signatures depends on which ones these were.
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
    """Weaknesses beyond those required are taken as gained in play, and said."""
    surplus = built.basic_weaknesses - built.weaknesses_wanted
    if surplus <= 0 or _surplus_refused(built):
        return
    yield Finding(
        gettext_noop(
            "Random basic weaknesses: {have}, required: {wanted}; the rest was gained."
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
    """A random basic weakness is drawn when the rest of the deck is settled."""
    count = built.deck.entries.get(PLACEHOLDER, 0)
    if count:
        yield _to_be_drawn(count)


@lru_cache(maxsize=16)  # nearly every deck that is being built has this finding
def _to_be_drawn(count: int) -> Finding:
    found = Finding(
        gettext_noop("Random basic weaknesses still to be drawn: {count}."),
        severity=Severity.ADVICE,
        cards=(PLACEHOLDER,),
        actual=count,
        expected=0,
        remedy=Remedy("draw", (PLACEHOLDER,), count),
        remedy_text=gettext_noop("Draw at random when the deck is settled."),
        values=(("count", count),),
    )
    return found.stamped(weakness_undrawn.id, weakness_undrawn.cites)
