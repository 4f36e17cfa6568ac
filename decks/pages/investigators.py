"""The investigators to choose from, and what distinguishes their versions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from weakref import WeakKeyDictionary

from django.template.loader import render_to_string
from django.utils.functional import Promise
from django.utils.safestring import SafeString
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from arkham.rules.card import Card, Pack
from arkham.rules.pool import CardPool
from arkham.rules.vocabulary import CardClass
from arkham.signs import SIGNS
from cardpool.languages import CardLanguage, readers_language, shown_name, shown_subname
from cardpool.shown import Count, ShownCard
from cardpool.words import fold

Words = str | Promise
CHAPTER_2 = 2
PROMOTIONAL = "promotional"
MOST_SIGNED = 3
BY_CLASS = "class"
ORDERS = (BY_CLASS, "name", "newest")


@dataclass(frozen=True, slots=True)
class InvestigatorSearch:
    """A search for investigators, and the order of the results.

    ``words`` are parts of a name, ``names`` full names of which one must match;
    ``product`` is the code of a product, ``owned`` are codes of cards that the reader
    owns. None means any.
    """

    words: str = ""
    names: frozenset[str] | None = None
    classes: tuple[str, ...] = ()
    product: str = ""
    owned: frozenset[str] | None = None
    order: str = BY_CLASS


@dataclass(frozen=True, slots=True)
class InvestigatorVersion:
    """One investigator card: its product, and marks that differ from the original."""

    card: Card
    product: str
    marks: tuple[Words, ...]
    shown: ShownCard

    @property
    def skills(self) -> tuple[Count, ...]:
        """The four skills, with their icons."""
        return self.shown.skills

    @property
    def numbers(self) -> tuple[object, ...]:
        """The printed numbers: skills, health and sanity."""
        return self.card.skills, self.card.health, self.card.sanity


@dataclass(frozen=True, slots=True)
class InvestigatorEntry:
    """An investigator with all matching versions, oldest first."""

    cards: tuple[Card, ...]
    pool: CardPool

    @property
    def sign(self) -> str:
        """The name of the class icon of the first version."""
        return _sign_of(self.cards[0])

    @property
    def versions(self) -> Iterator[tuple[InvestigatorVersion, bool, str]]:
        """Each version, whether its numbers differ, and its class icon if different."""
        first = version_of(self.cards[0], self.pool)
        yield first, False, ""
        for card in self.cards[1:]:
            each, sign = version_of(card, self.pool), _sign_of(card)
            yield each, each.numbers != first.numbers, sign if sign != self.sign else ""

    @property
    def newest(self) -> str:
        """The release date of the newest version."""
        return max(_released(_packs_of(card, self.pool)) for card in self.cards)

    def shown(self, *, deck: int | None, is_open: bool) -> SafeString:
        """Render the row that expands; ``deck`` is the deck to get the investigator."""
        if deck:
            return self._rendered(deck, is_open)
        of_pool = _SHOWN.setdefault(self.pool, WeakKeyDictionary())
        entries = of_pool.setdefault(readers_language(), {})
        key = (*(card.code for card in self.cards), is_open, get_language())
        if key not in entries:
            entries[key] = self._rendered(None, is_open)
        return entries[key]

    def _rendered(self, deck: int | None, is_open: bool) -> SafeString:
        versions = tuple(self.versions)
        context = {
            "person": self,
            "versions": versions,
            "first": versions[0][0],
            "deck": deck,
            "is_open": is_open,
        }
        return render_to_string("decks/_person.html", context)


Entries = WeakKeyDictionary[CardLanguage, dict[tuple[object, ...], SafeString]]

_SHOWN: WeakKeyDictionary[CardPool, Entries] = WeakKeyDictionary()


@dataclass(frozen=True, slots=True)
class InvestigatorShelf:
    """Investigators under a heading; ``sign`` is their class, "" for several."""

    key: str
    sign: str
    title: Words
    people: tuple[InvestigatorEntry, ...]


def shelves(pool: CardPool, wanted: InvestigatorSearch) -> list[InvestigatorShelf]:
    """List every playable investigator once, without empty shelves."""
    found = _people(pool, wanted)
    match wanted.order:
        case "name":
            named = [InvestigatorShelf("name", "", _("By name"), tuple(found))]
            return named if found else []
        case "newest":
            found.sort(key=lambda each: each.newest, reverse=True)
            newest = [InvestigatorShelf("newest", "", _("Newest first"), tuple(found))]
            return newest if found else []
    return [
        InvestigatorShelf(sign, sign, SIGNS[sign].title, people)
        for sign in (*(each.value for each in CardClass), "neutral")
        if (people := tuple(each for each in found if each.sign == sign))
    ]


def _people(pool: CardPool, wanted: InvestigatorSearch) -> list[InvestigatorEntry]:
    """List the investigators that match, by name."""
    named: dict[str, list[Card]] = {}
    for card in sorted(pool.investigators, key=_by_name):
        if _is_wanted(card, wanted):
            named.setdefault(fold(card.name), []).append(card)
    return [InvestigatorEntry(tuple(cards), pool) for cards in named.values()]


def investigator_packs(pool: CardPool) -> list[Pack]:
    """Return the products with investigators who can build a deck."""
    codes = {
        each.pack
        for card in pool.investigators
        if card.investigator is not None and card.investigator.playable
        for each in card.printings
    }
    return [pool.packs[code] for code in sorted(codes) if code in pool.packs]


def signed_by(codes: Collection[str], pool: CardPool) -> tuple[str, ...]:
    """Return names of investigators with signature cards among these, most first."""
    found = Counter[str]()
    for card in pool.investigators:
        facts = card.investigator
        if facts is not None and facts.playable and facts.back is not None:
            for requirement in facts.back.requirements:
                if not set(requirement.codes()).isdisjoint(codes):
                    found[shown_name(card)] += 1
    return tuple(name for name, _times in found.most_common(MOST_SIGNED))


def version_of(card: Card, pool: CardPool) -> InvestigatorVersion:
    """Return the card with its products and marks."""
    packs = _packs_of(card, pool)
    return InvestigatorVersion(
        card,
        ", ".join(pack.name for pack in packs),
        tuple(_marks(card, packs)),
        ShownCard(card, pool),
    )


def _packs_of(card: Card, pool: CardPool) -> list[Pack]:
    return [pool.packs[each.pack] for each in card.printings if each.pack in pool.packs]


def _released(packs: Sequence[Pack]) -> str:
    return packs[0].released if packs else ""


def _marks(card: Card, packs: Sequence[Pack]) -> Iterator[Words]:
    if card.investigator is not None and card.investigator.parallel:
        yield _("Parallel")
    if any(pack.chapter == CHAPTER_2 for pack in packs):
        yield _("Chapter 2")
    if any(pack.cycle == PROMOTIONAL for pack in packs):
        yield _("Promotional")


def _sign_of(card: Card) -> str:
    return card.classes[0].value if card.classes else "neutral"


def _by_name(card: Card) -> tuple[str, str]:
    return fold(shown_name(card)), card.code


def _is_wanted(card: Card, wanted: InvestigatorSearch) -> bool:
    assert card.investigator is not None
    if not card.investigator.playable:
        return False
    if wanted.classes and _sign_of(card) not in wanted.classes:
        return False
    if wanted.product and all(each.pack != wanted.product for each in card.printings):
        return False
    if wanted.owned is not None and card.code not in wanted.owned:
        return False
    if wanted.names is not None and card.name not in wanted.names:
        return False
    own = shown_name(card), shown_subname(card)
    name = fold(" ".join((card.name, card.subname, *own)))
    return all(word in name for word in fold(wanted.words).split())
