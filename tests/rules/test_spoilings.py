"""A legal deck spoilt in one way gets exactly the finding for it.

The decks are those that players published (shared data). Every legal and complete one
is spoilt in each way that is possible for it, at least ten. The finding that each
spoiling must bring is written here.
"""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cache, cached_property
from pathlib import Path

import pytest

from arkham.rules.card import Card
from arkham.rules.checking import read_request
from arkham.rules.deck import DeckList
from arkham.rules.finding import Finding
from arkham.rules.investigator import Back, DeckOption
from arkham.rules.legality import Judge, Verdict, check
from arkham.rules.modifiers import DECK_MODIFIERS, SIDE_ROWS
from arkham.rules.vocabulary import CardClass, WeaknessKind
from tests.rules.strategies import cards, is_ordinary, ordinary_codes
from tests.rules.trial import matches

WEAKNESS_ADVICE = {"weakness.undrawn", "weakness.gained"}
UNKNOWN = "98765"
LOCATION = "01111"  # Study
ENCOUNTER_ENEMY = "01159"  # Swarm of Rats
BONDED = "05314"  # Soothing Melody
NOTHING: Mapping[str, int] = {}
# The Price of Failure, Accursed Fate, The Bell Tolls, Fine Print, Sell Your Soul
STAND_FOR_BASIC = {"04039", "04041", "04042", "53014", "53015"}
SIGNATURES = {"01008", "01010", "02012", "03010", "04010"}  # one each of five people


@dataclass(frozen=True)
class Wanted:
    """The finding that a spoiling must bring; numbers are compared if given."""

    rule: str
    cards: tuple[str, ...] = ()
    actual: int | None = None
    expected: int | None = None
    severity: str = "illegal"


@dataclass(frozen=True)
class Spoilt:
    """A spoilt deck, the expected finding, and rules that it silences."""

    deck: DeckList
    wanted: Wanted
    silenced: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Reach:
    """How the options of a back admit each plain card, found by trial alone.

    ``free`` are the cards that an unlimited option admits, ``limited`` those that only
    a limited option admits, ``above`` those that an option admits at a lower level
    only, ``out`` those that no option admits at any level. Cards that a restriction
    bars are in none.
    """

    free: tuple[Card, ...]
    limited: tuple[Card, ...]
    above: tuple[Card, ...]
    out: tuple[Card, ...]


@cache
def reach(investigator: str) -> Reach:
    """Return how the options of an investigator admit each card."""
    found: dict[str, list[Card]] = {"free": [], "limited": [], "above": [], "out": []}
    options = _back(investigator).options
    for code in ordinary_codes():
        card = cards()[code]
        special = card.code in DECK_MODIFIERS or card.sheet or card.researched
        barred = any(each.forbids and matches(each, card) for each in options)
        if not (special or barred or card.restriction):
            found[_kind(card, [each for each in options if not each.forbids])].append(
                card
            )
    return Reach(**{kind: tuple(held) for kind, held in found.items()})


def _kind(card: Card, options: list[DeckOption]) -> str:
    fitting = [each for each in options if matches(each, card)]
    if any(each.limit is None for each in fitting):
        return "free"
    if fitting:
        return "limited"
    anyhow = (replace(each, levels=(0, 5)) for each in options if each.levels)
    return "above" if any(matches(each, card) for each in anyhow) else "out"


def _back(investigator: str) -> Back:
    facts = cards()[investigator].investigator
    assert facts is not None
    assert facts.back is not None
    return facts.back


