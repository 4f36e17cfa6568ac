"""A deleted deck is in the bin for thirty days, and nowhere else."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from threading import Thread
from typing import Any

import pytest
from django.conf import LazySettings
from django.db import connection, connections
from django.test import Client

from arkham.accounts.models import User
from arkham.housekeeping import forget_expired
from arkham.rules.snapshot import embedded_pool
from arkham.web.quotas import QuotaReached
from campaigns import services as campaigns
from campaigns.models import Seat
from decks import services
from decks.lists.content import empty_content
from decks.models import Deck, Showing
from tests.campaigns.helpers.tables import a_campaign, organiser_of
from tests.decks.building import a_draft
from tests.decks.helpers import NOW, text_of

pytestmark = pytest.mark.usefixtures("rows")

ROLAND = "01001"


def _deck(owner: User, name: str = "Rusty") -> Deck:
    return services.create_deck(
        owner=owner, content=empty_content(ROLAND), now=NOW, name=name
    )


def _delete(deck: Deck, days: int = 0) -> None:
    deck.refresh_from_db()
    services.delete_deck(
        deck=deck, expected_revision=deck.revision, now=NOW + timedelta(days=days)
    )


def test_a_deleted_deck_is_restored_with_its_revisions(
    as_alice: Client, alice: User
) -> None:
    """From the page of the bin; no other page of it works."""
    deck = _deck(alice)
    as_alice.post(f"/decks/{deck.pk}/delete", {"revision": "1"})
    for address in ("", "edit", "list.json", "delete", "compare/"):
        assert as_alice.get(f"/decks/{deck.pk}/{address}").status_code == 404
    assert "Rusty" in text_of(as_alice.get("/decks/bin/"))
    said = as_alice.post("/decks/bin/", {"restore": str(deck.pk)}, follow=True)
    assert "1 deck is restored. It is private and isn’t at a table." in text_of(said)
    assert as_alice.get(f"/decks/{deck.pk}/").status_code == 200
    assert deck.revisions.count() == 1


def test_the_bin_is_emptied_after_thirty_days(alice: User) -> None:
    """By the usual cleaner; a draft's own time runs on meanwhile."""
    old, young = _deck(alice), _deck(alice)
    _delete(old)
    _delete(young, days=1)
    assert forget_expired(now=NOW + timedelta(days=30, seconds=1)) == 1
    assert [each.pk for each in Deck.everything.all()] == [young.pk]


def test_a_deck_in_the_bin_can_be_deleted_permanently(
    as_alice: Client, alice: User
) -> None:
    """Only what is in the bin."""
    gone, here = _deck(alice), _deck(alice)
    _delete(gone)
    data = {"do": "delete", "deck": [str(gone.pk), str(here.pk), "x"]}
    said = text_of(as_alice.post("/decks/bin/", data, follow=True))
    assert "1 deck is permanently deleted." in said
    assert [each.pk for each in Deck.everything.all()] == [here.pk]


def test_the_bin_is_private(as_bob: Client, alice: User) -> None:
    """To others it is empty."""
    deck = _deck(alice)
    _delete(deck)
    assert "Rusty" not in text_of(as_bob.get("/decks/bin/"))
    for do in ({"restore": str(deck.pk)}, {"do": "delete", "deck": str(deck.pk)}):
        as_bob.post("/decks/bin/", do)
    assert Deck.binned.get() == deck


def test_a_draft_is_restored_in_its_browser(client: Client) -> None:
    """Its private link is invalid meanwhile."""
    deck = a_draft(client)
    client.post(f"/decks/{deck.pk}/delete", {"revision": "1"})
    assert Client().get(f"/decks/draft/{deck.key}/").status_code == 404
    assert "Bin (1)" in text_of(client.get("/decks/"))
    client.post("/decks/bin/", {"restore": str(deck.pk)})
    assert client.get(f"/decks/{deck.pk}/edit").status_code == 200


def test_a_restored_deck_is_private(client: Client, alice: User) -> None:
    """Its former link never works again."""
    deck = _deck(alice)
    link = services.open_link(deck=deck, now=NOW)
    services.publish_deck(deck=deck, number=1, pool=embedded_pool(), now=NOW)
    copy = services.copy_shown(showing=deck.showing, owner=None, now=NOW)
    addresses = (f"/decks/published/{deck.showing.pk}/", f"/decks/shared/{link.key}/")
    for address in addresses:
        assert client.get(address).status_code == 200
    _delete(deck)
    for _restored in range(2):
        for address in addresses:
            assert client.get(address).status_code == 404
        services.restore_deck(deck=deck)
    assert not Showing.objects.exists()
    assert copy.source.name == "Rusty"


