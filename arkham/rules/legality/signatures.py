"""The legal sets of signature cards, and required cards permanently lost."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations, product
from typing import NamedTuple

from arkham.rules.card import Card
from arkham.rules.investigator import Requirement
from arkham.rules.modifiers import FIRST_OF, SIDE_ROWS
from arkham.rules.pool import CardPool
from arkham.rules.vocabulary import WeaknessKind


def fills_weakness_slot(card: Card) -> bool:
    """True if a card fills the slot of a random basic weakness."""
    return card.weakness is WeaknessKind.BASIC or card.code in FIRST_OF


def not_replaced(
    changes: Mapping[str, int], investigator: str, pool: CardPool
) -> Counter[str]:
    """Copies of required cards that left a deck without being replaced (DECK-19).

    ``changes`` maps codes to copies that came by order of a campaign, or left
    (negative). Basic weaknesses count, too. Another version of a card, or the card for
    which a weakness was exchanged, replaces the one that left.
    """
    moved = _by_card(changes, pool)
    found = _weaknesses(moved, pool)
    # A card that several of these require is lost to all of them.
    found |= _signatures(moved, investigator, pool)
    return found | _beside(moved, investigator, pool)


def given_signatures(
    changes: Mapping[str, int], investigator: str, pool: CardPool
) -> frozenset[str]:
    """Signatures that came by order of a campaign and may be mixed with any others.

    ``changes`` maps codes to copies that came, or left (negative).
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


def lost_after(
    lost: Counter[str], changes: Mapping[str, int], investigator: str, pool: CardPool
) -> Counter[str]:
    """The copies lost after cards came by order of a campaign or left (DECK-19).

    ``lost`` are those lost before; ``changes`` maps codes to copies that came, or left
    (negative). A card that comes back is no longer lost; a required card may come back
    as another version, or as another card that meets the same requirement.
    """
    moved = _by_card(changes, pool)
    asked = _asked_for(investigator, pool)
    found: Counter[str] = Counter()
    for code, copies in lost.items():
        card = pool.get_card(code)
        if card is not None and card.code in asked:
            moved[card.code] -= copies  # as if it left only now
            continue
        code = card.code if card is not None else code
        back = min(max(moved[code], 0), copies)
        moved[code] -= back
        found[code] += copies - back
    return found + not_replaced(moved, investigator, pool)


def _asked_for(investigator: str, pool: CardPool) -> frozenset[str]:
    """Cards that a deck must include, and those that may replace them."""
    requirements = _requirements(investigator, pool)
    codes = {code for each in requirements for code in each.codes()}
    return frozenset(codes.union(*_chosen_beside(investigator, pool)))


def most_asked(code: str, investigator: str, pool: CardPool) -> int:
    """The most copies of a card that this investigator's deck must have, at least 1."""
    asked = [1]
    for each in _requirements(investigator, pool):
        asked += [copies for other, copies in each.replacements if other == code]
        if code in (each.original, each.advanced):
            asked += [each.copies, each.copies_at_most or 0]
            asked += [copies for _size, copies in each.copies_by_size]
    asked += [row.most for row in SIDE_ROWS if row.weakness == code]
    return max(asked)


def _by_card(changes: Mapping[str, int], pool: CardPool) -> Counter[str]:
    """Sum copies by the code of their card; unknown cards are left out."""
    found: Counter[str] = Counter()
    for code, copies in changes.items():
        card = pool.get_card(code)
        if card is not None:
            found[card.code] += copies
    return found


def _requirements(investigator: str, pool: CardPool) -> tuple[Requirement, ...]:
    owner = pool.get_card(investigator)
    back = owner.investigator.back if owner and owner.investigator else None
    return back.requirements if back else ()


