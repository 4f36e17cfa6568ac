"""Does the deck hold the cards that a side of its investigator adds?"""

from __future__ import annotations

from collections.abc import Iterator

from arkham.rules.finding import (
    Finding,
    Remedy,
    Severity,
    faq,
    gettext_noop,
    rule,
)
from arkham.rules.legality.built import BuiltDeck
from arkham.rules.legality.tally import Concern, wakes
from arkham.rules.modifiers import SideRow
from arkham.rules.vocabulary import Mode

_SIGNATURES = (faq("Signature Cards"),)


@rule(
    "required.side-cards",
    rows=("DECK-08", "DECK-12"),
    cites=_SIGNATURES,
    wakes=wakes(Concern.SIGNATURES_VARY),
)
def side_cards(built: BuiltDeck) -> Iterator[Finding]:
    """Cards an investigator's side adds to the deck are there in the number it says.

    Directives, the Tidal Memento, Disciplines.
    """
    for row in built.frame.side_rows:
        if row.among:
            yield from _side_row(built, row)


def _side_row(built: BuiltDeck, row: SideRow) -> Iterator[Finding]:
    held = {
        code: built.signatures_held.get(code, 0)
        for code in row.among
        if built.signatures_held.get(code, 0)
    }
    count = sum(held.values())
    least, most = row.least, row.most
    earned = built.circumstances.experience_earned
    if row.per_experience and earned is not None:
        most = min(most, least + earned // row.per_experience)
    elif row.per_experience and built.frame.mode is Mode.START:
        most = least
    elif row.per_experience and built.frame.mode is Mode.STANDALONE:
        by_total = built.frame.rulings["standalone.disciplines"] == "by-total"
        gained = built.standalone_total // row.per_experience if by_total else 0
        most = min(most, least + gained)
    names = ", ".join(built.frame.pool[code].name for code in sorted(held))
    values = (
        ("count", count),
        ("least", least),
        ("most", most),
        ("names", names),
        ("investigator", row.name),
    )
    if count < least:
        yield Finding(
            gettext_noop("{investigator} adds {least} cards of her or his own choice."),
            severity=Severity.INCOMPLETE,
            cards=row.among,
            actual=count,
            expected=least,
            remedy=Remedy("add", row.among, least - count),
            remedy_text=gettext_noop("Add {least} of the cards named."),
            values=values,
            cites=row.cites,
        )
    if len(held) > most:
        listed = tuple(code for each in held for code in built.listed_as(each))
        yield Finding(
            gettext_noop(
                "At most {most} such cards are allowed; the deck has {count}."
            ),
            cards=listed,
            actual=count,
            expected=most,
            remedy=Remedy("remove", listed, count - most),
            remedy_text=gettext_noop("Remove the surplus."),
            values=values,
            cites=row.cites,
        )
    for code, copies in held.items():
        if copies > 1 and count <= most:
            yield Finding(
                gettext_noop("{copies} copies of one card; each must be different."),
                cards=built.listed_as(code),
                actual=copies,
                expected=1,
                remedy=Remedy("remove", built.listed_as(code), copies - 1),
                remedy_text=gettext_noop("Choose a different one."),
                values=(("copies", copies),),
                cites=row.cites,
            )
    if row.weakness:
        yield from _weakness_for_each(built, row, max(len(held), least))
    assumed = row.per_experience and earned is None and count > least
    if assumed and built.frame.mode is Mode.CAMPAIGN:
        yield Finding(
            gettext_noop(
                "{count} such cards in the deck: {needed} experience earned is assumed."
            ),
            severity=Severity.ADVICE,
            cards=tuple(held),
            actual=count,
            expected=least,
            values=(
                ("count", count),
                ("needed", (count - least) * row.per_experience),
            ),
            cites=row.cites,
        )


def _weakness_for_each(
    built: BuiltDeck, row: SideRow, wanted: int
) -> Iterator[Finding]:
    have = built.signatures_held.get(row.weakness, 0)
    name = built.frame.pool[row.weakness].name
    values = (("name", name), ("have", have), ("wanted", wanted))
    if have < wanted and row.weakness not in built.frame.lost:
        yield Finding(
            gettext_noop("{have} copies of {name}; {wanted} are required."),
            severity=Severity.INCOMPLETE,
            cards=(row.weakness,),
            actual=have,
            expected=wanted,
            remedy=Remedy("add", (row.weakness,), wanted - have),
            remedy_text=gettext_noop("Add {name}."),
            values=values,
            cites=row.cites,
        )
    if have > wanted:
        yield Finding(
            gettext_noop("{have} copies of {name}; {wanted} are required."),
            cards=built.listed_as(row.weakness),
            actual=have,
            expected=wanted,
            remedy=Remedy("remove", built.listed_as(row.weakness), have - wanted),
            remedy_text=gettext_noop("Remove the surplus."),
            values=values,
            cites=row.cites,
        )
