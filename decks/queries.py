"""Which decks may somebody see or change? All other decks do not exist for them."""

from __future__ import annotations

from collections.abc import Collection

from django.contrib.auth.models import AbstractBaseUser, AnonymousUser
from django.db.models import F, Q, QuerySet

from decks.models import Deck, Revision

Person = AbstractBaseUser | AnonymousUser


def visible_to(user: Person, keys: Collection[str] = ()) -> QuerySet[Deck]:
    """The decks somebody may look at: their own, and the drafts they hold keys of."""
    return Deck.objects.filter(_held_by(user, keys))


def editable_by(user: Person, keys: Collection[str] = ()) -> QuerySet[Deck]:
    """The decks somebody may change. Today whoever may see a deck may change it."""
    return visible_to(user, keys)


def latest(decks: QuerySet[Deck]) -> QuerySet[Revision]:
    """The latest revision of each of these decks, with the deck, newest first."""
    return (
        Revision.objects.filter(deck__in=decks, number=F("deck__revision"))
        .select_related("deck")
        .order_by("-deck__changed_at", "-deck_id")
    )


def _held_by(user: Person, keys: Collection[str]) -> Q:
    held = Q(owner=None, key__in=keys)
    return held | Q(owner=user) if user.is_authenticated else held
