"""The investigators to choose from, and how their versions are distinguished."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator
from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.translation import gettext as _

from arkham.rules.card import Card
from arkham.rules.pool import CardPool
from arkham.rules.vocabulary import CardClass
from arkham.signs import SIGNS
from cardpool.words import fold

Words = str | Promise
CHAPTER_2 = 2
PROMOTIONAL = "promotional"
MOST_SIGNED = 3


@dataclass(frozen=True, slots=True)
class Filter:
    """Part of a name, and a class; "" for any."""

    words: str = ""
    card_class: str = ""


@dataclass(frozen=True, slots=True)
class InvestigatorVersion:
    """One investigator card: its product, and what sets it apart from the original."""

    card: Card
    product: str
    marks: tuple[Words, ...]


@dataclass(frozen=True, slots=True)
class InvestigatorShelf:
    """The investigators of a class, by name; ``sign`` is the class's."""

    sign: str
    title: Words
    versions: tuple[InvestigatorVersion, ...]


def shelves(pool: CardPool, wanted: Filter) -> tuple[InvestigatorShelf, ...]:
    """Every investigator who can build a deck, by class; no empty shelves."""
    signs = [*(each.value for each in CardClass), "neutral"]
    found = []
    for sign in signs:
        versions = tuple(
            version_of(card, pool)
            for card in sorted(pool.investigators, key=_by_name)
            if _sign_of(card) == sign and _is_wanted(card, wanted)
        )
        if versions:
            found.append(InvestigatorShelf(sign, SIGNS[sign].title, versions))
    return tuple(found)


def signed_by(codes: Collection[str], pool: CardPool) -> tuple[str, ...]:
    """The names of investigators whose own cards are among these, by how many are."""
    found = Counter[str]()
    for card in pool.investigators:
        facts = card.investigator
        if facts is not None and facts.playable and facts.back is not None:
            for requirement in facts.back.requirements:
                if not set(requirement.codes()).isdisjoint(codes):
                    found[card.name] += 1
    return tuple(name for name, _times in found.most_common(MOST_SIGNED))


def version_of(card: Card, pool: CardPool) -> InvestigatorVersion:
    """The card with its product and marks."""
    packs = [
        pool.packs[each.pack] for each in card.printings if each.pack in pool.packs
    ]
    return InvestigatorVersion(
        card, packs[0].name if packs else "", tuple(_marks(card, pool))
    )


def _marks(card: Card, pool: CardPool) -> Iterator[Words]:
    packs = [
        pool.packs[each.pack] for each in card.printings if each.pack in pool.packs
    ]
    if card.investigator is not None and card.investigator.parallel:
        yield _("Parallel")
    if any(pack.chapter == CHAPTER_2 for pack in packs):
        yield _("Chapter 2")
    if any(pack.cycle == PROMOTIONAL for pack in packs):
        yield _("Promotional")


def _sign_of(card: Card) -> str:
    return card.classes[0].value if card.classes else "neutral"


def _by_name(card: Card) -> tuple[str, str]:
    return fold(card.name), card.code


def _is_wanted(card: Card, wanted: Filter) -> bool:
    assert card.investigator is not None
    if not card.investigator.playable:
        return False
    if wanted.card_class and _sign_of(card) != wanted.card_class:
        return False
    return fold(wanted.words) in fold(f"{card.name} {card.subname}")
