"""What comes into a deck or leaves it by order of a campaign, and exactly that.

And what lies on the desk once a game that was written down is corrected.
What was written on a card or lay under it goes with its last copy, and comes back with
it. The cards of a second deck are kept apart from those of the first.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Any, NamedTuple

from arkham.rules.legality.entitlement import is_counted_when_bought
from arkham.rules.notation.meta import is_read
from arkham.rules.pool import CardPool
from arkham.rules.upgrade.facts import copies_by_card
from arkham.rules.upgrade.window import Window, read_window
from decks.lists.content import COPIES, Content
from decks.lists.editing import Edit, apply, copies_of
from decks.models import Deck, Revision
from decks.services.upgrading import laid_out_first
from decks.services.windows import base_of, gave_way, given, with_waived

_NONE: Mapping[str, int] = MappingProxyType({})
_NO_KEYS: Mapping[str, Any] = MappingProxyType({})
_NO_TERMS: Mapping[str, tuple[tuple[str, int], ...]] = MappingProxyType({})


class OrderedChange(NamedTuple):
    """Copies more or fewer by code, and what else changes with them.

    ``side`` are copies of the second deck; ``aside`` those of ``cards`` that do not
    count in the deck; ``meta`` what was noted in its list and is noted again; ``terms``
    the values that a circumstance names more often, or less (below 0).
    """

    cards: Mapping[str, int] = _NONE
    side: Mapping[str, int] = _NONE
    aside: Mapping[str, int] = _NONE
    meta: Mapping[str, Any] = _NO_KEYS
    terms: Mapping[str, tuple[tuple[str, int], ...]] = _NO_TERMS


NOTHING = OrderedChange()


def as_it_is(deck: Deck) -> Content:
    """The deck as its latest game, or what came after it, left it."""
    latest: Revision = deck.revisions.get(number=deck.revision)
    base = base_of(latest)
    return latest.content if base is None else laid_out_first(latest, base).content


def taken_for_good(
    content: Content, codes: Iterable[str], pool: CardPool
) -> OrderedChange:
    """All copies of cards of these titles, in both decks, with what goes with them."""
    known = (pool.get_card(code) for code in codes)
    titles = {card.title for card in known if card is not None}

    def lost(entries: Mapping[str, int]) -> dict[str, int]:
        cards = ((code, pool.get_card(code), n) for code, n in entries.items())
        return {code: -n for code, card, n in cards if card and card.title in titles}

    cards = lost(content.deck["slots"])
    side = lost(content.asked().deck.side_deck)
    beside = content.deck["ignoreDeckLimitSlots"]
    gone = OrderedChange(
        cards, side, {code: -beside[code] for code in cards if code in beside}
    )
    left = moved(content, gone, pool).deck["meta"]
    noted = {
        key: value
        for key, value in content.deck["meta"].items()
        if key not in left and key != "extra_deck"
    }
    return gone._replace(meta=noted)


def given_back(gone: OrderedChange) -> OrderedChange:
    """What was taken, to be given again."""
    cards, side, aside = ({code: -n for code, n in each.items()} for each in gone[:3])
    return OrderedChange(cards, side, aside, gone.meta)


def together(*changes: OrderedChange) -> OrderedChange:
    """Several changes as one."""
    sums: list[Counter[str]] = [Counter(), Counter(), Counter()]
    meta: dict[str, Any] = {}
    terms: dict[str, tuple[tuple[str, int], ...]] = {}
    for change in changes:
        for found, each in zip(sums, change[:3], strict=True):
            found.update(each)
        meta |= change.meta
        terms |= change.terms
    cards, side, aside = ({code: n for code, n in each.items() if n} for each in sums)
    return OrderedChange(cards, side, aside, meta, terms)


def moved(content: Content, change: OrderedChange, pool: CardPool) -> Content:
    """The content with the change made, as far as there is what is to leave.

    A second deck loses what the first one doesn't have.
    """
    steps: list[Edit] = []
    for code, copies in change.aside.items():
        if copies < 0:
            steps.append(Edit("count", code, -copies))
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
    for code, copies in change.aside.items():
        if copies > 0:
            steps.append(Edit("aside", code, copies))
    content = apply(content, steps, pool)
    return _with_terms(_noted(content, change.meta), change.terms)


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
    """The content on the desk once what happened in the game is corrected.

    ``held`` are the copies the deck had in its game, ``aside`` those of them that did
    not count, ``earlier`` its circumstances then, ``side`` copies of its second deck.
    """
    before, after = read_window(dict(window)), read_window(dict(new_window))
    changes: list[Edit] = []
    (was, was_beside), (is_lost, is_lost_beside) = (
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
        (is_lost_beside - was_beside, "side-remove"),
        (was_beside - is_lost_beside, "side-add"),
    ):
        changes += [Edit(verb, code, n) for code, n in sorted(more.items())]
    back, gone = (_lost_aside(each, held, aside) for each in (before, after))
    changes += [Edit("aside", code, n) for code, n in sorted((back - gone).items())]
    return with_waived(apply(content, changes, pool), before, after, pool, earlier)


def _given_no_more(code: str, copies: int, pool: CardPool) -> list[Edit]:
    """The steps that take out what was not given after all; other copies count on."""
    card = pool.get_card(code)
    steps = [Edit("remove", code, copies)]
    if card is not None and is_counted_when_bought(card):
        steps.insert(0, Edit("count", code, copies))
    return steps


def _lost_aside(
    window: Window, held: Mapping[str, int], aside: Mapping[str, int]
) -> Counter[str]:
    """Copies that did not count and went with what a game took: the last to go."""
    lost = Counter(window.exiled) + Counter(window.taken)
    return +Counter(
        {code: n - max(held.get(code, 0) - lost[code], 0) for code, n in aside.items()}
    )


def _lost_of_each(
    window: Window, held: Mapping[str, int], side: Mapping[str, int]
) -> tuple[Counter[str], Counter[str]]:
    """Copies that a deck lost, and its second one: the first as far as it had them."""
    lost = Counter(window.exiled) + Counter(window.taken)
    beside = +Counter(
        {
            code: min(max(lost[code] - held.get(code, 0), 0), n)
            for code, n in side.items()
        }
    )
    return lost - beside, beside


def with_notes_back(
    content: Content,
    before: Content,
    base: Revision,
    windows: tuple[Mapping[str, Any], Mapping[str, Any]],
    pool: CardPool,
) -> Content:
    """The content with what its deck had noted on cards that are on the desk again.

    ``before`` is what lay there, ``windows`` what was known of the game then and is
    now. A card of which the game left no copy begins without notes (CUST-14).
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
    """Copies that a game left in the deck it was played with, by card."""
    window, left = read_window(dict(data)), copies_by_card(base.list["slots"], pool)
    left.subtract(copies_by_card(window.exiled, pool))
    left.subtract(copies_by_card(window.taken, pool))
    return left


def _noted(content: Content, meta: Mapping[str, Any]) -> Content:
    """What was written on cards is written there again, if nothing else is by now."""
    noted = content.deck["meta"]
    more = {key: value for key, value in meta.items() if key not in noted}
    if not more:
        return content
    return replace(
        content, deck={**content.deck, "meta": dict(sorted({**noted, **more}.items()))}
    )


def _with_terms(
    content: Content, terms: Mapping[str, tuple[tuple[str, int], ...]]
) -> Content:
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
