"""Two revisions compared, and a deck under another taboo list."""

from __future__ import annotations

import re

import pytest
from django.test import Client

from arkham.accounts.models import User
from arkham.rules.snapshot import embedded_pool
from decks import services
from decks.lists.content import Content
from decks.lists.starter import starter_deck
from decks.models import Deck, Desk
from decks.services.ledger import Earned
from tests.decks.edits import apply
from tests.decks.games_and_upgrades.helpers import (
    RUNIC_AXE,
    UPGRADE_COP,
    axes_content,
    desk_mark,
    press_at_desk,
    source_of,
)
from tests.decks.helpers import NOW, latest_of, text_of

pytestmark = pytest.mark.usefixtures("rows")


def test_two_revisions_are_compared(as_alice: Client, played: Deck) -> None:
    """Added, removed, exiled, customized, and the invoice of the upgrade."""
    for do in (UPGRADE_COP, "add=02018", f"mark={RUNIC_AXE}:0:1"):
        press_at_desk(as_alice, played, do=do)
    press_at_desk(as_alice, played, confirm="1")
    text = text_of(as_alice.get(f"/decks/{played.pk}/compare/?from=1&to=2"))
    added = text[text.index("Added") : text.index("Removed")]
    assert "1 × Beat Cop (2)" in added
    removed = text[text.index("Removed") : text.index("Exiled")]
    assert "1 × Beat Cop" in removed
    assert "Machete" not in removed
    assert "Exiled 1 × Machete" in text
    assert "Upgrade sheet of Runic Axe: – → Heirloom 1" in text
    assert "Cost of the upgrade 3 experience" in text
    assert "Upgrade from Beat Cop" in text


def test_a_version_is_not_compared_with_itself(as_alice: Client, played: Deck) -> None:
    """The page asks for another one, and shows no empty lists."""
    press_at_desk(as_alice, played, do="add=02018")
    press_at_desk(as_alice, played, confirm="1")
    page = text_of(as_alice.get(f"/decks/{played.pk}/compare/?from=2&to=2"))
    assert "Both are version 2. Choose another version to compare it with." in page
    assert "Exiled" not in page


def test_a_deck_of_one_version_has_nothing_to_compare(
    as_alice: Client, alice: User
) -> None:
    content = starter_deck(embedded_pool(), "01001")
    deck = services.create_deck(owner=alice, content=content, now=NOW)
    text = text_of(as_alice.get(f"/decks/{deck.pk}/compare/"))
    assert "This deck has one version so far." in text
    assert "Added" not in text


@pytest.mark.parametrize("query", ["?from=0", "?to=9", "?from=x", "?to=-1"])
def test_an_unknown_revision_is_not_compared(
    as_alice: Client, played: Deck, query: str
) -> None:
    """404."""
    assert as_alice.get(f"/decks/{played.pk}/compare/{query}").status_code == 404


def _knowing() -> Content:
    """A deck with a card that the list of 2026 makes more expensive by 2."""
    changes = [("remove", "01035:2"), ("add", "05231:2")]
    return apply(axes_content(), changes, embedded_pool())


def test_a_move_to_another_list_is_previewed(as_alice: Client, alice: User) -> None:
    """Prices of copies before and after; once moved, it is judged by the new list."""
    deck = services.create_deck(owner=alice, content=_knowing(), now=NOW)
    text = text_of(as_alice.get(f"/decks/{deck.pk}/taboos/?to=10"))
    assert "2 × Knowledge is Power 0 2" in text
    assert "Use this list" in text
    as_alice.post(f"/decks/{deck.pk}/edit", {"revision": "1", "do": "choose=taboo:10"})
    assert latest_of(deck).list["taboo_id"] == 10


def test_the_newest_list_is_compared_at_once(as_alice: Client, deck: Deck) -> None:
    """Until another is chosen; the page is never just a selection of lists."""
    text = text_of(as_alice.get(f"/decks/{deck.pk}/taboos/"))
    newest = embedded_pool().taboo_lists[-1]
    assert f"Taboos of {newest.date}" in text
    assert "Use this list" in text


def test_paid_cards_stay_paid_under_another_list(as_alice: Client, alice: User) -> None:
    """The cards of the deck cost nothing more; a new one has its new price."""
    deck = services.create_deck(owner=alice, content=_knowing(), now=NOW)
    services.mark_played(
        deck=deck,
        game=services.PlayedGame(earned=(Earned("victory", 5),)),
        expected_revision=1,
        now=NOW,
    )
    press_at_desk(as_alice, deck, do="choose=taboo:10")
    text = text_of(as_alice.get(f"/decks/{deck.pk}/upgrade/"))
    assert "5 of 5 left" in text
    assert "Legal" in text


