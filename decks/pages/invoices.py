"""An invoice as pages show it, stored or just computed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy

from arkham.rules.deck import TraumaChoice
from arkham.rules.legality.trauma import NO_PURCHASE, findings_on
from arkham.rules.pool import CardPool
from cardpool.relations import full_name
from decks.pages.notes import translated

Words = str | Promise

# By the rule of its price.
WAYS: dict[str, Words] = {
    "price.upgrade": gettext_lazy("Upgrade"),
    "price.kept-lower": gettext_lazy("Paid in full, the lower version kept aside"),
    "price.second-copy": gettext_lazy("Second copy, upgraded along"),
    "price.refill": gettext_lazy("Free, in place of a card lost"),
    "price.swap": gettext_lazy("Swapped in"),
    "price.myriad": gettext_lazy("Along with another copy"),
    "price.purchase": gettext_lazy("New card"),
    "price.boxes": gettext_lazy("Boxes marked"),
    "price.sheet": gettext_lazy("New card with its boxes"),
    "price.with-sheet": gettext_lazy("Along with its sheet"),
    "price.regained": gettext_lazy("Bought again with its sheet"),
    "price.with-box": gettext_lazy("Along with a box"),
}


@dataclass(frozen=True, slots=True)
class ShownLine:
    """One line of an invoice; cards by their names, "" where there is none.

    ``code`` and ``source`` are the codes of the card and of the one it was upgraded
    from; ``reductions`` name what was granted and by which card, ``trauma`` says what
    buying a copy gives or heals.
    """

    rule: str
    way: Words
    code: str
    name: str
    gross: int
    paid: int
    source: str
    upgraded_from: str
    replaces: str
    reductions: tuple[tuple[str, str, int], ...]
    boxes: int
    side: bool
    trauma: Words = ""


def shown_lines(
    invoice: Mapping[str, Any], pool: CardPool, chosen: tuple[TraumaChoice, ...] = ()
) -> tuple[ShownLine, ...]:
    """The lines of an invoice as JSON types (``Invoice.as_data``).

    ``chosen`` says which trauma the player takes where a card leaves it open.
    """
    return tuple(
        ShownLine(
            line["rule"],
            WAYS.get(line["rule"], line["rule"]),
            line["card"],
            name_of(line["card"], pool),
            line["gross"],
            line["paid"],
            line["upgraded_from"] or "",
            name_of(line["upgraded_from"], pool),
            name_of(line["replaces"], pool),
            tuple(
                (each["card"], name_of(each["card"], pool), each["amount"])
                for each in line["reductions"]
            ),
            line["boxes"],
            line["side_deck"],
            _trauma(line["card"], line["rule"], chosen),
        )
        for line in invoice["lines"]
    )


def _trauma(code: str, rule: str, chosen: tuple[TraumaChoice, ...]) -> Words:
    """What buying a copy gives or heals of trauma, "" where that is nothing."""
    bought = [] if rule in NO_PURCHASE else [(code, 1)]
    return " ".join(translated(each)[0] for each in findings_on(bought, chosen))


def name_of(code: str | None, pool: CardPool) -> str:
    """A card's name with its level; a code nobody knows stays a code."""
    card = pool.get_card(code or "")
    return full_name(card, pool) if card else code or ""
