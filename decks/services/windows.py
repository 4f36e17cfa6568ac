"""The window between two games: what an upgrade starts from and is priced by."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import replace
from datetime import datetime
from itertools import pairwise
from types import MappingProxyType
from typing import Any, NamedTuple

from arkham.rules.deck import DeckList
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
from arkham.rules.upgrade.facts import copies_by_card
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

# What a game left that belongs to the circumstances, not to the window: required cards
# taken for good, and tasks recorded in the campaign log.
LOST, TASKS, GIVEN = "lost_cards", "tasks", "given_signatures"
EARNED = "campaign_cards"
AFTERMATH_CIRCUMSTANCES = (LOST, TASKS)
NO_CIRCUMSTANCES: Mapping[str, Any] = MappingProxyType({})
# What holds for the first deck of a campaign holds for it no more once it is played.
_OF_A_FIRST_DECK = ("mode", "experience", CARRIED, "arrival", "trauma")


class PricedUpgrade(NamedTuple):
    """What an upgrade would come to.

    ``base`` is the played revision it grows from, ``before`` the deck as it was then,
    ``window_data`` the window as JSON;
    ``available`` what may be spent: an earlier upgrade in this window given back.
    """

    base: Revision
    before: DeckList
    content: Content
    window_data: dict[str, Any]
    window: Window
    available: int
    invoice: Invoice

    @property
    def findings(self) -> tuple[Finding, ...]:
        """What the rules find about the change and the new deck, the worst first."""
        return worst_first((*self.invoice.findings, *self.invoice.legality))

    @property
    def left(self) -> int:
        """What would be left of it."""
        return self.available - self.invoice.total


def base_of(latest: Revision) -> Revision | None:
    """The played revision that an upgrade starts from; None before the first game."""
    if latest.played_at is not None:
        return latest
    if latest.base is None:
        return None
    return Revision.objects.get(deck_id=latest.deck_id, number=latest.base)


def upgrade_from(base: Revision, **terms: datetime) -> Revision | None:
    """The upgrade that holds in the window after ``base``, whatever came in since."""
    paid = Revision.objects.filter(
        deck_id=base.deck_id, base=base.number, invoice__isnull=False, **terms
    )
    return paid.order_by("number").last()


def start_of(latest: Revision) -> Revision | None:
    """The revision that a purchase starts from; None while the deck is built.

    A deck of a campaign under way may bring experience along: that is spent from what
    it came as. A first deck spends its experience as it is built.
    """
    base = base_of(latest)
    if base is not None:
        return base
    if not spends_as_it_came(latest.content) or balance_of(latest.deck) <= 0:
        return None
    return latest


def spends_as_it_came(content: Content) -> bool:
    """Whether experience brought along is spent from a deck that was never played."""
    alone = content.circumstances.get("mode") == Mode.STANDALONE
    return not alone and not is_first(content)


def aftermath_of(
    window: Mapping[str, Any], tasks: Iterable[str], lost: Iterable[str] = ()
) -> dict[str, Any]:
    """What a game left behind: the window after it, and what the table has to know."""
    circumstances = {LOST: sorted(lost), TASKS: sorted(set(tasks))}
    return {**window, **{key: codes for key, codes in circumstances.items() if codes}}


def window_after(base: Revision) -> dict[str, Any]:
    """The window as it was written down after the game, as JSON."""
    return {
        key: value
        for key, value in base.aftermath.items()
        if key not in AFTERMATH_CIRCUMSTANCES
    }


def window_of(base: Revision, upgraded: Revision) -> Window:
    """The window as an upgrade used it."""
    return read_window(window_after(base) | upgraded.window)


def preview(
    judge: Judge,
    base: Revision,
    content: Content,
    window_data: Mapping[str, Any],
    available: int,
) -> PricedUpgrade:
    """Price a content from the played revision. Raises Unreadable for the window.

    What was granted and has no place in the deck size is set aside, as it is priced.
    A deck that is upgraded is no first deck, whatever its circumstances say.
    """
    content = replace(content, circumstances=_under_way(content.circumstances))
    window_data = {
        key: value for key, value in window_data.items() if key != "available"
    }
    window_data = window_after(base) | window_data | {"available": available}
    window = read_window(window_data)._replace(owed=places_left(judge, base))
    asked = content.asked()
    aside = set_aside_as_granted(judge, asked.deck, window, asked.circumstances)
    if aside:
        steps = [Edit("aside", code, copies) for code, copies in aside.items()]
        content = apply(content, steps, judge.pool)
        asked = content.asked()
    before = base.content.asked().deck
    invoice = price_upgrade(judge, before, asked.deck, window, asked.circumstances)
    return PricedUpgrade(base, before, content, window_data, window, available, invoice)


def places_left(judge: Judge, played: Revision) -> tuple[int, int]:
    """Places still free to be filled in a deck and its second one (FAQ 1.18).

    What a deck lacked as it came here with its campaign under way, games before left.
    """
    chain = [played]
    while chain[-1].base is not None and any(_open_places(judge, chain[-1])):
        chain.append(played.deck.revisions.get(number=chain[-1].base))
    came_along = spends_as_it_came(chain[-1].content)
    owed = _open_places(judge, chain[-1]) if came_along else (0, 0)
    for earlier, later in pairwise(reversed(chain)):
        window = window_of(earlier, later)._replace(owed=owed)
        before, asked = earlier.content.asked().deck, later.content.asked()
        owed = places_owed(judge, before, asked.deck, window, asked.circumstances)
    return owed


def _open_places(judge: Judge, revision: Revision) -> tuple[int, int]:
    asked = revision.content.asked()
    built = next(judge.builds(asked.deck, asked.circumstances), None)
    return open_places(built) if built is not None else (0, 0)


def after_game(base: Revision, pool: CardPool) -> Content:
    """The deck as the game left it: what was exiled or taken is gone.

    One that was brought along with experience and not played yet is as it came.
    """
    # What its list said of experience and exile was of an earlier upgrade.
    listed = {key: value for key, value in base.list.items() if key not in LIFE}
    if base.played_at is None:
        return Content(listed, _under_way(base.circumstances))
    window = read_window(window_after(base))
    content = Content(listed, _circumstances_since(base))
    changes = []
    lost = _lost(window, pool)
    for code, copies in lost.items():
        # Which of two decks lost it is unknown: the first one, as far as it had it.
        here = min(copies_of(content, code, pool), copies)
        changes += [Edit("remove", code, here)] if here else []
        changes += [Edit("side-remove", code, copies - here)] if copies > here else []
    for code, copies in _given_to_stay(content, window, pool).items():
        changes += given(code, copies, pool)
    for code, copies in gave_way(window, base.list["slots"]).items():
        changes.append(Edit("remove", code, copies))
    content = apply(content, changes, pool)
    content = with_waived(content, PLAIN_WINDOW, window, pool, base.circumstances)
    # What a campaign took is not written down: it gives it by itself.
    written: Counter[str] = Counter(base.aftermath.get(LOST, ()))
    lost = Counter(content.circumstances.get(LOST, ()))
    lost -= lost_in(base.content, window, pool) - written
    return _with_codes(content, LOST, lost.elements())


def _given_to_stay(content: Content, window: Window, pool: CardPool) -> dict[str, int]:
    """Copies that came into a deck, without those that left it in the same game."""
    listed = content.asked().deck
    left = _lost(window, pool)
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


def _lost(window: Window, pool: CardPool) -> Counter[str]:
    """Copies that left with a game, by card."""
    exiled, taken = (copies_by_card(n, pool) for n in (window.exiled, window.taken))
    return exiled + taken


def as_listed(
    data: Mapping[str, Any], content: Content, pool: CardPool
) -> dict[str, Any]:
    """A window in JSON that names what left by the printings its deck had.

    Of several the one that is named goes first. What the deck doesn't have is named as
    what came in the same game, or else as it was.
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
    """Copies that were in the deck and gave way to what came, unrecorded.

    ``held`` are the copies it had in its game.
    """
    became = with_exchanged(window.moved, held)
    implied = became.keys() - window.moved.keys()
    there = {code: min(held.get(code, 0), -became[code]) for code in sorted(implied)}
    return {code: copies for code, copies in there.items() if copies}


