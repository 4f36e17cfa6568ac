"""What does one version of a card cost, and what can it be upgraded from?"""

from __future__ import annotations

from typing import NamedTuple, Protocol

from arkham.rules.legality.standing import Standing


class Leveled(Protocol):
    """What a price depends on; a :class:`Version` or a card's standing has it."""

    @property
    def level(self) -> int | None:
        """The level, with the boxes marked."""

    @property
    def effective(self) -> int:
        """The level, doubled if exceptional, with the taboo change."""

    @property
    def exceptional(self) -> bool:
        """Whether it is exceptional under the list of taboos in force."""


class Version(NamedTuple):
    """A card as a purchase meets it, under the list of taboos in force.

    ``effective`` is its level, doubled if exceptional, with the taboo change, before
    any minimum; it may be negative.
    """

    code: str
    title: str
    level: int
    effective: int
    exceptional: bool
    counts: bool
    myriad: bool
    researched: bool
    subname: str
    traits: frozenset[str]

    @property
    def swappable(self) -> bool:
        """Whether it is a level 0 card inside the deck size."""
        return self.level == 0 and self.counts


def version_of(code: str, standing: Standing) -> Version | None:
    """The version behind a code; None for what is never bought (it has no level)."""
    card = standing.card
    if card is None or standing.level is None:
        return None
    return Version(
        code,
        card.title,
        standing.level,
        standing.effective,
        standing.exceptional,
        standing.counts,
        card.myriad,
        card.researched,
        card.subname,
        standing.traits,
    )


def is_upgrade(lower: Leveled, higher: Leveled) -> bool:
    """Whether one version of a title can be upgraded into another (XP-08, KW-04)."""
    old, new = lower.level or 0, higher.level or 0
    if new != old:
        return new > old
    return higher.exceptional and higher.effective > lower.effective


def purchase_price(version: Leveled, surcharge: int, least: int) -> int:
    """A new card costs its effective cost, and 1 at least (XP-05, XP-40)."""
    if least == 0 and version.level:
        return max(version.effective + surcharge, 0)
    return max(version.effective + surcharge, 1)


def upgrade_price(lower: Leveled | None, higher: Leveled) -> int:
    """An upgrade costs the difference, and 1 at least (XP-09, XP-41).

    ``lower`` is None where the lower version is kept and the higher paid in full.
    """
    paid_before = lower.effective if lower is not None else 0
    return max(higher.effective - paid_before, 1)
