"""Admission of cards to decks on given terms, and the assignment of limited options.

Cards are grouped by the set of limited options they may use (a bit mask); there are a
handful of groups, however large the deck. Both whether all cards find a place (Hall’s
condition over the sets of options) and the placement (augmenting paths) are exact, not
greedy.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from arkham.rules.card import Card
from arkham.rules.investigator import DeckOption
from arkham.rules.legality.compiling import PLACEHOLDER, printed_standing
from arkham.rules.legality.standing import CardRole, Standing, fits
from arkham.rules.legality.tally import Concern
from arkham.rules.modifiers import HEALING_REACTIONS, Attachment
from arkham.rules.pool import CardPool
from arkham.rules.rulings import Rulings
from arkham.rules.vocabulary import CardClass, Mode

# Products outside every environment, and the rulings that may allow them.
RULINGS_BY_CYCLE = {
    "parallel": "environment.parallel",
    "promotional": "environment.promo",
}
_JUDGED_WITH_INVESTIGATOR = (CardRole.SIGNATURE, CardRole.UNLISTED, CardRole.FOREIGN)


class CardTerms(NamedTuple):
    """Everything except the card itself that decides its standing and how it counts.

    Compiling a card reads nothing else of a frame, so frames with equal card terms
    share what was compiled. ``granted`` are indexes of options that cards grant;
    ``requirements``, ``by_class`` and ``hunches`` say what is counted separately.
    """

    pool: CardPool
    rulings: Rulings
    mode: Mode  # START or CAMPAIGN: all other modes judge cards alike
    base: str  # the investigator's base code
    traits: tuple[str, ...]  # on the front
    classes: tuple[CardClass, ...]
    options: tuple[DeckOption, ...]
    restrictions: tuple[DeckOption, ...]
    granted: frozenset[int]
    required: frozenset[str]  # signatures, and cards that may replace them
    originals: frozenset[str]
    gone_titles: frozenset[str]
    asked: frozenset[str]  # signatures on the back; the next field: those lost
    gone_signatures: frozenset[str]
    one_of_each: bool
    packs: frozenset[str] | None
    is_limited_pool: bool
    requirements: tuple[str, ...]
    by_class: bool
    hunches: tuple[Attachment, ...]


def standing_on(terms: CardTerms, effective: Standing) -> Standing:
    """A card's standing in decks on these terms; for most weaknesses as in any deck."""
    card, role = effective.card, effective.role
    assert card is not None
    more: tuple[Concern, ...] = ()
    if card.code in terms.required:
        role = CardRole.SIGNATURE
        effective = printed_standing(terms.pool, card, effective.taboo, role)
        if card.code not in terms.originals:
            more = (Concern.SIGNATURE,)
    elif role is CardRole.FOREIGN and _is_own(terms, card):
        role = CardRole.UNLISTED
        effective = printed_standing(terms.pool, card, effective.taboo, role)
    if card.restriction is not None and not may_hold(terms, card):
        more += (Concern.FOREIGN,)
    if _is_gone(terms, card):
        more += (Concern.BANNED,)
    if terms.packs is not None and not in_environment(terms, card, role):
        more += (Concern.OUT_OF_POOL,)
    limit = effective.limit
    if terms.one_of_each and (
        role is CardRole.ORDINARY or (role is CardRole.STORY and card.weakness is None)
    ):
        limit = 1
    if role is not CardRole.ORDINARY:
        if not more and limit == effective.limit:
            return effective
        return effective._replace(limit=limit, concerns=effective.concerns + more)
    if card.code in HEALING_REACTIONS:
        effective = _read(terms, card, effective)
    free, limited = _admitting(terms, card, effective)
    forbidden_by = -1
    if terms.restrictions:
        forbidden_by = _forbidding(terms, card, effective)
        if forbidden_by >= 0:
            more += (Concern.BARRED,)
    if free < 0 and not limited:
        more += (Concern.NOT_ADMITTED,)
    elif forbidden_by >= 0:
        free, limited = -1, 0  # it takes no other card's place in a limited option
    concerns = effective.concerns + more
    decided = (limit, concerns, free, limited, forbidden_by)
    return Standing._make(effective[:DECIDED] + decided)


def _is_gone(terms: CardTerms, card: Card) -> bool:
    """True if a campaign or an ultimatum permanently removed the card."""
    if card.code in terms.asked:
        return card.code in terms.gone_signatures
    return bool(terms.gone_titles) and card.title in terms.gone_titles


DECIDED = Standing._fields.index("limit")  # the terms of a deck decide from here on


def _read(terms: CardTerms, card: Card, effective: Standing) -> Standing:
    """The standing without tags of its text that a ruling excludes (OPT-02)."""
    if terms.rulings["options.circumstantial-text"] == "words":
        return effective
    return effective._replace(tags=effective.tags - HEALING_REACTIONS[card.code])


def _is_own(terms: CardTerms, card: Card) -> bool:
    """True if a card restricted to certain investigators belongs to this one."""
    restriction = card.restriction
    return restriction is not None and terms.base in restriction.investigators


def may_hold(terms: CardTerms, card: Card) -> bool:
    """True if the investigator's traits and class meet the card's restriction."""
    restriction = card.restriction
    if restriction is None:
        return True
    if restriction.traits and not set(restriction.traits) & set(terms.traits):
        return False
    return not restriction.classes or bool(
        set(restriction.classes) & set(terms.classes)
    )


def packs_counted(terms: CardTerms, card: Card) -> tuple[str, ...]:
    """The packs whose printing of a card brings it into an environment."""
    first_only = terms.rulings["environment.reprints"] == "first"
    printings = card.printings[:1] if first_only else card.printings
    return tuple(printing.pack for printing in printings)