@dataclass(frozen=True)
class Published:
    """A published deck, with what its spoilers need to know about it."""

    id: int | str
    deck: DeckList
    before: Verdict

    def random(self, way: str) -> random.Random:
        """A random source that is the same for this deck and way in every run."""
        return random.Random(f"{self.id} {way}")

    @property
    def back(self) -> Back:
        """The printed back."""
        return _back(self.deck.investigator)

    @property
    def reach(self) -> Reach:
        """How the options of the back admit each card."""
        return reach(cards()[self.deck.investigator].code)

    @cached_property
    def titles(self) -> Counter[str]:
        """Copies by title."""
        held: Counter[str] = Counter()
        for code, copies in self.deck.entries.items():
            held[cards()[code].title] += copies
        return held

    def fresh(self, offered: tuple[Card, ...]) -> list[Card]:
        """Return the cards whose title is not in the deck."""
        return [card for card in offered if not self.titles[card.title]]

    def victims(
        self, copies: int, way: str, *, but: Mapping[str, int] = NOTHING
    ) -> dict[str, int] | None:
        """Copies to remove that nothing else depends on; None if there are none."""
        single = [
            code
            for code, held in sorted(self.deck.entries.items())
            for _ in range(held)
            if code not in but and self._may_go(cards()[code])
        ]
        if len(single) < copies:
            return None
        chance = self.random(way)
        for _ in range(50):
            out = Counter(chance.sample(single, copies))
            if self._meets_demands_without(out):
                return dict(out)
        return None

    @staticmethod
    def _may_go(card: Card) -> bool:
        plain = card.code not in DECK_MODIFIERS and not card.researched
        return is_ordinary(card) and plain and not card.permanent

    def _meets_demands_without(self, out: Counter[str]) -> bool:
        """Whether each demand for cards of several classes is still met."""
        left = Counter(self.deck.entries) - out
        classes: Counter[CardClass] = Counter()
        for code, copies in left.items():
            if is_ordinary(card := cards()[code]):
                classes.update(dict.fromkeys(card.classes, copies))
        return all(
            sum(count >= option.at_least.cards for count in classes.values())
            >= option.at_least.classes
            for option in self.back.options
            if option.at_least
        )

    def swapped(
        self, way: str, code: str, copies: int, *, but: Mapping[str, int] = NOTHING
    ) -> DeckList | None:
        """The deck with copies of a card in place of as many others."""
        out = self.victims(copies, way, but=but)
        return None if out is None else self.changed({**_negative(out), code: copies})

    def changed(self, changes: dict[str, int]) -> DeckList:
        """The deck with copies added (or removed, if negative)."""
        entries = dict(self.deck.entries)
        for code, copies in changes.items():
            entries[code] = entries.get(code, 0) + copies
            if not entries[code]:
                del entries[code]
        return self.deck._replace(entries=entries)


def _negative(copies: dict[str, int]) -> dict[str, int]:
    return {code: -count for code, count in copies.items()}


def _picked(deck: Published, way: str, offered: list[Card]) -> Card | None:
    return deck.random(way).choice(offered) if offered else None


# -- the ways --


def third_copy(deck: Published) -> Spoilt | None:
    """A third copy of a card that the deck has twice."""
    plain = [
        card
        for card in deck.reach.free
        if deck.titles[card.title] == 2 and card.deck_limit is None
        if not (card.myriad or card.exceptional or card.permanent)
    ]
    pairs = [
        code
        for code, copies in sorted(deck.deck.entries.items())
        if copies == 2 and cards()[code] in plain
    ]
    if not pairs:
        return None
    code = deck.random("third copy").choice(pairs)
    spoilt = deck.swapped("third copy", code, 1, but={code: 2})
    if spoilt is None:
        return None
    return Spoilt(spoilt, Wanted("copies.title", (code,), 3, 2))


def _two_of(deck: Published, offered: list[Card], rule: str) -> Spoilt | None:
    """Two copies of one of these cards, of which only one is allowed."""
    card = _picked(deck, rule, offered)
    spoilt = deck.swapped(rule, card.code, 2) if card else None
    if card is None or spoilt is None:
        return None
    return Spoilt(spoilt, Wanted(rule, (card.code,), 2, 1))


def second_exceptional(deck: Published) -> Spoilt | None:
    """Two copies of an exceptional card."""
    if any(option.start_levels for option in deck.back.options):
        return None  # cards above level 0 have special findings
    offered = [
        card
        for card in deck.fresh(deck.reach.free)
        if card.exceptional and not card.permanent
    ]
    return _two_of(deck, offered, "copies.exceptional")


def second_limited(deck: Published) -> Spoilt | None:
    """Two copies of a card that prints a limit of one."""
    offered = [
        card
        for card in deck.fresh(deck.reach.free)
        if card.deck_limit == 1 and card.level == 0
        if not (card.permanent or card.exceptional or card.limit_by_subname)
    ]
    return _two_of(deck, offered, "copies.printed")


