"""Shows a random draw: what came, from which pool, and whether it still holds."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from django.utils.functional import cached_property
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from arkham.rules.draws import DrawRecord as Record
from arkham.rules.draws import Purpose
from arkham.rules.draws.record import draw_replays
from arkham.rules.pool import CardPool
from decks.models import Deck, Draw
from decks.pages.notes import Note, Words, notes_of

MOST_NAMED = 9
Line = tuple[str, str, int]  # code, name, copies
PURPOSES: dict[str, Words] = {
    Purpose.READING: gettext_lazy("the choices of the back"),
    Purpose.DECK: gettext_lazy("a random deck, those left out included"),
    Purpose.UPGRADE: gettext_lazy("random upgrades"),
}
WEAKNESSES = frozenset({Purpose.WEAKNESS, Purpose.MORRIGAN_ONE})


@dataclass(frozen=True)
class DrawRow:
    """A draw as the page shows it."""

    draw: Draw
    pool: CardPool

    @cached_property
    def record(self) -> Record:
        return Record.from_data(self.draw.record)

    @property
    def cards(self) -> list[Line]:
        """What came, in the order drawn."""
        return [
            line for code in self.record.result for line in named({code: 1}, self.pool)
        ]

    @property
    def heading(self) -> str:
        """The cards by name; of many, how many came."""
        if len(self.record.result) > MOST_NAMED:
            text = _("%(count)d cards drawn: %(purpose)s")
            purpose = PURPOSES.get(self.record.purpose, "")
            return text % {"count": len(self.record.result), "purpose": purpose}
        return ", ".join(name for _code, name, _copies in self.cards)

    @property
    def from_pool(self) -> list[Line]:
        """What it came out of."""
        return list(named(dict(self.record.pool), self.pool))

    @property
    def notes(self) -> tuple[Note, ...]:
        """What a second draw with the same seed finds; nothing, if it is the same."""
        return notes_of(draw_replays(self.record), self.pool)

    @property
    def to_choose(self) -> bool:
        """Whether one of three is still to be returned."""
        three = self.record.purpose is Purpose.MORRIGAN_THREE
        done = hasattr(self.draw, "followed_by") or hasattr(self.draw, "correction")
        return three and not done

    @property
    def is_corrected(self) -> bool:
        """Whether it does not hold."""
        return hasattr(self.draw, "correction")

    @property
    def is_correctable(self) -> bool:
        """Whether it brought cards that may be taken back."""
        weakness = self.record.purpose in WEAKNESSES
        return weakness and self.draw.made is not None and not self.is_corrected


def shown_draws(deck: Deck, pool: CardPool) -> list[DrawRow]:
    """Every draw for a deck, the latest first."""
    made = deck.draws.select_related("correction", "followed_by")
    return [DrawRow(each, pool) for each in reversed(made.all())]


def named(cards: Mapping[str, int], pool: CardPool) -> Iterator[Line]:
    """Cards by name."""
    for code, copies in cards.items():
        card = pool.get_card(code)
        yield code, card.name if card else code, copies
