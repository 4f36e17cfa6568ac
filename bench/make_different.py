"""Makes as many different decks as wanted from those of ``bench/decks.jsonl``.

Mild decks have 1 to 3 of their cards swapped for others the investigator may have and
keep their taboo list; most are as legal as what they were made from. Wild ones have 1
to 8 swapped, a third of these for cards of any class and level. Half of them are under
another taboo list, some have other sides or other cards in their second deck. Of three
wild decks one is legal. Customizable cards come with boxes marked. The same seed gives
the same decks::

    python -m bench.make_different wild 100000 wild.jsonl
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from arkham.rules.legality import Judge
from arkham.rules.legality.compiling import DECK_TYPES
from arkham.rules.notation.arkhamdb_json import read_deck
from arkham.rules.notation.meta import CHOICE_KEYS
from arkham.rules.pool import CardPool
from arkham.rules.snapshot import embedded_pool
from bench.make_decks import Maker, is_offered

SEED = 20_261_123
DECKS = Path(__file__).with_name("decks.jsonl")
MOST_MILD = 3
MOST_WILD = 8
CHOICES = (*CHOICE_KEYS, "alternate_front", "alternate_back")
ANY_CARD = 0.3  # of the cards that come into a wild deck
OTHER_LIST = 0.5  # of the wild decks
OTHER_SIDE = 0.05  # of those whose investigator has a parallel
OTHER_SECOND = 0.25  # of those with a second deck

Deck = dict[str, Any]


class Variations:
    """Decks like those of the bench's set, every one different from the others."""

    def __init__(self, pool: CardPool, seed: int = SEED) -> None:
        # Its own judge, so that no other meets these decks before they are measured.
        self._judge = Judge(pool)
        self._maker = Maker(self._judge, seed)
        self._random = self._maker.random
        self._bases = [json.loads(line) for line in DECKS.read_text().splitlines()]
        self._ordinary = [
            card.code
            for card in pool.values()
            if card.in_decks
            and card.level is not None
            and card.type in DECK_TYPES
            and card.weakness is None
            and card.restriction is None
        ]
        self._offered: dict[tuple[object, ...], list[str]] = {}
        self._parallels: dict[str, list[str]] = {}
        for card in self._maker.playable:
            assert card.investigator is not None
            if card.investigator.parallel:
                base = card.investigator.base
                self._parallels.setdefault(base, []).append(card.code)

    def mild(self) -> Iterator[Deck]:
        """Decks with a few cards swapped for others of their investigator's."""
        while True:
            deck = self._copied()
            self._swap(deck, self._random.randint(1, MOST_MILD))
            yield _written(deck)

    def wild(self) -> Iterator[Deck]:
        """Decks with up to eight cards swapped, half of them under another list."""
        lists = [None, *(each.id for each in self._judge.pool.taboo_lists)]
        while True:
            deck = self._copied()
            self._swap(deck, self._random.randint(1, MOST_WILD), ANY_CARD)
            if self._random.random() < OTHER_LIST:
                deck["taboo_id"] = self._random.choice(lists)
            parallels = self._parallels.get(deck["investigator_code"])
            if parallels and self._random.random() < OTHER_SIDE:
                side = self._random.choice(("alternate_front", "alternate_back"))
                deck["meta"][side] = self._random.choice(parallels)
            second = deck["meta"].get("extra_deck", "").split(",")
            if len(second) > 1 and self._random.random() < OTHER_SECOND:
                place = self._random.randrange(len(second))
                second[place] = self._random.choice(self._ordinary)
                deck["meta"]["extra_deck"] = ",".join(second)
            yield _written(deck)

    def _copied(self) -> Deck:
        base = self._random.choice(self._bases)
        meta = json.loads(base.get("meta") or "{}")
        return {**base, "slots": dict(base["slots"]), "meta": meta}

    def _swap(self, deck: Deck, times: int, any_card: float = 0.0) -> None:
        """Swap so many cards, some for any card and the others as the rules allow."""
        slots, pool = deck["slots"], self._judge.pool
        going = [
            code
            for code in slots
            if (card := pool.get_card(code)) is not None and card.level is not None
        ]
        titles = {card.title for code in slots if (card := pool.get_card(code))}
        for gone in self._random.sample(going, min(times, len(going))):
            copies = slots[gone]
            if self._random.random() < any_card:
                came = self._random.choice(self._ordinary)
            else:
                came = self._random.choice(self._offered_to(deck, copies))
            if pool[came].title in titles:
                continue
            titles.add(pool[came].title)
            del slots[gone]
            deck["meta"].pop(f"cus_{gone}", None)
            slots[came] = copies
            self._maker.mark(deck, pool[came])

    def _offered_to(self, deck: Deck, copies: int) -> list[str]:
        """Cards the deck's investigator may have in so many copies, without limit."""
        chosen = {key: deck["meta"][key] for key in CHOICES if key in deck["meta"]}
        key = (deck["investigator_code"], copies, *sorted(chosen.items()))
        found = self._offered.get(key)
        if found is None:
            empty = {**deck, "slots": {}, "taboo_id": None, "meta": chosen}
            frame = next(self._judge.builds(read_deck(empty))).frame
            found = self._offered[key] = [
                code
                for code in self._ordinary
                if is_offered(standing := frame.standing(code))
                and standing.free >= 0
                and standing.limit >= copies
            ]
        return found or self._ordinary


def _written(deck: Deck) -> Deck:
    """The deck as it would be sent: its cards in order, the choices as a text."""
    slots, meta = dict(sorted(deck["slots"].items())), deck["meta"]
    return {**deck, "slots": slots, "meta": json.dumps(meta) if meta else ""}


KINDS: dict[str, Callable[[Variations], Iterator[Deck]]] = {
    "mild": Variations.mild,
    "wild": Variations.wild,
}


def write(kind: str, count: int, path: Path) -> None:
    """Write so many decks of a kind to a file, one a line."""
    decks = KINDS[kind](Variations(embedded_pool()))
    with path.open("w", encoding="utf-8") as file:
        for number in range(count):
            file.write(json.dumps({**next(decks), "id": number}) + "\n")


if __name__ == "__main__":
    write(sys.argv[1], int(sys.argv[2]), Path(sys.argv[3]))
