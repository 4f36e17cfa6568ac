"""Draws for a deck that was played: dealt, corrected and drawn again."""

from __future__ import annotations

import pytest
from django.test import Client
from django.utils import timezone

from arkham.accounts.models import User
from arkham.rules.snapshot import embedded_pool
from decks import services
from decks.lists.starter import starter_deck
from decks.models import Correction, Deck
from decks.services import ledger
from decks.services.ledger import Earned
from decks.services.windows import PricedUpgrade
from tests.decks.chance import CARDS, a_deck, core_collection, deck_for, post, slots_of
from tests.decks.edits import apply
from tests.decks.helpers import text_of

pytestmark = pytest.mark.usefixtures("rows")


def _played(owner: User) -> Deck:
    """A legal deck after a game that brought 4 and took a Machete."""
    content = starter_deck(embedded_pool(), "01001")
    changes = [("remove", "01000"), ("add", "01101")]
    content = apply(content, changes, embedded_pool())
    deck = services.create_deck(owner=owner, content=content, now=timezone.now())
    game = services.PlayedGame((Earned("victory", 4),), {"exiled": {"01020": 1}})
    services.mark_played(deck=deck, game=game, expected_revision=1, now=timezone.now())
    return deck


def _priced(deck: Deck, *changes: tuple[str, str]) -> PricedUpgrade:
    deck.refresh_from_db()
    desk = services.desk_of(deck.revisions.get(number=deck.revision))
    assert desk is not None
    content = apply(desk.content, changes, embedded_pool())
    return services.preview_upgrade(deck=deck, content=content, window=desk.window)


def test_a_weakness_is_drawn_for_a_played_deck(as_alice: Client, alice: User) -> None:
    """The deck gets it for nothing; the gap of an exiled card stays."""
    deck = _played(alice)
    address = f"/decks/{deck.pk}/weaknesses"
    assert "Anything you draw now counts as gained" in text_of(as_alice.get(address))
    answer = post(
        as_alice, address, deck, collection=core_collection(alice).pk, count=1
    )
    assert answer.status_code == 303

    draw = deck.draws.get()
    (code,) = draw.record["result"]
    slots = slots_of(deck)
    assert (draw.revision, draw.made) == (1, 2)
    assert (slots[code], slots["01101"], slots["01020"]) == (1, 1, 1)
    second = deck.revisions.get(number=2)
    assert (second.cause, second.base, second.invoice) == ("upgraded", 1, None)
    assert second.reason.startswith("Drawn at random: ")
    assert ledger.balance_of(deck) == 4
    preview = _priced(deck, ("add", "01020"))
    assert preview.invoice.lawful
    assert [line.rule for line in preview.invoice.lines] == ["price.refill"]
    assert second.reason in text_of(as_alice.get(f"/decks/{deck.pk}/"))


def test_a_draw_keeps_an_upgrade_made_or_in_progress(
    as_alice: Client, alice: User
) -> None:
    """What was paid stays paid, and the weakness is on the desk."""
    deck = _played(alice)
    cop = [("add", "01020"), ("remove", "01018"), ("add", "01028")]
    content = apply(services.opened(deck.revisions.get()), cop, embedded_pool())
    now = timezone.now()
    services.upgrade_deck(deck=deck, content=content, expected_revision=1, now=now)
    desk = services.desk_of(deck.revisions.get(number=2))
    assert desk is not None
    more = apply(desk.content, [("remove", "01018"), ("add", "01028")], embedded_pool())
    services.save_desk(
        deck=deck, content=more, window=desk.window, seen=2, expected_version=0, now=now
    )
    address = f"/decks/{deck.pk}/weaknesses"
    post(as_alice, address, deck, collection=core_collection(alice).pk, count=1)

    (code,) = deck.draws.get().record["result"]
    slots = slots_of(deck)
    assert (slots[code], slots["01028"], ledger.balance_of(deck)) == (1, 1, 2)
    laid = services.desk_of(deck.revisions.get(number=3))
    assert laid is not None
    assert laid.pk is not None
    assert (laid.list["slots"][code], laid.list["slots"]["01028"]) == (1, 2)
    preview = _priced(deck)
    assert (preview.available, preview.invoice.total) == (4, 4)
    assert preview.invoice.lawful


def test_a_draw_between_games_is_corrected(as_alice: Client, alice: User) -> None:
    """The weakness leaves again, and none is owed."""
    deck = _played(alice)
    pool = {"collection": core_collection(alice).pk, "count": 1}
    post(as_alice, f"/decks/{deck.pk}/weaknesses", deck, **pool)
    draw = deck.draws.get()
    (code,) = draw.record["result"]
    address = f"/decks/{deck.pk}/draws/{draw.pk}/correct"
    assert post(as_alice, address, deck, reason="Not ours.").status_code == 303

    assert code not in slots_of(deck)
    assert Correction.objects.get(draw=draw).reason == "Not ours."
    assert _priced(deck, ("add", "01020")).invoice.lawful
    # One of an earlier window is removed by an instruction.
    post(as_alice, f"/decks/{deck.pk}/weaknesses", deck, **pool)
    later = deck.draws.latest("pk")
    deck.refresh_from_db()
    services.mark_played(
        deck=deck, game=services.PlayedGame(), expected_revision=4, now=timezone.now()
    )
    address = f"/decks/{deck.pk}/draws/{later.pk}/correct"
    assert post(as_alice, address, deck, reason="Not ours.").status_code == 303
    (code,) = later.record["result"]
    assert code not in slots_of(deck)
    assert _priced(deck, ("add", "01020")).invoice.lawful