def allowed_by_ruling(terms: CardTerms, card: Card) -> bool | None:
    """True if a parallel or promotional card is allowed; None if it is neither."""
    cycles = {
        pack.cycle
        for printing in card.printings
        if (pack := terms.pool.packs.get(printing.pack)) is not None
    }
    for cycle, ruling in RULINGS_BY_CYCLE.items():
        if cycle in cycles:
            return terms.rulings[ruling] == "allowed"
    return None


def in_environment(terms: CardTerms, card: Card, role: CardRole) -> bool:
    """True if the environment's products include the card (ENV rows)."""
    if terms.packs is None or card.code == PLACEHOLDER:
        return True
    if any(pack in terms.packs for pack in packs_counted(terms, card)):
        return True
    beside = allowed_by_ruling(terms, card)
    if beside is not None:
        return beside
    if role in _JUDGED_WITH_INVESTIGATOR:
        return True
    if role is CardRole.BASIC_WEAKNESS:
        return terms.is_limited_pool and (
            terms.rulings["environment.weaknesses"] == "no"
        )
    if role is CardRole.STORY:
        return terms.rulings["environment.story"] == "allowed"
    return False


def _admitting(terms: CardTerms, card: Card, standing: Standing) -> tuple[int, int]:
    """The unlimited option that admits a card, or else the limited ones, as a bit mask.

    Source: FAQ 1.15 and 1.16. A limited option printed without "other" takes every card
    it matches, whatever else admits it; one printed with "other" takes only cards that
    nothing else admits.
    """
    free, bit, mode = -1, 1, terms.mode
    limited = greedy = granted = 0  # one bit per limited option, in order
    for index, option in enumerate(terms.options):
        if option.limit is None:
            if free < 0 and fits(option, card, standing, mode):
                free = index
            continue
        if fits(option, card, standing, mode):
            limited |= bit
            if not option.other:
                greedy |= bit
            if index in terms.granted:
                granted |= bit
        bit <<= 1
    if greedy:
        if terms.rulings["options.full-limited-option"] == "capacity":
            greedy |= granted
        return -1, greedy
    return (free, 0) if free >= 0 else (-1, limited)


def _forbidding(terms: CardTerms, card: Card, standing: Standing) -> int:
    """The index of the first restriction that forbids a card, or -1."""
    if _named_by_an_option(terms, card, standing):
        return -1
    for index, restriction in enumerate(terms.restrictions):
        if not standing.traits.isdisjoint(restriction.spares):
            continue
        if fits(restriction, card, standing, terms.mode):
            return index
    return -1


def _named_by_an_option(terms: CardTerms, card: Card, standing: Standing) -> bool:
    """True if an option by trait or text admits the card despite any restriction."""
    if terms.rulings["options.restriction-outranks"] == "veto":
        return False
    return any(
        (option.traits or option.tags or option.uses)
        and fits(option, card, standing, terms.mode)
        for option in terms.options
    )


@dataclass(frozen=True, slots=True)
class Shortage:
    """A set of options that has fewer places than there are cards depending on it."""

    options: int  # bit mask
    demand: int
    places: int


def shortages(demands: Mapping[int, int], limits: Sequence[int]) -> list[Shortage]:
    """The smallest sets of options with too few places; empty if all cards fit.

    ``demands`` maps a mask of options to the number of cards that may use exactly
    those; ``limits`` is the number of places of each option.
    """
    found: list[Shortage] = []
    subsets = sorted(range(1, 1 << len(limits)), key=int.bit_count)
    for subset in subsets:
        if any(each.options & ~subset == 0 for each in found):
            continue
        demand = sum(count for mask, count in demands.items() if mask & ~subset == 0)
        places = sum(limit for index, limit in enumerate(limits) if subset >> index & 1)
        if demand > places:
            found.append(Shortage(subset, demand, places))
    return found


def allocate(demands: Mapping[int, int], limits: Sequence[int]) -> dict[int, list[int]]:
    """Place as many cards as possible: for each mask, the copies under each option.

    The result does not depend on the order of ``demands``.
    """
    groups = sorted(mask for mask, count in demands.items() if count)
    placed = {mask: [0] * len(limits) for mask in groups}
    room = list(limits)
    for mask in groups:
        for _ in range(demands[mask]):
            if not _place(mask, placed, room):
                break
    return placed


def taken_from(places: list[int], copies: int) -> Iterator[tuple[int, int]]:
    """Use up places of a group for some copies; yield pairs of option and copies."""
    for index, free in enumerate(places):
        taken = min(free, copies)
        if taken:
            places[index] -= taken
            copies -= taken
            yield index, taken


def _place(mask: int, placed: dict[int, list[int]], room: list[int]) -> bool:
    """Place one more card of a group, moving others if that makes room."""
    came_from: dict[int, tuple[int, int]] = {}  # option ← (group moved, old option)
    start = [index for index in range(len(room)) if mask >> index & 1]
    queue, seen = list(start), set(start)
    for option in queue:
        if room[option]:
            room[option] -= 1
            while option in came_from:
                group, before = came_from[option]
                placed[group][option] += 1
                placed[group][before] -= 1
                option = before
            placed[mask][option] += 1
            return True
        for group, by_option in placed.items():
            if not by_option[option]:
                continue
            for other in range(len(room)):
                if group >> other & 1 and other not in seen:
                    seen.add(other)
                    came_from[other] = (group, option)
                    queue.append(other)
    return False
