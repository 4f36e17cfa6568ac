"""Fits assets in play into slots, and finds those that may be discarded.

Each slot is a place, and each asset needs places of the kinds it prints. Fitting all
assets is a matching problem. The ways out are the smallest sets of other assets without
which all the rest, including the new asset, fits.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from types import MappingProxyType
from typing import NamedTuple

from arkham.rules.card import Card
from arkham.rules.finding import Citation, printed

# ruff: noqa: E501 (tables align)


# SLOT-01, CYC-CU2. No document lists the head slot: by our reading of the assets of the
# 2026 Core Set that print it, every investigator has one.
SLOTS: Mapping[str, int] = MappingProxyType(
    {
        "ally": 1,
        "hand": 2,
        "arcane": 2,
        "accessory": 1,
        "body": 1,
        "tarot": 1,
        "head": 1,
    }
)


@dataclass(frozen=True, slots=True)
class SlotGrant:
    """Slots that a card gives (or takes, if negative), each of any one of ``kinds``.

    Only assets with one of ``traits`` fit, if there are any; only those that are not
    unique, if ``ordinary``.
    """

    code: str
    name: str
    cites: tuple[Citation, ...]
    kinds: tuple[str, ...]
    count: int = 1
    traits: tuple[str, ...] = ()
    ordinary: bool = False
    varies: bool = False


@dataclass(frozen=True, slots=True)
class SlotSharing:
    """Up to ``count`` assets of this name share a single slot."""

    name: str
    cites: tuple[Citation, ...]
    kind: str
    count: int


@dataclass(frozen=True, slots=True)
class SlotExchange:
    """Slots of any of these kinds can be used for assets of all of them."""

    code: str
    name: str
    cites: tuple[Citation, ...]
    kinds: tuple[str, ...]


def _grant(code: str, name: str, *kinds: str, **how: object) -> SlotGrant:
    return SlotGrant(code, name, (printed(name, code),), kinds, **how)  # type: ignore[arg-type]


# fmt: off
GRANTS: tuple[SlotGrant, ...] = (
    #       code     name                             slot         how many, and for what
    _grant("01008",  "Daisy's Tote Bag",              "hand",      count=2, traits=("tome",)),
    _grant("90002",  "Daisy's Tote Bag (advanced)",   "hand",      count=2, traits=("tome",)),
    _grant("01070",  "Book of Shadows",               "arcane"),
    _grant("02147",  "Bandolier",                     "hand",      traits=("weapon",)),
    _grant("51001",  "Bandolier (2)",                 "hand",      count=2, traits=("weapon",)),
    _grant("02157",  "Relic Hunter",                  "accessory"),
    _grant("02158",  "Charisma",                      "ally"),
    _grant("04006",  "Mitch Brown",                   "ally",      count=2, ordinary=True),
    _grant("05112",  "Sign Magick",                   "arcane",    traits=("spell", "ritual")),
    _grant("54008",  "Sign Magick (3)",               "arcane",    traits=("spell", "ritual")),
    _grant("05283",  "Anna Kaslow",                   "tarot",     count=2),
    _grant("08060",  "Dragon Pole",                   "arcane"),
    _grant("08128",  "Rod of Animalism",              "ally",      count=2, traits=("creature",)),
    _grant("09018",  "Charlie Kane",                  "ally",      count=3),
    _grant("09065",  "Hidden Pocket",                 "hand", "accessory", traits=("illicit",)),
    _grant("09089",  "Binder's Jar",                  "arcane",    count=0, varies=True),
    _grant("09091",  "Astral Mirror",                 "hand",      count=0, varies=True),
    _grant("10041",  "Dr. Charles West III",          "hand",      traits=("tool",)),
    _grant("10132",  "Occult Reliquary",              "hand", "accessory", "arcane", traits=("blessed", "cursed")),
    _grant("10693",  "Mother Rachel",                 "arcane"),
    _grant("10698",  "Gideon Mizrah",                 "accessory"),
    _grant("11001",  "Marion Tavares",                "hand",      count=-1),
    _grant("11012",  "“Viola” Case",                  "hand",      count=2, traits=("firearm",)),
    _grant("11044",  "Scientific Studies Grant",      "hand",      count=2, traits=("science", "tool")),
    _grant("11759b", "Dreams of Destruction",         "arcane"),
    _grant("54007",  "The Hierophant • V",            "arcane"),
    _grant("54012",  "Moon Pendant",                  "tarot"),
    _grant("60181",  "Protective Vest",               "hand",      traits=("firearm",)),
    _grant("60205",  "Arcane Enlightenment",          "hand",      traits=("tome",)),
    _grant("60232",  "Miskatonic Archaeology Funding", "ally",     count=2, traits=("miskatonic",)),
    _grant("60260",  "University Archivist",          "hand",      traits=("tome",)),
    _grant("60410",  "Familiar Spirit",               "arcane",    traits=("spell",)),
    _grant("60478",  "Arcane Experience",             "arcane"),
    _grant("71034",  "Carl Sanford",                  "arcane"),
    _grant("90027",  "Directive: Consult Experts",    "ally"),
)
SHARINGS: tuple[SlotSharing, ...] = (
    SlotSharing("Empower Self",      (printed("Empower Self", "06241"),),      "arcane", 3),
    SlotSharing("Sled Dog",          (printed("Sled Dog", "08127"),),          "ally",   2),
    SlotSharing("Uncanny Specimen",  (printed("Uncanny Specimen", "11039"),),  "arcane", 3),
    SlotSharing("Sacred Oath",       (printed("Sacred Oath", "11121"),),       "arcane", 3),
)
EXCHANGES: tuple[SlotExchange, ...] = (
    SlotExchange("54007", "The Hierophant • V", (printed("The Hierophant • V", "54007"),), ("arcane", "accessory")),
)
# fmt: on
GRANTS_OF: Mapping[str, SlotGrant] = {row.code: row for row in GRANTS}
SHARING_OF: Mapping[str, SlotSharing] = {row.name: row for row in SHARINGS}
EXCHANGE_OF: Mapping[str, SlotExchange] = {row.code: row for row in EXCHANGES}

MOST_TRIED = 1_000  # sets of assets tried as ways out
NO_MORE: Mapping[str, int] = {}


class Slot(NamedTuple):
    """A slot: the kinds it can be used for, and the assets that may use it.

    ``traits``: assets need one of them, if there are any; ``ordinary``: only assets
    that are not unique. ``by`` is the name of the card that gives it, "" for the slots
    of every investigator.
    """

    kinds: frozenset[str]
    traits: tuple[str, ...] = ()
    ordinary: bool = False
    by: str = ""

    def takes(self, kind: str, card: Card) -> bool:
        """True if an asset that needs a slot of this kind can use this one."""
        if kind not in self.kinds or (self.ordinary and card.unique):
            return False
        return not self.traits or not set(self.traits).isdisjoint(card.traits)


class HeldAsset(NamedTuple):
    """A card in play; ``slotless`` if some effect lets it take no slot."""

    card: Card
    slotless: bool = False


class Want(NamedTuple):
    """One slot needed: its kind, and the assets (by index) that share it."""

    kind: str
    assets: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Arrangement:
    """Which slot serves which want (in ``places``), and the wants left over."""

    places: tuple[tuple[Slot, Want | None], ...]
    unmet: tuple[Want, ...]

    @property
    def fits(self) -> bool:
        """True if every asset has the slots it takes."""
        return not self.unmet


def slots_of(
    investigator: Card | None,
    held: Sequence[HeldAsset],
    more: Mapping[str, int] = NO_MORE,
) -> tuple[Slot, ...]:
    """The slots of an investigator with these cards in play, the narrowest first.

    ``more`` is what the table adds or removes, by kind, for cards without a row.
    """
    counted = Counter(SLOTS)
    counted.update(more)
    narrow: list[Slot] = []
    cards = [each.card for each in held]
    for card in ([investigator] if investigator else []) + cards:
        grant = GRANTS_OF.get(card.code)
        if grant is None:
            continue
        if grant.traits or grant.ordinary or len(grant.kinds) > 1:
            place = Slot(
                frozenset(grant.kinds), grant.traits, grant.ordinary, card.name
            )
            narrow += [place] * grant.count
        else:
            counted[grant.kinds[0]] += grant.count
    plain = [Slot(frozenset({kind})) for kind in SLOTS for _n in range(counted[kind])]
    return (*narrow, *_exchanged(plain, cards))


def _exchanged(places: Sequence[Slot], cards: Sequence[Card]) -> list[Slot]:
    """The places, extended by cards that let one kind be used as another."""
    found = list(places)
    for card in cards:
        if card.code in EXCHANGE_OF:
            kinds = frozenset(EXCHANGE_OF[card.code].kinds)
            found = [
                each._replace(kinds=each.kinds | kinds) if each.kinds & kinds else each
                for each in found
            ]
    return found


def wants_of(held: Sequence[HeldAsset]) -> tuple[Want, ...]:
    """The slots that cards take; assets that share one need it together."""
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
    investigator: Card | None,
    held: Sequence[HeldAsset],
    more: Mapping[str, int] = NO_MORE,
) -> Arrangement:
    """Serve as many wants as possible; earlier wants keep a place before later ones."""
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
    investigator: Card | None,
    held: Sequence[HeldAsset],
    more: Mapping[str, int] = NO_MORE,
) -> tuple[tuple[int, ...], ...]:
    """Every smallest set of assets whose discarding makes room for the last one.

    Sets are indexes in ``held``; the last asset is not discarded itself (SLOT-02), and
    no set includes another. () if everything fits or discarding doesn't help; fewer
    than all if there are too many to try.
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
    """Yield sets of assets, smaller ones first, up to the limit."""
    tried = 0
    for size in range(1, len(assets) + 1):
        for gone in combinations(assets, size):
            tried += 1
            if tried > MOST_TRIED:
                return
            yield gone


def _rivals(held: Sequence[HeldAsset]) -> tuple[int, ...]:
    """The assets that take slots, except the last one.

    Assets of other kinds are included, as the one discarded may have given the slots.
    """
    assets = {at for want in wants_of(held) for at in want.assets}
    return tuple(sorted(assets - {len(held) - 1}))
