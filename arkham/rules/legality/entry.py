"""One entry of a deck list, resolved, with all that judging needs of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from arkham.rules.card import Card
from arkham.rules.deck import SheetMark
from arkham.rules.legality.standing import Role, Standing


class Share(NamedTuple):
    """Some copies of a card and the option (or other ground) that admits them."""

    option: str
    copies: int


# Never changed once made; a frozen one takes three times as long to make.
@dataclass(slots=True)
class Line:
    """One entry of a deck list. ``copies`` leaves out those set aside.

    ``title`` is the one copies are counted by, ``tally`` what the entry adds to that of
    the deck; ``shares`` hold where no card may use one limited option or another.
    ``written`` is for those who write verdicts to keep code and shares as text.
    """

    code: str
    copies: int
    set_aside: int
    standing: Standing
    marks: tuple[SheetMark, ...]
    title: str = ""
    tally: int = 0
    shares: tuple[Share, ...] = ()
    written: str = ""

    @property
    def card(self) -> Card:
        """The card; only lines of known cards are asked."""
        assert self.standing.card is not None
        return self.standing.card

    @property
    def role(self) -> Role:
        """What the card is to this deck."""
        return self.standing.role


class Assignment(Mapping[str, tuple[Share, ...]]):
    """What admits the copies of each entry, by code, where the entry itself says it.

    Most verdicts are only written, entry by entry; others look up.
    """

    __slots__ = ("_shares", "lines")

    def __init__(self, lines: Sequence[Line]) -> None:
        self.lines = lines
        self._shares: dict[str, tuple[Share, ...]] | None = None

    def _by_code(self) -> dict[str, tuple[Share, ...]]:
        if self._shares is None:
            self._shares = {line.code: line.shares for line in self.lines}
        return self._shares

    def __getitem__(self, code: str) -> tuple[Share, ...]:
        return self._by_code()[code]

    def __iter__(self) -> Iterator[str]:
        return iter(self._by_code())

    def __len__(self) -> int:
        return len(self.lines)

    def __repr__(self) -> str:
        return repr(self._by_code())
