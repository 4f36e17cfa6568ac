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

# Cards of one title among which a side lets its player choose.
_CHOSEN_AMONG = frozenset(code for row in SIDE_ROWS for code in row.among)
_BY_TITLE = frozenset({CardType.INVESTIGATOR, CardType.ASSET, CardType.EVENT})


def versions_of(card: Card, pool: CardPool) -> list[Card]:
    """The cards of the same title and type, the card itself among them, by level."""
    same = [
        each
        for each in pool.titles[card.title]
        if each.type is card.type and (each is card or not each.hidden)
    ]
    return sorted(same, key=lambda each: (each.level or 0, each.code))


def distinct_subtitle(card: Card, pool: CardPool) -> str:
    """The subtitle, where another card of its title and level has another; or "".

    Of cards without a level only weaknesses, cards of scenarios, Directives and
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
    """The name that no other card has: with its level, and its subtitle if need be."""
    return in_full(card.name, distinct_subtitle(card, pool), card.level)


def shown_full_name(card: Card, pool: CardPool) -> str:
    """The same as the reader calls it."""
    return in_full(shown_name(card), shown_distinct(card, pool), card.level)


def shown_distinct(card: Card, pool: CardPool) -> str:
    """The subtitle in the reader's language, where it tells cards apart."""
    return distinct_subtitle(card, pool) and shown_subname(card)


def in_full(name: str, subtitle: str, level: int | None) -> str:
    """A name with its subtitle and level."""
    full = f"{name}: {subtitle}" if subtitle else name
    return f"{full} ({level})" if level else full


def others_like(card: Card, pool: CardPool) -> list[Card]:
    """What a page lists beside a card: all its levels, if there are several.

    For an investigator, the others of the name who are not versions of the same.
    """
    same = versions_of(card, pool)
    if card.investigator is not None:
        versions = [card, *sides_of(card, pool)]
        return [each for each in same if each not in versions]
    return same if len(same) > 1 else []


def bonded_with(card: Card, pool: CardPool) -> tuple[Card, ...]:
    """The bonded cards that come with a card, in code order."""
    return pool.bonded.get(card.title, ())


def bringers_of(card: Card, pool: CardPool) -> list[Card]:
    """The cards that bring a bonded card."""
    return [
        each
        for title in card.bonded_to
        for each in pool.titles.get(title, ())
        if not each.bonded_to
    ]


def researched_into(card: Card, pool: CardPool) -> list[Card]:
    """The researched cards that a card may become, by level."""
    return [
        each for each in versions_of(card, pool) if card.code in each.researched_from
    ]


def owners_of(card: Card, pool: CardPool) -> list[Card]:
    """The investigators who alone may have a card; originals only."""
    bases = card.restriction.investigators if card.restriction else ()
    return [pool[base] for base in bases if base in pool]


def sides_of(card: Card, pool: CardPool) -> list[Card]:
    """The other versions of an investigator: original, parallel, promo."""
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
    """A version of an investigator: its product, and that it is parallel."""
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
    """What tells each of these investigators from others of the same name, by code.

    Empty for one whose name no other has.
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
    """The name of an investigator, with what tells it from others of the name."""
    return f"{card.name} – {label}" if label else card.name
