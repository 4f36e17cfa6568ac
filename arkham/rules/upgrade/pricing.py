"""Turns a change into the lines of an invoice."""

from __future__ import annotations

from collections.abc import Mapping, Set
from functools import lru_cache
from typing import NamedTuple

from arkham.rules.deck import Circumstances, DeckList
from arkham.rules.legality.built import BuiltDeck
from arkham.rules.legality.judge import Judge
from arkham.rules.pool import CardPool
from arkham.rules.upgrade.assembly import MOST_JOINED, cheapest_plans
from arkham.rules.upgrade.change import (
    Change,
    aside_in_both,
    by_first_printing,
    compare,
    partings,
)
from arkham.rules.upgrade.conditions import is_plain, offers_of
from arkham.rules.upgrade.discounts import DEVOURERS, KEPT_LOWER
from arkham.rules.upgrade.invoice import InvoiceLine, in_order
from arkham.rules.upgrade.plain import bought
from arkham.rules.upgrade.titles import (
    PricingTerms,
    Weighed,
    exchanging,
    may_be_served,
    plans_of,
)
from arkham.rules.upgrade.versions import Version, Versions, versions_in
from arkham.rules.upgrade.ways import PlannedLine
from arkham.rules.upgrade.window import Window

USUAL_SIZE = 30
# What these find depends on who plays the deck, which nobody knows.
OF_SOMEBODY = frozenset(
    {"upgrade.investigator", "upgrade.required", "upgrade.dropped", "upgrade.devoured"}
)


def led(
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
    somebody = _somebody(judge.pool)
    if not somebody:
        return before, after
    return _played_by(somebody, before), _played_by(somebody, after)


def _played_by(investigator: str, deck: DeckList) -> DeckList:
    return deck._replace(investigator=investigator, front="", back="", choices={})


@lru_cache(maxsize=2)  # the pool in use and the one it replaces
def _somebody(pool: CardPool) -> str:
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


_new = tuple.__new__  # half of what calling a named tuple's class costs
_NO_TITLES: frozenset[str] = frozenset()


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
    """The changes and their lines, with what happened told apart by deck."""
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
    weighed = _plans(change, terms, lines)
    for each in changes[1:]:
        weighed += _plans(each, terms, lines)
    if weighed:
        fronts = [each.front for each in weighed]
        chosen, cut = cheapest_plans(fronts, offers, MOST_JOINED // share)
        for title, plan in zip(weighed, chosen, strict=True):
            lines += title.lines_of(plan)
    in_turn = in_order(lines, changes, versions)
    return _new(Priced, (changes, in_turn, cut or bool(terms.bounded)))


def _plans(
    change: Change, terms: PricingTerms, lines: list[PlannedLine]
) -> list[Weighed]:
    """The plans of every title that has several, in the order of the titles.

    The lines of the others, which share nothing, are added to ``lines``.
    """
    offers, before, after = terms.offers, terms.before, terms.built.deck
    coming, several = _by_title(change.added)
    leaving, others = _by_title(change.removed)
    served = not terms.plain
    wanted: set[str] = set()  # titles whose plans are joined with those of others
    for title, version in coming.items():
        related = version.involved or title in several or title in others
        if related or (served and may_be_served(version, change, terms)):
            wanted.add(title)
        else:
            lines += bought(version, leaving.get(title), change, offers)
    if offers.swaps:
        wanted |= leaving.keys() - coming.keys()
        if not change.side:
            wanted |= terms.exchanging.titles - coming.keys()
    if before.sheets != after.sheets and not change.side:
        wanted |= _with_new_marks(change, terms) - coming.keys()
    return [plans_of(title, change, terms) for title in sorted(wanted)]


def _by_title(copies: Mapping[Version, int]) -> tuple[dict[str, Version], Set[str]]:
    """A version of each title that has a level, and the titles that have several."""
    found = {each.title: each for each in copies if each.level is not None}
    if len(found) == len(copies):
        return found, _NO_TITLES
    return found, {
        each.title
        for each in copies
        if each.level is not None and found[each.title] is not each
    }


def _with_new_marks(change: Change, terms: PricingTerms) -> set[str]:
    """Titles on whose sheets other boxes are marked than were."""
    before, after = terms.before.sheets, terms.built.deck.sheets
    return {
        version.title
        for code in {*before, *after}
        if before.get(code) != after.get(code)
        and (version := terms.versions[code]) is not None
        and version.standing.sheet
    }
