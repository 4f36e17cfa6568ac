"""Rules on the choices an investigator's back leaves to deck creation."""

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
from arkham.rules.legality.tally import Concern, wakes

_BACK = (rules_reference("Deckbuilding"),)
_WORDS = {
    "class_1": "first class",
    "class_2": "second class",
    "size": "deck size",
}


def _said(value: str) -> str:
    """A class or trait with the capital it is printed with; "both" is neither."""
    return value if value == "both" else value.capitalize()


@rule(
    "choice.offered",
    rows=("DECK-06", "OPT-21"),
    cites=_BACK,
    wakes=wakes(Concern.CHOICE),
)
def choice_offered(built: BuiltDeck) -> Iterator[Finding]:
    """A choice made at deck creation is one that the investigator's back offers."""
    for doubt in built.doubts:
        if doubt.kind == "choice-value":
            yield Finding(
                gettext_noop("{name} does not offer {found} as {what}."),
                cards=(built.frame.back.code,),
                actual=doubt.found,
                expected=", ".join(doubt.offers),
                remedy=Remedy("choose", values=doubt.offers),
                remedy_text=gettext_noop("Choose one of {offers}."),
                values=(
                    ("name", built.frame.back.name),
                    ("found", _said(doubt.found)),
                    ("key", doubt.key),
                    ("what", _WORDS.get(doubt.key, doubt.key)),
                    ("offers", ", ".join(map(_said, doubt.offers))),
                ),
            )


@rule(
    "choice.different",
    rows=("DECK-06", "OPT-21"),
    cites=_BACK,
    wakes=wakes(Concern.CHOICE),
)
def choices_different(built: BuiltDeck) -> Iterator[Finding]:
    """Two classes chosen are two different classes."""
    for doubt in built.doubts:
        if doubt.kind == "choice-repeated":
            yield Finding(
                gettext_noop("{found} is chosen twice; the choices must differ."),
                cards=(built.frame.back.code,),
                actual=doubt.found,
                expected=2,
                remedy=Remedy("choose"),
                remedy_text=gettext_noop("Choose two different classes."),
                values=(("found", _said(doubt.found)),),
            )


@rule(
    "choice.assumed",
    rows=("DECK-06", "OPT-21"),
    cites=_BACK,
    wakes=wakes(Concern.CHOICE),
)
def choice_assumed(built: BuiltDeck) -> Iterator[Finding]:
    """A choice the list does not tell is assumed as the cards suggest, and said."""
    for doubt in built.doubts:
        if doubt.kind == "choice":
            yield Finding(
                gettext_noop("The list does not say the {what}; {taken} is assumed."),
                severity=Severity.ADVICE,
                cards=(built.frame.back.code,),
                actual="",
                expected=", ".join(doubt.offers),
                remedy=Remedy("choose", values=doubt.offers),
                remedy_text=gettext_noop("Choose one of {offers}."),
                values=(
                    ("key", doubt.key),
                    ("what", _WORDS.get(doubt.key, doubt.key)),
                    ("assumed", doubt.assumed),
                    ("taken", _said(doubt.assumed)),
                    ("offers", ", ".join(map(_said, doubt.offers))),
                ),
            )
