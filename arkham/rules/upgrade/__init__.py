"""Judges and prices a change of a deck between two games.

``price`` compares two lists of the same investigator and finds the lowest price that
the printed rules allow: every copy that comes in gets a source, and the reductions that
cards grant are distributed optimally. Rules report what a change must not do as
findings, which never change a price.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from functools import lru_cache
from typing import NamedTuple

from arkham.rules.deck import ANY_TABLE, Circumstances, DeckList
from arkham.rules.finding import Finding
from arkham.rules.legality import judge_of, judged
from arkham.rules.legality.built import BuiltDeck
from arkham.rules.legality.entitlement import (
    aside_as_held,
    earned_in,
    granted_aside,
    more_aside,
)
from arkham.rules.legality.judge import Judge
from arkham.rules.legality.signatures import given_signatures, lost_after, not_replaced
from arkham.rules.pool import CardPool
from arkham.rules.upgrade.assembly import MOST_JOINED, cheapest_plans
from arkham.rules.upgrade.change import (
    Change,
    aside_in_both,
    by_first_printing,
    compare,
    partings,
)
from arkham.rules.upgrade.conditions import is_plain, offers_of, open_places
from arkham.rules.upgrade.facts import (
    Upgrade,
    copies_by_card,
    granted_with_aside,
    with_lost_grants,
)
from arkham.rules.upgrade.invoice import Invoice, InvoiceLine, Reduction, in_order
from arkham.rules.upgrade.price_rules import (
    DEVOURERS,
    KEPT_LOWER,
    PlannedLine,
    Way,
)
from arkham.rules.upgrade.rules import UPGRADE_RULES, findings_of
from arkham.rules.upgrade.titles import PricingTerms, exchanging, weighed_titles
from arkham.rules.upgrade.versions import Versions, versions_in
from arkham.rules.upgrade.window import PLAIN_WINDOW, Pin, UsedOffers, Window

USUAL_SIZE = 30
# Their findings depend on the investigator who plays the deck.
INVESTIGATOR_RULES = frozenset(
    {"upgrade.investigator", "upgrade.required", "upgrade.dropped", "upgrade.devoured"}
)
# Findings on assumptions that were reported for the old deck already.
SEEN_BEFORE = frozenset({"mode.creation-only"})


def under_known_investigator(
    judge: Judge, before: DeckList, after: DeckList, circumstances: Circumstances
) -> tuple[DeckList, DeckList]:
    """Return both decks under one investigator: the old deck's, or a typical one.

    If there is neither, return them unchanged.
    """
    if next(judge.builds(before, circumstances), None) is not None:
        return before, after._replace(
            investigator=before.investigator,
            front=before.front,
            back=before.back,
            choices=before.choices,
        )
    usual = _usual_investigator(judge.pool)
    if not usual:
        return before, after
    return _played_by(usual, before), _played_by(usual, after)


def _played_by(investigator: str, deck: DeckList) -> DeckList:
    return deck._replace(investigator=investigator, front="", back="", choices={})


@lru_cache(maxsize=2)  # the pool in use, and the one being replaced
def _usual_investigator(pool: CardPool) -> str:
    """The first investigator who changes no price and has nothing unusual, or ""."""
    for code in sorted(pool):
        card = pool[code]
        facts = card.investigator
        if facts is None or facts.back is None or not facts.playable:
            continue
        back = facts.back
        usual = back.size == USUAL_SIZE and not (
            back.choices or back.side_deck or back.bonus_experience
        )
        if usual and code not in KEPT_LOWER and code not in DEVOURERS:
            return code
    return ""


class Priced(NamedTuple):
    """The changes, main deck first, and the invoice lines that pay for them.

    ``bounded`` means that so much changes that a lower price may be allowed;
    ``refills`` are the places that could be filled for free in each deck.
    """

    changes: tuple[Change, ...]
    lines: tuple[InvoiceLine, ...]
    bounded: bool
    refills: tuple[int, int]


def priced(judge: Judge, before: DeckList, built: BuiltDeck, window: Window) -> Priced:
    """Compare and price the main and second deck, at the lowest total found."""
    versions = versions_in(built.frame)
    if not (before.side_deck or built.deck.side_deck):
        return _priced(judge, before, built, versions, window, None, 1)
    ways = list(partings(before, built, versions, window))
    found = [
        _priced(judge, before, built, versions, each.main, each.side, len(ways))
        for each in ways
    ]
    return min(found, key=_total)  # the first of equals


def _total(found: Priced) -> int:
    return sum(line.paid for line in found.lines)


def _priced(
    judge: Judge,
    before: DeckList,
    built: BuiltDeck,
    versions: Versions,
    window: Window,
    beside: Window | None,
    share: int,
) -> Priced:
    """Compare and price both decks, each with its own part of what happened."""
    after = built.deck
    change = compare(before.entries, after.entries, versions, window)
    changes: tuple[Change, ...] = (change,)
    if is_plain(judge, before, built, change, versions, window):
        offers, plain = versions.plain, True
    else:
        if beside is not None:
            pair = before.side_deck, after.side_deck
            changes = (change, compare(*pair, versions, beside, side=True))
        window = by_first_printing(window, versions)
        offers = offers_of(judge, before, built, changes, versions, window)
        plain = offers.nothing and not window.pins
    aside = aside_in_both(before, after, versions)
    terms = PricingTerms(before, built, window, versions, offers, plain, share, aside)
    if offers.swaps:
        staying = change.staying_at_level_0(versions, aside)
        terms.exchanging = exchanging(staying, change.added, offers)
    lines: list[PlannedLine] = []
    cut = False
    weighed = weighed_titles(change, terms, lines)
    for each in changes[1:]:
        weighed += weighed_titles(each, terms, lines)
    if weighed:
        fronts = [each.front for each in weighed]
        chosen, cut = cheapest_plans(fronts, offers, MOST_JOINED // share)
        for title, plan in zip(weighed, chosen, strict=True):
            lines += title.lines_of(plan)
    in_turn = in_order(lines, changes, versions)
    offered = offers.refills, offers.side_refills
    return Priced(changes, in_turn, cut or bool(terms.bounded), offered)


def places_owed(
    judge: Judge,
    before: DeckList,
    after: DeckList,
    window: Window,
    circumstances: Circumstances,
) -> tuple[int, int]:
    """Open places that the window offered to fill for free, in each of two decks.

    They stay open until the decks are legal again (FAQ 1.18).
    """
    ready = _prepared(judge, before, after, window, circumstances)
    if ready.built is None or not ready.known:
        return 0, 0
    found = priced(judge, ready.before, ready.built, ready.window)
    filled = [each.side for each in found.lines if each.rule == Way.REFILL.rule]
    places = open_places(ready.built)
    main, beside = (
        min(max(found.refills[side] - filled.count(bool(side)), 0), places[side])
        for side in (0, 1)
    )
    return main, beside


__all__ = [
    "PLAIN_WINDOW",
    "UPGRADE_RULES",
    "Invoice",
    "InvoiceLine",
    "Pin",
    "Reduction",
    "UsedOffers",
    "Window",
    "open_places",
    "places_owed",
    "price",
    "price_upgrade",
    "set_aside_as_granted",
]


def price(
    before: DeckList,
    after: DeckList,
    pool: CardPool,
    window: Window = PLAIN_WINDOW,
    circumstances: Circumstances = ANY_TABLE,
) -> Invoice:
    """The invoice for changing one deck into another between two games."""
    return price_upgrade(judge_of(pool), before, after, window, circumstances)


def price_upgrade(
    judge: Judge,
    before: DeckList,
    after: DeckList,
    window: Window = PLAIN_WINDOW,
    circumstances: Circumstances = ANY_TABLE,
) -> Invoice:
    """Like :func:`price`, with a judge the caller has already.

    A deck whose investigator is unknown is priced under the old deck's investigator, or
    under a typical one: cards cost the same for every investigator. Cards that an
    instruction removed are no longer required.
    """
    ready = _prepared(judge, before, after, window, circumstances)
    before, built, window, legality, known = ready
    if built is None:
        return Invoice((), (), legality, window.available)
    changes, lines, bounded, _refills = priced(judge, before, built, window)
    upgrade = Upgrade(before, built, window, changes, lines, bounded=bounded)
    findings = findings_of(upgrade)
    legality = tuple(each for each in legality if each.rule not in SEEN_BEFORE)
    if not known:
        findings = tuple(
            each for each in findings if each.rule not in INVESTIGATOR_RULES
        )
    return Invoice(lines, findings, legality, window.available)


class _Prepared(NamedTuple):
    """A change as it is priced; ``known`` is false for a typical investigator."""

    before: DeckList
    built: BuiltDeck | None
    window: Window
    legality: tuple[Finding, ...]
    known: bool


def _prepared(
    judge: Judge,
    before: DeckList,
    after: DeckList,
    window: Window,
    circumstances: Circumstances,
) -> _Prepared:
    """Judge the new deck, and set aside in both lists what a scenario gave."""
    if window.earlier is not None:
        before, _ = _with_own_taboo(before, window.earlier)
        after, circumstances = _with_own_taboo(after, circumstances)
    if before.set_aside:
        before = before._replace(set_aside=aside_as_held(before, judge.pool))
    if window.granted or window.taken:
        circumstances = _as_it_left_them(judge, after, window, circumstances)
    window = _with_earlier(before, after, window, circumstances)
    built, legality = judged(judge, after, circumstances)
    before, window = with_lost_grants(before, after, window, judge.pool)
    known = built is not None
    if built is None:
        before, after = under_known_investigator(judge, before, after, circumstances)
        built, _theirs = judged(judge, after, circumstances)
    if built is None:
        return _Prepared(before, None, window, legality, known)
    if window.granted:
        aside = _granted_aside(judge, built, window)
        if aside:
            after = after._replace(set_aside=more_aside(built.deck, aside))
            built, legality = judged(judge, after, circumstances)
            assert built is not None  # it was built before, with fewer copies set aside
    if circumstances.story_cards:  # the judge may have set copies aside in both decks
        old = next(judge.builds(before, circumstances), None)
        before = old.deck if old is not None else before
    if built.deck.set_aside:
        window = window._replace(granted=granted_with_aside(before, built, window))
    return _Prepared(before, built, window, legality, known)


def _with_own_taboo(
    deck: DeckList, circumstances: Circumstances
) -> tuple[DeckList, Circumstances]:
    """Name the taboo list of the circumstances in the deck, which may change lists."""
    own = "none" if circumstances.no_taboo else circumstances.taboo
    if own is None:
        return deck, circumstances
    return deck._replace(taboo=own), replace(circumstances, taboo=None, no_taboo=False)


def _with_earlier(
    before: DeckList, after: DeckList, window: Window, circumstances: Circumstances
) -> Window:
    """The window with the circumstances of the old deck, if they bound it otherwise."""
    if window.earlier is None and before.card_pool == after.card_pool:
        return window
    was = window.earlier or circumstances
    changing = ("ultimatums", "environment", "banned_titles")
    earlier = replace(circumstances, **{key: getattr(was, key) for key in changing})
    were, are = (
        (terms.environment or deck.card_pool, terms.ultimatums, terms.banned_titles)
        for deck, terms in ((before, earlier), (after, circumstances))
    )
    return window._replace(earlier=earlier if were != are else None)


def set_aside_as_granted(
    judge: Judge,
    before: DeckList,
    after: DeckList,
    window: Window,
    circumstances: Circumstances,
) -> dict[str, int]:
    """Granted copies that are priced as set aside, by the codes of the list.

    The new deck lists them among copies that count, but has no room for them there.
    """
    if not window.granted:
        return {}
    circumstances = _as_it_left_them(judge, after, window, circumstances)
    built, _legality = judged(judge, after, circumstances)
    window = with_lost_grants(before, after, window, judge.pool)[1]
    return _granted_aside(judge, built, window) if built is not None else {}


def _granted_aside(judge: Judge, built: BuiltDeck, window: Window) -> dict[str, int]:
    return granted_aside(built, copies_by_card(window.granted, judge.pool))


def _as_it_left_them(
    judge: Judge, deck: DeckList, window: Window, circumstances: Circumstances
) -> Circumstances:
    """The circumstances after a window removed required cards and gave others.

    ``lost_cards`` may be stated as of before or after the window. Both are tried: the
    deck has the right number of copies under one of them.
    """
    owner, pool = deck.back or deck.investigator, judge.pool
    given = given_signatures(window.moved, owner, pool) | circumstances.given_signatures
    if given != circumstances.given_signatures:
        circumstances = replace(circumstances, given_signatures=given)
    earned = earned_in(window.moved, pool) | circumstances.campaign_cards
    if earned != circumstances.campaign_cards:
        circumstances = replace(circumstances, campaign_cards=earned)
    stated = Counter(circumstances.lost_cards)
    after, before = (
        replace(circumstances, lost_cards=tuple(sorted(lost.elements())))
        for lost in (
            stated | not_replaced(window.moved, owner, pool),
            lost_after(stated, window.moved, owner, pool),
        )
    )
    if after == before:
        return after
    return min(after, before, key=lambda each: len(judged(judge, deck, each)[1]))
