# ruff: noqa: E501 (tables align)
"""Lists the weaknesses that their own text exchanges for other cards.

One row a basic weakness. The card that took its place fills the slot of the random
basic weakness that a deck must hold, and keeps the first card out of the pool that
weaknesses are drawn from.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from arkham.rules.finding import Citation, faq, printed


@dataclass(frozen=True, slots=True)
class Exchange:
    """A basic weakness that its own text exchanges for others, one after the other.

    While one of ``successors`` is in a deck the first card lies in the collection, and
    not in the pool. ``returns``: the last successor gives way to the first card again.
    """

    code: str
    name: str
    successors: tuple[str, ...]
    cites: tuple[Citation, ...]
    returns: bool = False


# fmt: off
EXCHANGES: tuple[Exchange, ...] = (
    #        code     name                         successors          printed in
    Exchange("04038", "Dark Pact",                 ("04039",),          (faq("Dark Pact"),), returns=True),
    Exchange("04040", "Doomed",                    ("04041", "04042"),  (faq("Dark Pact"),)),
    Exchange("53013", "Offer You Cannot Refuse",   ("53014", "53015"),  (printed("Offer You Cannot Refuse", "53013"), printed("Fine Print", "53014"))),
)
# fmt: on

# The basic weakness whose slot a card fills, by the code of the later card.
FIRST_OF: Mapping[str, str] = {
    code: row.code for row in EXCHANGES for code in row.successors
}


def is_exchange(gone: str, come: str) -> bool:
    """Whether one card may have become the other by the text on the cards.

    A game may take several steps of a chain, so a later card counts as well.
    """
    for row in EXCHANGES:
        chain = (row.code, *row.successors)
        if gone in chain and come in chain and gone != come:
            return row.returns or chain.index(gone) < chain.index(come)
    return False


NOTHING: Mapping[str, int] = MappingProxyType({})


def with_exchanged(
    cards: Mapping[str, int], held: Mapping[str, int] = NOTHING
) -> dict[str, int]:
    """Copies that came into a deck or left it, with those that they took the place of.

    Whoever records the later card of a chain means that the earlier ones are gone. The
    first card of a chain that begins again comes back for the last one, which ``held``,
    the copies there were, shows.
    """
    found = dict(cards)
    for row in EXCHANGES:
        chain = (row.code, *row.successors)
        reached = [place for place, code in enumerate(chain) if cards.get(code, 0) > 0]
        if not reached:
            continue
        if not reached[-1]:
            last = chain[-1]
            copies = min(cards[row.code], held.get(last, 0)) if row.returns else 0
            if last not in cards:
                found[last] = -copies
            continue
        copies = cards[chain[reached[-1]]]
        for code in chain[: reached[-1]]:
            if found.get(code, 0) >= 0:
                found[code] = found.get(code, 0) - copies
    return {code: copies for code, copies in found.items() if copies}