def given(code: str, copies: int, pool: CardPool) -> list[Edit]:
    """The steps that put copies into a deck by order of a scenario.

    A card that counts when it is bought is set aside: it does not count (DECK-18).
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
    """The content with the required cards that were taken of it as lost (DECK-19).

    ``before`` is the window as it was known so far: what it took and ``after`` does
    not is lost no more, nor is a card that was given back. ``earlier`` are the
    circumstances of the deck in its game: what games before it took and gave stays.
    A content that was changed so already stays as it is.
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
    had, has = (given_signatures(it.moved, owner, pool) for it in (before, after))
    for key, came, comes in (
        (GIVEN, had, has),
        (EARNED, earned_in(before.moved, pool), earned_in(after.moved, pool)),
    ):
        given = {*content.circumstances.get(key, ())}
        gave = came - comes - {*(earlier.get(key) or ())}
        content = _with_codes(content, key, (given - gave) | comes)
    return content


def lost_in(played: Content, window: Window, pool: CardPool) -> Counter[str]:
    """Copies of required cards that a game took for good, beyond those lost before."""
    deck = played.asked().deck
    owner = deck.back or deck.investigator
    had = Counter(played.circumstances.get(LOST, ()))
    after = lost_after(had, window.moved, owner, pool)
    return after - lost_after(had, {}, owner, pool)


