"""Find the cards that are admitted by trying everything, from printed options alone."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from arkham.rules.card import Card
from arkham.rules.investigator import DeckOption
from arkham.rules.modifiers import DECK_MODIFIERS


def matches(option: DeckOption, card: Card) -> bool:
    """Return whether an option names a card, criterion by criterion."""
    level = card.level if card.level is not None else -1
    lowest, highest = option.levels or (-1, 9)
    named = {
        "class": (not option.classes and not option.neutral)
        or bool(set(option.classes) & set(card.classes))
        or (option.neutral and not card.classes),
        "level": lowest <= level <= highest,
        "type": not option.types or card.type in option.types,
        "trait": not option.traits or bool(set(option.traits) & set(card.traits)),
        "tag": not option.tags
        or bool(set(option.tags) & {tag for tag, _ in card.tags}),
        "uses": not option.uses or card.uses in option.uses,
        "slot": not option.slots or bool(set(option.slots) & set(card.slots)),
        "permanent": option.permanent in (None, card.permanent),
    }
    return all(named.values())


@dataclass(frozen=True)
class Places:
    """The limited options whose places a card may take; None if it needs none."""

    of: frozenset[int] | None


def places_for(
    card: Card, options: Sequence[DeckOption], granted: frozenset[int], *, letter: bool
) -> Places:
    """Return where a card may go: FAQ 1.15 ("other") and 1.16 (limited, unlimited)."""
    fitting = [index for index, each in enumerate(options) if matches(each, card)]
    limited = {index for index in fitting if options[index].limit is not None}
    bare = {index for index in limited if not options[index].other}
    if bare:
        return Places(frozenset(bare | (set() if letter else limited & granted)))
    if len(limited) < len(fitting):
        return Places(None)
    return Places(frozenset(limited))


def all_placed(copies: Sequence[Places], room: list[int]) -> bool:
    """Return whether some assignment gives every copy a place, by trying them all."""
    if not copies:
        return True
    first, *rest = copies
    if first.of is None:
        return all_placed(rest, room)
    for index in sorted(first.of):
        if room[index]:
            room[index] -= 1
            if all_placed(rest, room):
                room[index] += 1
                return True
            room[index] += 1
    return False


def admitted_by_trial(
    held: Sequence[tuple[Card, int]],
    options: Sequence[DeckOption],
    granted: frozenset[int],
    *,
    letter: bool,
) -> bool:
    copies: list[Places] = []
    for card, count in held:
        copies.extend([places_for(card, options, granted, letter=letter)] * count)
    # The most restricted first, so that an impossible deck is found early.
    copies.sort(key=lambda each: 99 if each.of is None else len(each.of))
    return all_placed(copies, [option.limit or 0 for option in options])


def granted_options(held: Sequence[tuple[Card, int]]) -> Iterator[DeckOption]:
    """Yield the options that cards of the deck grant, with a place per copy allowed.

    A second Collector is beyond its own limit and grants nothing.
    """
    for card, count in sorted(held, key=lambda each: each[0].code):
        row = DECK_MODIFIERS.get(card.code)
        if row is not None and row.grants is not None:
            yield replace(row.grants, limit=min(count, card.deck_limit or 2))
