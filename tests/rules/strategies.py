"""Random decks for the laws: some near the corpus, some far from it."""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from arkham.rules.card import Card
from arkham.rules.checking import JudgeRequest, read_request
from arkham.rules.deck import Circumstances, DeckList, Environment, SheetMark
from arkham.rules.modifiers import DECK_MODIFIERS
from arkham.rules.pool import CardPool
from arkham.rules.rulings import RULINGS
from arkham.rules.snapshot import embedded_pool
from arkham.rules.ultimatums import ULTIMATUMS
from arkham.rules.vocabulary import CardType, Mode

DECKS = Path(__file__).parent / "corpus" / "decks"
DECK_TYPES = (CardType.ASSET, CardType.EVENT, CardType.SKILL)


@cache
def cards() -> CardPool:
    """Every card of the game."""
    return embedded_pool()


@cache
def corpus() -> tuple[JudgeRequest, ...]:
    """Every deck of the corpus, with its circumstances."""
    asked = []
    for path in sorted(DECKS.glob("*/*.toml")):
        data = tomllib.loads(path.read_text(encoding="utf-8"))
        told = data.get("circumstances", {})
        asked.append(read_request({"deck": data["deck"], "circumstances": told}))
    return tuple(asked)


def is_ordinary(card: Card) -> bool:
    """Return whether a card needs a deckbuilding option, judged by its facts alone."""
    restriction = card.restriction
    return (
        card.type in DECK_TYPES
        and card.level is not None
        and card.weakness is None
        and card.in_decks
        and not (restriction and restriction.investigators)
    )


@cache
def ordinary_codes() -> tuple[str, ...]:
    """Cards that need an option to be in a deck, each by its first printing."""
    return tuple(code for code, card in cards().items() if is_ordinary(card))


@cache
def special_codes() -> tuple[str, ...]:
    """Ordinary cards with special rules, and codes that no card has."""
    special = [
        code
        for code, card in cards().items()
        if is_ordinary(card)
        and (
            code in DECK_MODIFIERS
            or card.sheet
            or card.exceptional
            or card.myriad
            or card.permanent
            or card.researched
            or card.restriction
            or card.limit_by_subname
            or card.deck_limit is not None
            or "covenant" in card.traits
        )
    ]
    changed = {
        code for taboos in cards().taboo_lists for code in taboos.changes
    }.intersection(ordinary_codes())
    return (*special, *sorted(changed), "99998")


@cache
def uncommon_codes() -> tuple[str, ...]:
    """Signatures, weaknesses, story cards, bonded cards and scenario cards."""
    return tuple(code for code, card in cards().items() if not is_ordinary(card))


@cache
def printings() -> tuple[str, ...]:
    """Codes of every printing of every ordinary card."""
    return tuple(
        printing.code
        for code in ordinary_codes()
        for printing in cards()[code].printings
    )


def codes() -> SearchStrategy[str]:
    """Codes to put into a deck: common and unusual ones."""
    return st.one_of(
        st.deferred(lambda: st.sampled_from(ordinary_codes())),
        st.deferred(lambda: st.sampled_from(special_codes())),
        st.deferred(lambda: st.sampled_from(uncommon_codes())),
        st.deferred(lambda: st.sampled_from(printings())),
    )


ENVIRONMENTS = (
    Environment(),
    Environment("current"),
    Environment("current", date="2021-12-31"),
    Environment("limited", cycles=("dwl", "ptc", "tcu")),
    Environment("products", packs=("core", "dwl", "tskp")),
)


