"""Words findings whose remedy is to remove a card."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from arkham.rules.card import Card
from arkham.rules.deck import SheetMark
from arkham.rules.finding import (
    Finding,
    Message,
    Phrase,
    Remedy,
    Severity,
    Value,
    gettext_noop,
)
from arkham.rules.legality.standing import Line, Standing
from arkham.rules.pool import CardPool

_new = tuple.__new__  # half of what calling a named tuple's class costs
_ILLEGAL = Severity.ILLEGAL


class HeldCard(NamedTuple):
    """A card of a deck under the codes of all the printings that list it."""

    codes: tuple[str, ...]
    copies: int
    card: Card
    standing: Standing


def by_card(lines: Iterable[Line]) -> Iterator[HeldCard]:
    """Cards of which copies count in the deck, each once, whatever its printings.

    Printings whose sheets are marked differently stay apart.
    """
    firsts: dict[tuple[str, tuple[SheetMark, ...]], Line] = {}
    others: dict[tuple[str, tuple[SheetMark, ...]], list[Line]] = {}
    for line in lines:
        if line.copies:
            card = line.standing.card
            assert card is not None  # only lines of known cards are asked
            key = (card.code, line.marks)
            if firsts.setdefault(key, line) is not line:
                others.setdefault(key, []).append(line)
    for key, line in firsts.items():
        codes: tuple[str, ...] = (line.code,)
        copies, standing = line.copies, line.standing
        if key in others:
            codes += tuple([other.code for other in others[key]])
            copies += sum([other.copies for other in others[key]])
        yield _new(HeldCard, (codes, copies, standing.card, standing))


def named(name: str, level: int | None) -> str:
    """A card's name, with its level if that is above 0."""
    return f"{name} ({level})" if level else name


def with_product(card: Card, pool: CardPool) -> Value:
    """A card's name with the product it was first printed in."""
    pack = pool.packs.get(card.printings[0].pack)
    if pack is None:
        return card.name
    values = (("name", card.name), ("product", pack.name))
    return Phrase(gettext_noop("{name} from “{product}”"), values)


def taken_out(
    held: HeldCard,
    message: Message,
    *,
    actual: Value | None = None,
    expected: Value = 0,
    **values: Value,
) -> Finding:
    """A card that may not be in the deck; ``actual`` is its copies if not given."""
    codes, copies, _card, standing = held
    name = ("name", named(standing.name, standing.level))
    fields = (
        message,
        _ILLEGAL,
        codes,
        copies if actual is None else actual,
        expected,
        _new(Remedy, ("remove", codes, copies, ())),
        gettext_noop("Remove {name}."),
        (name, *values.items()) if values else (name,),
        "",  # the rule and what it cites: whose rule asks will say
        (),
    )
    return _new(Finding, fields)
