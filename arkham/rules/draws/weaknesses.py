"""Draws basic weaknesses from those that are left.

The pool consists of the basic weaknesses in one copy of each product of the collection,
without those handed out. All players of a collection share its pool.
"""

from __future__ import annotations

from collections.abc import Collection as Several
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from arkham.rules.card import Card
from arkham.rules.collection import Collection, one_of_each
from arkham.rules.draws.record import DrawRecord, Purpose, draw
from arkham.rules.finding import Finding, faq, rule
from arkham.rules.finding import gettext_noop as _
from arkham.rules.legality.compiling import PLACEHOLDER
from arkham.rules.legality.frame import Frame
from arkham.rules.legality.standing import CardRole
from arkham.rules.legality.tally import Concern
from arkham.rules.modifiers import FIRST_OF
from arkham.rules.pool import CardPool
from arkham.rules.rulings import DEFAULT_RULINGS
from arkham.rules.vocabulary import Mode, WeaknessKind

_BARS = frozenset({Concern.FOREIGN, Concern.OUT_OF_POOL, Concern.FORBIDDEN})


def whole_pool(
    collection: Collection, pool: CardPool, rulings: Mapping[str, str] = DEFAULT_RULINGS
) -> dict[str, int]:
    """Every basic weakness in one copy of each product, by code, with its copies.

    Two editions of a set are two products; a table may count only the larger one.
    """
    merged = rulings["weaknesses.two-editions"] == "merged"
    counts: dict[str, dict[str, int]] = {}  # card → cycle, or product → copies
    for product, held in one_of_each(collection, pool).items():
        edition = pool.packs[product].cycle if merged else product
        inside: dict[str, int] = {}
        for printing, copies in held.items():
            card = pool[printing]
            if is_drawn(card):
                inside[card.code] = inside.get(card.code, 0) + copies
        for code, copies in inside.items():
            by_edition = counts.setdefault(code, {})
            by_edition[edition] = max(by_edition.get(edition, 0), copies)
    return {code: sum(each.values()) for code, each in sorted(counts.items())}


def is_drawn(card: Card) -> bool:
    """True if a card is a basic weakness, and not the placeholder for one."""
    return card.weakness is WeaknessKind.BASIC and card.code != PLACEHOLDER


def handed_out(decks: Iterable[Mapping[str, int]], pool: CardPool) -> dict[str, int]:
    """The basic weaknesses that these decks have removed from the pool.

    They are those in the decks, and those exchanged for a card in them.
    """
    gone: dict[str, int] = {}
    for entries in decks:
        for listed, copies in entries.items():
            card = pool.get_card(listed)
            if card is None:
                continue
            code = FIRST_OF.get(card.code, card.code)
            if is_drawn(pool[code]):
                gone[code] = gone.get(code, 0) + copies
    return gone


def without(cards: Mapping[str, int], gone: Mapping[str, int]) -> dict[str, int]:
    """Subtract the cards that are gone from a pool."""
    return {
        code: left
        for code, copies in cards.items()
        if (left := copies - gone.get(code, 0)) > 0
    }


def open_to(
    frame: Frame, cards: Mapping[str, int], traits: Several[str] = ()
) -> dict[str, int]:
    """The part of a pool from which a deck of this frame may draw.

    It excludes weaknesses of another class, of products outside the environment, and
    those marked for other modes; if there are ``traits``, it has only cards with one.
    """
    return {
        code: copies
        for code, copies in cards.items()
        if _is_open(frame, frame.pool[code])
        and (not traits or not set(traits).isdisjoint(frame.pool[code].traits))
    }


def _is_open(frame: Frame, card: Card) -> bool:
    standing = frame.standing(card.code)
    if standing.role is not CardRole.BASIC_WEAKNESS or _BARS & set(standing.concerns):
        return False
    if frame.rulings["weaknesses.marked-modes"] == "in":
        return True
    if card.campaign_only and frame.mode is Mode.STANDALONE:
        return False
    return not (card.multiplayer_only and frame.circumstances.players == 1)


def draw_weakness(cards: Mapping[str, int], seed: str, count: int = 1) -> DrawRecord:
    """Draw random basic weaknesses from a pool, without replacement."""
    return draw(Purpose.WEAKNESS, seed, cards, count)


class ReportedCards(NamedTuple):
    """Cards that a player reports as drawn weaknesses, and any traits required."""

    cards: tuple[str, ...]
    pool: CardPool
    traits: tuple[str, ...] = ()


@rule(
    "draw.weakness", rows=("WEAK-02", "WEAK-07"), cites=(faq("Random basic weakness"),)
)
def are_weaknesses(named: ReportedCards) -> Iterator[Finding]:
    """A random basic weakness is basic and has the trait asked for."""
    traits = {each.casefold() for each in named.traits}
    for code in named.cards:
        card = named.pool.get_card(code)
        if card is None or not is_drawn(card):
            yield Finding(_("This isn’t a basic weakness."), cards=(code,), actual=code)
        elif traits and traits.isdisjoint(each.casefold() for each in card.traits):
            yield Finding(
                _("This weakness doesn’t have the trait that was asked for."),
                cards=(code,),
                actual=", ".join(card.traits),
                expected=", ".join(named.traits),
            )


# -- Boon of the Morrigan: the one rule by which a draw is refused --

MORRIGAN_DRAWS = 3


def draw_three(cards: Mapping[str, int], seed: str) -> DrawRecord:
    """Draw three weaknesses, of which the player will return one."""
    return draw(Purpose.MORRIGAN_THREE, seed, cards, MORRIGAN_DRAWS)


def draw_one_of_two(three: DrawRecord, returned: str, seed: str) -> DrawRecord:
    """Draw one of the two that remain after one was returned; the other goes back, too.

    Raises ValueError if the returned card was not among the three.
    """
    left = list(three.result)
    left.remove(returned)
    return draw(Purpose.MORRIGAN_ONE, seed, dict(_counted(left)))


def _counted(codes: list[str]) -> Iterator[tuple[str, int]]:
    return ((code, codes.count(code)) for code in set(codes))
