"""A card lost from an investigator with two decks leaves the right deck, once."""

from __future__ import annotations

from arkham.rules.deck import DeckList
from arkham.rules.legality import check_deck
from arkham.rules.snapshot import embedded_pool
from arkham.rules.upgrade import Window, price

SPIRIT, STRANGE = "60410", "strange-to-everybody"  # Familiar Spirit; an unknown card


def _jims(main: dict[str, int], side: dict[str, int]) -> DeckList:
    return DeckList("02004", main, back="90049", side_deck=side)


def test_losing_thousands_of_copies_is_priced_in_time() -> None:
    """Not every way to divide them between the decks is tried."""
    codes = ("01060", "01062", "01065", "02232", SPIRIT)
    deck = _jims(dict.fromkeys(codes, 999), dict.fromkeys(codes, 999))
    window = Window(exiled=dict.fromkeys(codes, 999))
    assert price(deck, deck, embedded_pool(), window).lines


def test_an_unknown_card_is_exiled_from_the_deck_that_had_it() -> None:
    """From either deck; if neither had it, it is a finding."""
    for main, side, found in (
        ({STRANGE: 1}, {}, []),
        ({}, {STRANGE: 1}, []),
        ({}, {}, ["upgrade.exiled"]),
    ):
        window = Window(exiled={STRANGE: 1})
        invoice = price(_jims(main, side), _jims({}, {}), embedded_pool(), window)
        assert [each.rule for each in invoice.findings] == found


def test_a_card_of_both_decks_left_the_one_whose_list_lacks_it() -> None:
    """Nothing else is found, though it costs the same to lose the other copy."""
    paranoia = {"01097": 1}
    for main, side in ((paranoia, {}), ({}, paranoia)):
        for window in (Window(taken=paranoia), Window(exiled=paranoia)):
            decks = _jims(paranoia, paranoia), _jims(main, side)
            assert price(*decks, embedded_pool(), window).findings == ()


def test_a_card_given_to_the_deck_that_had_one_is_missing_there() -> None:
    """One finding names both copies that are absent."""
    paranoia = {"01097": 1}
    for had in (_jims(paranoia, {}), _jims({}, paranoia)):
        invoice = price(had, _jims({}, {}), embedded_pool(), Window(granted=paranoia))
        found = [(each.rule, each.actual) for each in invoice.findings]
        assert found == [("upgrade.weakness", 2)]


def test_a_card_attached_to_an_investigator_who_takes_none_is_not_called_absent() -> (
    None
):
    """The Joe Diamond without a hunch deck, and a card in his deck."""
    deck = DeckList("12004", {"01039": 1}, attachments={"12004": {"01039": 1}})
    found = check_deck(deck, embedded_pool()).findings
    said = [each.text for each in found if each.rule == "attached.holder"]
    assert said == ["In this deck no cards can be set aside for Joe Diamond."]
