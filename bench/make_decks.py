"""Makes ``bench/decks.jsonl``, the mixed set that the measures run on.

The published decks of the shared data, and as many again with what those lack: taboo
lists, customizable cards, second decks and cards set aside, mixed parallel sides,
limited options filled; a quarter of those made is then spoiled. The same seed and
card pool give the same file. The set is kept in the repository, so this is run only
to make another one::

    python -m bench.make_decks ../shared/data/decks/published.jsonl bench/decks.jsonl
"""

from __future__ import annotations

import json
import random
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import cycle, islice
from pathlib import Path
from typing import Any

from arkham.rules.card import Card
from arkham.rules.investigator import Choice
from arkham.rules.legality import Judge, check, judge_of
from arkham.rules.legality.built import BuiltDeck
from arkham.rules.legality.compiling import PLACEHOLDER
from arkham.rules.legality.standing import CardRole, Standing
from arkham.rules.notation.arkhamdb_json import read_deck
from arkham.rules.notation.meta import CHOICE_KEYS
from arkham.rules.snapshot import embedded_pool
from arkham.rules.vocabulary import BoxChoice, WeaknessKind

SEED = 20_260_227
KEPT = ("id", "investigator_code", "investigator_name", "slots", "date_creation")
META_KEYS = {choice: key for key, choice in CHOICE_KEYS.items()}
DEEPEST_REPAIR = 8
TRIES = 60
FIRST_ID = 1_000_001
SETTING_APART = ("03264", "07303", "09077", "10079", "11080")

Deck = dict[str, Any]


class Misfit(Exception):
    """What was drawn makes no legal deck; draw again."""


# -- the published half --


def published(path: Path) -> list[Deck]:
    """The published decks, facts only."""
    with path.open(encoding="utf-8") as lines:
        return [
            {key: deck[key] for key in KEPT if key in deck}
            for deck in map(json.loads, lines)
        ]


# -- the made half --


