"""The window between two games: what an upgrade starts from and is priced by."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import replace
from datetime import datetime
from itertools import pairwise
from types import MappingProxyType
from typing import Any, NamedTuple

from arkham.rules.deck import Circumstances, DeckList
from arkham.rules.finding import Finding, worst_first
from arkham.rules.legality import Judge
from arkham.rules.legality.entitlement import earned_in, is_counted_when_bought
from arkham.rules.legality.signatures import given_signatures, lost_after
from arkham.rules.modifiers import with_exchanged
from arkham.rules.pool import CardPool
from arkham.rules.upgrade import (
    PLAIN_WINDOW,
    Invoice,
    Window,
    open_places,
    places_owed,
    price_upgrade,
    set_aside_as_granted,
)
from arkham.rules.upgrade.facts import copies_by_card, lost_copies
from arkham.rules.upgrade.window import read_window, window_copies
from arkham.rules.vocabulary import Mode
from cardpool.catalog import current_pool
from decks.lists.content import LIFE, Content
from decks.lists.editing import Edit, apply, copies_of
from decks.models import Revision
from decks.services.ledger import (
    CARRIED,
    EXPERIENCE_EARNED,
    balance_of,
    earned_in_campaign,
    is_first,
)

# Results of a game that belong to the circumstances, not to the window: required cards
# permanently lost, and tasks recorded in the campaign log.
LOST, TASKS, GIVEN = "lost_cards", "tasks", "given_signatures"
EARNED = "campaign_cards"
AFTERMATH_CIRCUMSTANCES = (LOST, TASKS)
NO_CIRCUMSTANCES: Mapping[str, Any] = MappingProxyType({})
# Circumstances that apply to a first deck only, until it is played.
_OF_A_FIRST_DECK = ("mode", "experience", CARRIED, "arrival", "trauma")


class PricedUpgrade(NamedTuple):
    """An upgrade with its price.

    ``base`` is the played revision it starts from, ``before`` its deck; ``after`` and
    ``terms`` are the new deck and its circumstances as they are priced; ``window_data``
    is the window as JSON, ``available`` what may be spent, with an earlier upgrade in
    this window refunded.
    """

    base: Revision
    before: DeckList
    after: DeckList
    terms: Circumstances
    content: Content
    window_data: dict[str, Any]
    window: Window
    available: int
    invoice: Invoice

    @property
    def findings(self) -> tuple[Finding, ...]:
        """The findings on the change and on the new deck, worst first."""
        return worst_first((*self.invoice.findings, *self.invoice.legality))

    @property
    def left(self) -> int:
        """The experience that would be left."""
        return self.available - self.invoice.total


def base_of(latest: Revision) -> Revision | None:
    """Return the played revision an upgrade starts from; None before the first game."""
    if latest.played_at is not None:
        return latest
    if latest.base is None:
        return None
    return Revision.objects.get(deck_id=latest.deck_id, number=latest.base)


def upgrade_from(base: Revision, **terms: datetime) -> Revision | None:
    """Return the latest paid upgrade in the window after ``base``, if there is one."""
    paid = Revision.objects.filter(
        deck_id=base.deck_id, base=base.number, invoice__isnull=False, **terms
    )
    return paid.order_by("number").last()


def start_of(latest: Revision) -> Revision | None:
    """Return the revision that a purchase starts from; None while the deck is built.

    A deck of a campaign under way may bring experience along, which it can spend before
    its first game here. A first deck spends its experience as it is built.
    """
    base = base_of(latest)
    is_brought = base is None and spends_as_it_came(latest.content)
    return latest if is_brought and balance_of(latest.deck) > 0 else base


def spends_as_it_came(content: Content) -> bool:
    """Return True if a deck that was never played may spend experience on upgrades."""
    alone = content.circumstances.get("mode") == Mode.STANDALONE
    return not alone and not is_first(content)


def aftermath_of(
    window: Mapping[str, Any], tasks: Iterable[str], lost: Iterable[str] = ()
) -> dict[str, Any]:
    """Return what a game left behind: the window after it, and new circumstances."""
    circumstances = {LOST: sorted(lost), TASKS: sorted(set(tasks))}
    return {**window, **{key: codes for key, codes in circumstances.items() if codes}}


def window_after(base: Revision) -> dict[str, Any]:
    """Return the window as it was recorded after the game, as JSON."""
    aftermath = base.aftermath.items()
    return {k: value for k, value in aftermath if k not in AFTERMATH_CIRCUMSTANCES}


def window_of(base: Revision, upgraded: Revision) -> Window:
    """Return the window as an upgrade used it."""
    return read_window(window_after(base) | upgraded.window)


def preview(
    judge: Judge,
    base: Revision,
    content: Content,
    window_data: Mapping[str, Any],
    available: int,
) -> PricedUpgrade:
    """Price a content from the played revision. Raises Unreadable for the window.

    Granted cards outside the deck size are set aside, as they are priced. An upgraded
    deck is not a first deck, whatever its circumstances say.
    """
    content = replace(content, circumstances=_under_way(content.circumstances))
    window_data = {**window_after(base), **window_data, "available": available}
    before, earlier, _label = base.content.asked()
    after, terms, _label = content.asked()
    left = places_left(judge, base)
    window = read_window(window_data)._replace(owed=left, earlier=earlier)
    if aside := set_aside_as_granted(judge, before, after, window, terms):
        steps = [Edit("aside", code, copies) for code, copies in aside.items()]
        content = apply(content, steps, judge.pool)
        after, terms, _label = content.asked()
    invoice = price_upgrade(judge, before, after, window, terms)
    decks = base, before, after, terms, content
    return PricedUpgrade(*decks, window_data, window, available, invoice)


def places_left(judge: Judge, played: Revision) -> tuple[int, int]:
    """Return the free places of a deck and of its second deck (FAQ 1.18).

    These are places that a deck lacked when it came here with its campaign under way,
    or that games left empty.
    """
    chain = [played]
    while chain[-1].base is not None and any(_open_places(judge, chain[-1])):
        chain.append(played.deck.revisions.get(number=chain[-1].base))
    came_along = spends_as_it_came(chain[-1].content)
    owed = _open_places(judge, chain[-1]) if came_along else (0, 0)
    for earlier, later in pairwise(reversed(chain)):
        before, was, _label = earlier.content.asked()
        after, terms, _label = later.content.asked()
        window = window_of(earlier, later)._replace(owed=owed, earlier=was)
        owed = places_owed(judge, before, after, window, terms)
    return owed


def _open_places(judge: Judge, revision: Revision) -> tuple[int, int]:
    asked = revision.content.asked()
    built = next(judge.builds(asked.deck, asked.circumstances), None)
    return open_places(built) if built is not None else (0, 0)


def after_game(base: Revision, pool: CardPool) -> Content:
    """Return the deck after the game, without the cards that were exiled or taken.

    A deck that came with experience and hasn't been played yet is returned as it came.
    """
    # Experience and exile in its list are about an earlier upgrade.
    listed = {key: value for key, value in base.list.items() if key not in LIFE}
    if base.played_at is None:
        return Content(listed, _under_way(base.circumstances))
    window = read_window(window_after(base))
    content = Content(listed, _circumstances_since(base))
    changes = []
    lost = lost_copies(window, pool)
    for code, copies in lost.items():
        # It is unknown which deck lost the card: take it from the first one if it can.
        here = min(copies_of(content, code, pool), copies)
        changes += [Edit("remove", code, here)] if here else []
        changes += [Edit("side-remove", code, copies - here)] if copies > here else []
    for code, copies in _given_to_stay(content, window, pool).items():
        changes += given(code, copies, pool)
    for code, copies in gave_way(window, base.list["slots"]).items():
        changes.append(Edit("remove", code, copies))
    content = apply(content, changes, pool)
    content = with_waived(content, PLAIN_WINDOW, window, pool, base.circumstances)
    # The aftermath omits cards that a campaign took: it applies them itself.
    written: Counter[str] = Counter(base.aftermath.get(LOST, ()))
    lost = Counter(content.circumstances.get(LOST, ()))
    lost -= lost_in(base.content, window, pool) - written
    return _with_codes(content, LOST, lost.elements())


def _given_to_stay(content: Content, window: Window, pool: CardPool) -> dict[str, int]:
    """Return copies that came with a game, without those that also left in it."""
    listed = content.asked().deck
    left = lost_copies(window, pool)
    left -= copies_by_card(listed.entries, pool) + copies_by_card(
        listed.side_deck, pool
    )
    found = Counter(window.granted)
    for code in found:
        (card,) = copies_by_card({code: 1}, pool)
        gone = min(found[code], left[card])
        found[code] -= gone
        left[card] -= gone
    return +found


def as_listed(
    data: Mapping[str, Any], content: Content, pool: CardPool
) -> dict[str, Any]:
    """Return a window whose lost cards are named by the printings the deck had.

    Of several printings, the one that is named goes first. Cards the deck doesn't have
    are matched with those that came in the same game, or else left unchanged.
    """
    listed = content.asked().deck
    left = Counter(listed.entries) + Counter(listed.side_deck)
    left += Counter(window_copies(data, "granted"))
    found = dict(data)
    for key in ("exiled", "taken"):
        named = Counter(window_copies(data, key))
        meant = named & left
        left -= meant
        for code, copies in (named - meant).items():
            (card,) = copies_by_card({code: 1}, pool)
            for each in [
                each for each in left if copies_by_card({each: 1}, pool)[card]
            ]:
                more = min(left[each], copies)
                meant[each] += more
                left[each] -= more
                copies -= more
            meant[code] += copies
        if named != +meant:
            found[key] = dict(+meant)
    return found


def gave_way(window: Window, held: Mapping[str, int]) -> dict[str, int]:
    """Return copies replaced by a card that came, without being recorded as lost.

    ``held`` are the copies the deck had in its game.
    """
    became = with_exchanged(window.moved, held)
    implied = became.keys() - window.moved.keys()
    there = {code: min(held.get(code, 0), -became[code]) for code in sorted(implied)}
    return {code: copies for code, copies in there.items() if copies}


def given(code: str, copies: int, pool: CardPool) -> list[Edit]:
    """Return the edits that add copies by order of a scenario.

    A card that counts toward deck size only when bought is set aside (DECK-18).
    """
    card = pool.get_card(code)
    steps = [Edit("add", code, copies)]
    if card is not None and is_counted_when_bought(card):
        steps.append(Edit("aside", code, copies))
    return steps


def with_waived(
    content: Content,
    before: Window,
    after: Window,
    pool: CardPool,
    earlier: Mapping[str, Any] = NO_CIRCUMSTANCES,
) -> Content:
    """Return the content with required cards marked as lost if taken (DECK-19).

    Cards that ``before``, the window known so far, took and ``after`` does not are no
    longer lost, nor are cards given back. ``earlier`` are the circumstances of the deck
    in its game: what earlier games took and gave stays. Applying it twice is harmless.
    """
    deck = content.asked().deck
    owner = deck.back or deck.investigator
    kept = Counter(earlier.get(LOST) or ())
    was, now = (lost_after(kept, each.moved, owner, pool) for each in (before, after))
    if was != now:
        lost = lost_after(Counter(content.circumstances.get(LOST, ())), {}, owner, pool)
        lost |= Counter({code: now[code] for code in now - was})
        lost -= Counter({code: lost[code] - now[code] for code in was - now})
        content = _with_codes(content, LOST, lost.elements())
    held = copies_by_card(deck.entries, pool) + copies_by_card(deck.side_deck, pool)
    takes = lost_copies(after, pool)
    had, has = (given_signatures(it.moved, owner, pool) for it in (before, after))
    for key, came, comes in (
        (GIVEN, had, has),
        (EARNED, earned_in(before.moved, pool), earned_in(after.moved, pool)),
    ):
        old = {*(earlier.get(key) or ())}
        given = {*content.circumstances.get(key, ())} - (came - comes - old)
        given |= comes | (old & (lost_copies(before, pool) - takes).keys())
        content = _with_codes(content, key, given - (takes.keys() - (+held).keys()))
    return content


def lost_in(played: Content, window: Window, pool: CardPool) -> Counter[str]:
    """Count required cards that a game permanently took, beyond those lost before."""
    deck = played.asked().deck
    owner = deck.back or deck.investigator
    had = Counter(played.circumstances.get(LOST, ()))
    after = lost_after(had, window.moved, owner, pool)
    return after - lost_after(had, {}, owner, pool)


def with_moved(
    content: Content, base: Revision, known: Mapping[str, Any], now: Mapping[str, Any]
) -> Content:
    """Apply what a window took and gave beyond what was already known of it."""
    if all(now.get(key) == known.get(key) for key in ("taken", "granted")):
        return content
    windows = read_window(dict(known)), read_window(dict(now))
    return with_waived(content, *windows, current_pool(), base.circumstances)


def _with_codes(content: Content, key: str, codes: Iterable[str]) -> Content:
    if (listed := sorted(codes)) == sorted(content.circumstances.get(key, ())):
        return content
    kept = {each: v for each, v in content.circumstances.items() if each != key}
    kept |= {key: listed} if listed else {}
    return replace(content, circumstances=dict(sorted(kept.items())))


def _under_way(circumstances: Mapping[str, Any]) -> dict[str, Any]:
    """Return the circumstances without those that apply to a first deck only."""
    is_of_start = circumstances.get("mode") == Mode.START
    return {
        key: each
        for key, each in circumstances.items()
        if not is_of_start or key not in _OF_A_FIRST_DECK
    }


def with_earned(content: Content, base: Revision) -> Content:
    """Return the content of a later revision with what its deck has earned by now.

    Earned experience may be corrected between two games, even after an upgrade.
    """
    if base.played_at is None or EXPERIENCE_EARNED not in content.circumstances:
        return content
    circumstances = dict(content.circumstances)
    _count_earned(circumstances, base)
    return replace(content, circumstances=circumstances)


def _count_earned(circumstances: dict[str, Any], base: Revision) -> None:
    """Set what was earned since the campaign began, if that is known."""
    is_alone = circumstances.get("mode") == Mode.STANDALONE
    earned = None if is_alone else earned_in_campaign(base)
    if earned is not None:
        circumstances[EXPERIENCE_EARNED] = earned


def _circumstances_since(base: Revision) -> dict[str, Any]:
    """Return the circumstances of a deck after its game."""
    circumstances = _under_way(base.circumstances)
    _count_earned(circumstances, base)
    tasks = {*circumstances.get(TASKS, ()), *base.aftermath.get(TASKS, ())}
    if tasks:
        circumstances[TASKS] = sorted(tasks)
    return circumstances
