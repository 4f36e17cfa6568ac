"""Makes ``bench/upgrades.jsonl``, the pairs of decks that prices are measured on.

For every published deck one seeded upgrade of a few cards, by higher versions of what
it holds and by cards its investigator may include; a tenth of them with exiles, cards
that change prices, or boxes marked. The same seed and card pool give the same file::

    python -m bench.make_upgrades bench/decks.jsonl bench/upgrades.jsonl
"""

from __future__ import annotations

import json
import random
import sys
from collections import Counter
from pathlib import Path
from typing import Any

from arkham.rules.card import Card
from arkham.rules.legality import judge_of
from arkham.rules.legality.built import BuiltDeck
from arkham.rules.legality.standing import CardRole, Standing
from arkham.rules.notation.arkhamdb_json import read_deck
from arkham.rules.snapshot import embedded_pool
from arkham.rules.upgrade.price_rules import PRICE_MODIFIERS

SEED = 20_261_121
SPECIAL = 10  # every tenth pair has more to it than purchases
HIGHEST = 5
# Down the Rabbit Hole, Arcane Research, Adaptable and Déjà Vu.
DISCOUNTS = ("08059", "04109", "02110", "60531")
EXILED = 2  # copies exiled of those that change
Deck = dict[str, Any]


class Shop:
    """What the investigator of one deck may buy."""

    def __init__(self, built: BuiltDeck, chance: random.Random) -> None:
        self.frame = built.frame
        self.chance = chance
        pool = self.frame.pool
        admitted = [
            (card, standing)
            for card in sorted(pool.values(), key=lambda each: each.code)
            for standing in [self.frame.unmarked[card.code]]
            if standing.role is CardRole.ORDINARY
            and standing.level is not None
            and (standing.free >= 0 or standing.limited)
        ]
        self.plain = [each for each in admitted if not each[0].permanent]
        self.sheets = [card for card, standing in admitted if standing.sheet]

    def higher(self, code: str) -> Card | None:
        """A higher version of a card that may be included, if there is one."""
        standing = self.frame.unmarked[code]
        above = [
            card
            for card, each in self.plain
            if each.title == standing.title
            and not card.researched
            and (each.level or 0) > (standing.level or 0)
        ]
        return self.chance.choice(above) if above else None

    def another(self, held: Counter[str]) -> Card:
        """A card of which the deck holds no version."""
        titles = {self.frame.unmarked[code].title for code in held}
        offered = [
            card
            for card, standing in self.plain
            if standing.title not in titles
            and not standing.sheet
            and not card.researched
        ]
        return self.chance.choice(offered)


def upgraded(deck: Deck, number: int) -> Deck:
    """The pair of decks made of one published deck."""
    chance = random.Random(f"{SEED}/{number}")
    built = next(iter(judge_of(embedded_pool()).builds(read_deck(deck))))
    shop = Shop(built, chance)
    before: Counter[str] = Counter(deck["slots"])
    after: Counter[str] = Counter(deck["slots"])
    pair: Deck = {"id": number, "prev": deck, "next": dict(deck)}
    replaceable = [
        code for code in sorted(before) if _counts(built.frame.unmarked[code])
    ]
    chance.shuffle(replaceable)
    for code in replaceable[: chance.randint(1, 5)]:
        card = shop.higher(code) or shop.another(after)
        copies = chance.randint(1, min(before[code], 2))
        after[code] -= copies
        after[card.code] += copies
    if number % SPECIAL == 0:
        _special(pair, before, after, shop, replaceable[-3:])
    pair["prev"] = {**pair["prev"], "slots": dict(+before)}
    pair["next"] = {**pair["next"], "slots": dict(+after), "xp": chance.randint(0, 12)}
    return pair


def discounted(deck: Deck, shop: Shop, changes: int) -> Deck:
    """A pair of decks with four cards that change prices, and so many copies changed.

    A copy is upgraded where a higher version may be included, or another card takes
    its place.
    """
    chance = shop.chance
    before: Counter[str] = Counter(deck["slots"])
    after = before.copy()
    for code in DISCOUNTS:
        before[code] = after[code] = 1
    copies = [
        code for code in sorted(before.elements()) if _counts(shop.frame.unmarked[code])
    ]
    chance.shuffle(copies)
    exiled = chance.sample(copies[:changes], EXILED)
    for code in copies[:changes]:
        card = shop.higher(code) if chance.random() < 0.6 else None
        after[code] -= 1
        after[(card or shop.another(after)).code] += 1
    return {
        "prev": {**deck, "slots": dict(+before)},
        "next": {**deck, "slots": dict(+after)},
        "exiled": exiled,
    }


def _counts(standing: Standing) -> bool:
    return standing.role is CardRole.ORDINARY and standing.counts


def _special(
    pair: Deck,
    before: Counter[str],
    after: Counter[str],
    shop: Shop,
    replaceable: list[str],
) -> None:
    """Exiled cards, a card that changes prices, or boxes on a sheet."""
    chance = shop.chance
    kind = chance.choice(("exile", "price", "sheet"))
    code = replaceable[0]
    if kind == "exile":
        lost = min(before[code], after[code])
        after[code] -= lost
        after[shop.another(after).code] += lost
        pair["exiled"] = [code] * lost
    elif kind == "price":
        modifier = chance.choice(sorted(PRICE_MODIFIERS))
        before[modifier] += 1
        after[modifier] += 1
    elif shop.sheets:
        sheet = chance.choice(shop.sheets)
        before[sheet.code] += 2
        after[sheet.code] += 2
        line = chance.choice([line for line in sheet.sheet if line.boxes])
        meta = {f"cus_{sheet.code}": f"{line.position}|{line.boxes}"}
        pair["next"]["meta"] = json.dumps(meta)


def main(arguments: list[str]) -> None:
    """Write the pairs for the published decks of a file of decks."""
    source, target = map(Path, arguments)
    decks = [json.loads(line) for line in source.read_text().splitlines()]
    published = [deck for deck in decks if "date_creation" in deck]
    pairs = [upgraded(deck, number) for number, deck in enumerate(published)]
    target.write_text("".join(f"{json.dumps(pair)}\n" for pair in pairs))


if __name__ == "__main__":
    main(sys.argv[1:])
