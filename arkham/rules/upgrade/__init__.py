"""Judges and prices a change of a deck between two games.

``price`` compares two lists of one investigator and finds the least the printed rules
let the change cost: every copy that comes in is given its source, and the reductions
that cards grant are dealt out exactly. What a change must not do is said by findings;
they never change a price.
"""

from __future__ import annotations

from dataclasses import replace

from arkham.rules.deck import ANY_TABLE, Circumstances, DeckList
from arkham.rules.legality import judge_of, judged
from arkham.rules.legality.built import BuiltDeck
from arkham.rules.legality.judge import Judge
from arkham.rules.legality.signatures import given_signatures, waived
from arkham.rules.legality.uncounted import aside_as_held, granted_aside, more_aside
from arkham.rules.pool import CardPool
from arkham.rules.upgrade.granting import copies_by_card, granted_with_aside
from arkham.rules.upgrade.invoice import Invoice, InvoiceLine, Reduction
from arkham.rules.upgrade.occasions import Upgrade
from arkham.rules.upgrade.pricing import OF_SOMEBODY, led, priced
from arkham.rules.upgrade.rules import UPGRADE_RULES, findings_of
from arkham.rules.upgrade.window import PLAIN_WINDOW, Pin, Used, Window

__all__ = [
    "PLAIN_WINDOW",
    "UPGRADE_RULES",
    "Invoice",
    "InvoiceLine",
    "Pin",
    "Reduction",
    "Used",
    "Window",
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
    an investigator like any other: cards cost what they cost, whoever plays them.
    What an instruction took is asked for no more.
    """
    if before.set_aside:
        before = before._replace(set_aside=aside_as_held(before, judge.pool))
    if window.taken:
        circumstances = _without_taken(judge, after, window, circumstances)
    if window.granted:
        circumstances = _with_given(judge, after, window, circumstances)
    built, legality = judged(judge, after, circumstances)
    known = built is not None
    if built is None:
        before, after = led(judge, before, after, circumstances)
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
    if not known:
        findings = tuple(each for each in findings if each.rule not in OF_SOMEBODY)
    return Invoice(lines, findings, legality, window.available)


def set_aside_as_granted(
    judge: Judge, deck: DeckList, window: Window, circumstances: Circumstances
) -> dict[str, int]:
    """Copies that were granted and are priced as set aside, by the codes of the list.

    The deck lists them among those that count, and has no place for them there.
    """
    if not window.granted:
        return {}
    circumstances = _with_given(judge, deck, window, circumstances)
    circumstances = _without_taken(judge, deck, window, circumstances)
    built, _legality = judged(judge, deck, circumstances)
    return _granted_aside(judge, built, window) if built is not None else {}


def _granted_aside(judge: Judge, built: BuiltDeck, window: Window) -> dict[str, int]:
    return granted_aside(built, copies_by_card(window.granted, judge.pool))


def _without_taken(
    judge: Judge, deck: DeckList, window: Window, circumstances: Circumstances
) -> Circumstances:
    """The circumstances with what the window took of required cards as lost."""
    gone = waived(window.moved, deck.back or deck.investigator, judge.pool)
    if gone <= circumstances.lost_cards:
        return circumstances
    return replace(circumstances, lost_cards=circumstances.lost_cards | gone)


def _with_given(
    judge: Judge, deck: DeckList, window: Window, circumstances: Circumstances
) -> Circumstances:
    """The circumstances with the signatures that the window gave."""
    owner = deck.back or deck.investigator
    given = given_signatures(window.moved, owner, judge.pool)
    if given <= circumstances.given_signatures:
        return circumstances
    told = circumstances.given_signatures | given
    return replace(circumstances, given_signatures=told)
