"""A player's play area as text: read, changed by one step, and written again.

The text is the query of an address (``investigator=01001&damage=2&card=01016.4``). A
card is ``code.uses.damage.horror.flags``; the flags are ``x`` for exhausted, ``u`` for
used this round and ``n`` for one that takes no slot.

The helper at the table keeps it in its address, a campaign with its scenario in play.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any
from urllib.parse import urlencode

from django.http import QueryDict

from arkham.rules.card import Card
from arkham.rules.draws.opening import opening_of
from arkham.rules.draws.setup import setup_of
from arkham.rules.legality.built import BuiltDeck
from arkham.rules.play.area import InPlay, PlayArea, next_round, put_into_play
from arkham.rules.play.slots import SLOTS
from arkham.rules.pool import CardPool
from arkham.rules.vocabulary import CardType
from campaigns.play.addresses import MOST, Pairs, change, number, text_value

MOST_CARDS = 24
MOST_SLOTS = 9
LONGEST_AREA = 2_000  # of a text; a full area has about 800
MOST_PARTS = 100  # of a text; a full area has about 45
COUNTED = ("damage", "horror", "resources", "clues", "hand", "actions")
TOKENS = ("uses", "damage", "horror")
FLAGS: Mapping[str, str] = {"x": "exhausted", "u": "used", "n": "slotless"}
LAID = (CardType.ASSET, CardType.EVENT, CardType.TREACHERY, CardType.SKILL)
RESIGNED = "resigned"
RESET = "reset"  # in campaigns: back to the start of the game
_STEP = re.compile(r"(?:c(\d{1,2})\.)?([a-z_]+)([+-]?)", re.ASCII)
_LAY = re.compile(r"lay\.([0-9a-z_]{1,12})", re.ASCII)
_CARD_WORDS = frozenset({*TOKENS, *FLAGS.values(), "out"})
_WORDS = frozenset({*COUNTED, *(f"s_{kind}" for kind in SLOTS)}) | {
    "limit", "health", "sanity", "round", RESIGNED, RESET,
}  # fmt: skip


def read_area(asked: QueryDict, pool: CardPool) -> PlayArea:
    """Return the play area of an address."""
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
        resigned=text_value(asked, RESIGNED) == "yes",
    )


def area_of(text: str, pool: CardPool) -> PlayArea:
    """Return the play area of a text that :func:`query_of` wrote."""
    return read_area(QueryDict(text), pool)


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
    """Return the keys and values of a play area's address."""
    pairs: Pairs = []
    if area.investigator:
        pairs.append(("investigator", area.investigator.code))
    if deck:
        pairs.append(("deck", deck))
    pairs += [(name, getattr(area, name)) for name in COUNTED]
    pairs += [(f"s_{kind}", count) for kind, count in sorted(area.more_slots.items())]
    more = {"limit": area.more_hand, "health": area.health, "sanity": area.sanity}
    pairs += [(key, value) for key, value in more.items() if value]
    if area.resigned:
        pairs.append((RESIGNED, "yes"))
    pairs += [("card", _written(each)) for each in area.cards]
    return pairs


def _written(card: InPlay) -> str:
    flags = "".join(letter for letter, name in FLAGS.items() if getattr(card, name))
    parts = (card.card.code, card.uses, card.damage, card.horror, flags)
    return ".".join(map(str, parts)).rstrip(".")


def query_of(area: PlayArea, deck: str = "") -> str:
    """Return the query of a play area's address."""
    return urlencode(pairs_of(area, deck))


def is_area_step(step: str) -> bool:
    """Return whether :func:`changed` knows a step, or it lays a card: ``lay.01016``."""
    found = _STEP.fullmatch(step)
    if found is None:
        return _LAY.fullmatch(step) is not None
    return found[2] in (_WORDS if found[1] is None else _CARD_WORDS)


def card_laid(step: str) -> str:
    """Return the code of the card a step puts in play; “” for another step."""
    found = _LAY.fullmatch(step)
    return found[1] if found else ""


def is_of_a_card(step: str) -> bool:
    """Return whether a step names a card by its index, which removals shift."""
    found = _STEP.fullmatch(step)
    return found is not None and found[1] is not None


def removes(step: str) -> bool:
    """Return whether a step removes a card from play, or all of them."""
    return step.endswith(".out") or step == RESET


def changed(area: PlayArea, step: str) -> PlayArea:
    """Return the play area after a button: ``damage+``, ``c3.uses-``, ``round`` …

    Without a sign a flag is toggled; ``+`` sets it and ``-`` clears it, however often
    they are pressed.
    """
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
        return replace(area, more_hand=min(max(area.more_hand + by, -MOST), MOST))
    if word == RESIGNED:
        return replace(area, resigned=_ticked(area.resigned, by))
    return _with_more(area, word, by)


def is_by_hand(step: str) -> bool:
    """Return whether a button adjusts slots or limits by hand."""
    return step.startswith(("s_", "limit", "health", "sanity"))


def _with_more(area: PlayArea, word: str, by: int) -> PlayArea:
    kind = word.removeprefix("s_")
    if kind in SLOTS:
        count = area.more_slots.get(kind, 0) + by
        count = min(max(count, -MOST_SLOTS), MOST_SLOTS)
        return replace(area, more_slots={**area.more_slots, kind: count})
    if word == "health" and area.most_damage is not None:
        return replace(area, health=min(max(area.most_damage + by, 1), MOST))
    if word == "sanity" and area.most_horror is not None:
        return replace(area, sanity=min(max(area.most_horror + by, 1), MOST))
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
        changes[word] = _ticked(getattr(card, word), by)
    return replace(area, cards=(*before, replace(card, **changes), *behind))


def _ticked(now: bool, by: int) -> bool:
    return by > 0 if by else not now


def _within(count: int) -> int:
    return min(max(count, 0), MOST)


def opened(built: BuiltDeck, area: PlayArea, investigator: Card | None) -> PlayArea:
    """Return a deck's opening play area: hand, resources, cards that start in play."""
    setup, opening = setup_of(built), opening_of(built)
    area = replace(
        area,
        investigator=investigator,
        resources=setup.resources,
        hand=opening.kept + len(opening.in_hand),
    )
    for laid in setup.in_play:
        card = built.frame.pool[laid.code]
        for _copy in range(laid.copies):
            if card.type in LAID and len(area.cards) < MOST_CARDS:
                area = put_into_play(area, card)
    return area


def laid(area: PlayArea, card: Card) -> PlayArea:
    """Return the play area with a card in play, if there is room for it."""
    if len(area.cards) >= MOST_CARDS:
        return area
    return put_into_play(area, card)
