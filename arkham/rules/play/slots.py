"""Fits assets in play into slots, and finds those that may be discarded.

Each slot is a place, each asset wants one place or more of the kinds it prints. Whether
all find one is a matching; what may be discarded is every smallest set of other assets
without which all that remains, the new asset included, does.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import NamedTuple

from arkham.rules.card import Card
from arkham.rules.play.slot_table import (
    EXCHANGE_OF,
    GRANTS_OF,
    SHARING_OF,
    SLOTS,
    SlotSharing,
)

MOST_TRIED = 1_000  # sets of assets looked at for a way out
NO_MORE: Mapping[str, int] = {}


class Place(NamedTuple):
    """A slot: the kinds it is good for, and who alone may use it.

    ``traits``: one of them is needed, if any are named; ``ordinary``: only assets that
    are not unique. ``by`` is the name of the card that gives it, “” for those that
    everybody has.
    """

    kinds: frozenset[str]
    traits: tuple[str, ...] = ()
    ordinary: bool = False
    by: str = ""

    def takes(self, kind: str, card: Card) -> bool:
        """Whether an asset that wants a slot of this kind may have this one."""
        if kind not in self.kinds or (self.ordinary and card.unique):
            return False
        return not self.traits or not set(self.traits).isdisjoint(card.traits)


class Held(NamedTuple):
    """A card in play: ``slotless`` if some effect lets it take no slot."""

    card: Card
    slotless: bool = False


class Want(NamedTuple):
    """One slot wanted: its kind and the assets, by place in the list, that share it."""

    kind: str
    assets: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Arrangement:
    """Who has which slot: ``places`` with the want each serves; wants left over."""

    places: tuple[tuple[Place, Want | None], ...]
    unmet: tuple[Want, ...]

    @property
    def fits(self) -> bool:
        """Whether every asset has the slots it takes."""
        return not self.unmet


def slots_of(
    investigator: Card | None, held: Sequence[Held], more: Mapping[str, int] = NO_MORE
) -> tuple[Place, ...]:
    """The slots of an investigator with these cards in play, the narrowest first.

    ``more`` is what the table adds or takes by kind for what no row counts.
    """
    counted = Counter(SLOTS)
    counted.update(more)
    narrow: list[Place] = []
    cards = [each.card for each in held]
    for card in ([investigator] if investigator else []) + cards:
        grant = GRANTS_OF.get(card.code)
        if grant is None:
            continue
        if grant.traits or grant.ordinary or len(grant.kinds) > 1:
            place = Place(
                frozenset(grant.kinds), grant.traits, grant.ordinary, card.name
            )
            narrow += [place] * grant.count
        else:
            counted[grant.kinds[0]] += grant.count
    plain = [Place(frozenset({kind})) for kind in SLOTS for _n in range(counted[kind])]
    return (*narrow, *_exchanged(plain, cards))


def _exchanged(places: Sequence[Place], cards: Sequence[Card]) -> list[Place]:
    """The places as cards in play let one kind serve for another."""
    found = list(places)
    for card in cards:
        if card.code in EXCHANGE_OF:
            kinds = frozenset(EXCHANGE_OF[card.code].kinds)
            found = [
                each._replace(kinds=each.kinds | kinds) if each.kinds & kinds else each
                for each in found
            ]
    return found


def wants_of(held: Sequence[Held]) -> tuple[Want, ...]:
    """The slots that cards take; assets that share one want it together."""
    wants: list[Want] = []
    shared: dict[SlotSharing, list[int]] = {}
    for at, (card, slotless) in enumerate(held):
        if slotless:
            continue
        sharing = SHARING_OF.get(card.name)
        for kind in card.slots:
            if sharing is not None and kind == sharing.kind:
                shared.setdefault(sharing, []).append(at)
            else:
                wants.append(Want(kind, (at,)))
    for sharing, assets in shared.items():
        for first in range(0, len(assets), sharing.count):
            together = tuple(assets[first : first + sharing.count])
            wants.append(Want(sharing.kind, together))
    return tuple(wants)


def arranged(
    investigator: Card | None, held: Sequence[Held], more: Mapping[str, int] = NO_MORE
) -> Arrangement:
    """As many wants served as can be; earlier ones keep a place before later ones."""
    places, wants = slots_of(investigator, held, more), wants_of(held)
    taken: dict[int, int] = {}

    def seat(want: int, seen: set[int]) -> bool:
        kind, assets = wants[want]
        card = held[assets[0]].card
        for at, place in enumerate(places):
            if at not in seen and place.takes(kind, card):
                seen.add(at)
                if at not in taken or seat(taken[at], seen):
                    taken[at] = want
                    return True
        return False

    unmet = tuple(each for want, each in enumerate(wants) if not seat(want, set()))
    served = tuple(
        (place, wants[taken[at]] if at in taken else None)
        for at, place in enumerate(places)
    )
    return Arrangement(served, unmet)


def ways_out(
    investigator: Card | None, held: Sequence[Held], more: Mapping[str, int] = NO_MORE
) -> tuple[tuple[int, ...], ...]:
    """Every smallest set of assets whose discarding makes room for the last one.

    By places in ``held``; the last asset came last and is not discarded itself
    (SLOT-02). None of the sets holds another. () where all fits, and where nothing
    that is discarded makes room; fewer where there are too many to look at.
    """
    if arranged(investigator, held, more).fits:
        return ()
    found: list[tuple[int, ...]] = []
    for gone in _sets(_rivals(held)):
        if any(set(each) <= set(gone) for each in found):
            continue
        stays = [each for at, each in enumerate(held) if at not in gone]
        if arranged(investigator, stays, more).fits:
            found.append(gone)
    return tuple(found)


def _sets(assets: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """Sets of assets, the smaller ones first, as many as are looked at."""
    tried = 0
    for size in range(1, len(assets) + 1):
        for gone in combinations(assets, size):
            tried += 1
            if tried > MOST_TRIED:
                return
            yield gone


def _rivals(held: Sequence[Held]) -> tuple[int, ...]:
    """The assets but the last that take slots.

    Those of other kinds too: what is discarded may be what gave the slots.
    """
    assets = {at for want in wants_of(held) for at in want.assets}
    return tuple(sorted(assets - {len(held) - 1}))
