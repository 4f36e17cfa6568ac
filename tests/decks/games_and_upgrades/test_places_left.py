"""Gaps that a game left in a deck, or in its second one (FAQ 1.18)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Any

import pytest
from django.test import Client

from arkham.accounts.models import User
from arkham.rules.snapshot import embedded_pool
from cardpool.catalog import current_judge
from decks import services
from decks.lists.content import Content, empty_content, read_content
from decks.models import Deck
from decks.pages.offers import CardSearch
from decks.pages.purchases import Purchase, PurchaseOffers
from decks.pages.reckoning import Reckoning
from decks.services.campaign_changes import current_content, with_corrected_window
from decks.services.ledger import Earned
from tests.decks.edits import apply
from tests.decks.games_and_upgrades.helpers import desk_mark, press_at_desk, source_of
from tests.decks.games_and_upgrades.upgrades import (
    LATER,
    MACHETE,
    invoice_of,
    make_upgrade,
    newest,
    rolands_deck,
)
from tests.decks.helpers import NOW
from tests.rules.upgrades import read_base

pytestmark = pytest.mark.usefixtures("rows")

TEAMWORK, SHORTCUT, VERSATILE = "02018", "02022", "06167"
GAMBLE, INSTINCT = "02026", "01081"
SPIRIT = "60508"  # of parallel Jim's second deck
FREE, BOUGHT = ("price.refill", 0), ("price.purchase", 1)


def _play(deck: Deck, earned: int = 0, **aftermath: dict[str, int]) -> None:
    deck.refresh_from_db()
    is_first = newest(deck).played_at is None
    write = services.mark_played if is_first else services.play_again
    game = services.PlayedGame(earned=(Earned("victory", earned),), aftermath=aftermath)
    write(deck=deck, game=game, expected_revision=deck.revision, now=LATER)
    deck.refresh_from_db()


def _with(deck: Deck, *changes: tuple[str, str]) -> Content:
    return apply(current_content(deck), changes, embedded_pool())


def _paid(deck: Deck, *changes: tuple[str, str], **more: Any) -> list[tuple[str, int]]:
    """Return what was paid for each copy of an upgrade, by the kind of its line."""
    lines = invoice_of(make_upgrade(deck, _with(deck, *changes), **more))["lines"]
    return [(each["rule"], each["paid"]) for each in lines]


def test_a_card_exiled_in_an_earlier_game_is_replaced_free(alice: User) -> None:
    """However many games were played without it, and nothing more."""
    deck = rolands_deck(alice)
    _play(deck, 3, exiled={MACHETE: 2})
    _play(deck)
    _play(deck)
    changes = [("add", f"{TEAMWORK}:2"), ("remove", "01023"), ("add", SHORTCUT)]
    assert sorted(_paid(deck, *changes)) == [BOUGHT, FREE, FREE]


def test_a_remaining_gap_stays_free(alice: User) -> None:
    """One was filled against the rules; the other waits for the next upgrade."""
    deck = rolands_deck(alice)
    _play(deck, 3, exiled={MACHETE: 2})
    assert _paid(deck, ("add", TEAMWORK), repair="in a hurry") == [FREE]
    _play(deck)
    assert _paid(deck, ("add", TEAMWORK)) == [FREE]


def test_a_place_filled_for_nothing_is_not_left_again(alice: User) -> None:
    """The gap in the deck is of a card that was removed without need."""
    deck = rolands_deck(alice)
    _play(deck, 3, exiled={MACHETE: 1})
    changes = [("add", TEAMWORK), ("remove", "01023")]
    assert _paid(deck, *changes, repair="in a hurry") == [FREE]
    _play(deck)
    assert _paid(deck, ("add", SHORTCUT)) == [BOUGHT]


def _forbidden(
    owner: User, place: str, before: Mapping[str, Any] = MappingProxyType({})
) -> tuple[Deck, Content]:
    """A played deck, and its content once a list named there forbids 2 of its cards."""
    base = read_base("upgrades/bases/wendy")
    slots = {**base["slots"], GAMBLE: 2}
    del slots[INSTINCT]
    listed = {**base, "slots": slots, "taboo_id": 10 if before else None}
    content = read_content({"deck": listed, "circumstances": dict(before)})
    deck = services.create_deck(owner=owner, content=content, now=NOW)
    _play(deck, 3)
    content = _with(deck, ("remove", f"{GAMBLE}:2"))
    if place == "deck":
        return deck, replace(content, deck={**content.deck, "taboo_id": 10})
    return deck, replace(content, circumstances=content.circumstances | {"taboo": 10})


WHERE_NAMED = pytest.mark.parametrize("place", ["deck", "circumstances"])


@WHERE_NAMED
def test_cards_forbidden_by_a_new_taboo_list_are_replaced_free(
    alice: User, place: str
) -> None:
    """Wherever the list is named (FAQ 1.18)."""
    deck, content = _forbidden(alice, place)
    content = apply(content, [("add", f"{INSTINCT}:2")], embedded_pool())

    lines = invoice_of(make_upgrade(deck, content))["lines"]
    assert [(each["rule"], each["paid"]) for each in lines] == [FREE, FREE]


@WHERE_NAMED
def test_a_gap_that_a_new_taboo_list_left_stays_free(alice: User, place: str) -> None:
    """One card was replaced at once, the other after the next game."""
    deck, content = _forbidden(alice, place)
    content = apply(content, [("add", INSTINCT)], embedded_pool())
    make_upgrade(deck, content, repair="in a hurry")
    _play(deck)

    assert _paid(deck, ("add", INSTINCT)) == [FREE]


def test_the_first_list_named_in_the_circumstances_forbids_cards(alice: User) -> None:
    """Before it they named none, whatever list the deck names."""
    deck, content = _forbidden(alice, "circumstances", {"taboo": "none"})
    content = apply(content, [("add", f"{INSTINCT}:2")], embedded_pool())

    lines = invoice_of(make_upgrade(deck, content))["lines"]
    assert [(each["rule"], each["paid"]) for each in lines] == [FREE, FREE]


@WHERE_NAMED
def test_a_replacement_is_offered_for_what_it_will_cost(
    alice: User, place: str
) -> None:
    """The price beside a card is that of the invoice."""
    deck, content = _forbidden(alice, place)
    preview = services.preview_upgrade(deck=deck, content=content, window={})
    judged = Reckoning(preview, current_judge()).judged
    found = PurchaseOffers(judged, preview, CardSearch("Survival Instinct")).offers()

    purchases = (each for each in found.offers if isinstance(each, Purchase))
    assert {each.code: each.price for each in purchases}[INSTINCT] == 0


def test_a_deck_that_grew_is_filled_free_later(alice: User) -> None:
    """Versatile makes room for five, of which three were added at once."""
    deck = rolands_deck(alice)
    _play(deck, 3)
    grown = [("add", VERSATILE), ("add", f"{TEAMWORK}:2"), ("add", SHORTCUT)]
    assert sorted(_paid(deck, *grown, repair="in a hurry"))[1:] == [FREE] * 3
    _play(deck)
    changes = ("add", SHORTCUT), ("add", "01092")
    assert _paid(deck, *changes) == [FREE, FREE]


def test_a_gap_left_by_choice_is_not_free(alice: User) -> None:
    """A deck that was never complete is filled for experience."""
    content = apply(
        newest(rolands_deck(alice)).content, [("remove", MACHETE)], embedded_pool()
    )
    deck = services.create_deck(owner=alice, content=content, now=NOW)
    _play(deck, 1)
    _play(deck)
    assert _paid(deck, ("add", TEAMWORK)) == [BOUGHT]


def test_a_copy_is_filled_free_as_its_deck_is(alice: User) -> None:
    """Before its first game and after it; a gap left by choice still costs."""
    deck = rolands_deck(alice)
    _play(deck, 3, exiled={MACHETE: 2})
    changes = ("add", f"{TEAMWORK}:2"), ("remove", "01023"), ("add", SHORTCUT)
    copy = services.copy_deck(deck=deck, owner=alice, now=LATER, name="Copy")
    assert sorted(_paid(copy, *changes)) == [BOUGHT, FREE, FREE]
    played = services.copy_deck(deck=deck, owner=alice, now=LATER, name="Played")
    _play(played)
    assert sorted(_paid(played, *changes)) == [BOUGHT, FREE, FREE]


def test_a_second_deck_is_filled_free_later(alice: User) -> None:
    """One of parallel Jim's spirits was exiled, two games ago."""
    listed = read_base("decks/legal/02004-jim-culver-parallel-back")
    deck = services.create_deck(
        owner=alice, content=read_content({"deck": dict(listed)}), now=NOW
    )
    _play(deck, exiled={"60508": 1})
    _play(deck)
    assert _paid(deck, ("side-add", "02033")) == [FREE]