def with_moved(
    content: Content, base: Revision, known: Mapping[str, Any], now: Mapping[str, Any]
) -> Content:
    """The content with what a window took and gave beyond what was known of it."""
    if all(now.get(key) == known.get(key) for key in ("taken", "granted")):
        return content
    windows = read_window(dict(known)), read_window(dict(now))
    return with_waived(content, *windows, current_pool(), base.circumstances)


def _with_codes(content: Content, key: str, codes: Iterable[str]) -> Content:
    listed = sorted(codes)
    if listed == sorted(content.circumstances.get(key, ())):
        return content
    kept = {each: v for each, v in content.circumstances.items() if each != key}
    kept |= {key: listed} if listed else {}
    return replace(content, circumstances=dict(sorted(kept.items())))


def _under_way(circumstances: Mapping[str, Any]) -> dict[str, Any]:
    """The circumstances of a deck that is no first deck any more."""
    is_of_start = circumstances.get("mode") == Mode.START
    return {
        key: each
        for key, each in circumstances.items()
        if not is_of_start or key not in _OF_A_FIRST_DECK
    }


def with_earned(content: Content, base: Revision) -> Content:
    """The content of a later revision, with what its deck has earned by now.

    What was earned may be corrected between two games, after an upgrade too.
    """
    if base.played_at is None or EXPERIENCE_EARNED not in content.circumstances:
        return content
    circumstances = dict(content.circumstances)
    _count_earned(circumstances, base)
    return replace(content, circumstances=circumstances)


def _count_earned(circumstances: dict[str, Any], base: Revision) -> None:
    """Say what was earned since the campaign began, where that is known."""
    is_alone = circumstances.get("mode") == Mode.STANDALONE
    earned = None if is_alone else earned_in_campaign(base)
    if earned is not None:
        circumstances[EXPERIENCE_EARNED] = earned


def _circumstances_since(base: Revision) -> dict[str, Any]:
    """The circumstances of a deck that was played."""
    circumstances = _under_way(base.circumstances)
    _count_earned(circumstances, base)
    tasks = {*circumstances.get(TASKS, ()), *base.aftermath.get(TASKS, ())}
    if tasks:
        circumstances[TASKS] = sorted(tasks)
    return circumstances
