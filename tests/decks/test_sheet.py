"""The setup of a deck on its page, and its printed sheet."""

from __future__ import annotations

import re

import pytest
from django.test import Client

from arkham.accounts.models import User
from arkham.rules.snapshot import embedded_pool
from decks import services
from decks.lists.starter import starter_deck
from decks.models import Deck
from decks.services.ledger import Earned
from tests.decks.edits import apply
from tests.decks.helpers import NOW, text_of

pytestmark = pytest.mark.usefixtures("rows")


def _deck(owner: User, investigator: str, *changes: tuple[str, str]) -> Deck:
    content = apply(
        starter_deck(embedded_pool(), investigator), changes, embedded_pool()
    )
    return services.create_deck(owner=owner, content=content, now=NOW, name="Sheeted")


BOTH = pytest.mark.parametrize("page", ["", "sheet"])


@BOTH
@pytest.mark.parametrize(
    ("card", "laid"),
    [
        ("06027", "2 × The Stars Are Right from Stargazing"),
        ("06282", "2 × Unbound Beast from Summoned Hound"),
        ("05313", "3 × Soothing Melody from Hallowed Mirror"),
    ],
)
def test_bonded_cards_are_named_with_what_brings_them(
    alice: User, as_alice: Client, page: str, card: str, laid: str
) -> None:
    deck = _deck(alice, "01002", ("add", card))
    assert laid in text_of(as_alice.get(f"/decks/{deck.pk}/{page}"))


@BOTH
def test_lukes_gate_begins_in_play_and_brings_the_dream_gate(
    alice: User, as_alice: Client, page: str
) -> None:
    text = text_of(as_alice.get(f"/decks/{_deck(alice, '06004').pk}/{page}"))
    assert "Gate Box" in text
    assert "1 × Dream-Gate: Wondrous Journey from Gate Box" in text


@BOTH
def test_a_card_of_the_investigator_names_no_source(
    alice: User, as_alice: Client, page: str
) -> None:
    text = text_of(as_alice.get(f"/decks/{_deck(alice, '03001').pk}/{page}"))
    assert "Sophie: In Loving Memory" in text
    assert "from Mark Harrigan" not in text


@BOTH
def test_mandys_evidence_is_no_bonded_card(
    alice: User, as_alice: Client, page: str
) -> None:
    """Occult Evidence is shuffled in; only its number depends on the size."""
    text = text_of(as_alice.get(f"/decks/{_deck(alice, '06002').pk}/{page}"))
    assert "Occult Evidence" in text
    assert "Set aside" not in text


@BOTH
def test_a_second_deck_and_bonded_cards_of_its_spirits_are_listed(
    alice: User, as_alice: Client, page: str
) -> None:
    deck = _deck(
        alice,
        "02004",
        ("choose", "front:90049"),
        ("choose", "back:90049"),
        ("side-add", "06030"),
        ("side-add", "01018:2"),
    )
    text = text_of(as_alice.get(f"/decks/{deck.pk}/{page}"))
    assert "Spirit deck" in text
    assert "Beat Cop" in text
    assert "1 × Augur" in text


@BOTH
def test_a_hunch_deck_and_attached_cards_are_listed(
    alice: User, as_alice: Client, page: str
) -> None:
    joe = _deck(alice, "05002")
    assert "Hunch deck" in text_of(as_alice.get(f"/decks/{joe.pk}/{page}"))
    deck = _deck(
        alice,
        "01004",
        ("add", "10079"),
        ("add", "09077"),
        ("add", "07303"),
        ("add", "01066"),
        ("attach", "10079:01066"),
    )
    text = text_of(as_alice.get(f"/decks/{deck.pk}/{page}"))
    assert "Set aside: Bewitching" in text
    assert re.search(r"Bewitching\D{0,12}1?\D{0,3}1 × Blinding Light", text)
    assert "Set aside: Underworld Market" in text
    assert "0 of 10 chosen" in text
    assert "5 at random, before the opening hand" in text


@BOTH
def test_sheets_show_marked_boxes_and_texts(
    alice: User, as_alice: Client, page: str
) -> None:
    deck = _deck(
        alice,
        "01002",
        ("add", "09042"),
        ("write", "09042:0:01031"),
        ("mark", "09042:1:1"),
    )
    answer = as_alice.get(f"/decks/{deck.pk}/{page}")
    text = text_of(answer)
    assert re.search(r"Named asset: Old Book of Lore", text)
    assert answer.content.decode().count("sign-box-checked") == 1


@BOTH
def test_other_reminders_are_listed(alice: User, as_alice: Client, page: str) -> None:
    deck = _deck(alice, "01002", ("add", "02037"), ("add", "05023"))
    text = text_of(as_alice.get(f"/decks/{deck.pk}/{page}"))
    assert "Resources to start with: 3." in text
    assert "Put Ace of Swords into play if it is in the opening hand." in text


def test_an_empty_setup_is_not_shown(alice: User, as_alice: Client) -> None:
    deck = _deck(alice, "01001")
    assert "Setup" not in text_of(as_alice.get(f"/decks/{deck.pk}/"))
    assert "Setup" not in text_of(as_alice.get(f"/decks/{deck.pk}/sheet"))


def test_the_sheet_has_boxes_for_trauma(alice: User, as_alice: Client) -> None:
    """One for every possible point: Roland has 9 and 5."""
    deck = _deck(alice, "01001")
    content = as_alice.get(f"/decks/{deck.pk}/sheet").content.decode()
    assert ">Sheeted</h1>" in content
    ticks = re.findall(r'<span class="ticks"[^>]*>((?:<i></i>)*)</span>', content)
    assert [each.count("<i>") for each in ticks] == [9, 5]
    assert content.count("<tr>") == 1 + 8
    for word in ("Player", "Campaign", "Trauma", "Experience", "Notes", "Weaknesses"):
        assert word in content


def test_the_sheet_begins_with_the_current_experience(
    alice: User, as_alice: Client
) -> None:
    deck = _deck(alice, "01001")
    services.mark_played(
        deck=deck,
        game=services.PlayedGame((Earned("victory", 7),)),
        expected_revision=1,
        actor=alice,
        now=NOW,
    )
    text = text_of(as_alice.get(f"/decks/{deck.pk}/sheet"))
    assert "At version 1 7" in text


def test_decks_of_others_have_no_sheet(alice: User, as_charlie: Client) -> None:
    deck = _deck(alice, "01001")
    assert as_charlie.get(f"/decks/{deck.pk}/sheet").status_code == 404


def test_a_deck_without_a_known_investigator_has_a_sheet(
    alice: User, as_alice: Client
) -> None:
    content = apply(
        starter_deck(embedded_pool(), "01001"),
        [("choose", "investigator:99999"), ("add", "98765")],
        embedded_pool(),
    )
    deck = services.create_deck(owner=alice, content=content, now=NOW)
    answer = as_alice.get(f"/decks/{deck.pk}/sheet")
    assert answer.status_code == 200
    assert "98765" in text_of(answer)