def off_class(deck: Published) -> Spoilt | None:
    """A card that no option admits at any level."""
    offered = [card for card in deck.fresh(deck.reach.out) if not card.permanent]
    card = _picked(deck, "off-class", offered)
    spoilt = deck.swapped("off-class", card.code, 1) if card else None
    if card is None or spoilt is None:
        return None
    return Spoilt(spoilt, Wanted("access.option", (card.code,)))


def level_too_high(deck: Published) -> Spoilt | None:
    """A card that an option admits at a lower level only."""
    offered = [
        card
        for card in deck.fresh(deck.reach.above)
        if not (card.exceptional or card.permanent)
    ]
    card = _picked(deck, "level", offered)
    spoilt = deck.swapped("level", card.code, 1) if card else None
    if card is None or spoilt is None:
        return None
    return Spoilt(spoilt, Wanted("access.level", (card.code,), card.level))


def one_place_too_few(deck: Published) -> Spoilt | None:
    """One card more than a limited option has places."""
    option = next((each for each in deck.back.options if each.limit), None)
    if option is None or option.limit is None:
        return None
    inside = {
        code: copies
        for code, copies in sorted(deck.deck.entries.items())
        if cards()[code] in deck.reach.limited
    }
    wanting = option.limit + 1 - sum(inside.values())
    offered = [
        card
        for card in deck.fresh(deck.reach.limited)
        if not card.permanent and card.deck_limit is None
    ]
    added = {card.code: 1 for card in deck.random("limit").sample(offered, wanting)}
    out = deck.victims(wanting, "limit", but=inside)
    if out is None:
        return None
    wanted = Wanted("access.limit", (*inside, *added), option.limit + 1, option.limit)
    return Spoilt(deck.changed({**_negative(out), **added}), wanted)


def _signature(deck: Published, way: str) -> tuple[str, int] | None:
    """Return a required card with a fixed number of copies, and that number."""
    varying = {row.weakness for row in SIDE_ROWS}
    codes = {
        code
        for requirement in deck.back.requirements
        if requirement.original not in varying and not requirement.copies_at_most
        for code in requirement.codes()
    }
    held = sorted(code for code in deck.deck.entries if cards()[code].code in codes)
    if not held:
        return None
    code = deck.random(way).choice(held)
    return code, deck.deck.entries[code]


def signature_gone(deck: Published) -> Spoilt | None:
    """A required card removed."""
    found = _signature(deck, "signature")
    if found is None:
        return None
    code, held = found
    first = cards()[code].code  # the code of a missing card
    wanted = Wanted("required.signatures", (first,), 0, held, "incomplete")
    return Spoilt(deck.changed({code: -held}), wanted)


def signature_doubled(deck: Published) -> Spoilt | None:
    """One more copy of a signature than the back lists."""
    found = _signature(deck, "doubled")
    if found is None:
        return None
    code, held = found
    wanted = Wanted("required.copies", (code,), held + 1, held)
    return Spoilt(deck.changed({code: 1}), wanted)


def anothers_signature(deck: Published) -> Spoilt:
    """Another investigator's signature."""
    foreign = sorted(SIGNATURES - deck.deck.entries.keys())
    code = deck.random("another").choice(foreign)
    return Spoilt(deck.changed({code: 1}), Wanted("access.signature", (code,), 1, 0))


def card_too_few(deck: Published) -> Spoilt | None:
    """A card removed."""
    out = deck.victims(1, "few")
    if out is None:
        return None
    size = deck.before.deck_size
    wanted = Wanted("deck.size", (), size - 1, size, "incomplete")
    return Spoilt(deck.changed(_negative(out)), wanted)


def card_too_many(deck: Published) -> Spoilt | None:
    """A card added that the deck may include."""
    offered = [
        card
        for card in deck.fresh(deck.reach.free)
        if card.level == 0 and not card.permanent
    ]
    card = _picked(deck, "many", offered)
    if card is None:
        return None
    size = deck.before.deck_size
    wanted = Wanted("deck.size", (), size + 1, size)
    return Spoilt(deck.changed({card.code: 1}), wanted)