def _spirits(owner: User) -> Deck:
    """Parallel Jim's deck after a game that exiled one of his spirits."""
    listed = read_base("decks/legal/02004-jim-culver-parallel-back")
    content = read_content({"deck": dict(listed)})
    deck = services.create_deck(owner=owner, content=content, now=NOW)
    _play(deck, exiled={SPIRIT: 1})
    return deck


def _spirits_on_desk(deck: Deck) -> tuple[int, int]:
    """Return the copies of the spirit in the deck, and in the second one."""
    desk = services.desk_of(newest(deck))
    assert desk is not None
    listed = desk.content.asked().deck
    return listed.entries.get(SPIRIT, 0), listed.side_deck.get(SPIRIT, 0)


def test_a_spirit_that_was_not_exiled_is_in_the_second_deck_again(
    alice: User, as_alice: Client
) -> None:
    """By the button on the desk."""
    deck = _spirits(alice)
    assert _spirits_on_desk(deck) == (0, 0)
    page = source_of(as_alice.get(f"/decks/{deck.pk}/upgrade/"))
    found = re.search(r'value="(unexile=[^"]+)"', page)
    assert found is not None
    press_at_desk(as_alice, deck, do=found[1])
    assert _spirits_on_desk(deck) == (0, 1)


def test_the_form_for_a_game_lists_spirits_to_exile(
    alice: User, as_alice: Client
) -> None:
    """Each in a line of its own, after the cards of the first deck."""
    deck = _spirits(alice)
    page = source_of(as_alice.get(f"/decks/{deck.pk}/upgrade/told"))
    assert f'name="exiled-{SPIRIT}"' in page
    assert f'name="taken-{SPIRIT}"' in page


