"""The offers of a deck's cards, and of its last game, in one upgrade window."""

from __future__ import annotations

from arkham.rules.deck import DeckList
from arkham.rules.legality.built import BuiltDeck
from arkham.rules.legality.judge import Judge
from arkham.rules.legality.lines import title_limit
from arkham.rules.legality.tally import Concern
from arkham.rules.modifiers import DECK_MODIFIERS
from arkham.rules.ultimatums import UltimatumEffect, under
from arkham.rules.upgrade.change import Change, Divided, by_first, newly_aside
from arkham.rules.upgrade.offers import Offers
from arkham.rules.upgrade.price_rules import (
    KEPT_LOWER,
    PRICE_MODIFIERS,
    RAVEN_QUILL,
    TABLE_REDUCTIONS,
)
from arkham.rules.upgrade.versions import Nature, Version, Versions, versions_in
from arkham.rules.upgrade.window import Window

_MODIFYING = PRICE_MODIFIERS.keys()
_MODIFIER = Nature.MODIFIER.value
# By what terms a card must leave the second deck, and the main deck.
_BARRING_BESIDE = frozenset({Concern.BARRED, Concern.FORBIDDEN, Concern.OUT_OF_POOL})
BARRING = _BARRING_BESIDE | {Concern.NOT_ADMITTED}
Barred = frozenset[Version]
# The part of a list besides its cards and sides, which rarely changes.
_TERMS = slice(DeckList._fields.index("set_aside"), DeckList._fields.index("taboo") + 1)


def is_plain(
    judge: Judge,
    before: DeckList,
    built: BuiltDeck,
    change: Change,
    versions: Versions,
    window: Window,
) -> bool:
    """True if nothing in the deck, and nothing that happened, changes a price."""
    after = built.deck
    if (
        window.changes_prices
        or versions.holes_filled
        or after.set_aside
        or not after.entries.keys().isdisjoint(_MODIFYING)
    ):
        return False
    if before[_TERMS] == after[_TERMS] and not change.nature & _MODIFIER:
        return before.back == after.back
    return (
        before.sheets == after.sheets
        and before.side_deck == after.side_deck
        and _same_terms(judge, before, after, change)
    )


def _same_terms(
    judge: Judge, before: DeckList, after: DeckList, change: Change
) -> bool:
    """True if both decks are built to the same size by the same options."""
    if (
        before.taboo != after.taboo
        or before.choices != after.choices
        or before.back != after.back
    ):
        return False
    if change.nature & _MODIFIER or before.set_aside or after.set_aside:
        return judge.modifiers_of(before) == judge.modifiers_of(after)
    return True


def offers_of(
    judge: Judge,
    before: DeckList,
    built: BuiltDeck,
    changes: tuple[Change, ...],
    versions: Versions,
    window: Window,
) -> Offers:
    """Collect everything that is cheaper or free because of cards and the window."""
    frame = built.frame
    rulings = frame.rulings
    offers = Offers(
        least=1 if rulings["prices.discounted-minimum"] == "one" else 0,
        minimum_first=rulings["prices.raised-minimum"] == "first",
        purchase_floor=1 if rulings["prices.reduced-purchase"] == "one" else 0,
        upgrade_floor=1 if rulings["prices.reduced-upgrade"] == "one" else 0,
        myriad_by_upgrade=rulings["prices.myriad-upgrade"] == "yes",
        chained=rulings["prices.chained-refill"] == "surcharge",
    )
    _by_cards(offers, before, built, versions, window)
    _by_table(offers, window)
    kept = KEPT_LOWER.get(frame.back.code)
    if kept is not None and kept.code not in window.refused:
        offers.kept = frozenset(kept.traits)
        offers.aside = newly_aside(before, built.deck, versions)
    old = _built_before(judge, before, built, changes[0], window)
    owed, beside = window.owed
    for change in changes:
        parts = change.parts(before, built.deck, versions)
        forced: dict[str, int] = {}
        if old is not None:
            forced = forced_out(old, built, change, versions, parts)
        left = sum(forced.values())
        if change.side:
            offers.side_forced = forced
            offers.side_refills = side_refills(
                left, before, built, versions, parts, beside
            )
            continue
        terms = before, built, change, versions, parts, owed
        offers.refills = refills(old, left, *terms)
        if offers.refills >= left:  # else there was no place for all of them
            offers.forced = forced
    return offers


