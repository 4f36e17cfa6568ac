"""Decks of investigators who became another card."""

from __future__ import annotations

import pytest

from arkham.rules.deck import ANY_TABLE, Circumstances, DeckList
from arkham.rules.draws.opening import opening_of
from arkham.rules.draws.setup import setup_of
from arkham.rules.legality import Judge, check
from arkham.rules.legality.built import BuiltDeck

HOMUNCULUS, YITHIAN = "11068b", "04244"
SEFINA, PATRICE, PETE, DUKE, HANK = "03003", "06005", "02005", "02014", "10015"
WEAKNESSES = ("01096", "01097", "01098", "01099", "01100", "01101", "01102", "01103")


def _became(code: str, investigator: str, **slots: int) -> DeckList:
    entries = {key.removeprefix("c"): copies for key, copies in slots.items()}
    return DeckList(investigator, entries, transformed_into=code)


def _built(judge: Judge, deck: DeckList) -> BuiltDeck:
    return next(judge.builds(deck, ANY_TABLE))


def _rules(judge: Judge, deck: DeckList, **rulings: str) -> list[tuple[str, str]]:
    table = Circumstances(rulings=tuple(rulings.items()))
    found = check(judge, deck, table).findings
    return [(each.rule, each.severity.word) for each in found]


@pytest.mark.parametrize(
    ("investigator", "signatures"),
    [
        ("60401", 2),
        ("11014", 2),  # Gloria: her two replacement signatures, not all six
        ("98013", 2),  # Silas, whose replacement replaces two cards
        ("08010", 2),  # Lily's Discipline, and the weakness that came with it
        ("90024", 5),  # Roland, including his three Directives
        ("90037", 3),
        ("05002", 2),  # no hunch deck is required either
    ],
)
def test_each_signature_was_replaced_by_a_weakness(
    judge: Judge, investigator: str, signatures: int
) -> None:
    """At least as many as the deck had; further weaknesses replaced signatures too."""
    for more in (0, 1):
        weak = dict.fromkeys(WEAKNESSES[: signatures + 1 + more], 1)
        deck = DeckList(investigator, weak, transformed_into=HOMUNCULUS)
        found = _rules(judge, deck, **{"weaknesses.campaign-surplus": "refused"})
        assert not [each for each in found if each[1] != "advice"]
    fewer = dict.fromkeys(WEAKNESSES[:signatures], 1)
    deck = DeckList(investigator, fewer, transformed_into=HOMUNCULUS)
    assert ("weakness.required", "incomplete") in _rules(judge, deck)


@pytest.mark.parametrize(
    ("code", "hand", "upkeep"),
    [(HOMUNCULUS, (5, 5, True), 1), (YITHIAN, (13, 8, False), 1)],
)
def test_the_homunculus_draws_the_usual_hand(
    judge: Judge, code: str, hand: tuple[int, int, bool], upkeep: int
) -> None:
    """A Yithian draws the hand of Sefina, whose card it replaces."""
    opening = opening_of(_built(judge, _became(code, SEFINA, c01086=2)))
    assert (opening.drawn, opening.kept, opening.mulligan) == hand
    assert opening_of(_built(judge, _became(code, PATRICE))).upkeep == upkeep
    assert opening_of(_built(judge, _became("", PATRICE))).upkeep is None


@pytest.mark.parametrize(("code", "laid"), [(HOMUNCULUS, 0), (YITHIAN, 1), ("", 1)])
def test_the_front_decides_what_begins_in_play(
    judge: Judge, code: str, laid: int
) -> None:
    """The homunculus has no Duke that begins the game in play."""
    built = _built(judge, _became(code, PETE, c02014=1))
    assert len(setup_of(built).in_play) == laid
    assert opening_of(built).cards.get(DUKE, 0) == 1 - laid


def test_cards_bonded_to_an_investigator_are_gone_after_the_transformation(
    judge: Judge,
) -> None:
    assert setup_of(_built(judge, _became("", HANK))).set_aside
    assert not setup_of(_built(judge, _became(HOMUNCULUS, HANK))).set_aside
