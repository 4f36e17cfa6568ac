"""How is a finding worded whose way out is to take a card out of the deck?"""

from __future__ import annotations

from arkham.rules.card import Card
from arkham.rules.finding import Finding, Remedy, gettext_noop
from arkham.rules.legality.lines import Line


def named(card: Card, level: int | None) -> str:
    """A card's name, with its level if that is above 0."""
    return f"{card.name} ({level})" if level else card.name


def taken_out(
    line: Line,
    message: str,
    *,
    actual: int | str | None = None,
    expected: int | str = 0,
    **values: str | int,
) -> Finding:
    """A card that may not be in the deck; ``actual`` is its copies if not given."""
    return Finding(
        message,
        cards=(line.code,),
        actual=line.copies if actual is None else actual,
        expected=expected,
        remedy=Remedy("remove", (line.code,), line.copies),
        remedy_text=gettext_noop("Remove {name}."),
        values=(("name", named(line.card, line.standing.level)), *values.items()),
    )