def _signatures(moved: Counter[str], investigator: str, pool: CardPool) -> Counter[str]:
    """Lost signatures: those printed on the back, and cards that replaced them.

    If replacements came and the printed cards left, or the reverse, those that left
    were replaced and are not lost, but missing ones of several replacements are. A
    replacement for two of them is lost once.
    """
    found: Counter[str] = Counter()
    for requirement in _requirements(investigator, pool):
        lost: Counter[str] = Counter()
        others = Counter(dict(requirement.replacements))
        printed = [code for code in requirement.codes() if code not in others]
        came = sum(moved[code] for code in others)
        balance = sum(moved[code] for code in printed)
        if balance < 0 < came:
            lost += Counter({code: others[code] - moved[code] for code in others})
        elif came < 0 < balance:
            lost += Counter({printed[0]: requirement.copies - balance})
        else:
            lost += _missing(moved, list(others))
            for code, copies in _missing(moved, printed).items():
                version = code == requirement.advanced
                lost[requirement.original if version else code] += copies
        found |= lost
    return found


def _beside(moved: Counter[str], investigator: str, pool: CardPool) -> Counter[str]:
    """Lost cards among those a side adds, and those required in a second deck."""
    found: Counter[str] = Counter()
    for cards in _chosen_beside(investigator, pool):
        found |= _missing(moved, cards)
    return found


def _chosen_beside(investigator: str, pool: CardPool) -> list[tuple[str, ...]]:
    """Groups of required cards in which one card may replace another."""
    owner = pool.get_card(investigator)
    back = owner.investigator.back if owner and owner.investigator else None
    beside = back.side_deck.required if back and back.side_deck else ()
    return [*(row.among for row in SIDE_ROWS), beside]


def _weaknesses(moved: Counter[str], pool: CardPool) -> Counter[str]:
    return _missing(
        moved, sorted(code for code in moved if fills_weakness_slot(pool[code]))
    )


def _missing(moved: Counter[str], codes: Sequence[str]) -> Counter[str]:
    """Copies that left and that no others replaced, in the order of the codes."""
    missing = max(-sum(moved[code] for code in codes), 0)
    found: Counter[str] = Counter()
    for code in codes:
        copies = min(max(-moved[code], 0), missing)
        if copies:
            found[code] = copies
            missing -= copies
    return found


Copies = tuple[str, int, int]  # code, least, most
EXACT = (False, 0, 0)
Wanted = tuple[tuple[Requirement, tuple[int, int]], ...]  # with the copies required


@dataclass(frozen=True, slots=True)
class SignatureSet:
    """One legal way to meet the requirements: copies (least, most) by code."""

    copies: tuple[tuple[str, int, int], ...]
    mixed: bool = False

    def distance(
        self, held: Mapping[str, int], aside: Mapping[str, int]
    ) -> tuple[bool, int, int]:
        """How far ``held`` is from this set, as a tuple: the smallest is nearest.

        Returns whether cards must both come and go, how many in all, and how many must
        go. A set that only lacks cards, or only has too many, is nearer than a set of
        other cards. Copies set ``aside`` are in the deck too, but never too many.
        """
        missing = 0
        surplus = sum(held.values())
        for code, least, most in self.copies:
            have = held.get(code, 0)
            surplus -= min(have, most)
            if have < least:
                missing += max(least - have - aside.get(code, 0), 0)
        return bool(missing and surplus), missing + surplus, surplus


class SignatureMatch(NamedTuple):
    """A deck's signatures, and the legal set nearest to them.

    ``blended`` is true if they would be legal if versions could be mixed; ``aside`` are
    copies that an effect added.
    """

    held: Mapping[str, int]
    aside: Mapping[str, int]
    nearest: SignatureSet
    blended: bool

    def copies(self, code: str) -> int:
        """Copies of a signature in the deck, including those set aside."""
        return self.held.get(code, 0) + self.aside.get(code, 0)


def match(
    held: Mapping[str, int],
    aside: Mapping[str, int],
    sets: Sequence[SignatureSet],
    *,
    mixing: bool,
) -> SignatureMatch:
    """Compare the deck's signatures with the legal sets; the first nearest set wins.

    A deck without signatures is compared with the printed set, even if another set has
    fewer cards.
    """
    nearest, least = sets[0], sets[0].distance(held, aside)
    blended = False
    for each in sets if any((*held.values(), *aside.values())) else ():
        if least == EXACT:
            break
        apart = each.distance(held, aside)
        if each.mixed and not mixing:
            blended = blended or apart == EXACT
        elif apart < least:
            nearest, least = each, apart
    return SignatureMatch(held, aside, nearest, blended and least != EXACT)


