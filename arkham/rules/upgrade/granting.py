"""Tells which copies came into a deck by order of a scenario, and were not bought."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from arkham.rules.deck import DeckList
from arkham.rules.legality.built import BuiltDeck
from arkham.rules.pool import CardPool
from arkham.rules.upgrade.discounts import KEPT_LOWER
from arkham.rules.upgrade.window import Window


def copies_by_card(copies: Mapping[str, int], pool: CardPool) -> Counter[str]:
    """Copies by the code of the card, over its printings."""
    found: Counter[str] = Counter()
    for code, number in copies.items():
        card = pool.get_card(code)
        found[card.code if card else code] += number
    return found


def granted_with_aside(
    before: DeckList, built: BuiltDeck, window: Window
) -> Mapping[str, int]:
    """What was granted, with the copies that came into the deck set aside.

    A copy that never counted was not bought: an effect or a scenario added it. Of cards
    that an investigator may keep beside a higher version nothing follows from that.
    """
    after = built.deck
    pool = built.frame.pool
    come = copies_by_card(after.entries, pool)
    come.subtract(copies_by_card(before.entries, pool))
    aside = copies_by_card(after.set_aside, pool)
    aside.subtract(copies_by_card(before.set_aside, pool))
    told = copies_by_card(window.granted, pool)
    upgraded = _aside_and_left(come, aside, window, pool)
    for code, copies in (told - copies_by_card(after.entries, pool)).items():
        if code in pool:  # given since the last game, and not there
            upgraded[pool[code].title] += copies
    found: dict[str, int] = {}
    for code, more in aside.items():
        copies = min(more, come[code])
        if copies <= told[code] or _may_be_kept(before, built, code):
            continue
        lower = min(upgraded[pool[code].title], copies - told[code])
        upgraded[pool[code].title] -= lower
        if copies - lower > told[code]:
            found[code] = copies - lower
    return {**told, **found} if found else window.granted


def _aside_and_left(
    come: Counter[str], aside: Counter[str], window: Window, pool: CardPool
) -> Counter[str]:
    """Copies that were set aside and are gone, by title, unless something took them.

    What comes set aside of such a title may be what they were upgraded to.
    """
    lost = copies_by_card(window.exiled, pool) + copies_by_card(window.taken, pool)
    left: Counter[str] = Counter()
    for code, copies in aside.items():
        gone = min(-copies, -come[code]) - lost[code]
        if gone > 0 and code in pool:
            left[pool[code].title] += gone
    return left


def _may_be_kept(before: DeckList, built: BuiltDeck, code: str) -> bool:
    """Whether a copy set aside may be one that was there and was kept in an upgrade."""
    pool, told = built.frame.pool, built.circumstances.story_cards or frozenset()
    row, card = KEPT_LOWER.get(built.frame.back.code), pool.get_card(code)
    if row is None or card is None or set(card.traits).isdisjoint(row.traits):
        return False
    if not told.isdisjoint(printing.code for printing in card.printings):
        return False
    return any(
        (held := pool.get_card(listed)) is not None and held.title == card.title
        for listed in before.entries
    )