def unknown_code(deck: Published) -> Spoilt | None:
    """A code that no card has, in place of a card."""
    spoilt = deck.swapped("unknown", UNKNOWN, 1)
    if spoilt is None:
        return None
    return Spoilt(spoilt, Wanted("deck.unknown-card", (UNKNOWN,), 1, 0))


def bonded_card(deck: Published) -> Spoilt:
    """A bonded card put into the deck."""
    return Spoilt(deck.changed({BONDED: 1}), Wanted("deck.bonded", (BONDED,), 1, 0))


def location(deck: Published) -> Spoilt:
    """A location put into the deck."""
    return Spoilt(deck.changed({LOCATION: 1}), Wanted("deck.card-type", (LOCATION,)))


def encounter_enemy(deck: Published) -> Spoilt:
    """An enemy of the encounter deck put into the deck."""
    code = ENCOUNTER_ENEMY
    return Spoilt(deck.changed({code: 2}), Wanted("deck.card-type", (code,)))


def weakness_gone(deck: Published) -> Spoilt | None:
    """The basic weakness removed, drawn or not."""
    if STAND_FOR_BASIC & deck.deck.entries.keys():
        return None
    drawn = {
        code: -copies
        for code, copies in deck.deck.entries.items()
        if cards()[code].weakness is WeaknessKind.BASIC
    }
    required = deck.back.basic_weaknesses
    wanted = Wanted("weakness.required", (), 0, required, "incomplete")
    return Spoilt(deck.changed(drawn), wanted, frozenset(WEAKNESS_ADVICE))


WAYS: tuple[Callable[[Published], Spoilt | None], ...] = (
    third_copy,
    second_exceptional,
    second_limited,
    off_class,
    level_too_high,
    one_place_too_few,
    signature_gone,
    signature_doubled,
    anothers_signature,
    card_too_few,
    card_too_many,
    unknown_code,
    bonded_card,
    location,
    encounter_enemy,
    weakness_gone,
)


# -- the decks and the judgement --


@pytest.fixture(scope="module")
def published(shared_data: Path, judge: Judge) -> list[Published]:
    """The published decks that are legal and complete."""
    decks = []
    path = shared_data / "data" / "decks" / "published.jsonl"
    for line in path.read_text(encoding="utf-8").splitlines():
        data = json.loads(line)
        deck = read_request(data).deck
        before = check(judge, deck)
        if before.legal and before.complete:
            decks.append(Published(data["id"], deck, before))
    return decks


def _is(wanted: Wanted, found: Finding) -> bool:
    return (
        wanted.rule == found.rule
        and wanted.severity == found.severity.word
        and sorted(wanted.cards) == sorted(found.cards)
        and (wanted.actual is None or wanted.actual == found.actual)
        and (wanted.expected is None or wanted.expected == found.expected)
    )


def _said(findings: tuple[Finding, ...]) -> Counter[tuple[str, str]]:
    return Counter((each.rule, each.text) for each in findings)


@pytest.mark.slow
@pytest.mark.parametrize("way", WAYS, ids=lambda way: way.__name__)
def test_exactly_the_spoiling_is_found(
    way: Callable[[Published], Spoilt | None], published: list[Published], judge: Judge
) -> None:
    done = 0
    for deck in published:
        spoilt = way(deck)
        if spoilt is None:
            continue
        done += 1
        findings = check(judge, spoilt.deck).findings
        new = [each for each in findings if _is(spoilt.wanted, each)]
        assert len(new) == 1, (deck.id, spoilt.wanted, findings)
        rest = tuple(each for each in findings if each is not new[0])
        kept = tuple(
            each for each in deck.before.findings if each.rule not in spoilt.silenced
        )
        assert _said(rest) == _said(kept), (deck.id, spoilt.wanted)
    assert done > 50


@pytest.mark.slow
def test_every_deck_is_spoilt_in_at_least_ten_ways(published: list[Published]) -> None:
    assert len(published) == 429
    for deck in published:
        ways = [way.__name__ for way in WAYS if way(deck) is not None]
        assert len(ways) >= 10, (deck.id, ways)