def _by_cards(
    offers: Offers,
    before: DeckList,
    built: BuiltDeck,
    versions: Versions,
    window: Window,
) -> None:
    """Add the offers of cards that change prices, those bought now too (FAQ 1.37)."""
    for code in sorted(built.deck.entries.keys() & PRICE_MODIFIERS.keys()):
        row, copies = PRICE_MODIFIERS[code], built.deck.entries[code]
        old = before.entries.get(code, 0)
        # A card with a surcharge is assumed to be bought last, so it raises no price in
        # its own window. A surcharge can't be refused.
        offers.surcharge += row.surcharge * min(old, copies)
        if row.code in window.refused:
            continue
        used = window.used
        offers.swaps += max(row.swaps * copies - (used.swaps if row.swaps else 0), 0)
        if row.first_upgrades:
            offers.firsts = max(row.first_upgrades - used.first_upgrades, 0)
        if row.first_trait and not used.spell_upgraded:
            now = built.frame.rulings["prices.arcane-research-now"] == "yes"
            offers.first_trait = row.first_trait
            offers.first_amount = copies if now else min(old, copies)
        if row.rebuys and window.exiled:
            offers.rebuy = copies
            offers.rebuys = copies * row.rebuys
            offers.exiled = by_first(window.exiled, versions)
        if row.paired:
            offers.paired = frozenset(row.paired)


def _by_table(offers: Offers, window: Window) -> None:
    """Add reductions with triggers that only the table knows."""
    counted = {"pelts": window.pelts, "offerings": window.offerings}
    for row in TABLE_REDUCTIONS:
        if row.code in window.refused:
            continue
        amount = counted[row.counted] // row.each
        if row.upgrades:
            offers.medallion = amount
        else:
            offers.pelt = amount
    if RAVEN_QUILL.code not in window.refused:
        offers.quills = {code: n for code, n in window.quills.items() if n > 0}


def refills(
    old: BuiltDeck | None,
    forced: int,
    before: DeckList,
    built: BuiltDeck,
    change: Change,
    versions: Versions,
    parts: Divided,
    owed: int,
) -> int:
    """The number of level 0 cards that may come in free until the deck is legal again.

    All places in the deck if cards were exiled, taken or forced out, or its size grew;
    otherwise those of cards that became permanents (by a ruling) and those owed. Cards
    granted inside the deck size fill places first. If the deck shrinks, it does so
    before cards are bought that make it larger (FAQ 1.37).
    ``old`` is the deck as built before, if by other terms. Source: FAQ 1.18; rows
    DECK-16, DECK-17, XP-15.
    """
    frame, demanded, grown = built.frame, 0, 0
    if old is not None:
        demanded = _demanded(old, built, change)
        grown = max(frame.size - old.frame.size, 0)
    unmarked, entries = frame.unmarked, before.entries
    lost, given = (
        sum([n for code, n in copies.items() if unmarked[code].counts])
        for copies in (parts.lost, parts.given)
    )
    bought = sum(
        max(row.size, 0) * change.added.get(version, 0)
        for row, _ in frame.modifiers
        if (version := versions[row.code]) is not None
    )
    filler = change.holes() if versions.holes_filled else 0
    if not (lost or forced or demanded or grown or bought or filler or owed):
        return 0
    counted = sum([n for code, n in entries.items() if unmarked[code].counts])
    for code, aside in before.set_aside.items():
        if unmarked[code].counts:
            counted -= min(aside, entries.get(code, 0))
    left, size = counted - lost - forced - filler + given, frame.size - bought
    shrunk = max((old or built).frame.size - size, 0)
    room = frame.size - min(left, max(left - shrunk, size))
    if not (lost or forced or demanded or grown or bought):
        room = min(room, filler + owed)
    return max(room, demanded, 0)


def side_refills(
    forced: int,
    before: DeckList,
    built: BuiltDeck,
    versions: Versions,
    parts: Divided,
    owed: int,
) -> int:
    """Like :func:`refills`, for a second deck; its printed cards leave no room."""
    asked = built.frame.printed_back.side_deck
    if asked is None:
        return 0
    lost, given = (
        sum(n for code, n in copies.items() if code not in asked.required)
        for copies in (parts.lost, parts.given)
    )
    lost += forced
    if not (lost or owed):
        return 0
    room = _side_room(before, built, versions) + lost - given
    return max(room if lost else min(room, owed), 0)


def _side_room(deck: DeckList, built: BuiltDeck, versions: Versions) -> int:
    """The places left in a list's second deck, not counting its printed cards."""
    asked = built.frame.printed_back.side_deck
    if asked is None:
        return 0
    listed = by_first(deck.side_deck, versions)
    held = sum(n for code, n in listed.items() if code not in asked.required)
    return asked.size - len(asked.required) - held


def open_places(built: BuiltDeck) -> tuple[int, int]:
    """How many cards the main deck and the second deck lack."""
    if not built.frame.size_judged:
        return 0, 0
    beside = _side_room(built.deck, built, versions_in(built.frame))
    return max(built.frame.size - built.counted, 0), max(beside, 0)