class Maker:
    """Draws legal decks from a card pool, the same ones for the same seed."""

    def __init__(self, judge: Judge, seed: int) -> None:
        self.judge = judge
        self.pool = judge.pool
        self.random = random.Random(seed)
        self.playable = [
            card
            for card in self.pool.investigators
            if card.investigator is not None and card.investigator.playable
        ]
        self.weaknesses = [
            card.code
            for card in self.pool.values()
            if card.weakness is WeaknessKind.BASIC
            and card.code != PLACEHOLDER
            and not (card.campaign_only or card.multiplayer_only or card.restriction)
        ]

    def decks(self) -> Iterator[Deck]:
        """Legal decks without end, each kind in turn."""
        kinds: tuple[Callable[[], Deck], ...] = (
            self.under_taboo,
            self.customized,
            self.second_deck,
            self.parallel,
            self.limited,
        )
        for kind in cycle(kinds):
            for _try in range(TRIES):
                try:
                    deck = kind()
                except Misfit:
                    continue
                yield deck
                break

    def under_taboo(self) -> Deck:
        """Any investigator under one of the taboo lists."""
        return self._filled(self.random.choice(self.playable), self._list())

    def customized(self) -> Deck:
        """Up to three customizable cards with some of their boxes marked."""
        card = self.random.choice(self.playable)
        return self._filled(card, self._maybe_list(), customized=3)

    def second_deck(self) -> Deck:
        """A spirit deck, a hunch deck, or a card that sets others aside."""
        kind = self.random.randrange(3)
        if kind == 0:
            return self._filled(self.pool["90049"], self._maybe_list())
        if kind == 1:
            return self._filled(self.pool["05002"], self._maybe_list())
        holder = self.random.choice(SETTING_APART)
        investigator = self.random.choice(self.playable)
        return self._filled(investigator, self._maybe_list(), with_cards=(holder,))

    def parallel(self) -> Deck:
        """The front or back of a parallel investigator with the other original."""
        parallels = [
            card
            for card in self.playable
            if card.investigator is not None and card.investigator.parallel
        ]
        parallel = self.random.choice(parallels)
        assert parallel.investigator is not None
        side = self.random.choice(("alternate_front", "alternate_back"))
        original = self.pool[parallel.investigator.base]
        return self._filled(original, self._maybe_list(), meta={side: parallel.code})

    def limited(self) -> Deck:
        """An investigator with limited options, filled as far as they go."""
        limited = [card for card in self.playable if _limited_options(card)]
        card = self.random.choice(limited)
        return self._filled(card, self._maybe_list(), limited_first=True)

    def _list(self) -> int:
        return self.random.choice(self.pool.taboo_lists).id

    def _maybe_list(self) -> int | None:
        return self._list() if self.random.random() < 0.5 else None

    def _filled(
        self,
        card: Card,
        taboo: int | None,
        *,
        meta: dict[str, str] | None = None,
        with_cards: tuple[str, ...] = (),
        customized: int = 0,
        limited_first: bool = False,
    ) -> Deck:
        deck: Deck = {
            "investigator_code": card.code,
            "investigator_name": card.name,
            "slots": dict.fromkeys(with_cards, 1),
            "taboo_id": taboo,
            "meta": dict(meta or {}),
        }
        self._choose(deck)
        self._draw_weaknesses(deck)
        self._fill(deck, customized, limited_first)
        self._repair(deck)
        self._set_apart(deck)
        if not _fit_to_play(self.judge, deck):
            raise Misfit
        return deck

    def _built(self, deck: Deck) -> BuiltDeck:
        return next(self.judge.builds(read_deck(deck)))

    def _choose(self, deck: Deck) -> None:
        """Make every choice the back asks for."""
        back = self.pool[
            deck["meta"].get("alternate_back", deck["investigator_code"])
        ].investigator
        assert back is not None
        assert back.back is not None
        taken: set[str] = set()
        for choice in back.back.choices:
            offers = [each for each in choice.offers if each not in taken]
            value = self.random.choice(offers)
            if choice.kind == "class":
                taken.add(value)
            deck["meta"][_key(choice)] = value

    def _draw_weaknesses(self, deck: Deck) -> None:
        for _draw in range(self._built(deck).frame.basic_weaknesses):
            code = self.random.choice(self.weaknesses)
            deck["slots"][code] = 1

    def _fill(self, deck: Deck, customized: int, limited_first: bool) -> None:
        """Add ordinary cards, by twos mostly, until the size is reached."""
        built = self._built(deck)
        frame = built.frame
        offered = [
            (code, standing)
            for code in self.pool
            if is_offered(standing := frame.standing(code))
        ]
        self.random.shuffle(offered)
        if customized:
            offered.sort(key=lambda each: not each[1].sheet)
        elif limited_first:
            offered.sort(key=lambda each: not each[1].limited)
        else:
            offered.sort(key=lambda each: bool(each[1].sheet))
        wanted = frame.size - built.counted
        titles: set[str] = set()
        room = dict(enumerate(frame.limits))
        for code, standing in offered:
            if wanted <= 0:
                break
            card = self.pool[code]
            if card.title in titles or (standing.sheet and customized <= 0):
                continue
            copies = min(standing.limit, wanted, 2 if self.random.random() < 0.8 else 1)
            if standing.limited:
                place = standing.limited.bit_length() - 1
                copies = min(copies, room[place])
                room[place] -= copies
            if copies <= 0:
                continue
            titles.add(card.title)
            deck["slots"][code] = copies
            wanted -= copies
            if standing.sheet:
                customized -= 1
                self.mark(deck, card)

    def mark(self, deck: Deck, card: Card) -> None:
        """Mark some lines of a card's sheet, whole lines mostly."""
        marks = []
        for line in card.sheet:
            if line.boxes and self.random.random() < 0.35:
                written = _written(self.random, line.choice)
                if written is None:
                    continue
                boxes = line.boxes
                if not written and self.random.random() < 0.2:
                    boxes -= 1
                marks.append("|".join([str(line.position), str(boxes), *written]))
        if marks:
            deck["meta"][f"cus_{card.code}"] = ",".join(marks)

    def _repair(self, deck: Deck) -> None:
        """Add and remove what the findings ask for, until nothing is asked."""
        for _round in range(DEEPEST_REPAIR):
            changed = False
            for finding in check(self.judge, read_deck(deck)).findings:
                remedy = finding.remedy
                if remedy is None or not remedy.codes:
                    continue
                if remedy.action == "add":
                    code = self.random.choice(remedy.codes)
                    deck["slots"][code] = deck["slots"].get(code, 0) + 1
                    changed = True
                elif remedy.action == "remove":
                    held = [code for code in remedy.codes if code in deck["slots"]]
                    if held:
                        del deck["slots"][held[0]]
                        changed = True
            if not changed:
                break
        self._even_out(deck)

    def _even_out(self, deck: Deck) -> None:
        """Bring the deck to its size by ordinary cards that nothing limits."""
        built = self._built(deck)
        wanted = built.frame.size - built.counted
        if wanted < 0:
            for line in built.ordinary:
                if wanted < 0 and line.standing.counts and not line.marks:
                    wanted += deck["slots"].pop(line.code)
        titles = {self.pool[code].title for code in deck["slots"]}
        for code in self.random.sample(list(self.pool), k=len(self.pool)):
            if wanted <= 0:
                return
            standing = built.frame.standing(code)
            if not is_offered(standing) or standing.limited or standing.sheet:
                continue
            if self.pool[code].title not in titles:
                titles.add(self.pool[code].title)
                deck["slots"][code] = min(2, standing.limit, wanted)
                wanted -= deck["slots"][code]

    def _set_apart(self, deck: Deck) -> None:
        """Build the second deck, and set cards aside where cards ask for it."""
        built = self._built(deck)
        side = built.frame.printed_back.side_deck
        if side is not None:
            allies = [
                code
                for code, card in self.pool.items()
                if "ally" in card.traits
                and card.classes
                and card.level is not None
                and card.level <= 2
                and card.in_decks
                and not card.restriction
            ]
            by_title = {self.pool[code].title: code for code in allies}
            chosen = self.random.sample(
                sorted(by_title.values()), side.size - len(side.required)
            )
            deck["meta"]["extra_deck"] = ",".join([*side.required, *chosen])
        for holder, asked in built.frame.attachments.items():
            cards: list[str] = []
            for line in built.lines:
                card = line.standing.card
                if card is None or (asked.types and card.type not in asked.types):
                    continue
                if asked.traits and not set(card.traits).intersection(asked.traits):
                    continue
                copies = 1 if asked.different else line.copies
                cards.extend([line.code] * copies)
            deck["meta"][f"attachments_{holder}"] = ",".join(cards[: asked.count])


