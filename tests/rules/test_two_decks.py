"""What leaves an investigator's two decks leaves each card's own deck, once."""

from __future__ import annotations

from arkham.rules.deck import DeckList
from arkham.rules.legality import check_deck
from arkham.rules.snapshot import embedded_pool
from arkham.rules.upgrade import Window, price

SPIRIT, STRANGE = "60410", "strange-to-everybody"  # Familiar Spirit; no card


def _jims(main: dict[str, int], side: dict[str, int]) -> DeckList:
    return DeckList("02004", main, back="90049", side_deck=side)


def test_a_monstrous_loss_is_priced_in_time() -> None:
    """Of thousands of copies in both decks not every parting is weighed."""
    codes = ("01060", "01062", "01065", "02232", SPIRIT)
    deck = _jims(dict.fromkeys(codes, 999), dict.fromkeys(codes, 999))
    window = Window(exiled=dict.fromkeys(codes, 999))
    assert price(deck, deck, embedded_pool(), window).lines


def test_a_strange_card_is_exiled_from_the_deck_that_had_it() -> None:
    """Whichever of the two; from neither, it is said."""
    for main, side, found in (
        ({STRANGE: 1}, {}, []),
        ({}, {STRANGE: 1}, []),
        ({}, {}, ["upgrade.exiled"]),
    ):
        window = Window(exiled={STRANGE: 1})
        invoice = price(_jims(main, side), _jims({}, {}), embedded_pool(), window)
        assert [each.rule for each in invoice.findings] == found


def test_a_card_in_the_deck_that_takes_none_is_not_called_absent() -> None:
    """The Joe Diamond without a hunch deck, and a card he has."""
    deck = DeckList("12004", {"01039": 1}, attachments={"12004": {"01039": 1}})
    found = check_deck(deck, embedded_pool()).findings
    said = [each.text for each in found if each.rule == "attached.holder"]
    assert said == ["In this deck no cards can be set apart for Joe Diamond."]