def _built_before(
    judge: Judge, before: DeckList, built: BuiltDeck, change: Change, window: Window
) -> BuiltDeck | None:
    """The deck as built before; None if it was built by the same terms."""
    if window.earlier is None and _same_terms(judge, before, built.deck, change):
        return None
    return next(iter(judge.builds(before, window.earlier or built.circumstances)), None)


def forced_out(
    old: BuiltDeck, built: BuiltDeck, change: Change, versions: Versions, parts: Divided
) -> dict[str, int]:
    """Copies that left because the new terms bar them, or allow fewer of their title.

    By code, or by title where the player chooses which of too many copies leave. Copies
    that were set aside and left are not included: they leave no place.
    """
    barred, aside = _barred(old, built, change), parts.were - parts.stay
    beyond = _beyond_limits(old, built, change, versions, barred, parts)
    found: dict[str, int] = {}
    for version, left in change.removed.items():
        copies, key = left - aside[version.code], version.code
        if version not in barred:
            key = version.title
            had = found.get(key, 0)
            copies = min(copies, beyond.get(key, 0) - had) if version.counts else 0
        if copies > 0:
            found[key] = found.get(key, 0) + copies
    return found


def _barred(old: BuiltDeck, built: BuiltDeck, change: Change) -> Barred:
    """The versions that left and that only the new terms bar."""
    concerns = _BARRING_BESIDE if change.side else BARRING
    held = {line.card.code: line.standing for line in old.lines if line.standing.card}
    was_so, is_so = (
        under(deck.frame.ultimatums, UltimatumEffect.LEVEL_0_ONLY)
        for deck in (old, built)
    )
    found = set()
    for version in change.removed:
        was = held.get(version.code, old.frame.unmarked[version.code])
        is_above = is_so and not was_so and bool(was.level)
        is_barred = not concerns.isdisjoint(version.standing.concerns)
        is_forced = is_above or (is_barred and concerns.isdisjoint(was.concerns))
        is_forced |= built.frame.is_gone(version.card) > old.frame.is_gone(version.card)
        if version.counts and is_forced:
            found.add(version)
    return frozenset(found)


def _beyond_limits(
    old: BuiltDeck,
    built: BuiltDeck,
    change: Change,
    versions: Versions,
    barred: Barred,
    parts: Divided,
) -> dict[str, int]:
    """Copies by title that left because new terms or a new card allow fewer of them.

    Those that the new terms bar have left anyway.
    """
    limits: dict[str, int] = {}
    for code in () if change.side else _new_modifiers(old, built):
        if DECK_MODIFIERS[code].branded:
            for attached in built.deck.attachments.get(code, ()):
                limits[built.frame.unmarked[attached].title] = 1
    for version in change.removed:
        limit = title_limit(built.frame, version.standing)
        was = title_limit(old.frame, old.frame.unmarked[version.code])
        if version.counts and limit < was and version not in barred:
            limits[version.title] = min(limit, limits.get(version.title, limit))
    return {
        title: _left_beyond(
            [each for each in versions.of_title(title) if each not in barred],
            limit,
            change,
            parts,
        )
        for title, limit in limits.items()
    }


def _left_beyond(
    of_title: list[Version], limit: int, change: Change, parts: Divided
) -> int:
    """The copies of a title beyond the limit that left; none set aside counts."""
    base, after = (
        sum(copies - aside[version.code] for version, copies in counted.items())
        for counted, aside in zip(
            change.whole(of_title), (parts.were, parts.stay), strict=True
        )
    )
    return max(base - max(after, limit), 0)


def _new_modifiers(old: BuiltDeck, built: BuiltDeck) -> set[str]:
    """Cards new to the deck that change how it is built."""
    new = {row.code for row, _ in built.frame.modifiers}
    return new - {row.code for row, _ in old.frame.modifiers}


def _demanded(old: BuiltDeck, built: BuiltDeck, change: Change) -> int:
    """Level 0 cards that came in because a card new to the deck demands them."""
    demanded = 0
    for code in _new_modifiers(old, built):
        asked = DECK_MODIFIERS[code].at_least
        if asked is None:
            continue
        card_type, wanted = asked
        have = sum(
            line.copies + line.set_aside
            for line in built.lines
            if line.standing.card is not None and line.card.type is card_type
        )
        come = 0
        for version, copies in change.added.items():
            if version.card.type is card_type:
                have -= copies
                come += copies if version.level == 0 else 0
        for version, copies in change.removed.items():
            have += copies if version.card.type is card_type else 0
        demanded += min(max(wanted - have, 0), come)
    return demanded
