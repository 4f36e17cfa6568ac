"""A play area read from its address, changed by a button, and shown on its page.

A card is ``code.uses.damage.horror.flags``; the flags are ``x`` for exhausted, ``u``
for used this round and ``n`` for one that takes no slot.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import urlencode

from django.http import QueryDict
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from arkham.rules.campaign.state.outcomes import GameOutcome
from arkham.rules.card import Card
from arkham.rules.draws.setup import setup_of
from arkham.rules.legality.built import BuiltDeck
from arkham.rules.play.area import (
    InPlay,
    PlayArea,
    check_area,
    next_round,
    put_into_play,
)
from arkham.rules.play.slots import GRANTS_OF, SLOTS, Arrangement, arranged
from arkham.rules.pool import CardPool
from arkham.rules.vocabulary import CardType
from campaigns.at_table.addresses import MOST, Pairs, change, number, text_value
from cardpool.words import meant
from decks.pages.notes import Note, notes_of

MOST_CARDS = 24
MOST_SLOTS = 9
MOST_FOUND = 12
COUNTED = ("damage", "horror", "resources", "clues", "hand", "actions")
TOKENS = ("uses", "damage", "horror")
FLAGS: Mapping[str, str] = {"x": "exhausted", "u": "used", "n": "slotless"}
LAID = (CardType.ASSET, CardType.EVENT, CardType.TREACHERY, CardType.SKILL)
_STEP = re.compile(r"(?:c(\d{1,2})\.)?([a-z_]+)([+-]?)")


def read_area(asked: QueryDict, pool: CardPool) -> PlayArea:
    """The play area of an address."""
    investigator = pool.get_card(text_value(asked, "investigator"))
    if investigator is not None and investigator.type is not CardType.INVESTIGATOR:
        investigator = None
    usual = PlayArea()
    counted = {
        name: number(text_value(asked, name), getattr(usual, name)) for name in COUNTED
    }
    cards = (_card(text, pool) for text in asked.getlist("card")[:MOST_CARDS])
    return PlayArea(
        investigator=investigator,
        **counted,
        cards=tuple(card for card in cards if card is not None),
        more_slots=_more_slots(asked),
        more_hand=change(text_value(asked, "limit")),
        health=_override(asked, "health"),
        sanity=_override(asked, "sanity"),
    )


def _override(asked: QueryDict, key: str) -> int | None:
    return number(text_value(asked, key)) or None


def _more_slots(asked: QueryDict) -> dict[str, int]:
    found = {kind: change(text_value(asked, f"s_{kind}"), MOST_SLOTS) for kind in SLOTS}
    return {kind: count for kind, count in found.items() if count}


def _card(text: str, pool: CardPool) -> InPlay | None:
    code, *tokens = text.split(".")
    card = pool.get_card(code)
    if card is None or card.type not in LAID:
        return None
    uses, damage, horror, flags, *_rest = (*tokens, "", "", "", "")
    return InPlay(
        card,
        number(uses),
        number(damage),
        number(horror),
        **{name: letter in flags for letter, name in FLAGS.items()},
    )


def pairs_of(area: PlayArea, deck: str = "") -> Pairs:
    """The address of a play area, key by key."""
    pairs: Pairs = []
    if area.investigator:
        pairs.append(("investigator", area.investigator.code))
    if deck:
        pairs.append(("deck", deck))
    pairs += [(name, getattr(area, name)) for name in COUNTED]
    pairs += [(f"s_{kind}", count) for kind, count in sorted(area.more_slots.items())]
    more = {"limit": area.more_hand, "health": area.health, "sanity": area.sanity}
    pairs += [(key, value) for key, value in more.items() if value]
    pairs += [("card", _written(each)) for each in area.cards]
    return pairs


def _written(card: InPlay) -> str:
    flags = "".join(letter for letter, name in FLAGS.items() if getattr(card, name))
    parts = (card.card.code, card.uses, card.damage, card.horror, flags)
    return ".".join(map(str, parts)).rstrip(".")


def query_of(area: PlayArea, deck: str = "") -> str:
    """The query of the address of a play area."""
    return urlencode(pairs_of(area, deck))


def changed(area: PlayArea, step: str) -> PlayArea:
    """The play area after a button: ``damage+``, ``c3.uses-``, ``round`` …"""
    found = _STEP.fullmatch(step)
    if found is None:
        return area
    place, word, sign = found.groups()
    by = {"+": 1, "-": -1, "": 0}[sign]
    if place is not None:
        at = int(place)
        return _with_card(area, at, word, by) if at < len(area.cards) else area
    if word == "round":
        return next_round(area)
    if word in COUNTED:
        counted: dict[str, Any] = {word: _within(getattr(area, word) + by)}
        return replace(area, **counted)
    if word == "limit":
        return replace(area, more_hand=area.more_hand + by)
    return _with_more(area, word, by)


def is_by_hand(step: str) -> bool:
    """Whether a button counts what cards are not asked about: slots, limits."""
    return step.startswith(("s_", "limit", "health", "sanity"))


def _with_more(area: PlayArea, word: str, by: int) -> PlayArea:
    kind = word.removeprefix("s_")
    if kind in SLOTS:
        count = area.more_slots.get(kind, 0) + by
        return replace(area, more_slots={**area.more_slots, kind: count})
    if word == "health" and area.most_damage is not None:
        return replace(area, health=max(area.most_damage + by, 1))
    if word == "sanity" and area.most_horror is not None:
        return replace(area, sanity=max(area.most_horror + by, 1))
    return area


def _with_card(area: PlayArea, at: int, word: str, by: int) -> PlayArea:
    card = area.cards[at]
    before, behind = area.cards[:at], area.cards[at + 1 :]
    if word == "out":
        return replace(area, cards=before + behind)
    changes: dict[str, Any] = {}
    if word in TOKENS:
        changes[word] = _within(getattr(card, word) + by)
    elif word in FLAGS.values():
        changes[word] = not getattr(card, word)
    return replace(area, cards=(*before, replace(card, **changes), *behind))


def _within(count: int) -> int:
    return min(max(count, 0), MOST)


def found_cards(pool: CardPool, text: str) -> tuple[Card, ...]:
    """The cards a player may mean to lay down: one of this code, or of this name.

    Names that begin so come first; not more than a page can offer.
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


