"""Cards that belong together: levels, bonded and researched cards, signatures."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from django.utils.translation import gettext as _

from arkham.rules.card import Card
from arkham.rules.modifiers import SIDE_ROWS
from arkham.rules.pool import CardPool
from arkham.rules.vocabulary import CardType
from arkham.signs import SIGNS
from cardpool.languages import shown_name, shown_subname

# Cards of one title among which an investigator's player chooses.
_CHOSEN_AMONG = frozenset(code for row in SIDE_ROWS for code in row.among)
_BY_TITLE = frozenset({CardType.INVESTIGATOR, CardType.ASSET, CardType.EVENT})


def versions_of(card: Card, pool: CardPool) -> list[Card]:
    """Return the cards of the same title and type, itself included, by level."""
    same = [
        each
        for each in pool.titles[card.title]
        if each.type is card.type and (each is card or not each.hidden)
    ]
    return sorted(same, key=lambda each: (each.level or 0, each.code))


def distinct_subtitle(card: Card, pool: CardPool) -> str:
    """Return the subtitle if a card of the same title and level has another; or "".

    Among cards without a level only weaknesses, scenario cards, Directives and
    Disciplines need it: players call an investigator or a story asset by the title
    alone.
    """
    by_title = card.type in _BY_TITLE and card.code not in _CHOSEN_AMONG
    if card.level is None and by_title and not card.weakness:
        return ""
    twins = (
        each
        for each in pool.titles[card.title]
        if each.level == card.level and bool(each.weakness) == bool(card.weakness)
    )
    apart = any(each.subname != card.subname for each in twins)
    return card.subname or "" if apart else ""


def full_name(card: Card, pool: CardPool) -> str:
    """Return a name that is unique: with its level, and its subtitle if necessary."""
    return in_full(card.name, distinct_subtitle(card, pool), card.level)


def shown_full_name(card: Card, pool: CardPool) -> str:
    """Return the unique name in the reader's language."""
    return in_full(shown_name(card), shown_distinct(card, pool), card.level)


def shown_distinct(card: Card, pool: CardPool) -> str:
    """Return the subtitle in the reader's language, if it distinguishes cards."""
    return distinct_subtitle(card, pool) and shown_subname(card)


def in_full(name: str, subtitle: str, level: int | None) -> str:
    """Return a name with its subtitle and level."""
    full = f"{name}: {subtitle}" if subtitle else name
    return f"{full} ({level})" if level else full


def others_like(card: Card, pool: CardPool) -> list[Card]:
    """Return the cards a page lists next to a card: all its levels, if several.

    For an investigator, the others of that name who are not versions of the same one.
    """
    same = versions_of(card, pool)
    if card.investigator is not None:
        versions = [card, *sides_of(card, pool)]
        return [each for each in same if each not in versions]
    return same if len(same) > 1 else []


def bonded_with(card: Card, pool: CardPool) -> tuple[Card, ...]:
    """Return the bonded cards that come with a card, in code order."""
    return pool.bonded.get(card.title, ())


def bringers_of(card: Card, pool: CardPool) -> list[Card]:
    """Return the cards that bring a bonded card."""
    return [
        each
        for title in card.bonded_to
        for each in pool.titles.get(title, ())
        if not each.bonded_to
    ]


def researched_into(card: Card, pool: CardPool) -> list[Card]:
    """Return the researched cards that a card may become, by level."""
    return [
        each for each in versions_of(card, pool) if card.code in each.researched_from
    ]


def owners_of(card: Card, pool: CardPool) -> list[Card]:
    """Return the only investigators who may have a card, as original versions."""
    bases = card.restriction.investigators if card.restriction else ()
    return [pool[base] for base in bases if base in pool]


def sides_of(card: Card, pool: CardPool) -> list[Card]:
    """Return the other versions of an investigator: original, parallel, promo."""
    if card.investigator is None:
        return []
    base = card.investigator.base
    return [
        each
        for each in pool.investigators
        if each is not card
        and each.investigator is not None
        and each.investigator.base == base
    ]


def side_label(card: Card, pool: CardPool) -> str:
    """Return the label of a version of an investigator: its product, and “parallel”."""
    names = [
        pool.packs[printing.pack].name
        for printing in card.printings[:1]
        if printing.pack in pool.packs
    ]
    product = names[0] if names else card.code
    if card.investigator is not None and card.investigator.parallel:
        return _("Parallel (%(product)s)") % {"product": product}
    return product


def version_labels(cards: Iterable[Card], pool: CardPool) -> dict[str, str]:
    """Return labels by code that distinguish investigators of the same name.

    "" for one whose name is unique.
    """
    listed = list(cards)
    shared = Counter(card.name for card in listed)
    labels = {
        card.code: side_label(card, pool) if shared[card.name] > 1 else ""
        for card in listed
    }
    alike = Counter((card.name, labels[card.code]) for card in listed)
    for card in listed:
        if alike[card.name, labels[card.code]] > 1:
            classes = ", ".join(str(SIGNS[each.value].title) for each in card.classes)
            labels[card.code] += f" ({classes})"
    return labels


def version_name(card: Card, label: str) -> str:
    """Return the name of an investigator with the label of the version."""
    return f"{shown_name(card)} – {label}" if label else shown_name(card)


def side_name(card: Card, pool: CardPool) -> str:
    """Return the name of an investigator, with the version if there are others."""
    labels = version_labels([card, *sides_of(card, pool)], pool)
    return version_name(card, labels[card.code])
