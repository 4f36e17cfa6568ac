"""The cards of a deck that change what a scenario brings, and by how much."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from django.utils.translation import gettext as _

from arkham.rules.experience import EXPERIENCE_CARDS, ExperienceCard, ExperienceMoment
from arkham.rules.legality.trauma import DEADLY_CARDS
from arkham.rules.pool import CardPool


class Earning(NamedTuple):
    """Copies of a card that change what is earned."""

    card: ExperienceCard
    copies: int

    def by_itself(self, *, defeated: bool = False) -> int:
        """What it brings whatever was done; 0 where its text has to be asked."""
        if not self.card.by_itself or (defeated and self.card.undefeated):
            return 0
        return self.card.amount * self.copies

    @property
    def told(self) -> str:
        """What there is to know of it."""
        if self.card.bars:
            return _("%(name)s: no experience is earned.") % {"name": self.card.name}
        if self.card.undefeated:
            told = _("Nothing if you were defeated: empty it then.")
            if self.card.code in DEADLY_CARDS:
                return _("%(told)s And you are killed.") % {"told": told}
            return told
        if self.card.by_itself:
            return ""
        told = _("%(amount)+d a copy, where its text says so.")
        return told % {"amount": self.card.amount}


def earning(entries: Iterable[tuple[str, int]], pool: CardPool) -> Iterator[Earning]:
    """The cards among these, by code and copies, that change what is earned."""
    for code, copies in entries:
        card = pool.get_card(code)
        found = EXPERIENCE_CARDS.get(card.code) if card is not None else None
        if found is not None and found.moment is ExperienceMoment.RESOLUTION:
            yield Earning(found, copies)
