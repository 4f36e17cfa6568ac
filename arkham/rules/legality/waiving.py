"""Names the requirements that are gone with the cards a campaign took for good."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from arkham.rules.card import Card
from arkham.rules.exchanges import FIRST_OF
from arkham.rules.investigator import Requirement
from arkham.rules.modifiers import SIDE_ROWS
from arkham.rules.pool import CardPool
from arkham.rules.vocabulary import WeaknessKind


def fills_weakness_slot(card: Card) -> bool:
    """Whether a card fills the slot of a random basic weakness."""
    return card.weakness is WeaknessKind.BASIC or card.code in FIRST_OF


def waived(
    changes: Mapping[str, int], investigator: str, pool: CardPool
) -> frozenset[str]:
    """Required cards that left a deck with nothing in their place (DECK-19).

    ``changes`` are copies by code that came by order of a campaign or left (below 0).
    A basic weakness may be one of them; another version, or the card for which a
    weakness was exchanged, takes the place of the card that left.
    """
    moved: dict[str, int] = {}
    for code, copies in changes.items():
        card = pool.get_card(code)
        if card is not None:
            moved[card.code] = moved.get(card.code, 0) + copies
    return frozenset(
        {
            *_signatures(moved, investigator, pool),
            *_beside(moved, investigator, pool),
            *_weaknesses(moved, pool),
        }
    )


def given_signatures(
    changes: Mapping[str, int], investigator: str, pool: CardPool
) -> frozenset[str]:
    """Signatures that came by order of a campaign: they may stand beside any others.

    ``changes`` are copies by code that came or left (below 0).
    """
    came = {
        card.code
        for code, copies in changes.items()
        if copies > 0 and (card := pool.get_card(code)) is not None
    }
    asked = {
        code for each in _requirements(investigator, pool) for code in each.codes()
    }
    return frozenset(came & asked)


def versions_of(
    codes: Iterable[str], investigator: str, pool: CardPool
) -> frozenset[str]:
    """These cards, and every card that meets a requirement which one of them meets."""
    found = {card.code for code in codes if (card := pool.get_card(code)) is not None}
    for requirement in _requirements(investigator, pool):
        if not found.isdisjoint(requirement.codes()):
            found.update(requirement.codes())
    return frozenset(found)


def _requirements(investigator: str, pool: CardPool) -> tuple[Requirement, ...]:
    owner = pool.get_card(investigator)
    back = owner.investigator.back if owner and owner.investigator else None
    return back.requirements if back else ()


def _signatures(
    moved: Mapping[str, int], investigator: str, pool: CardPool
) -> Iterator[str]:
    for requirement in _requirements(investigator, pool):
        if sum(moved.get(code, 0) for code in {*requirement.codes()}) < 0:
            yield requirement.original


def _beside(
    moved: Mapping[str, int], investigator: str, pool: CardPool
) -> Iterator[str]:
    """Cards a side adds to the deck, and those printed as part of a second deck."""
    owner = pool.get_card(investigator)
    back = owner.investigator.back if owner and owner.investigator else None
    beside = back.side_deck.required if back and back.side_deck else ()
    for cards in (*(row.among for row in SIDE_ROWS), beside):
        left = [code for code in cards if moved.get(code, 0) < 0]
        yield from left[: max(-sum(moved.get(code, 0) for code in cards), 0)]


def _weaknesses(moved: Mapping[str, int], pool: CardPool) -> list[str]:
    slots = {
        code: copies
        for code, copies in moved.items()
        if fills_weakness_slot(pool[code])
    }
    missing = max(-sum(slots.values()), 0)
    return sorted(code for code, copies in slots.items() if copies < 0)[:missing]
