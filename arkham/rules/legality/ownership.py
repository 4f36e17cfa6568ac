"""Does its player own the deck? Advice, never legality."""

from __future__ import annotations

from collections.abc import Iterator

from arkham.rules.finding import (
    Finding,
    Severity,
    gettext_noop,
    rule,
    rules_reference,
)
from arkham.rules.legality.built import BuiltDeck
from arkham.rules.legality.compiling import PLACEHOLDER
from arkham.rules.legality.standing import CardRole
from arkham.rules.legality.tally import Concern, wakes


@rule(
    "owned.short",
    rows=("COLL-01", "COLL-12"),
    cites=(rules_reference("Collection"),),
    wakes=wakes(Concern.OWNED),
)
def owned(built: BuiltDeck) -> Iterator[Finding]:
    """A deck wants no more copies of a card than its player owns, over printings."""
    have = built.circumstances.owned
    if have is None:
        return
    for code, copies in copies_wanted(built).items():
        card = built.frame.pool[code]
        held = sum(have.get(printing.code, 0) for printing in card.printings)
        if copies > held:
            yield Finding(
                gettext_noop("Copies of {name} in the deck: {copies}; owned: {held}."),
                severity=Severity.ADVICE,
                cards=built.listed_as(code),
                actual=copies,
                expected=held,
                values=(("name", card.name), ("copies", copies), ("held", held)),
            )


def copies_wanted(built: BuiltDeck) -> dict[str, int]:
    """Copies of each card that a deck takes out of a collection, by first printing."""
    wanted: dict[str, int] = {}
    for line in (*built.lines, *built.side_lines):
        if (
            line.standing.card is not None
            and line.role is not CardRole.OUTSIDE
            and line.code != PLACEHOLDER
        ):
            code = line.card.code
            wanted[code] = wanted.get(code, 0) + line.copies
    return wanted
