"""How is a finding worded whose way out is to take a card out of the deck?"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from arkham.rules.card import Card
from arkham.rules.finding import Finding, Remedy, Severity, gettext_noop
from arkham.rules.legality.entry import Line
from arkham.rules.legality.standing import Standing


class Held(NamedTuple):
    """A card of a deck under the codes of all the printings that list it."""

    codes: tuple[str, ...]
    copies: int
    card: Card
    standing: Standing


def by_card(lines: Iterable[Line]) -> Iterator[Held]:
    """Cards of which copies count in the deck, each once, whatever its printings.

    Printings whose sheets are marked differently are told apart.
    """
    together: dict[tuple[str, object], list[Line]] = {}
    for line in lines:
        if line.copies:
            card = line.standing.card
            assert card is not None  # only lines of known cards are asked
            together.setdefault((card.code, line.marks), []).append(line)
    for every in together.values():
        first, copies = every[0], every[0].copies
        codes: tuple[str, ...] = (first.code,)
        if len(every) > 1:
            codes = tuple(line.code for line in every)
            copies = sum(line.copies for line in every)
        yield Held(codes, copies, first.card, first.standing)


def named(card: Card, level: int | None) -> str:
    """A card's name, with its level if that is above 0."""
    return f"{card.name} ({level})" if level else card.name


def taken_out(
    held: Held,
    message: str,
    *,
    actual: int | str | None = None,
    expected: int | str = 0,
    **values: str | int,
) -> Finding:
    """A card that may not be in the deck; ``actual`` is its copies if not given."""
    codes, copies, card, standing = held
    return Finding(
        message,
        Severity.ILLEGAL,
        codes,
        copies if actual is None else actual,
        expected,
        Remedy("remove", codes, copies),
        gettext_noop("Remove {name}."),
        (("name", named(card, standing.level)), *values.items()),
    )