def circumstances() -> SearchStrategy[Circumstances]:
    """Circumstances of every kind, most of them nearly empty."""
    unsaid = st.none()
    rulings = st.lists(
        st.sampled_from(
            [
                (each.id, reading)
                for each in RULINGS.values()
                for reading, _ in each.readings
            ]
        ),
        max_size=3,
        unique_by=lambda pair: pair[0],
    )
    return st.builds(
        Circumstances,
        mode=st.sampled_from(Mode),
        experience=st.one_of(unsaid, st.integers(0, 60)),
        taboo=st.one_of(unsaid, st.integers(1, 11), st.just("latest")),
        no_taboo=st.booleans(),
        environment=st.sampled_from(ENVIRONMENTS),
        ultimatums=st.frozensets(st.sampled_from(sorted(ULTIMATUMS)), max_size=2),
        experience_earned=st.one_of(unsaid, st.integers(0, 70)),
        tasks=st.one_of(unsaid, st.just(frozenset({"02021", "03025"}))),
        story_cards=st.one_of(unsaid, st.just(frozenset({"01117", "02040"}))),
        lost_cards=st.sampled_from([(), ("02014",)]),
        banned_titles=st.sampled_from([frozenset[str](), frozenset({"Leo De Luca"})]),
        players=st.one_of(unsaid, st.integers(1, 4)),
        owned=st.one_of(unsaid, st.just({"01020": 1})),
        rulings=rulings.map(lambda pairs: tuple(sorted(pairs))),
    )


@st.composite
def marks(draw: DrawFn, card: Card) -> tuple[SheetMark, ...]:
    """Marks on an upgrade sheet, valid and invalid, in the order of its lines."""
    lines = draw(st.lists(st.integers(0, len(card.sheet)), max_size=4))
    return tuple(
        SheetMark(
            line,
            draw(st.integers(0, 5)),
            draw(st.sampled_from([(), ("intellect",), ("Monster",), ("01060",)])),
        )
        for line in sorted(lines)
    )


@st.composite
def asked_decks(draw: DrawFn, *, keeps_choices: bool = False) -> JudgeRequest:
    """A deck of the corpus with a few changes, in random circumstances.

    With ``keeps_choices``, every choice is kept, and neither sides nor choices change.
    """
    asked = draw(st.sampled_from(corpus()))
    deck = asked.deck
    entries = dict(deck.entries)
    for _ in range(draw(st.integers(0, 5))):
        code = draw(st.one_of(codes(), st.sampled_from(sorted(entries) or ["01020"])))
        copies = draw(st.integers(0, 4))
        if copies:
            entries[code] = copies
        else:
            entries.pop(code, None)
    deck = deck._replace(entries=entries)
    if draw(st.integers(0, 3)) == 0:
        deck = _apart(draw, deck)
    if not keeps_choices and draw(st.integers(0, 5)) == 0:
        deck = _other_sides(draw, deck)
    sheets = dict(deck.sheets)
    for code in entries:
        card = cards().get_card(code)
        if card is not None and card.sheet and draw(st.booleans()):
            sheets[code] = draw(marks(card))
    deck = deck._replace(sheets=sheets)
    if draw(st.integers(0, 2)) == 0:
        deck = deck._replace(taboo=draw(st.integers(1, 10)))
    table = asked.circumstances
    if draw(st.integers(0, 1)) == 0:
        table = draw(circumstances())
    return JudgeRequest(deck, table)


def _apart(draw: DrawFn, deck: DeckList) -> DeckList:
    """Return the deck with cards set aside, attached or in a second deck."""
    held = st.sampled_from(sorted(deck.entries) or ["01020"])
    few = st.dictionaries(held, st.integers(1, 3), max_size=3)
    holders = st.sampled_from(["05002", "03264", "09077", "11080", "07303", "01001"])
    match draw(st.integers(0, 2)):
        case 0:
            return deck._replace(set_aside=draw(few))
        case 1:
            apart = st.dictionaries(holders, few, max_size=2)
            return deck._replace(attachments=draw(apart))
        case _:
            spirits = st.dictionaries(codes(), st.integers(1, 2), max_size=10)
            return deck._replace(side_deck=draw(spirits))


def _other_sides(draw: DrawFn, deck: DeckList) -> DeckList:
    """Return the deck with other sides or other choices."""
    sides = st.sampled_from(["", "90024", "90037", "90049", "01001", "99999"])
    if draw(st.booleans()):
        return deck._replace(front=draw(sides), back=draw(sides))
    keys = st.sampled_from(["class", "class_1", "class_2", "trait", "size"])
    values = st.sampled_from(["guardian", "mystic", "blessed", "both", "30", "luck"])
    return deck._replace(choices=draw(st.dictionaries(keys, values, max_size=3)))
