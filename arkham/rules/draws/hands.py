"""Deals a random opening hand."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from arkham.rules.draws.opening import Opening
from arkham.rules.draws.record import DrawRecord, Purpose, Urn, draw, pool_of


@dataclass(frozen=True, slots=True)
class Hand:
    """An opening hand and what came after it.

    ``first`` was drawn at first, ``weaknesses`` were set aside and replaced (both
    times), ``given_up`` was exchanged for ``replaced_by``. ``kept`` is the hand;
    ``turns`` the cards of each upkeep phase, from the first on. ``apart`` left the
    deck at random before. ``draws`` record it all.
    """

    first: tuple[str, ...]
    given_up: tuple[str, ...]
    replaced_by: tuple[str, ...]
    weaknesses: tuple[str, ...]
    kept: tuple[str, ...]
    turns: tuple[tuple[str, ...], ...]
    apart: tuple[str, ...]
    draws: tuple[DrawRecord, ...]


def deal(
    opening: Opening,
    seed: str,
    given_up: tuple[str, ...] = (),
    turns: int = 0,
) -> Hand:
    """The opening hand that follows from a seed, with one mulligan, and later draws.

    The first hand is the same whatever is given up of it. Raises ValueError for a card
    that is not in the hand or cannot be given up.
    """
    apart = _left_at_random(opening, seed)
    cards = Counter(opening.cards)
    cards.subtract(apart.result if apart else ())
    urn = Urn(f"{seed}/hand", pool_of(cards))
    first, weaknesses = _drawn(urn, opening, opening.drawn)
    _refuse(opening, first, given_up)
    replaced_by, more = _drawn(urn, opening, len(given_up))
    kept = list((Counter(first) - Counter(given_up)).elements()) + replaced_by
    gone = Counter(kept)
    left = {code: copies - gone[code] for code, copies in cards.items()}
    draws = [apart] if apart else []
    draws.append(urn.recorded(Purpose.HAND))
    upkeep = opening.upkeep or 0
    later = draw(Purpose.HAND, f"{seed}/turns", left, upkeep * turns)
    if later.count:
        draws.append(later)
    return Hand(
        tuple(first),
        given_up,
        tuple(replaced_by),
        (*weaknesses, *more),
        (*opening.in_hand, *kept),
        tuple(
            later.result[turn * upkeep : (turn + 1) * upkeep] for turn in range(turns)
        ),
        apart.result if apart else (),
        tuple(draws),
    )


def _left_at_random(opening: Opening, seed: str) -> DrawRecord | None:
    if not opening.random_apart:
        return None
    among: Mapping[str, int] = {
        code: copies
        for code, copies in opening.cards.items()
        if code in opening.apart_from
    }
    return draw(Purpose.HAND, f"{seed}/apart", among, opening.random_apart)


def _drawn(urn: Urn, opening: Opening, count: int) -> tuple[list[str], list[str]]:
    """So many cards out of the deck, and the weaknesses set aside on the way."""
    found: list[str] = []
    weaknesses: list[str] = []
    while len(found) < count and urn.copies:
        code = urn.next()
        (weaknesses if code in opening.weaknesses else found).append(code)
    return found, weaknesses


def _refuse(opening: Opening, first: list[str], given_up: tuple[str, ...]) -> None:
    if given_up and not opening.mulligan:
        raise ValueError("this opening hand has no mulligan")
    for code, copies in Counter(given_up).items():
        if first.count(code) < copies or code in opening.stays:
            raise ValueError(f"{code} cannot be given up")