def test_a_random_weakness_placeholder_makes_room_for_one(
    as_alice: Client, alice: User
) -> None:
    """A deck that was played before drawing draws now."""
    deck = a_deck(alice)
    services.mark_played(
        deck=deck, game=services.PlayedGame(), expected_revision=1, now=timezone.now()
    )
    pool = {"collection": core_collection(alice).pk, "count": 1}
    post(as_alice, f"/decks/{deck.pk}/weaknesses", deck, **pool)
    (code,) = deck.draws.get().record["result"]
    slots = slots_of(deck)
    assert (slots[code], slots.get("01000")) == (1, None)
    assert not any(
        each.rule == "upgrade.weakness" for each in _priced(deck).invoice.findings
    )


@pytest.mark.parametrize("later", [False, True], ids=["this window", "a later one"])
def test_a_corrected_draw_is_due_again(
    as_alice: Client, alice: User, *, later: bool
) -> None:
    """The placeholder that made room is in the deck again."""
    deck = a_deck(alice)
    now = timezone.now()
    services.mark_played(
        deck=deck, game=services.PlayedGame(), expected_revision=1, now=now
    )
    pool = {"collection": core_collection(alice).pk, "count": 1}
    page = f"/decks/{deck.pk}/weaknesses"
    post(as_alice, page, deck, **pool)
    if later:
        services.mark_played(
            deck=deck, game=services.PlayedGame(), expected_revision=2, now=now
        )
    draw = deck.draws.get()
    post(as_alice, f"/decks/{deck.pk}/draws/{draw.pk}/correct", deck, reason="No.")
    assert slots_of(deck) == CARDS
    assert not _weaknesses_found(deck)

    post(as_alice, page, deck, **pool)
    (code,) = deck.draws.latest("pk").record["result"]
    drawn = {**CARDS, code: 1}
    del drawn["01000"]
    assert slots_of(deck) == drawn
    assert not _weaknesses_found(deck)


def test_correcting_a_gained_weakness_leaves_no_placeholder(
    as_alice: Client, alice: User
) -> None:
    """The list, of a campaign in progress, is as it was."""
    slots = {**CARDS, "01101": 1}
    del slots["01000"]
    deck = a_deck(alice, slots=slots, mode="campaign")
    pool = {"collection": core_collection(alice).pk, "count": 1}
    post(as_alice, f"/decks/{deck.pk}/weaknesses", deck, **pool)
    assert slots_of(deck) != slots
    draw = deck.draws.get()
    post(as_alice, f"/decks/{deck.pk}/draws/{draw.pk}/correct", deck, reason="No.")
    assert slots_of(deck) == slots


def _weaknesses_found(deck: Deck) -> list[str]:
    found = _priced(deck).invoice.findings
    return [each.rule for each in found if "weakness" in each.rule]


def test_versions_drawn_for_a_played_deck_are_put_on_its_desk(
    as_alice: Client, alice: User
) -> None:
    """They are paid for there; the draw is recorded anyway."""
    deck = deck_for(alice, "02002", {"02021": 2, "04106": 1, "01030": 2})
    services.mark_played(
        deck=deck, game=services.PlayedGame(), expected_revision=1, now=timezone.now()
    )
    address = f"/decks/{deck.pk}/upgrades"
    answer = post(as_alice, address, deck, lower="02021")
    assert answer["Location"] == f"/decks/{deck.pk}/upgrade/"

    draw = deck.draws.get()
    assert (draw.revision, draw.made) == (1, None)
    deck.refresh_from_db()
    assert deck.revision == 1
    preview = _priced(deck)
    come = {line.code for line in preview.invoice.lines}
    assert come == set(draw.record["result"])
    assert preview.invoice.total == 4  # the second copy is had along with the first
    assert "The upgrades drawn are on the upgrade desk." in text_of(
        as_alice.get(answer["Location"])
    )


def test_a_placeholder_after_a_game_is_due_again(as_alice: Client, alice: User) -> None:
    """Once its draw is corrected."""
    deck = services.create_deck(
        owner=alice,
        content=starter_deck(embedded_pool(), "01001"),
        now=timezone.now(),
    )
    post(as_alice, f"/decks/{deck.pk}/weaknesses", deck, count=1)
    game = services.PlayedGame((), {"granted": {"01000": 1}})
    deck.refresh_from_db()
    services.mark_played(
        deck=deck, game=game, expected_revision=deck.revision, now=timezone.now()
    )
    collection = core_collection(alice).pk
    post(as_alice, f"/decks/{deck.pk}/weaknesses", deck, collection=collection, count=1)
    assert "01000" not in slots_of(deck)
    draw = deck.draws.latest("pk")
    post(as_alice, f"/decks/{deck.pk}/draws/{draw.pk}/correct", deck, reason="No.")

    assert slots_of(deck)["01000"] == 1
