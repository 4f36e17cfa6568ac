"""Cards that a campaign puts into a deck or takes out, and corrected games.

Notes on a card, and cards under it, leave with its last copy and come back with it. The
cards of a second deck are counted apart from those of the first.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Any, NamedTuple

from arkham.rules.legality.entitlement import earned_in, is_counted_when_bought
from arkham.rules.notation.meta import is_read
from arkham.rules.pool import CardPool
from arkham.rules.upgrade.facts import copies_by_card, lost_copies
from arkham.rules.upgrade.window import Window, read_window
from decks.lists.content import COPIES, Content
from decks.lists.editing import Edit, apply, copies_of
from decks.models import Deck, Revision
from decks.services.upgrading import new_desk
from decks.services.windows import EARNED, GIVEN, base_of, gave_way, given, with_waived

_NONE: Mapping[str, int] = MappingProxyType({})
_NO_KEYS: Mapping[str, Any] = MappingProxyType({})
Terms = Mapping[str, tuple[tuple[str, int], ...]]
_NO_TERMS: Terms = MappingProxyType({})


class CampaignChange(NamedTuple):
    """Copies to add or remove by code, and what else changes with them.

    ``side`` are copies of the second deck; ``aside`` those of ``cards`` that don't
    count toward deck size; ``meta`` keys of the list to restore; ``terms`` the values
    to add to a circumstance, or remove (negative).
    """

    cards: Mapping[str, int] = _NONE
    side: Mapping[str, int] = _NONE
    aside: Mapping[str, int] = _NONE
    meta: Mapping[str, Any] = _NO_KEYS
    terms: Terms = _NO_TERMS


NOTHING = CampaignChange()


def current_content(deck: Deck) -> Content:
    """Return the deck as its latest game, or a change since, left it."""
    latest: Revision = deck.revisions.get(number=deck.revision)
    base = base_of(latest)
    return latest.content if base is None else new_desk(latest, base).content


def removal_of(
    content: Content, codes: Iterable[str], pool: CardPool
) -> CampaignChange:
    """Return the removal of all copies of these titles from both decks."""
    known = (pool.get_card(code) for code in codes)
    titles = {card.title for card in known if card is not None}

    def lost(entries: Mapping[str, int]) -> dict[str, int]:
        cards = ((code, pool.get_card(code), n) for code, n in entries.items())
        return {code: -n for code, card, n in cards if card and card.title in titles}

    cards = lost(content.deck["slots"])
    side = lost(content.asked().deck.side_deck)
    aside = content.deck["ignoreDeckLimitSlots"]
    gone = CampaignChange(
        cards, side, {code: -aside[code] for code in cards if code in aside}
    )
    left = apply_change(content, gone, pool).deck["meta"]
    noted = {
        key: value
        for key, value in content.deck["meta"].items()
        if key not in left and key != "extra_deck"
    }
    return gone._replace(meta=noted)


def inverse(gone: CampaignChange) -> CampaignChange:
    """Return the change that gives back what was taken."""
    cards, side, aside = ({code: -n for code, n in each.items()} for each in gone[:3])
    return CampaignChange(cards, side, aside, gone.meta)


def combined(*changes: CampaignChange) -> CampaignChange:
    """Combine several changes into one."""
    sums: list[Counter[str]] = [Counter(), Counter(), Counter()]
    meta: dict[str, Any] = {}
    terms: dict[str, tuple[tuple[str, int], ...]] = {}
    for change in changes:
        for found, each in zip(sums, change[:3], strict=True):
            found.update(each)
        meta |= change.meta
        terms |= change.terms
    cards, side, aside = ({code: n for code, n in each.items() if n} for each in sums)
    return CampaignChange(cards, side, aside, meta, terms)


def apply_change(content: Content, change: CampaignChange, pool: CardPool) -> Content:
    """Return the content with the change made; missing copies are ignored.

    Copies that the first deck lacks are removed from the second one.
    """
    steps = [Edit("count", code, -n) for code, n in change.aside.items() if n < 0]
    for code, copies in change.cards.items():
        if copies > 0:
            steps.append(Edit("add", code, copies))
            continue
        here = min(copies_of(content, code, pool), -copies)
        steps += [Edit("remove", code, here)] if here else []
        steps += [Edit("side-remove", code, -copies - here)] if here < -copies else []
    for code, copies in change.side.items():
        verb = "side-add" if copies > 0 else "side-remove"
        steps.append(Edit(verb, code, abs(copies)))
    steps += [Edit("aside", code, n) for code, n in change.aside.items() if n > 0]
    content = apply(content, steps, pool)
    terms = {**_earned(content, change.cards, pool), **change.terms}
    return _with_terms(_noted(content, change.meta), terms)


def _earned(content: Content, cards: Mapping[str, int], pool: CardPool) -> Terms:
    """Return changes of cards earned and given, after cards came or left."""
    left = tuple((code, -1) for code in cards if not copies_of(content, code, pool))
    came = tuple((code, 1) for code in earned_in(cards, pool))
    return {EARNED: left + came, GIVEN: left} if left + came else _NO_TERMS


def with_corrected_window(
    content: Content,
    window: Mapping[str, Any],
    new_window: Mapping[str, Any],
    pool: CardPool,
    held: Mapping[str, int] = _NONE,
    aside: Mapping[str, int] = _NONE,
    earlier: Mapping[str, Any] = _NO_KEYS,
    side: Mapping[str, int] = _NONE,
) -> Content:
    """Return the content of an upgrade in progress, after its game was corrected.

    ``held`` are the copies the deck had in its game, ``aside`` those of them that did
    not count, ``earlier`` its circumstances then, ``side`` copies of its second deck.
    """
    before, after = read_window(dict(window)), read_window(dict(new_window))
    changes: list[Edit] = []
    (was, was_side), (is_lost, is_lost_side) = (
        _lost_of_each(each, held, side) for each in (before, after)
    )
    for old, new, comes in (
        (was, is_lost, False),
        (gave_way(before, held), gave_way(after, held), False),
        (before.granted, after.granted, True),
    ):
        for code in sorted({*old, *new}):
            copies = new.get(code, 0) - old.get(code, 0)
            if comes and copies:
                steps = given if copies > 0 else _given_no_more
                changes += steps(code, abs(copies), pool)
            elif copies:
                verb = "remove" if copies > 0 else "add"
                changes.append(Edit(verb, code, abs(copies)))
    for more, verb in (
        (is_lost_side - was_side, "side-remove"),
        (was_side - is_lost_side, "side-add"),
    ):
        changes += [Edit(verb, code, n) for code, n in sorted(more.items())]
    back, gone = (_lost_aside(each, held, aside) for each in (before, after))
    changes += [Edit("aside", code, n) for code, n in sorted((back - gone).items())]
    return with_waived(apply(content, changes, pool), before, after, pool, earlier)


def _given_no_more(code: str, copies: int, pool: CardPool) -> list[Edit]:
    """Return the edits that remove copies which were not given after all."""
    card = pool.get_card(code)
    steps = [Edit("remove", code, copies)]
    if card is not None and is_counted_when_bought(card):
        steps.insert(0, Edit("count", code, copies))
    return steps


def _lost_aside(
    window: Window, held: Mapping[str, int], aside: Mapping[str, int]
) -> Counter[str]:
    """Count the copies that did not count and that the game took, the last to go."""
    lost = Counter(window.exiled) + Counter(window.taken)
    return +Counter(
        {code: n - max(held.get(code, 0) - lost[code], 0) for code, n in aside.items()}
    )


def _lost_of_each(
    window: Window, held: Mapping[str, int], side: Mapping[str, int]
) -> tuple[Counter[str], Counter[str]]:
    """Count the copies that the first deck and the second deck lost, in that order."""
    lost = Counter(window.exiled) + Counter(window.taken)
    from_side = +Counter(
        {
            code: min(max(lost[code] - held.get(code, 0), 0), n)
            for code, n in side.items()
        }
    )
    return lost - from_side, from_side


def with_notes_back(
    content: Content,
    before: Content,
    base: Revision,
    windows: tuple[Mapping[str, Any], Mapping[str, Any]],
    pool: CardPool,
) -> Content:
    """Restore notes on cards that a corrected game left in the deck after all.

    ``before`` is the content before the correction, ``windows`` are the windows before
    and after it. A card that the game left no copy of begins without notes (CUST-14).
    """
    then, now = (_left_by(each, base, pool) for each in windows)
    noted = {}
    for key, value in base.list["meta"].items():
        card = pool.get_card(key.partition("_")[2])
        if card is None or now[card.code] <= 0 or not is_read(key):
            continue
        was_there = then[card.code] > 0 and copies_of(before, card.code, pool)
        if not was_there and copies_of(content, card.code, pool):
            noted[key] = value
    return _noted(content, noted)


def _left_by(data: Mapping[str, Any], base: Revision, pool: CardPool) -> Counter[str]:
    """Count the copies, by card, that a game left in the deck it was played with."""
    window, left = read_window(dict(data)), copies_by_card(base.list["slots"], pool)
    left.subtract(lost_copies(window, pool))
    return left


def _noted(content: Content, meta: Mapping[str, Any]) -> Content:
    """Restore these notes on cards, except where there are other ones by now."""
    noted = content.deck["meta"]
    more = {key: value for key, value in meta.items() if key not in noted}
    if not more:
        return content
    return replace(
        content, deck={**content.deck, "meta": dict(sorted({**noted, **more}.items()))}
    )


def _with_terms(content: Content, terms: Terms) -> Content:
    if not terms:
        return content
    circumstances = dict(content.circumstances)
    for key, values in terms.items():
        now = Counter(circumstances.get(key) or ())
        for value, times in values:
            now[value] += times
        if key not in COPIES:
            now = Counter((+now).keys())
        circumstances[key] = sorted((+now).elements())
        if not circumstances[key]:
            del circumstances[key]
    return replace(content, circumstances=dict(sorted(circumstances.items())))
