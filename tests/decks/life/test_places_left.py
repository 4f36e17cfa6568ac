"""Places a game left in a deck, or in its second one (FAQ 1.18)."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.test import Client

from arkham.accounts.models import User
from arkham.rules.snapshot import embedded_pool
from decks import services
from decks.lists.content import Content, empty_content, read_content
from decks.models import Deck
from decks.services.ledger import Earned
from decks.services.ordering import as_it_is, with_corrected_window
from tests.decks.edits import apply
from tests.decks.helpers import NOW
from tests.decks.life.helpers import desk_mark, press_at_desk, source_of
from tests.decks.life.upgrades import (
    LATER,
    MACHETE,
    invoice_of,
    make_upgrade,
    newest,
    rolands_deck,
)
from tests.rules.upgrades import read_base

pytestmark = pytest.mark.usefixtures("rows")

TEAMWORK, SHORTCUT, VERSATILE = "02018", "02022", "06167"
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
    return apply(as_it_is(deck), changes, embedded_pool())


def _paid(deck: Deck, *changes: tuple[str, str], **more: Any) -> list[tuple[str, int]]:
    """What was paid for each copy of an upgrade, by the kind of its line."""
    lines = invoice_of(make_upgrade(deck, _with(deck, *changes), **more))["lines"]
    return [(each["rule"], each["paid"]) for each in lines]


def test_what_an_earlier_game_exiled_is_replaced_free(alice: User) -> None:
    """However many games were played without it, and nothing beyond it."""
    deck = rolands_deck(alice)
    _play(deck, 3, exiled={MACHETE: 2})
    _play(deck)
    _play(deck)
    changes = [("add", f"{TEAMWORK}:2"), ("remove", "01023"), ("add", SHORTCUT)]
    assert sorted(_paid(deck, *changes)) == [BOUGHT, FREE, FREE]


def test_what_is_left_of_the_places_stays_free(alice: User) -> None:
    """One was filled against the rules; the other waits for the next upgrade."""
    deck = rolands_deck(alice)
    _play(deck, 3, exiled={MACHETE: 2})
    assert _paid(deck, ("add", TEAMWORK), repair="in a hurry") == [FREE]
    _play(deck)
    assert _paid(deck, ("add", TEAMWORK)) == [FREE]


def test_a_deck_that_grew_is_filled_free_later(alice: User) -> None:
    """Versatile makes room for five, of which three came at once."""
    deck = rolands_deck(alice)
    _play(deck, 3)
    grown = [("add", VERSATILE), ("add", f"{TEAMWORK}:2"), ("add", SHORTCUT)]
    assert sorted(_paid(deck, *grown, repair="in a hurry"))[1:] == [FREE] * 3
    _play(deck)
    changes = ("add", SHORTCUT), ("add", "01092")
    assert _paid(deck, *changes) == [FREE, FREE]


def test_a_place_left_by_choice_is_not_free(alice: User) -> None:
    """A deck that was never complete is filled for experience."""
    content = apply(
        newest(rolands_deck(alice)).content, [("remove", MACHETE)], embedded_pool()
    )
    deck = services.create_deck(owner=alice, content=content, now=NOW)
    _play(deck, 1)
    _play(deck)
    assert _paid(deck, ("add", TEAMWORK)) == [BOUGHT]


def test_a_copy_is_filled_free_as_its_deck_is(alice: User) -> None:
    """Before its first game and after it; a place left by choice stays dear."""
    deck = rolands_deck(alice)
    _play(deck, 3, exiled={MACHETE: 2})
    changes = ("add", f"{TEAMWORK}:2"), ("remove", "01023"), ("add", SHORTCUT)
    copy = services.copy_deck(deck=deck, owner=alice, now=LATER, name="Copy")
    assert sorted(_paid(copy, *changes)) == [BOUGHT, FREE, FREE]
    played = services.copy_deck(deck=deck, owner=alice, now=LATER, name="Played")
    _play(played)
    assert sorted(_paid(played, *changes)) == [BOUGHT, FREE, FREE]


def test_a_second_deck_is_filled_free_later(alice: User) -> None:
    """Of parallel Jim's spirits one was exiled, two games ago."""
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
    """Copies of the spirit in the deck, and in the second one."""
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


def test_spirits_can_be_exiled_where_a_game_is_written_down(
    alice: User, as_alice: Client
) -> None:
    """Each in a line of its own, after the cards of the first deck."""
    deck = _spirits(alice)
    page = source_of(as_alice.get(f"/decks/{deck.pk}/upgrade/told"))
    assert f'name="exiled-{SPIRIT}"' in page
    assert f'name="taken-{SPIRIT}"' in page


def test_a_corrected_game_takes_and_gives_spirits(
    alice: User, as_alice: Client
) -> None:
    """As the game itself does: the first deck as far as it has the card."""
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
def test_printings_of_a_card_leave_two_decks_alike(
    alice: User, lost: dict[str, int]
) -> None:
    """However a program names those that a game took; corrected, they are back."""
    one, other = MACHETES
    changes = [("choose", "back:90049"), ("add", one), ("side-add", other)]
    content = apply(empty_content("02004"), changes, embedded_pool())
    deck = services.create_deck(owner=alice, content=content, now=NOW)
    _play(deck, exiled=lost)
    after = as_it_is(deck).asked().deck

    assert (after.entries, after.side_deck) == ({}, {})
    window = newest(deck).aftermath
    assert window["exiled"] == {one: 1, other: 1}
    base = newest(deck).content.asked().deck
    back = with_corrected_window(
        as_it_is(deck), window, {}, embedded_pool(), base.entries, side=base.side_deck
    )
    assert back.asked().deck.entries == {one: 1}
    assert back.asked().deck.side_deck == {other: 1}


def test_what_came_and_went_in_one_game_is_not_there(alice: User) -> None:
    """Of another printing than it came as."""
    deck = rolands_deck(alice)
    before = as_it_is(deck).deck["slots"]
    _play(deck, granted={EVIDENCE: 1}, taken={"01522": 1})

    assert as_it_is(deck).deck["slots"] == before
