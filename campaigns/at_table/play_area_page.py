"""A play area as its page shows it: counters, slots, cards, what it asks for."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from urllib.parse import urlencode

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from arkham.rules.campaign.state.outcomes import GameOutcome
from arkham.rules.play.area import InPlay, PlayArea, check_area
from arkham.rules.play.slots import GRANTS_OF, SLOTS, Arrangement, arranged
from arkham.rules.pool import CardPool
from campaigns.at_table.addresses import MOST
from decks.pages.notes import Note, notes_of

WORDS: Mapping[str, str | Promise] = {
    "ally": _("Ally"),
    "hand": _("Hand"),
    "arcane": _("Arcane"),
    "accessory": _("Accessory"),
    "body": _("Body"),
    "tarot": _("Tarot"),
    "head": _("Head"),
}
COUNTERS: Mapping[str, str | Promise] = {
    "damage": _("Damage"),
    "horror": _("Horror"),
    "resources": _("Resources"),
    "clues": _("Clues"),
    "hand": _("Cards in hand"),
    "actions": _("Actions left"),
}
SIGNS: Mapping[str, str] = {"damage": "health", "horror": "sanity"}


@dataclass(frozen=True, slots=True)
class ShownCounter:
    """A number with its limit, if it has one."""

    key: str
    word: str | Promise
    count: int
    limit: int | None = None
    sign: str = ""

    @property
    def is_full(self) -> bool:
        """Whether the limit is reached, where that is bad."""
        return self.limit is not None and self.count >= self.limit

    @property
    def empty(self) -> bool:
        """Whether there is nothing to take away."""
        return self.count == 0

    @property
    def most(self) -> bool:
        """Whether no more are counted."""
        return self.count >= MOST


@dataclass(frozen=True, slots=True)
class Slots:
    """The slots of a kind: how many are taken, there are, and are lacking."""

    kind: str
    word: str | Promise
    taken: int
    size: int
    over: int

    @property
    def dots(self) -> list[bool]:
        """A dot for each slot, filled if it is taken."""
        return [True] * self.taken + [False] * (self.size - self.taken)


@dataclass(frozen=True, slots=True)
class PlayAreaCard:
    """A card before the player: its place, its counters, what may be ticked."""

    at: int
    card: InPlay
    slots: tuple[str | Promise, ...]
    counters: tuple[ShownCounter, ...]
    varies: bool

    @property
    def name(self) -> str:
        """Its name, with its level."""
        level = self.card.card.level
        return f"{self.card.card.name} ({level})" if level else self.card.card.name


@dataclass(frozen=True, slots=True)
class ShownArea:
    """A play area with everything that is computed about it."""

    area: PlayArea
    notes: tuple[Note, ...]
    arrangement: Arrangement

    @property
    def counters(self) -> Iterator[ShownCounter]:
        """What is counted for the investigator."""
        limits = {"damage": self.area.most_damage, "horror": self.area.most_horror}
        for key, word in COUNTERS.items():
            limit = self.area.hand_limit if key == "hand" else limits.get(key)
            sign = SIGNS.get(key, "")
            yield ShownCounter(key, word, getattr(self.area, key), limit, sign)

    @property
    def slots(self) -> Iterator[Slots]:
        """Every kind of slot that is in use, and those most use."""
        for kind in SLOTS:
            places = [
                (place, want)
                for place, want in self.arrangement.places
                if (want.kind == kind if want else kind in place.kinds)
            ]
            unmet = [want for want in self.arrangement.unmet if want.kind == kind]
            served = [want for _place, want in places if want]
            if kind in ("tarot", "head") and not served and not unmet:
                continue
            yield Slots(
                kind,
                WORDS[kind],
                len(served),
                len(places),
                len(unmet),
            )

    @property
    def cards(self) -> Iterator[PlayAreaCard]:
        """The cards, the latest first."""
        for at, each in reversed(list(enumerate(self.area.cards))):
            row = GRANTS_OF.get(each.card.code)
            yield PlayAreaCard(
                at,
                each,
                tuple(WORDS[kind] for kind in each.card.slots if kind in WORDS),
                tuple(_counters(at, each)),
                row is not None and row.varies,
            )

    @property
    def size(self) -> int:
        """How many cards lie there."""
        return len(self.area.cards)

    @property
    def elimination(self) -> str:
        """The query of the elimination that is due; “” while there is none."""
        hurt = _is_full(self.area.damage, self.area.most_damage)
        mad = _is_full(self.area.horror, self.area.most_horror)
        if not (hurt or mad):
            return ""
        outcome = GameOutcome.BOTH if hurt and mad else GameOutcome.DAMAGE
        if mad and not hurt:
            outcome = GameOutcome.HORROR
        code = self.area.investigator.code if self.area.investigator else ""
        parameters = {
            "investigator": code,
            "how": outcome.value,
            "clues": self.area.clues,
            "resources": self.area.resources,
        }
        return urlencode(parameters)


def _is_full(count: int, limit: int | None) -> bool:
    return limit is not None and count >= limit


def _counters(at: int, each: InPlay) -> Iterator[ShownCounter]:
    card = each.card
    if card.uses or each.uses:
        yield ShownCounter(f"c{at}.uses", card.uses or _("Tokens"), each.uses)
    if card.health is not None or each.damage:
        yield ShownCounter(
            f"c{at}.damage", COUNTERS["damage"], each.damage, card.health, "health"
        )
    if card.sanity is not None or each.horror:
        yield ShownCounter(
            f"c{at}.horror", COUNTERS["horror"], each.horror, card.sanity, "sanity"
        )


def shown_area(area: PlayArea, pool: CardPool) -> ShownArea:
    """The play area with its slots arranged and everything it asks for."""
    arrangement = arranged(area.investigator, area.held, area.more_slots)
    return ShownArea(area, notes_of(check_area(area), pool), arrangement)
