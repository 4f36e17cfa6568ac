"""Every investigator has a legal starter deck, always the same one."""

from __future__ import annotations

import pytest

from arkham.rules.card import Card
from arkham.rules.legality import Verdict, check_deck
from arkham.rules.pool import CardPool
from arkham.rules.snapshot import embedded_pool
from arkham.rules.vocabulary import CardType
from decks.lists.content import Content
from decks.lists.starter import NoStarter, starter_deck

POOL = embedded_pool()
PLAYABLE = [
    card
    for card in POOL.investigators
    if card.investigator and card.investigator.playable
]
MIXES = [
    (front, back)
    for front in PLAYABLE
    for back in PLAYABLE
    if front is not back
    and front.investigator
    and back.investigator
    and front.investigator.base == back.investigator.base
    and {front.investigator.parallel, back.investigator.parallel} == {True, False}
    and front.investigator.base in (front.code, back.code)
]
OFFERS = [
    (card, choice.key, offer)
    for card in PLAYABLE
    if card.investigator and card.investigator.back
    for choice in card.investigator.back.choices
    for offer in choice.offers
]


def _judged(content: Content) -> Verdict:
    asked = content.asked()
    return check_deck(asked.deck, POOL, asked.circumstances)


def test_the_number_of_investigators_is_complete() -> None:
    """Ninety-seven backs, thirteen investigators with a parallel version."""
    assert len(PLAYABLE) == 97
    assert len(MIXES) == 26


@pytest.mark.parametrize("card", PLAYABLE, ids=lambda card: card.code)
def test_every_investigator_has_a_starter_deck(card: Card) -> None:
    """Legal, complete, level 0, with only the weakness still to be drawn."""
    verdict = _judged(starter_deck(POOL, card.code))
    assert verdict.legal
    assert verdict.complete
    assert verdict.deck_size == verdict.deck_size_required
    assert verdict.experience_required == 0
    assert {finding.rule for finding in verdict.findings} <= {"weakness.undrawn"}


@pytest.mark.parametrize(
    ("taboo", "code"),
    [(10, "01005"), (10, "09015"), (10, "10012"), (10, "11017"), (5, "90049")],
)
def test_a_starter_deck_costs_nothing_under_a_taboo_list(taboo: int, code: str) -> None:
    """Level 0 cards made more expensive are left out, of a second deck too."""
    verdict = _judged(starter_deck(POOL, code, (("taboo", str(taboo)),)))
    assert verdict.taboo_id == taboo
    assert verdict.experience_required == 0


@pytest.mark.parametrize(("front", "back"), MIXES, ids=lambda card: card.code)
def test_every_mix_of_sides_has_a_starter_deck(front: Card, back: Card) -> None:
    """The original with the parallel side, both ways."""
    assert front.investigator is not None
    content = starter_deck(
        POOL,
        front.investigator.base,
        (("front", front.code), ("back", back.code)),
    )
    verdict = _judged(content)
    assert verdict.legal
    assert verdict.complete


@pytest.mark.parametrize(("card", "key", "offer"), OFFERS)
def test_every_choice_has_a_starter_deck(card: Card, key: str, offer: str) -> None:
    """With the chosen option."""
    content = starter_deck(POOL, card.code, ((key, offer),))
    assert offer in content.deck["meta"].values()
    assert _judged(content).legal


def test_a_starter_deck_is_playable() -> None:
    """Mixed types, two copies of most, and room in the hands."""
    slots = starter_deck(POOL, "01001").deck["slots"]
    types = dict.fromkeys(CardType, 0)
    hands = 0
    for code, copies in slots.items():
        if POOL[code].level == 0:
            types[POOL[code].type] += copies
            hands += copies * POOL[code].slots.count("hand")
    assert (types[CardType.ASSET], types[CardType.EVENT], types[CardType.SKILL]) == (
        14,
        8,
        8,
    )
    assert hands == 6
    assert slots["01006"] == slots["01007"] == slots["01000"] == 1


def test_the_second_deck_and_the_hunch_deck_are_filled() -> None:
    """Ten spirits for Jim, eleven hunches for Joe."""
    jim = starter_deck(POOL, "90049").asked().deck
    assert sum(jim.side_deck.values()) == 10
    joe = starter_deck(POOL, "05002").asked().deck
    assert sum(joe.attachments["05002"].values()) == 11


def test_a_starter_deck_is_always_the_same() -> None:
    """Without randomness."""
    starter_deck.cache_clear()
    first = starter_deck(POOL, "01005")
    starter_deck.cache_clear()
    assert starter_deck(POOL, "01005") == first


def test_invalid_investigators_have_no_starter_deck() -> None:
    """A card that is no investigator, and sides that do not belong together."""
    for code, choices in (("01020", ()), ("01001", (("back", "90037"),))):
        with pytest.raises(NoStarter):
            starter_deck(POOL, code, choices)


def test_another_pool_has_other_starter_decks() -> None:
    """The cache belongs to the pool."""
    small = CardPool(version="none", cards={})
    with pytest.raises(NoStarter):
        starter_deck(small, "01001")
