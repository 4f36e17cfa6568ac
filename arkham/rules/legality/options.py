"""Rules on the Deckbuilding Options and restrictions that admit cards."""

from __future__ import annotations

from collections.abc import Iterator

from arkham.rules.deck import SheetMark
from arkham.rules.finding import (
    Finding,
    Listing,
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
from arkham.rules.investigator import (
    DeckOption,
    choice_words,
    option_label,
    option_reach,
)
from arkham.rules.legality.admission import shortages
from arkham.rules.legality.built import BuiltDeck
from arkham.rules.legality.sheets import boxes_of
from arkham.rules.legality.standing import fits_but_for_level
from arkham.rules.legality.tally import NO_ROOM, Concern, wakes
from arkham.rules.legality.verdict import HeldCard, by_card, must_leave
from arkham.rules.vocabulary import Mode

_BACK = (rules_reference("Deckbuilding"),)
_WORDS = {
    "class": gettext_noop("class"),
    "class_1": gettext_noop("first class"),
    "class_2": gettext_noop("second class"),
    "trait": gettext_noop("trait"),
    "size": gettext_noop("deck size"),
}


def _what(key: str) -> Value:
    return Phrase(_WORDS[key]) if key in _WORDS else key


@rule(
    "choice.offered",
    rows=("DECK-06", "OPT-21"),
    cites=_BACK,
    wakes=wakes(Concern.CHOICE),
)
def choice_offered(built: BuiltDeck) -> Iterator[Finding]:
    """A choice made at deck creation is one that the investigator's back offers."""
    for assumption in built.assumptions:
        if assumption.kind == "choice-value":
            yield Finding(
                gettext_noop("{name} can’t choose {found} as {what}."),
                cards=(built.frame.back.code,),
                actual=assumption.found,
                expected=", ".join(assumption.offers),
                remedy=Remedy("choose", values=assumption.offers),
                remedy_text=gettext_noop("Choose one of {offers}."),
                values=(
                    ("name", built.frame.back.name),
                    ("found", choice_words(assumption.found)),
                    ("key", assumption.key),
                    ("what", _what(assumption.key)),
                    ("offers", Listing(tuple(map(choice_words, assumption.offers)))),
                ),
            )


@rule(
    "choice.different",
    rows=("DECK-06", "OPT-21"),
    cites=_BACK,
    wakes=wakes(Concern.CHOICE),
)
def choices_different(built: BuiltDeck) -> Iterator[Finding]:
    """If two classes are chosen, they are different."""
    for assumption in built.assumptions:
        if assumption.kind == "choice-repeated":
            yield Finding(
                gettext_noop("You chose {found} twice; the choices must be different."),
                cards=(built.frame.back.code,),
                actual=assumption.found,
                expected=2,
                remedy=Remedy("choose"),
                remedy_text=gettext_noop("Choose two different classes."),
                values=(("found", choice_words(assumption.found)),),
            )


@rule(
    "choice.assumed",
    rows=("DECK-06", "OPT-21"),
    cites=_BACK,
    wakes=wakes(Concern.CHOICE),
)
def choice_assumed(built: BuiltDeck) -> Iterator[Finding]:
    """If the list doesn't name a choice, we assume the one its cards suggest and
    say so."""
    for assumption in built.assumptions:
        if assumption.kind == "choice":
            yield Finding(
                gettext_noop("The list doesn’t name the {what}; we assume {taken}."),
                severity=Severity.ADVICE,
                cards=(built.frame.back.code,),
                actual="",
                expected=", ".join(assumption.offers),
                remedy=Remedy("choose", values=assumption.offers),
                remedy_text=gettext_noop("Choose one of {offers}."),
                values=(
                    ("key", assumption.key),
                    ("what", _what(assumption.key)),
                    ("assumed", assumption.assumed),
                    ("taken", choice_words(assumption.assumed)),
                    ("offers", Listing(tuple(map(choice_words, assumption.offers)))),
                ),
            )


_OPTIONS = (rules_reference("Deckbuilding"), faq("1.15 Deckbuilding Options"))


Unadmitted = tuple[HeldCard, tuple[Phrase, ...], tuple[SheetMark, ...]]


def _not_admitted(built: BuiltDeck) -> Iterator[Unadmitted]:
    """Yield cards no option admits, options that would at another level, and marks."""
    for held in by_card(built.concerned(Concern.NOT_ADMITTED)):
        labels = [
            _reach_of(option, built.frame.mode)
            for option in built.frame.options
            if held.standing.level is not None
            and option.levels is not None
            and fits_but_for_level(option, held.card, held.standing)
        ]
        yield held, tuple(labels), built.marks_of(held.codes[0])


def _reach_of(option: DeckOption, mode: Mode) -> Phrase:
    """An option's label; at deck creation including its levels."""
    return option_reach(option) if mode is Mode.START else option_label(option)


@rule(
    "access.option",
    rows=(
        "DECK-06", "OPT-02", "OPT-03", "OPT-05", "OPT-09", "OPT-10", "OPT-11", "OPT-21",
        "OPT-15", "OPT-22", "CARD-04", "CARD-05", "CARD-06", "CARD-07", "CARD-13",
        "DECK-27",
    ),
    cites=_OPTIONS,
    wakes=wakes(Concern.NOT_ADMITTED),
)  # fmt: skip
def admitted(built: BuiltDeck) -> Iterator[Finding]:
    """Every ordinary card fits one of the investigator's Deckbuilding Options."""
    for held, labels, _marks in _not_admitted(built):
        if labels:
            continue
        yield must_leave(
            held,
            gettext_noop(
                "{investigator} can’t include {name}: none of their "
                "deckbuilding options allows it."
            ),
            actual=", ".join(each.value for each in held.card.classes) or "neutral",
            expected=Listing(tuple(map(option_label, built.frame.options)), "; "),
            investigator=built.frame.back.name,
        )


@rule(
    "access.level",
    rows=("DECK-26", "CARD-04", "TABOO-04", "DECK-28"),
    cites=_OPTIONS,
    wakes=wakes(Concern.NOT_ADMITTED),
)
def level_within_reach(built: BuiltDeck) -> Iterator[Finding]:
    """A card's level is within the range of an option that allows the card."""
    for held, labels, marks in _not_admitted(built):
        if labels and not marks:
            yield must_leave(
                held,
                gettext_noop(
                    "{name} is level {level}. {investigator} may include: {labels}."
                ),
                actual=held.standing.level or 0,
                expected=Listing(labels, "; "),
                level=str(held.standing.level),
                investigator=built.frame.back.name,
                labels=Listing(labels, "; "),
            )


@rule(
    "customization.access",
    rows=("CUST-08", "OPT-12", "OPT-13", "CUST-06", "DECK-26"),
    cites=(rules_reference("Customizable"), faq("The Raven Quill")),
    wakes=wakes(Concern.NOT_ADMITTED),
)
def sheet_within_reach(built: BuiltDeck) -> Iterator[Finding]:
    """The level of a customizable card, half its marked boxes rounded up, is one
    the investigator may include."""
    for held, labels, marks in _not_admitted(built):
        if not labels or not marks:
            continue
        boxes = boxes_of(held.standing.sheet, marks)
        yield Finding(
            gettext_noop(
                "{name} is level {level} with {boxes} of its boxes marked. Allowed: "
                "{labels}."
            ),
            cards=held.codes,
            actual=held.standing.level or 0,
            expected=Listing(labels, "; "),
            remedy=Remedy("change", held.codes),
            remedy_text=gettext_noop("Mark fewer boxes."),
            values=(
                ("name", held.card.name),
                ("boxes", boxes),
                ("level", held.standing.level or 0),
                ("labels", Listing(labels, "; ")),
            ),
        )


@rule(
    "access.devoured",
    rows=("DECK-28",),
    cites=(faq("Subject 5U-21"),),
    wakes=wakes(Concern.AT_LEAST),
)
def raised_by_own_ability(built: BuiltDeck) -> Iterator[Finding]:
    """Class cards above the levels allowed at deck creation come from the ability
    on the investigator's back."""
    for index, option in enumerate(built.frame.options):
        if option.start_levels is None:
            continue
        raised = [
            line
            for line in built.ordinary
            if line.standing.free == index
            and (line.standing.level or 0) > option.start_levels[1]
            and line.copies
        ]
        count = sum(line.copies for line in raised)
        if count:
            yield Finding(
                gettext_noop(
                    "Cards we assume you bought with the ability on the "
                    "investigator’s back: {count}."
                ),
                severity=Severity.ADVICE,
                cards=tuple(line.code for line in raised),
                actual=count,
                values=(("count", count),),
            )


@rule(
    "access.limit",
    rows=(
        "OPT-01", "OPT-04", "OPT-06", "OPT-07", "OPT-09", "OPT-10", "OPT-11", "OPT-20",
        "OPT-25",
    ),
    cites=(faq("1.15 Deckbuilding Options"), faq("1.16 Multi-class Cards")),
    wakes=NO_ROOM,
)  # fmt: skip
def places_enough(built: BuiltDeck) -> Iterator[Finding]:
    """A card that only limited options allow has room in one of them."""
    for short in shortages(built.demands, built.frame.limits):
        lines = built.limited_to(short.options)
        labels = Listing(
            tuple(
                option_label(built.frame.limited_option(index))
                for index in range(len(built.frame.limits))
                if short.options >> index & 1
            ),
            "; ",
        )
        codes = tuple(line.code for line in lines)
        surplus = short.demand - short.places
        yield Finding(
            ngettext_noop(
                "{demand} card fits only limited options, which have room for "
                "{places}: {labels}.",
                "{demand} cards fit only limited options, which have room for "
                "{places}: {labels}.",
                "demand",
            ),
            cards=codes,
            actual=short.demand,
            expected=short.places,
            remedy=Remedy("remove", codes, surplus),
            remedy_text=gettext_noop("Remove {surplus} of them."),
            values=(
                ("demand", short.demand),
                ("places", short.places),
                ("labels", labels),
                ("surplus", surplus),
            ),
        )


@rule(
    "access.restriction",
    rows=("OPT-24", "OPT-11"),
    cites=(rules_reference("Deckbuilding"), faq("1.18 Maintaining Legal Deck Size")),
    wakes=wakes(Concern.BARRED),
)
def restriction_kept(built: BuiltDeck) -> Iterator[Finding]:
    """A card that a restriction forbids isn't allowed, even if an option would
    allow it."""
    # Another rule reports cards that no option admits.
    for held in by_card(built.concerned(Concern.BARRED)):
        if Concern.NOT_ADMITTED in held.standing.concerns:
            continue
        restriction = built.frame.restrictions[held.standing.forbidden_by]
        yield must_leave(
            held,
            gettext_noop("{name} isn’t allowed: {restriction}."),
            expected=option_label(restriction),
            restriction=option_label(restriction),
        )