def test_a_restored_deck_may_join_its_campaign_again(alice: User) -> None:
    """Its campaign's experience is not booked twice."""
    campaign = a_campaign(alice, ROLAND)
    seat, deck = campaign.seats.get(), _deck(alice)
    member = organiser_of(campaign)
    campaigns.link_deck(seat=seat, member=member, deck=deck, now=NOW)
    _delete(deck)
    seat.refresh_from_db()
    assert (seat.deck, seat.kind) == (None, Seat.Kind.NONE)
    services.restore_deck(deck=deck)
    seat.refresh_from_db()
    assert seat.deck is None
    campaigns.link_deck(seat=seat, member=member, deck=deck, now=NOW)
    seat.refresh_from_db()
    assert seat.deck == deck


def test_the_confirmation_says_what_a_deck_loses(as_alice: Client, alice: User) -> None:
    """Its campaign and its readers; for one deck or many."""
    campaign, deck = a_campaign(alice, ROLAND), _deck(alice)
    campaigns.link_deck(
        seat=campaign.seats.get(), member=organiser_of(campaign), deck=deck, now=NOW
    )
    services.share_deck(deck=deck, now=NOW)
    for page in (
        as_alice.get(f"/decks/{deck.pk}/delete"),
        as_alice.post("/decks/many", {"do": "delete", "deck": f"{deck.pk}.1"}),
    ):
        assert "This removes it from the campaign Friday." in text_of(page)
        assert "the link will stop working." in text_of(page)
    found = text_of(as_alice.get(f"/decks/?table={campaign.pk}"))
    assert "Rusty" in found
    assert "Rusty" not in text_of(as_alice.get("/decks/?table=none"))


def test_restoring_needs_room(
    as_alice: Client, alice: User, settings: LazySettings
) -> None:
    """Decks without room stay in the bin, and are counted."""
    settings.ORNE_QUOTAS = {**settings.ORNE_QUOTAS, "decks": 2}
    binned = [_deck(alice, "One"), _deck(alice, "Two")]
    for deck in binned:
        _delete(deck)
    _deck(alice, "Three")
    data = {"do": "restore", "deck": [str(deck.pk) for deck in binned]}
    said = text_of(as_alice.post("/decks/bin/", data, follow=True))
    assert "1 deck is restored." in said
    assert "1 deck is still in the bin. You have 2 decks" in said
    with pytest.raises(QuotaReached):
        services.restore_deck(deck=Deck.binned.get())


def test_the_bin_has_the_quota_of_an_account(
    alice: User, settings: LazySettings
) -> None:
    """The first deleted makes room for the next."""
    settings.ORNE_QUOTAS = {**settings.ORNE_QUOTAS, "decks": 2}
    for day, name in enumerate(("One", "Two", "Three")):
        _delete(_deck(alice, name), days=day)
    assert [each.name for each in Deck.binned.all()] == ["Three", "Two"]


def _meanwhile(first: Callable[[], object], second: Callable[[], object]) -> object:
    """Return the results of two requests; the second starts when the first has read."""
    came: list[object] = []

    def go() -> None:
        came.append(second())
        connections.close_all()

    other = Thread(target=go)

    def watch(execute: Any, sql: str, *asked: Any) -> Any:
        answer = execute(sql, *asked)
        if other.ident is None and sql.startswith("SELECT") and "decks_deck" in sql:
            other.start()
            other.join(0.5)  # it is done by now, or waits for the first
        return answer

    with connection.execute_wrapper(watch):
        first()
    other.join()
    return came[0]


def _clean(_deck: Deck) -> int:
    return services.forget_deleted(now=NOW + timedelta(days=31))


def _delete_for_good(deck: Deck) -> int:
    return services.delete_for_good(decks=[deck])


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("remove", [_clean, _delete_for_good])
def test_a_restored_deck_is_not_emptied_out(
    alice: User, remove: Callable[[Deck], int]
) -> None:
    """Neither by the cleaner nor by another window: one of the two is first."""
    deck = _deck(alice)
    _delete(deck)
    restored = _meanwhile(
        lambda: remove(deck), lambda: services.restore_deck(deck=deck)
    )
    assert restored is Deck.objects.filter(pk=deck.pk).exists()


@pytest.mark.django_db(transaction=True)
def test_a_saved_draft_is_not_deleted(client: Client, alice: User) -> None:
    """Though it had expired when the cleaner looked."""
    draft = a_draft(client)
    late = draft.changed_at + timedelta(days=100)

    def save() -> bool:
        services.keep_deck(deck=draft, owner=alice)
        return draft.owner == alice

    kept = _meanwhile(lambda: services.forget_drafts(now=late), save)
    assert kept is Deck.objects.filter(owner=alice).exists()
