"""Rules on the list of taboos."""

from __future__ import annotations

from collections.abc import Iterator

from arkham.rules.finding import (
    Finding,
    Remedy,
    faq,
    gettext_noop,
    rule,
)
from arkham.rules.legality.built import BuiltDeck
from arkham.rules.legality.entry import Line
from arkham.rules.legality.remedies import by_card, taken_out
from arkham.rules.legality.tally import Concern, wakes


@rule(
    "taboo.list",
    rows=("TABOO-01", "TABOO-02", "TABOO-03"),
    cites=(faq("The List of Taboos"),),
    wakes=wakes(Concern.CHOICE),
)
def taboo_list_known(built: BuiltDeck) -> Iterator[Finding]:
    """A deck follows one edition of the list of taboos, whole, or none."""
    for doubt in built.doubts:
        if doubt.kind == "taboo":
            yield Finding(
                gettext_noop("No list of taboos is called {found}."),
                actual=doubt.found,
                expected=", ".join(doubt.offers),
                remedy=Remedy("choose", values=doubt.offers),
                remedy_text=gettext_noop("Choose one of the lists known."),
                values=(("found", doubt.found),),
            )


@rule(
    "taboo.forbidden",
    rows=("TABOO-09", "TABOO-F01", "TABOO-F02", "TABOO-F03"),
    cites=(faq("The List of Taboos, Forbidden"),),
    wakes=wakes(Concern.FORBIDDEN, Concern.SIDE_DECK),
)
def taboo_forbidden(built: BuiltDeck) -> Iterator[Finding]:
    """A card the list of taboos forbids is in no deck that follows the list."""
    for lines in (built.lines, built.side_lines):
        for held in by_card(filter(_is_forbidden, lines)):
            taboo = built.frame.taboo
            yield taken_out(
                held,
                gettext_noop("{name} is forbidden by the list of taboos of {date}."),
                date=taboo.date if taboo else "",
            )


def _is_forbidden(line: Line) -> bool:
    change = line.standing.taboo
    return change is not None and change.deck_limit == 0