def cards_alike(pool: CardPool, text: str) -> list[str]:
    """The names of cards to lay down that a misspelt one perhaps means."""
    laid = (card for card in pool.values() if card.type in LAID and card.in_decks)
    return meant(text, (card.name for card in laid))


def _begins_with(wanted: str) -> Callable[[Card], tuple[bool, str, int]]:
    def key(card: Card) -> tuple[bool, str, int]:
        name = card.name.casefold()
        return (not name.startswith(wanted), name, card.level or 0)

    return key


def opened(built: BuiltDeck, area: PlayArea, investigator: Card | None) -> PlayArea:
    """The play area a deck begins with: its resources and what starts in play."""
    setup = setup_of(built)
    area = replace(area, investigator=investigator, resources=setup.resources)
    for laid in setup.in_play:
        card = built.frame.pool[laid.code]
        for _copy in range(laid.copies):
            if card.type in LAID and len(area.cards) < MOST_CARDS:
                area = put_into_play(area, card)
    return area


def laid(area: PlayArea, card: Card) -> PlayArea:
    """The play area with the card in play, if there is room for one more."""
    if len(area.cards) >= MOST_CARDS:
        return area
    return put_into_play(area, card)


def investigators(pool: CardPool) -> list[Card]:
    """Every investigator to choose from, by name."""
    return sorted(pool.investigators, key=lambda card: (card.name, card.code))


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
            yield Slots(kind, WORDS[kind], len(served), len(places), len(unmet))

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
