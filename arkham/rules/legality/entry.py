"""What does one entry of a deck list come to?"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from arkham.rules.card import Card
from arkham.rules.deck import SheetMark
from arkham.rules.legality.standing import Role, Standing


class Share(NamedTuple):
    """Some copies of a card and the option (or other ground) that admits them."""

    option: str
    copies: int


# Neither is ever changed; a frozen one takes three times as long to make.
@dataclass(slots=True)
class Line:
    """One entry of a deck list, resolved. ``copies`` leaves out those set aside."""

    code: str
    copies: int
    set_aside: int
    standing: Standing
    marks: tuple[SheetMark, ...]

    @property
    def card(self) -> Card:
        """The card; only lines of known cards are asked."""
        assert self.standing.card is not None
        return self.standing.card

    @property
    def role(self) -> Role:
        """What the card is to this deck."""
        return self.standing.role


@dataclass(slots=True)
class Entry:
    """All that judging needs of an entry, together: one look-up.

    ``shares`` hold where no limited option is shared for; ``title`` is the one copies
    are counted by.
    """

    tally: int
    shares: tuple[Share, ...]
    title: str
    line: Line
