"""Refuses circumstances of a deck that name unknown cards.

Of a card that nobody knows nothing would follow, and nobody would be told. What is kept
already is read as it is, whatever has become of its cards.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from arkham.rules.deck import Circumstances
from arkham.rules.finding import gettext_noop as _
from arkham.rules.notation.names import names_of
from arkham.rules.notation.reading import Fault, Unreadable, shortened
from arkham.rules.pool import CardPool


def check_named(told: Circumstances, pool: CardPool) -> None:
    """Raise Unreadable with every title and code that no card has.

    Story cards and tasks may be those of a campaign that only its players know.
    """
    faults = [
        *_titles(told.banned_titles, pool),
        *_codes("lost_cards", told.lost_cards, pool),
        *_codes("given_signatures", told.given_signatures, pool),
    ]
    if faults:
        raise Unreadable(*faults)


def _titles(titles: frozenset[str], pool: CardPool) -> Iterator[Fault]:
    """A fault for each title that stands on no card, with those that are like it."""
    if not titles:
        return
    for each in sorted(titles - {card.title for card in pool.values()}):
        alike = [card.title for card in names_of(pool).called(each)]
        meant = ", ".join(alike[:1] or names_of(pool).like(each))
        yield Fault(
            "/circumstances/banned_titles",
            _("No card has the title {found}."),
            meant or _("the title of a card"),
            shortened(each),
        )


def _codes(key: str, codes: Iterable[str], pool: CardPool) -> Iterator[Fault]:
    for each in sorted(codes):
        if pool.get_card(each) is None:
            message, expected = _("No card has the code {found}."), _("a card code")
            yield Fault(f"/circumstances/{key}", message, expected, shortened(each))