def test_a_card_that_the_new_list_forbids_is_replaced_free(
    as_alice: Client, alice: User
) -> None:
    """The Necronomicon leaves a deck of Daisy's; a level 0 card replaces it."""
    pool = embedded_pool()
    start = starter_deck(pool, "01002")
    first = next(c for c in start.deck["slots"] if pool[c].level == 0)
    changes = [("remove", first), ("add", "60233"), ("remove", "01000")]
    content = apply(start, [*changes, ("add", "01101")], pool)
    deck = services.create_deck(owner=alice, content=content, now=NOW)
    services.mark_played(
        deck=deck, game=services.PlayedGame(), expected_revision=1, now=NOW
    )
    text = text_of(as_alice.get(f"/decks/{deck.pk}/taboos/?to=10"))
    assert "New findings" in text
    assert "1 × The Necronomicon (5) 5 forbidden" in text
    assert "Correct the deck at the upgrade desk" in text
    for do in ("choose=taboo:10", f"remove=60233 add={first}"):
        press_at_desk(as_alice, deck, do=do)
    text = text_of(as_alice.get(f"/decks/{deck.pk}/upgrade/"))
    assert "Free replacement for a lost card" in text
    assert "0 of 0 left" in text
    assert "Legal" in text


def test_a_played_deck_moves_at_the_desk(as_alice: Client, played: Deck) -> None:
    """With the desk's current version."""
    page = as_alice.get(f"/decks/{played.pk}/taboos/?to=8")
    found = re.search(r'name="revision" value="([\d.]+)"', source_of(page))
    assert found is not None
    assert found[1] == desk_mark(as_alice, played)
    press_at_desk(as_alice, played, do="choose=taboo:8", revision=found[1])
    assert Desk.objects.get().list["taboo_id"] == 8


def test_a_deck_moves_and_is_repaired_in_one_step(
    as_alice: Client, alice: User
) -> None:
    """A forbidden card leaves with the move; the page says which finding is gone."""
    pool = embedded_pool()
    start = starter_deck(pool, "01002")
    content = apply(start, [("add", "60233"), ("choose", "taboo:none")], pool)
    deck = services.create_deck(owner=alice, content=content, now=NOW)
    page = as_alice.get(f"/decks/{deck.pk}/taboos/?to=10")
    repair = "choose=taboo:10 remove=60233:1"
    assert f'value="{repair}"' in source_of(page)
    assert "Use this list and make the obvious corrections" in text_of(page)
    as_alice.post(f"/decks/{deck.pk}/edit", {"revision": "1", "do": repair})
    moved = latest_of(deck).list
    assert (moved["taboo_id"], "60233" in moved["slots"]) == (10, False)
    back = text_of(as_alice.get(f"/decks/{deck.pk}/taboos/?to=none"))
    assert "No new findings." in back
    assert "what has only one fix" not in back


def test_newly_allowed_cards_are_shown(as_alice: Client, alice: User) -> None:
    pool = embedded_pool()
    content = apply(
        starter_deck(pool, "01002"), [("add", "60233"), ("choose", "taboo:10")], pool
    )
    deck = services.create_deck(owner=alice, content=content, now=NOW)
    text = text_of(as_alice.get(f"/decks/{deck.pk}/taboos/?to=none"))
    assert "Findings that go away" in text
    assert "is forbidden by the taboo list of 2026-02-19" in text


def test_the_total_price_of_a_deck_under_both_lists_is_shown(
    as_alice: Client, alice: User
) -> None:
    deck = services.create_deck(owner=alice, content=_knowing(), now=NOW)
    text = text_of(as_alice.get(f"/decks/{deck.pk}/taboos/?to=10"))
    assert "2 × Knowledge is Power 0 2 4" in text
    assert "The whole deck 0 4" in text


def test_lines_of_sheets_that_change_are_shown(as_alice: Client, alice: User) -> None:
    """Power Word's second line is another one; Runic Axe's hunt costs one more."""
    changes = [
        ("add", "09081"),
        ("mark", "09081:1:1"),
        ("add", RUNIC_AXE),
        ("choose", "taboo:none"),
    ]
    content = apply(starter_deck(embedded_pool(), "01004"), changes, embedded_pool())
    deck = services.create_deck(owner=alice, content=content, now=NOW)
    text = text_of(as_alice.get(f"/decks/{deck.pk}/taboos/?to=10"))
    assert "Power Word: the line Mercy becomes Cower. The boxes you" in text
    assert "Inscription of the Hunt costs 1 besides its boxes (0 before)." in text
    same = text_of(as_alice.get(f"/decks/{deck.pk}/taboos/?to=5"))
    assert "Upgrade sheets" not in same


def test_versions_of_one_level_are_distinguished(as_alice: Client, alice: User) -> None:
    """On the button, beside it if it is narrow, and on the invoice."""
    content = apply(
        starter_deck(embedded_pool(), "01002"), [("add", "02021")], embedded_pool()
    )
    deck = services.create_deck(owner=alice, content=content, now=NOW)
    game = services.PlayedGame((Earned("victory", 5),), {}, ("02021",))
    services.mark_played(deck=deck, game=game, expected_revision=1, now=NOW)
    address = f"/decks/{deck.pk}/upgrade/"

    page = as_alice.get(f"{address}?view=add&q=Strange+Solution").content.decode()
    assert ": upgrade to Strange Solution: Acidic Ichor (4)</span></button>" in page
    assert '<span class="tag">Acidic Ichor</span>' in page
    assert '<span class="subtitle">Acidic Ichor' not in page
    as_alice.post(
        address, {"revision": desk_mark(as_alice, deck), "do": "remove=02021 add=02263"}
    )
    assert "Strange Solution: Acidic Ichor (4)" in text_of(as_alice.get(address))