def exact_sets(
    sets: Sequence[SignatureSet], *, mixing: bool
) -> dict[frozenset[tuple[str, int]], SignatureSet]:
    """The legal sets of fixed copies, by the copies of each code."""
    exact: dict[frozenset[tuple[str, int]], SignatureSet] = {}
    for each in sets:
        if each.mixed and not mixing:
            continue
        if any(least != most for _code, least, most in each.copies):
            continue
        held = frozenset((code, most) for code, _least, most in each.copies if most)
        exact.setdefault(held, each)
    return exact


@lru_cache(maxsize=1_024)  # few frames of an investigator differ in these
def signature_sets(
    wanted: Wanted,
    *,
    both: bool,
    each_alone: bool = False,
    lost: frozenset[tuple[str, int]] = frozenset(),
) -> tuple[SignatureSet, ...]:
    """Every legal way to meet the requirements, the printed one first.

    Replacements come as a set in place of all cards they replace. With ``both`` they
    may also come in addition to them, with ``each_alone`` some may come and others not.
    Sets that mix original and advanced versions are marked as mixed. Copies that were
    ``lost`` are no longer required; the rest of them are.
    """
    gone_of = dict(lost)
    bases = [
        (tuple(_if_not_lost(each, gone_of) for each in copies), mixed)
        for copies, mixed in _bases(wanted)
    ]
    sets = [SignatureSet(copies, mixed) for copies, mixed in bases]
    replaceable = [each for each, _ in wanted if each.replacements]
    if not replaceable:
        return tuple(sets)
    added: dict[str, int] = {}
    for requirement in replaceable:
        added.update(dict(requirement.replacements))
    replacing = tuple(
        _if_not_lost((code, copies, copies), gone_of) for code, copies in added.items()
    )
    gone = {code for each in replaceable for code in each.codes()}
    for copies, mixed in bases:
        kept = tuple(each for each in copies if each[0] not in gone)
        sets.append(SignatureSet((*kept, *replacing), mixed))
    if each_alone:
        sets.extend(_part_replaced(replaceable, bases, gone_of))
    if both:
        sets.extend(
            SignatureSet((*copies, *replacing), mixed) for copies, mixed in bases
        )
    return tuple(sets)


def _part_replaced(
    replaceable: Sequence[Requirement],
    bases: Sequence[tuple[tuple[Copies, ...], bool]],
    lost: Mapping[str, int],
) -> Iterator[SignatureSet]:
    """Yield the sets in which some signatures, but not all, are replaced."""
    for number in range(1, len(replaceable)):
        for chosen in combinations(replaceable, number):
            gone = {code for each in chosen for code in each.codes()}
            added = dict(pair for each in chosen for pair in each.replacements)
            replacing = tuple(
                _if_not_lost((code, copies, copies), lost)
                for code, copies in added.items()
            )
            for copies, mixed in bases:
                kept = tuple(each for each in copies if each[0] not in gone)
                yield SignatureSet((*kept, *replacing), mixed)


def _if_not_lost(wanted: Copies, lost: Mapping[str, int]) -> Copies:
    code, least, most = wanted
    gone = lost.get(code, 0)
    return code, max(least - gone, 0), max(most - gone, 0)


def _bases(wanted: Wanted) -> list[tuple[tuple[Copies, ...], bool]]:
    """Originals, advanced versions, and (marked as mixed) every blend of the two."""
    versions: list[list[Copies]] = []
    for requirement, (least, most) in wanted:
        codes = [requirement.original, requirement.advanced]
        versions.append([(code, least, most) for code in codes if code])
    bases = []
    for blend in product(*versions):
        taken = {
            offered.index(each)
            for offered, each in zip(versions, blend, strict=True)
            if len(offered) > 1
        }
        bases.append((blend, len(taken) > 1))
    bases.sort(key=lambda base: base[1])  # pure sets first; the sort is stable
    return bases
