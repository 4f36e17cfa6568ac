"""Deals the opening hand of a deck, and shows its odds."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

from django.utils.translation import gettext as _

from arkham.charts.plots import draw_columns
from arkham.charts.svg import Datum
from arkham.rules.draws.hands import Hand, deal
from arkham.rules.draws.odds import Wanted, odds_by_turn
from arkham.rules.draws.opening import Opening, opening_of
from arkham.rules.pool import CardPool
from decks.pages.display import Judged
from decks.pages.figures import DeckFigure

TURNS = 10


@dataclass(frozen=True, slots=True)
class DealtCard:
    """One card of a dealt hand: its place in it, and whether it may be given up."""

    place: int
    code: str
    name: str
    may_go: bool = False


@dataclass(frozen=True, slots=True)
class ShownHand:
    """A dealt hand as the page shows it."""

    first: tuple[DealtCard, ...]
    given_up: tuple[DealtCard, ...]
    replaced_by: tuple[DealtCard, ...]
    weaknesses: tuple[DealtCard, ...]
    kept: tuple[DealtCard, ...]
    turns: tuple[tuple[DealtCard, ...], ...]
    apart: tuple[DealtCard, ...]


def opening_for(judged: Judged, sought: str, fewer: int) -> Opening:
    """How the deck's opening hand is drawn; a card that may not be sought is not."""
    assert judged.built is not None
    plain = opening_of(judged.built, fewer=fewer)
    if sought not in plain.may_seek:
        return plain
    return opening_of(judged.built, sought=(sought,), fewer=fewer)


def dealt(
    opening: Opening, pool: CardPool, seed: str, places: Sequence[int], turns: int
) -> ShownHand:
    """The hand of a seed, the cards in these places given up, and later turns."""
    first = deal(opening, seed).first
    given_up = tuple(
        first[place]
        for place in sorted(set(places))
        if place < len(first) and first[place] not in opening.stays
    )
    hand = deal(opening, seed, given_up if opening.mulligan else (), turns)
    return _shown(hand, opening, pool)


def _shown(hand: Hand, opening: Opening, pool: CardPool) -> ShownHand:
    def held(codes: Sequence[str]) -> tuple[DealtCard, ...]:
        return tuple(
            DealtCard(
                place,
                code,
                _name(code, pool),
                opening.mulligan and code not in opening.stays,
            )
            for place, code in enumerate(codes)
        )

    return ShownHand(
        held(hand.first),
        held(hand.given_up),
        held(hand.replaced_by),
        held(hand.weaknesses),
        held(hand.kept),
        tuple(map(held, hand.turns)),
        held(hand.apart),
    )


def _name(code: str, pool: CardPool) -> str:
    card = pool.get_card(code)
    if card is None:
        return code
    return f"{card.name} ({card.level})" if card.level else card.name


def offered(opening: Opening, pool: CardPool) -> list[tuple[str, str]]:
    """The cards that may be looked for: one entry a title, all levels together."""
    titles: dict[str, list[str]] = {}
    for code in (*opening.cards, *opening.in_hand):
        if code not in opening.weaknesses | opening.stays:
            titles.setdefault(pool[code].title, []).append(code)
    return [
        (min(codes), f"{title} × {copies}")
        for title, codes in sorted(titles.items(), key=lambda each: each[0].casefold())
        for copies in [_copies(opening, codes)]
    ]


def _copies(opening: Opening, codes: Sequence[str]) -> int:
    each = set(codes)
    held = sum(code in each for code in opening.in_hand)
    return held + sum(opening.cards.get(code, 0) for code in each)


def may_be_sought(opening: Opening, pool: CardPool) -> list[tuple[str, str]]:
    """The cards one of which may be taken into the hand first, by name."""
    found = [(code, _name(code, pool)) for code in opening.may_seek]
    return sorted(found, key=lambda each: each[1].casefold())


@dataclass(frozen=True, slots=True)
class DrawOdds:
    """The odds by turn: the number of the turn, the fraction, and per cent."""

    lines: tuple[tuple[int, Fraction, str], ...]
    figure: DeckFigure


def odds(
    opening: Opening, pool: CardPool, wanted: Sequence[str], how: str, mulligan: bool
) -> DrawOdds:
    """How likely the titles of these cards are to have been drawn, turn by turn."""
    titles = {pool[code].title for code in wanted}
    sets = [
        frozenset(
            code
            for code in (*opening.cards, *opening.in_hand)
            if pool[code].title == title
        )
        for title in sorted(titles)
    ]
    found = odds_by_turn(opening, sets, Wanted(how), TURNS, mulligan=mulligan)
    title = _("Odds of having drawn them, in per cent, by turn")
    percents = [round(each * 100) for each in found]
    data = [Datum(str(turn), percent) for turn, percent in enumerate(percents, 1)]
    numbers = tuple((datum.label, datum.value) for datum in data)
    return DrawOdds(
        tuple(_lines(found)),
        DeckFigure(title, draw_columns(data, title=title), numbers),
    )


def _lines(found: Sequence[Fraction]) -> Iterator[tuple[int, Fraction, str]]:
    for turn, each in enumerate(found, 1):
        yield turn, each, f"{float(each * 100):.2f}"