def test_a_corrected_game_removes_and_returns_spirits(
    alice: User, as_alice: Client
) -> None:
    """As the game itself does: first from the deck as far as it has the card."""
    deck = _spirits(alice)
    for exiled, expected in (("0", (0, 1)), ("1", (0, 0))):
        fields = {"revision": desk_mark(as_alice, deck), f"exiled-{SPIRIT}": exiled}
        assert (
            as_alice.post(f"/decks/{deck.pk}/upgrade/told", fields).status_code == 303
        )
        assert _spirits_on_desk(deck) == expected


EVIDENCE = "01022"
MACHETES = (MACHETE, "01520")  # of two printings


@pytest.mark.parametrize(
    "lost", [{MACHETE: 2}, {"01520": 2}, {MACHETE: 1, "01520": 1}, {"12020": 2}]
)
def test_two_decks_treat_printings_of_a_card_alike(
    alice: User, lost: dict[str, int]
) -> None:
    """However a program names those that a game removed; corrected, they return."""
    one, other = MACHETES
    changes = [("choose", "back:90049"), ("add", one), ("side-add", other)]
    content = apply(empty_content("02004"), changes, embedded_pool())
    deck = services.create_deck(owner=alice, content=content, now=NOW)
    _play(deck, exiled=lost)
    after = current_content(deck).asked().deck

    assert (after.entries, after.side_deck) == ({}, {})
    window = newest(deck).aftermath
    assert window["exiled"] == {one: 1, other: 1}
    base = newest(deck).content.asked().deck
    back = with_corrected_window(
        current_content(deck),
        window,
        {},
        embedded_pool(),
        base.entries,
        side=base.side_deck,
    )
    assert back.asked().deck.entries == {one: 1}
    assert back.asked().deck.side_deck == {other: 1}


def test_a_card_that_came_and_went_in_one_game_is_not_there(alice: User) -> None:
    """Even if it left as another printing."""
    deck = rolands_deck(alice)
    before = current_content(deck).deck["slots"]
    _play(deck, granted={EVIDENCE: 1}, taken={"01522": 1})

    assert current_content(deck).deck["slots"] == before
