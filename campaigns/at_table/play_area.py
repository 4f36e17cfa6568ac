"""A play area as its page shows it: counters, slots, cards and notes."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from urllib.parse import urlencode

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from arkham.rules.card import Card
from arkham.rules.play.area import InPlay, PlayArea, check_area
from arkham.rules.play.slots import GRANTS_OF, SLOTS, Arrangement, arranged
from arkham.rules.pool import CardPool
from arkham.rules.vocabulary import CardType
from campaigns.play.addresses import MOST
from campaigns.play.areas import LAID
from cardpool.relations import version_labels, version_name
from cardpool.words import meant
from decks.pages.notes import Note, notes_of

MOST_FOUND = 12
STAYING = (CardType.ASSET, CardType.TREACHERY)


def found_cards(pool: CardPool, text: str) -> tuple[Card, ...]:
    """Return the cards a player may mean to put in play, by code or name.

    Names that begin with the text come first; no more than a page can offer.
    """
    by_code = pool.get_card(text)
    if by_code is not None:
        return (by_code,) if by_code.type in LAID else ()
    wanted = text.casefold()
    cards = [
        card
        for card in pool.values()
        if wanted in card.name.casefold() and card.type in LAID and card.in_decks
    ]
    exact = [card for card in cards if card.name.casefold() == wanted]
    ranked = sorted(exact or cards, key=_begins_with(wanted))
    return tuple(ranked[:MOST_FOUND])


def cards_of_deck(slots: Mapping[str, int], pool: CardPool) -> list[Card]:
    """Return the cards of a deck that are put into play, by name."""
    cards = (pool.get_card(code) for code in slots)
    kept = [each for each in cards if each is not None and each.type in STAYING]
    return sorted(kept, key=lambda card: (card.name, card.level or 0))


def cards_alike(pool: CardPool, text: str) -> list[str]:
    """Return names of playable cards that a misspelt one may mean."""
    laid = (card for card in pool.values() if card.type in LAID and card.in_decks)
    return meant(text, (card.name for card in laid))


def _begins_with(wanted: str) -> Callable[[Card], tuple[bool, str, int]]:
    def key(card: Card) -> tuple[bool, str, int]:
        name = card.name.casefold()
        return (not name.startswith(wanted), name, card.level or 0)

    return key


def investigators(pool: CardPool) -> list[tuple[Card, str]]:
    """Return every investigator by name, each with a label to choose it by."""
    found = sorted(pool.investigators, key=lambda card: (card.name, card.code))
    labels = version_labels(found, pool)
    return [(card, version_name(card, labels[card.code])) for card in found]


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
        """Whether it defeats the investigator, or exceeds the hand limit."""
        more = 1 if self.key == "hand" else 0
        return self.limit is not None and self.count >= self.limit + more

    @property
    def empty(self) -> bool:
        """Whether the count is 0."""
        return self.count == 0

    @property
    def most(self) -> bool:
        """Whether the count is at its maximum."""
        return self.count >= MOST


@dataclass(frozen=True, slots=True)
class Slots:
    """The slots of a kind: how many are taken, available, and missing."""

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
    """A card in play: its index, its counters and flags."""

    at: int
    card: InPlay
    slots: tuple[str | Promise, ...]
    counters: tuple[ShownCounter, ...]
    varies: bool

    @property
    def name(self) -> str:
        """The card's name with its level."""
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
        """The investigator's counters."""
        limits = {"damage": self.area.most_damage, "horror": self.area.most_horror}
        for key, word in COUNTERS.items():
            limit = self.area.hand_limit if key == "hand" else limits.get(key)
            sign = SIGNS.get(key, "")
            yield ShownCounter(key, word, getattr(self.area, key), limit, sign)

    @property
    def slots(self) -> Iterator[Slots]:
        """The kinds of slots in use, and the usual ones."""
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
            yield Slots(kind, WORDS[kind], len(served), len(places), len(unmet))

    @property
    def cards(self) -> Iterator[PlayAreaCard]:
        """The cards, latest first."""
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
        """The number of cards in play."""
        return len(self.area.cards)

    @property
    def elimination(self) -> str:
        """The query of the elimination that is due; “” if there is none."""
        if not self.area.outcome.is_defeat:
            return ""
        code = self.area.investigator.code if self.area.investigator else ""
        parameters = {
            "investigator": code,
            "how": self.area.outcome.value,
            "clues": self.area.clues,
            "resources": self.area.resources,
        }
        return urlencode(parameters)


def _counters(at: int, each: InPlay) -> Iterator[ShownCounter]:
    card = each.card
    if card.uses or each.uses:
        yield ShownCounter(f"c{at}.uses", card.uses or _("Tokens"), each.uses)
    if card.health is not None or each.damage:
        yield ShownCounter(
            f"c{at}.damage", COUNTERS["damage"], each.damage, each.most_damage, "health"
        )
    if card.sanity is not None or each.horror:
        yield ShownCounter(
            f"c{at}.horror", COUNTERS["horror"], each.horror, each.most_horror, "sanity"
        )


def shown_area(area: PlayArea, pool: CardPool) -> ShownArea:
    """Return a play area with its slots arranged and its findings."""
    arrangement = arranged(area.investigator, area.held, area.more_slots)
    return ShownArea(area, notes_of(check_area(area), pool), arrangement)
