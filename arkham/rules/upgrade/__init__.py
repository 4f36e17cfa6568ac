"""Judges and prices a change of a deck between two games.

``price`` compares two lists of one investigator and finds the least the printed rules
let the change cost: every copy that comes in is given its source, and the reductions
that cards grant are dealt out exactly. What a change must not do is said by findings;
they never change a price.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from functools import lru_cache
from typing import NamedTuple

from arkham.rules.deck import ANY_TABLE, Circumstances, DeckList
from arkham.rules.legality import judge_of, judged
from arkham.rules.legality.built import BuiltDeck
from arkham.rules.legality.entitlement import (
    aside_as_held,
    earned_in,
    granted_aside,
    more_aside,
)
from arkham.rules.legality.judge import Judge
from arkham.rules.legality.signatures import given_signatures, lost_after, waived
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
from arkham.rules.upgrade.facts import Upgrade, copies_by_card, granted_with_aside
from arkham.rules.upgrade.invoice import Invoice, InvoiceLine, Reduction, in_order
from arkham.rules.upgrade.price_rules import DEVOURERS, KEPT_LOWER, PlannedLine
from arkham.rules.upgrade.rules import UPGRADE_RULES, findings_of
from arkham.rules.upgrade.titles import (
    PricingTerms,
    exchanging,
    weighed_titles,
)
from arkham.rules.upgrade.versions import Versions, versions_in
from arkham.rules.upgrade.window import PLAIN_WINDOW, Pin, Used, Window

USUAL_SIZE = 30
# What these find depends on who plays the deck.
INVESTIGATOR_RULES = frozenset(
    {"upgrade.investigator", "upgrade.required", "upgrade.dropped", "upgrade.devoured"}
)
# What these assume of a deck is seen in the deck it was.
SEEN_BEFORE = frozenset({"mode.creation-only"})


def under_known_investigator(
    judge: Judge, before: DeckList, after: DeckList, circumstances: Circumstances
) -> tuple[DeckList, DeckList]:
    """Both decks under one investigator: that of the old deck, or one like any other.

    As they are, if there is none.
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


@lru_cache(maxsize=2)  # the pool in use and the one it replaces
def _usual_investigator(pool: CardPool) -> str:
    """An investigator who changes no price: the first with nothing out of the usual."""
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
    """What changes, main deck first, and the lines it is had for.

    ``bounded``: so much changes that the rules may allow a lower price.
    """

    changes: tuple[Change, ...]
    lines: tuple[InvoiceLine, ...]
    bounded: bool


def priced(judge: Judge, before: DeckList, built: BuiltDeck, window: Window) -> Priced:
    """What changes in the deck and in the second one, and the lines it is had for."""
    versions = versions_in(built.frame)
    if not (before.side_deck or built.deck.side_deck):
        return _priced(judge, before, built, versions, window, None, 1)
    ways = list(partings(before, built, versions, window))
    found = [
        _priced(judge, before, built, versions, each.main, each.side, len(ways))
        for each in ways
    ]
    return min(found, key=_total)  # of equals the first


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
    """The changes and their lines, with what happened parted by deck."""
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
    return Priced(changes, in_turn, cut or bool(terms.bounded))


def places_owed(
    judge: Judge,
    before: DeckList,
    after: DeckList,
    window: Window,
    circumstances: Circumstances,
) -> tuple[int, int]:
    """Open places that a window offered to fill for nothing, in each of two decks.

    They stay so until the decks are legal again (FAQ 1.18).
    """
    built = next(judge.builds(after, circumstances), None)
    if built is None:
        return 0, 0
    versions = versions_in(built.frame)
    main, beside = next(partings(before, built, versions, window))
    pair = before.side_deck, after.side_deck
    changes = (
        compare(before.entries, after.entries, versions, main),
        compare(*pair, versions, beside or PLAIN_WINDOW, side=True),
    )
    offers = offers_of(judge, before, built, changes, versions, window)
    places = open_places(built)
    return min(offers.refills, places[0]), min(offers.side_refills, places[1])


__all__ = [
    "PLAIN_WINDOW",
    "UPGRADE_RULES",
    "Invoice",
    "InvoiceLine",
    "Pin",
    "Reduction",
    "Used",
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
    """The invoice for turning one deck into another between two games."""
    return price_upgrade(judge_of(pool), before, after, window, circumstances)


def price_upgrade(
    judge: Judge,
    before: DeckList,
    after: DeckList,
    window: Window = PLAIN_WINDOW,
    circumstances: Circumstances = ANY_TABLE,
) -> Invoice:
    """As :func:`price`, for callers that keep the judge at hand.

    A deck whose investigator is not known is priced as the deck it was, or as that of
    an investigator like any other: cards cost the same for every investigator.
    What an instruction took is asked for no more.
    """
    if before.set_aside:
        before = before._replace(set_aside=aside_as_held(before, judge.pool))
    if window.granted or window.taken:
        circumstances = _as_it_left_them(judge, after, window, circumstances)
    built, legality = judged(judge, after, circumstances)
    known = built is not None
    if built is None:
        before, after = under_known_investigator(judge, before, after, circumstances)
        built, _theirs = judged(judge, after, circumstances)
    if built is None:
        return Invoice((), (), legality, window.available)
    if window.granted:
        aside = _granted_aside(judge, built, window)
        if aside:
            after = after._replace(set_aside=more_aside(built.deck, aside))
            built, legality = judged(judge, after, circumstances)
            assert built is not None  # it was, with fewer copies set aside
    if circumstances.story_cards:  # the judge may have set copies of both aside
        old = next(judge.builds(before, circumstances), None)
        before = old.deck if old is not None else before
    if built.deck.set_aside:
        window = window._replace(granted=granted_with_aside(before, built, window))
    changes, lines, bounded = priced(judge, before, built, window)
    upgrade = Upgrade(before, built, window, changes, lines, bounded=bounded)
    findings = findings_of(upgrade)
    legality = tuple(each for each in legality if each.rule not in SEEN_BEFORE)
    if not known:
        findings = tuple(
            each for each in findings if each.rule not in INVESTIGATOR_RULES
        )
    return Invoice(lines, findings, legality, window.available)


def set_aside_as_granted(
    judge: Judge, deck: DeckList, window: Window, circumstances: Circumstances
) -> dict[str, int]:
    """Copies that were granted and are priced as set aside, by the codes of the list.

    The deck lists them among those that count, and has no place for them there.
    """
    if not window.granted:
        return {}
    circumstances = _as_it_left_them(judge, deck, window, circumstances)
    built, _legality = judged(judge, deck, circumstances)
    return _granted_aside(judge, built, window) if built is not None else {}


def _granted_aside(judge: Judge, built: BuiltDeck, window: Window) -> dict[str, int]:
    return granted_aside(built, copies_by_card(window.granted, judge.pool))


def _as_it_left_them(
    judge: Judge, deck: DeckList, window: Window, circumstances: Circumstances
) -> Circumstances:
    """The circumstances once a window took required cards, and gave some.

    What is lost may be said as it was before the window or as it is after it: the
    deck shows which, as it has the right number of copies under one of the two.
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
            stated | waived(window.moved, owner, pool),
            lost_after(stated, window.moved, owner, pool),
        )
    )
    if after == before:
        return after
    return min(after, before, key=lambda each: len(judged(judge, deck, each)[1]))
