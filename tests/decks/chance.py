"""Decks to draw for, and requests that draw."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse
from django.test import Client
from django.utils import timezone

from arkham.accounts.models import User
from cardpool.models import Picture
from decks import services
from decks.lists.content import read_content
from decks.models import Collection, Deck

CARDS = {
    "01016": 2, "01017": 2, "01018": 2, "01019": 2, "01020": 2, "01021": 2,
    "01022": 2, "01023": 2, "01024": 2, "01025": 2, "01086": 2, "01087": 2,
    "01088": 2, "01089": 2, "01090": 2, "01006": 1, "01007": 1, "01000": 1,
}  # fmt: skip


def a_deck(
    owner: User, *, slots: dict[str, int] | None = None, name: str = "R", **told: Any
) -> Deck:
    """Make a deck of Roland's: these cards, or 30 without a weakness drawn."""
    content = read_content(
        {
            "deck": {"investigator_code": "01001", "slots": slots or CARDS},
            "circumstances": told,
        }
    )
    now = timezone.now()
    return services.create_deck(owner=owner, content=content, now=now, name=name)


def has_picture(code: str) -> None:
    """Give this card an imported picture of its front."""
    Picture.objects.create(
        code=code,
        is_back=False,
        digest="0123456789abcdef",
        width=300,
        height=420,
        source="x",
        checked_at=timezone.now(),
    )


def slots_of(deck: Deck) -> dict[str, int]:
    """Return the cards of the latest revision."""
    deck.refresh_from_db()
    found: dict[str, int] = deck.revisions.get(number=deck.revision).list["slots"]
    return found


def post(client: Client, address: str, deck: Deck, **data: Any) -> HttpResponse:
    """Submit a form with the latest revision."""
    deck.refresh_from_db()
    answer = client.post(address, {"revision": deck.revision, **data})
    assert isinstance(answer, HttpResponse)
    return answer


def core_collection(owner: User, **told: Any) -> Collection:
    """Make a collection of two core sets, or of the named products."""
    values = {"name": "Mine", "products": {"core": 2}, "changed_at": timezone.now()}
    return Collection.objects.create(owner=owner, **(values | told))


def deck_for(
    owner: User, investigator: str, slots: dict[str, int], **told: Any
) -> Deck:
    """Make a deck of any investigator with these cards."""
    data = {"investigator_code": investigator, "slots": slots}
    content = read_content({"deck": data, "circumstances": told})
    return services.create_deck(owner=owner, content=content, now=timezone.now())
