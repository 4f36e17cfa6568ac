"""Draws random upgrades."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache

from arkham.rules.deck import ANY_TABLE, Circumstances, DeckList
from arkham.rules.draws.decks import broken, copies_there
from arkham.rules.draws.record import DrawRecord, Purpose, Urn, draw, pool_of
from arkham.rules.finding import Citation, faq, printed
from arkham.rules.legality import Judge, check
from arkham.rules.legality.built import BuiltDeck
from arkham.rules.legality.compiling import PLACEHOLDER
from arkham.rules.legality.standing import CardRole
from arkham.rules.pool import CardPool
from arkham.rules.vocabulary import Mode

VERSIONS = 2  # copies that Shrewd Analysis upgrades together


@dataclass(frozen=True, slots=True)
class VersionRow:
    """A card that chooses the versions of an upgrade at random."""

    code: str
    name: str
    cites: tuple[Citation, ...]


@dataclass(frozen=True, slots=True)
class ChaosRow:
    """An investigator whose standalone deck is upgraded with random cards."""

    code: str
    name: str
    levels: tuple[int, int]
    cites: tuple[Citation, ...]


# fmt: off
RANDOM_VERSIONS: tuple[VersionRow, ...] = (
    #          code     name               printed in
    VersionRow("04106", "Shrewd Analysis", (printed("Shrewd Analysis", "04106"),)),
)
RANDOM_UPGRADES: tuple[ChaosRow, ...] = (
    #        code     name             levels  printed in
    ChaosRow("89001", "Subject 5U-21", (1, 5), (faq("Subject 5U-21"),)),
)
# fmt: on


def eligible_versions(
    judge: Judge,
    deck: DeckList,
    lower: str,
    circumstances: Circumstances = ANY_TABLE,
) -> dict[str, int]:
    """The researched versions a card may be upgraded to, with copies available.

    They are those with which the deck breaks no more rules than before.
    """
    card = judge.pool[lower]
    versions = _researched(judge.pool).get(card.code, ())
    if not versions:
        return {}
    tasks = (circumstances.tasks or frozenset()) | {card.code}
    circumstances = replace(circumstances, tasks=tasks)
    before = broken(check(judge, deck, circumstances))
    found = {}
    for code in versions:
        after = _exchanged(deck, _listed(judge, deck, lower), code)
        if broken(check(judge, after, circumstances)) <= before:
            found[code] = copies_there(judge.pool[code], circumstances)
    return found


@lru_cache(maxsize=2)  # the pool in use, and the one being replaced
def _researched(pool: CardPool) -> Mapping[str, tuple[str, ...]]:
    """The researched versions of each card, in the order of the pool."""
    found: dict[str, tuple[str, ...]] = {}
    for code, version in pool.items():
        for lower in version.researched_from:
            found[lower] = (*found.get(lower, ()), code)
    return found


def draw_versions(
    judge: Judge,
    deck: DeckList,
    lower: str,
    seed: str,
    circumstances: Circumstances = ANY_TABLE,
) -> DrawRecord:
    """Draw the two versions for Shrewd Analysis from the copies available.

    Raises ValueError if the deck has no such card, or fewer than two copies to upgrade.
    """
    held = {judge.pool[code].code for code in deck.entries if code in judge.pool}
    if not held & {row.code for row in RANDOM_VERSIONS}:
        raise ValueError("no card of the deck chooses versions at random")
    if deck.entries.get(_listed(judge, deck, lower), 0) < VERSIONS:
        raise ValueError(f"fewer than {VERSIONS} copies of {lower} are in the deck")
    versions = eligible_versions(judge, deck, lower, circumstances)
    return draw(Purpose.UPGRADE, seed, versions, VERSIONS)


@dataclass(frozen=True, slots=True)
class RandomUpgrades:
    """A randomly upgraded deck, and the draws."""

    deck: DeckList
    draws: tuple[DrawRecord, ...]
    experience: int


def random_upgrades(
    judge: Judge,
    deck: DeckList,
    experience: int,
    seed: str,
    circumstances: Circumstances = ANY_TABLE,
) -> RandomUpgrades:
    """Add random cards of level 1–5 worth ``experience`` to a standalone deck.

    One copy of each such card in the collection is in the urn. A card drawn replaces
    its lower version, or else a random level 0 card; cards that are too expensive or
    don't fit in the deck are left out. Weaknesses that the total requires are added as
    still to be drawn. Source: FAQ 2.5, Subject 5U-21.
    """
    row = _row_of(judge, deck)
    circumstances = replace(circumstances, mode=Mode.STANDALONE)
    leaving = f"{seed}/leaving"
    urn = Urn(f"{seed}/upgrades", pool_of(_leveled(judge, deck, row, circumstances)))
    draws: list[DrawRecord] = []
    spent = _built(judge, deck, circumstances).standalone_total
    for code in urn:
        if spent >= experience:
            break
        out = Urn(f"{leaving}/{code}", pool_of(_replaceable(judge, deck, code)))
        for old in out:
            after = _exchanged(deck, old, code)
            total = _built(judge, after, circumstances).standalone_total
            if total <= experience and _holds(judge, after, circumstances):
                deck, spent = after, total
                draws.append(out.recorded(Purpose.UPGRADE))
                break
    draws.insert(0, urn.recorded(Purpose.UPGRADE))
    return RandomUpgrades(
        _with_weaknesses(judge, deck, circumstances),
        tuple(draws),
        spent,
    )


def _row_of(judge: Judge, deck: DeckList) -> ChaosRow:
    card = judge.pool.get_card(deck.back or deck.investigator)
    for row in RANDOM_UPGRADES:
        if card is not None and row.code == card.code:
            return row
    raise ValueError(f"{deck.investigator} is not upgraded at random")


def _leveled(
    judge: Judge, deck: DeckList, row: ChaosRow, circumstances: Circumstances
) -> Mapping[str, int]:
    """One copy of each owned card of these levels that options allow in the deck."""
    frame = _built(judge, deck, circumstances).frame
    low, high = row.levels
    found = {}
    for code in judge.pool:
        standing = frame.standing(code)
        if standing.role is not CardRole.ORDINARY or standing.level is None:
            continue
        admitted = standing.free >= 0 or standing.limited
        if admitted and low <= standing.level <= high:
            found[code] = min(1, copies_there(judge.pool[code], circumstances))
    return found


def _replaceable(judge: Judge, deck: DeckList, code: str) -> dict[str, int]:
    """The cards that may leave for a card: lower versions, or else level 0 cards."""
    card = judge.pool[code]
    level_0, lower = {}, {}
    for listed, copies in deck.entries.items():
        held = judge.pool.get_card(listed)
        if held is None or held.level is None or held.weakness or held.permanent:
            continue
        if held.title == card.title and held.level < (card.level or 0):
            lower[listed] = copies
        elif held.level == 0:
            level_0[listed] = copies
    return lower or level_0


def _with_weaknesses(
    judge: Judge, deck: DeckList, circumstances: Circumstances
) -> DeckList:
    built = _built(judge, deck, circumstances)
    short = built.weaknesses_wanted - built.weaknesses_there
    if short <= 0:
        return deck
    drawn = {PLACEHOLDER: deck.entries.get(PLACEHOLDER, 0) + short}
    return deck._replace(entries={**deck.entries, **drawn})


def _holds(judge: Judge, deck: DeckList, circumstances: Circumstances) -> bool:
    return broken(check(judge, deck, circumstances)) == 0


def _built(judge: Judge, deck: DeckList, circumstances: Circumstances) -> BuiltDeck:
    return next(judge.builds(deck, circumstances))


def _exchanged(deck: DeckList, old: str, new: str) -> DeckList:
    entries = dict(deck.entries)
    entries[old] -= 1
    entries[new] = entries.get(new, 0) + 1
    return deck._replace(entries={code: n for code, n in entries.items() if n})


def _listed(judge: Judge, deck: DeckList, code: str) -> str:
    """The code under which a deck lists a card. Raises ValueError if it doesn't."""
    printings = [each.code for each in judge.pool[code].printings]
    listed: Iterable[str] = (each for each in printings if each in deck.entries)
    found = next(iter(listed), "")
    if not found:
        raise ValueError(f"{code} is not in the deck")
    return found