def _key(choice: Choice) -> str:
    return META_KEYS[choice.key]


def _limited_options(card: Card) -> bool:
    assert card.investigator is not None
    assert card.investigator.back is not None
    return any(
        option.limit is not None and not option.forbids
        for option in card.investigator.back.options
    )


def is_offered(standing: Standing) -> bool:
    """Whether a card may simply be added to a deck."""
    card = standing.card
    return (
        card is not None
        and standing.role is CardRole.ORDINARY
        and (standing.free >= 0 or bool(standing.limited))
        and standing.forbidden_by < 0
        and standing.counts
        and not card.researched
        and not card.creation_only
        and not (standing.taboo is not None and standing.taboo.deck_limit == 0)
        and not any(concern.name == "FOREIGN" for concern in standing.concerns)
    )


def _written(source: random.Random, choice: BoxChoice | None) -> list[str] | None:
    """What is written beside a line; None where it would have to be looked up."""
    if choice is None:
        return []
    if choice is BoxChoice.SKILL:
        return [source.choice(("willpower", "intellect", "combat", "agility"))]
    return None


def _fit_to_play(judge: Judge, deck: Deck) -> bool:
    verdict = check(judge, read_deck(deck))
    return verdict.legal and verdict.complete


# -- spoiling --


def _third_copy(deck: Deck, maker: Maker) -> None:
    code = maker.random.choice(_ordinary(deck, maker))
    deck["slots"][code] += 2


def _off_class(deck: Deck, maker: Maker) -> None:
    frame = maker._built(deck).frame
    barred = [
        code
        for code in maker.pool
        if (standing := frame.standing(code)).role is CardRole.ORDINARY
        and standing.free < 0
        and not standing.limited
    ]
    if not barred:
        raise Misfit
    deck["slots"][maker.random.choice(barred)] = 1


def _signature_gone(deck: Deck, maker: Maker) -> None:
    for code in sorted(maker._built(deck).signatures_held):
        del deck["slots"][code]
        return
    raise Misfit


def _too_many(deck: Deck, maker: Maker) -> None:
    frame = maker._built(deck).frame
    for code in maker.random.sample(list(maker.pool), k=len(maker.pool)):
        standing = frame.standing(code)
        if standing.free >= 0 and is_offered(standing) and code not in deck["slots"]:
            deck["slots"][code] = 1
            return


def _stranger(deck: Deck, maker: Maker) -> None:
    foreign = [
        card.code
        for card in maker.pool.values()
        if card.restriction and card.restriction.investigators and not card.weakness
    ]
    deck["slots"][maker.random.choice(foreign)] = 1


def _unknown(deck: Deck, maker: Maker) -> None:
    deck["slots"][f"9{maker.random.randrange(9000, 9999)}"] = 1


def _ordinary(deck: Deck, maker: Maker) -> list[str]:
    return [line.code for line in maker._built(deck).ordinary]


SPOILINGS = (_third_copy, _off_class, _signature_gone, _too_many, _stranger, _unknown)


def spoiled(deck: Deck, maker: Maker) -> Deck:
    """The deck with one thing, or two, made wrong."""
    for _try in range(TRIES):
        worse = {**deck, "slots": dict(deck["slots"])}
        try:
            for spoil in maker.random.sample(SPOILINGS, k=maker.random.choice((1, 2))):
                spoil(worse, maker)
        except Misfit:
            continue
        if not check(maker.judge, read_deck(worse)).legal:
            return worse
    raise ValueError(f"this deck cannot be spoiled: {deck}")


def main(source: str, target: str) -> None:
    """Write the set and say what is in it."""
    judge = judge_of(embedded_pool())
    real = published(Path(source))
    maker = Maker(judge, SEED)
    made = list(islice(maker.decks(), len(real)))
    for place in range(0, len(made), 4):
        made[place] = spoiled(made[place], maker)
    for number, deck in enumerate(made, FIRST_ID):
        deck["id"] = number
        deck["slots"] = dict(sorted(deck["slots"].items()))
        deck["meta"] = json.dumps(deck["meta"])
    decks = [*real, *made]
    maker.random.shuffle(decks)
    with Path(target).open("w", encoding="utf-8") as file:
        for deck in decks:
            file.write(json.dumps(deck) + "\n")
    verdicts = Counter(check(judge, read_deck(deck)).status for deck in decks)
    print(f"{len(decks)} decks: {dict(verdicts)}", file=sys.stderr)


if __name__ == "__main__":
    main(*sys.argv[1:])
