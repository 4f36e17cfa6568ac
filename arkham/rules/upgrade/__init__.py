"""May this deck become that deck, and for how much?

``price`` compares two lists of one investigator and finds the least the printed rules
let the change cost: every copy that comes in is given its source, and the reductions
that cards grant are dealt out exactly. What a change must not do is said by findings;
they never change a price.
"""

from __future__ import annotations

from arkham.rules.deck import ANY_TABLE, Circumstances, DeckList
from arkham.rules.legality import judge_of, judged
from arkham.rules.legality.judge import Judge
from arkham.rules.pool import CardPool
from arkham.rules.upgrade.invoice import Invoice, InvoiceLine, Reduction
from arkham.rules.upgrade.occasions import Upgrade
from arkham.rules.upgrade.pricing import priced
from arkham.rules.upgrade.rules import UPGRADE_RULES, findings_of
from arkham.rules.upgrade.unknown import OF_SOMEBODY, led
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
    """
    built, legality = judged(judge, after, circumstances)
    known = built is not None
    if built is None:
        before, after = led(judge, before, after, circumstances)
        built, _theirs = judged(judge, after, circumstances)
    if built is None:
        return Invoice((), (), legality, window.available)
    changes, lines, bounded = priced(judge, before, built, window)
    upgrade = Upgrade(before, built, window, changes, lines, bounded=bounded)
    findings = findings_of(upgrade)
    if not known:
        findings = tuple(each for each in findings if each.rule not in OF_SOMEBODY)
    return Invoice(lines, findings, legality, window.available)
